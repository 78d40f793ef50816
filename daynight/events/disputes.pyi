from events.disputes import *
