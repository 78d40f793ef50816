from events.permanents import *
