from events.language import *
