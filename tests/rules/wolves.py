"""Cards used by the tests: the fields of a permanent in an event, which name its card or describe its faces."""

from .words import Event

RUFFIAN: Event = {"card": "Tavern Ruffian"}
OLD_WEREWOLF: Event = {"card": "Grizzled Outcasts"}
VANDAL: Event = {"card": "Brimstone Vandal"}
IMMERWOLF: Event = {"card": "Immerwolf"}
ANGEL: Event = {"card": "Angel of Eternal Dawn"}
DAYBOUND_FACE: Event = {"name": "Tavern Ruffian", "keywords": ["daybound"], "subtypes": ["Human", "Werewolf"]}
NIGHTBOUND_FACE: Event = {"name": "Tavern Smasher", "keywords": ["nightbound"], "subtypes": ["Werewolf"]}
CLONE_OF_DAYBOUND: Event = {"card": "Clone", "front": DAYBOUND_FACE}
CLONE_OF_NIGHTBOUND: Event = {"card": "Clone", "front": NIGHTBOUND_FACE}
