from events.terms import *
