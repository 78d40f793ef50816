from events.actions import *
