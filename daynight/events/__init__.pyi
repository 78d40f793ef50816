from events import *
