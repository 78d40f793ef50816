"""The language of events: everything that is ever written down of a game, and what follows from it.

Nobody imports this folder by its own name; it is `daynight.events`.
"""

if __name__ != "daynight.events":
    raise ImportError("import daynight.events: this folder is a part of daynight, not a package of its own")

from daynight.events.actions import *
from daynight.events.claims import *
from daynight.events.codec import decode, encode
from daynight.events.consequences import *
from daynight.events.errors import *
from daynight.events.permanents import Characteristics, Permanent
from daynight.events.reader import read
from daynight.events.rulings import *
from daynight.events.terms import Designation, Face
from daynight.events.vocabulary import TAGS, Action, Claim, Event, JudgeAct
