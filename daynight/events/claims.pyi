from events.claims import *
