"""The language of events: everything that a record holds, and the consequences derived from it.

Import it as `daynight.events`, not by this folder's own name.
"""

if __name__ != "daynight.events":  # pragma: no cover  # seen from another process only
    raise ImportError("import daynight.events: this folder is a part of daynight, not a package of its own")

from daynight.events.actions import *
from daynight.events.claims import *
from daynight.events.consequences import *
from daynight.events.disputes import *
from daynight.events.language import TAGS as TAGS
from daynight.events.language import decode as decode
from daynight.events.language import read as read
from daynight.events.permanents import Characteristics as Characteristics
from daynight.events.permanents import Permanent as Permanent
from daynight.events.rulings import *
from daynight.events.terms import Designation as Designation
from daynight.events.terms import Face as Face
from daynight.events.vocabulary import Action as Action
from daynight.events.vocabulary import Claim as Claim
from daynight.events.vocabulary import DisputeAct as DisputeAct
from daynight.events.vocabulary import Event as Event
from daynight.events.vocabulary import JudgeAct as JudgeAct
from daynight.events.vocabulary import OfTheRecord as OfTheRecord
from daynight.framework.language.codec import encode as encode
from daynight.framework.language.errors import *
