"""Is it day or night, and can you prove it? A recorded game of Magic, replayed, explained and audited.

`Game` is a recorded game, `Store` keeps games; `insert`, `drop` and `replace` are edits for `Game.branch`. A mechanic
of your own is a `Mechanic`, its records are `Recorded`, and `commands` is its command line. The events are in
`daynight.events`, the views in `daynight.projections`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from daynight.cli.mechanics import commands as commands
    from daynight.events.consequences import Consequence as Consequence
    from daynight.events.terms import Designation as Designation
    from daynight.events.terms import Face as Face
    from daynight.events.vocabulary import Event as Event
    from daynight.framework.beside import beside as beside
    from daynight.framework.chart import Arc as Arc
    from daynight.framework.chart import Chart as Chart
    from daynight.framework.edits import drop as drop
    from daynight.framework.edits import insert as insert
    from daynight.framework.edits import replace as replace
    from daynight.framework.language.errors import DaynightError as DaynightError
    from daynight.framework.language.errors import NotFoundError as NotFoundError
    from daynight.framework.language.errors import RecordError as RecordError
    from daynight.framework.language.happening import Happening as Happening
    from daynight.framework.language.language import Language as Language
    from daynight.framework.mechanic import Derived as Derived
    from daynight.framework.mechanic import Mechanic as Mechanic
    from daynight.framework.mechanic import Part as Part
    from daynight.framework.mechanic import Said as Said
    from daynight.framework.mechanic import Words as Words
    from daynight.framework.recorded import Recorded as Recorded
    from daynight.game import Game as Game
    from daynight.game import Moment as Moment
    from daynight.referee.state import State as State
    from daynight.store import Store as Store

_WHERE = {
    "Arc": "framework.chart",
    "Chart": "framework.chart",
    "Consequence": "events.consequences",
    "DaynightError": "framework.language.errors",
    "Derived": "framework.mechanic",
    "Designation": "events.terms",
    "Event": "events.vocabulary",
    "Face": "events.terms",
    "Game": "game",
    "Happening": "framework.language.happening",
    "Language": "framework.language.language",
    "Mechanic": "framework.mechanic",
    "Moment": "game",
    "NotFoundError": "framework.language.errors",
    "Part": "framework.mechanic",
    "RecordError": "framework.language.errors",
    "Recorded": "framework.recorded",
    "Said": "framework.mechanic",
    "State": "referee.state",
    "Store": "store",
    "Words": "framework.mechanic",
    "beside": "framework.beside",
    "commands": "cli.mechanics",
    "drop": "framework.edits",
    "insert": "framework.edits",
    "replace": "framework.edits",
}

__all__ = ["__version__", *_WHERE]  # noqa: PLE0604  # names, all of them

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    # Loaded when first asked for: what only prints the version should not wait for the rules.
    if name in _WHERE:
        return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "events", "projections"])
