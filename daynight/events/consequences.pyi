from events.consequences import *
