from events.rulings import *
