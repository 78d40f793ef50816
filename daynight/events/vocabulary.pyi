from events.vocabulary import *
