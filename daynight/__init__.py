"""Is it day or night, and can you prove it? A recorded game of Magic, replayed, explained and audited.

`Game` is a recorded game, `Store` keeps games, and `Library` lists them; `insert`, `drop` and `replace` are edits for
`Game.branch`. For rules of your own: a `Mechanic` has the rules, a `Recorded` is a record under them,
`daynight.store.Store` keeps such records, and `commands` makes a command line for them. The events of the game are in
`daynight.events`, the views of it in `daynight.projections`.
"""

from __future__ import annotations

from importlib import import_module
from os.path import dirname, isfile, join
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from daynight.cli.mechanics import commands
    from daynight.events.consequences import Consequence
    from daynight.events.terms import Designation, Face
    from daynight.events.vocabulary import Event
    from daynight.framework.chart import Arc, Chart
    from daynight.framework.edits import drop, insert, replace
    from daynight.framework.joining import beside
    from daynight.framework.language.errors import DaynightError, NotFoundError, RecordError
    from daynight.framework.language.happening import Happening
    from daynight.framework.language.language import Language
    from daynight.framework.mechanic import Derived, Mechanic, Part, Said, Words
    from daynight.framework.recorded import Recorded
    from daynight.game import Game, Moment
    from daynight.games import Library, Store
    from daynight.referee.state import State

_WHERE = {
    name: module
    for module, names in {
        "cli.mechanics": "commands",
        "events.consequences": "Consequence",
        "events.terms": "Designation Face",
        "events.vocabulary": "Event",
        "framework.joining": "beside",
        "framework.chart": "Arc Chart",
        "framework.edits": "drop insert replace",
        "framework.language.errors": "DaynightError NotFoundError RecordError",
        "framework.language.happening": "Happening",
        "framework.language.language": "Language",
        "framework.mechanic": "Derived Mechanic Part Said Words",
        "framework.recorded": "Recorded",
        "game": "Game Moment",
        "games": "Library Store",
        "referee.state": "State",
    }.items()
    for name in names.split()
}

__all__ = [
    "Arc",
    "Chart",
    "Consequence",
    "DaynightError",
    "Derived",
    "Designation",
    "Event",
    "Face",
    "Game",
    "Happening",
    "Language",
    "Library",
    "Mechanic",
    "Moment",
    "NotFoundError",
    "Part",
    "RecordError",
    "Recorded",
    "Said",
    "State",
    "Store",
    "Words",
    "__version__",
    "beside",
    "commands",
    "drop",
    "insert",
    "replace",
]

__version__ = "0.1.0"
"""The version of this package."""

# The wheel holds `events` and `projections` in this folder; a source tree has them beside it, where its search ends.
if not isfile(join(dirname(__file__), "events", "__init__.py")):
    __path__.append(dirname(dirname(__file__)))


def __getattr__(name: str) -> object:
    # Loaded when first asked for: what only prints the version should not wait for the rules.
    if name in _WHERE:
        return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "events", "projections"])
