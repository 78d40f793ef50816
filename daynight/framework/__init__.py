"""Event-sourced state machines: build a `Mechanic`, and everything else works on it. Nothing in here knows a game."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from daynight.framework.chart import Arc, Chart
    from daynight.framework.edits import drop, insert, replace
    from daynight.framework.folding.moment import Moment
    from daynight.framework.joining import beside
    from daynight.framework.language.errors import ImpossibleError, NotFoundError, RecordError
    from daynight.framework.language.happening import Happening
    from daynight.framework.language.kinds import Name, Number, Saying
    from daynight.framework.language.language import Language
    from daynight.framework.language.shapes.lifting import Lift
    from daynight.framework.mechanic import Between, Change, Derived, Facts, Mechanic, Part, Said, Way, Words, derived
    from daynight.framework.positions import nth
    from daynight.framework.projection import project
    from daynight.framework.recorded import Recorded
    from daynight.framework.testing import assert_replays, given, write_baseline

__all__ = [
    "Arc",
    "Between",
    "Change",
    "Chart",
    "Derived",
    "Facts",
    "Happening",
    "ImpossibleError",
    "Language",
    "Lift",
    "Mechanic",
    "Moment",
    "Name",
    "NotFoundError",
    "Number",
    "Part",
    "RecordError",
    "Recorded",
    "Said",
    "Saying",
    "Way",
    "Words",
    "assert_replays",
    "beside",
    "derived",
    "drop",
    "given",
    "insert",
    "nth",
    "project",
    "replace",
    "write_baseline",
]

_MODULES = (
    "mechanic", "chart", "recorded", "edits", "positions", "projection", "testing", "joining", "folding.moment",
    "language.happening", "language.shapes.lifting", "language.kinds", "language.language", "language.errors",
)  # fmt: skip


def __getattr__(name: str) -> object:
    # Loaded when first asked for: importing `transitions` is slow, and only charts need it.
    for module in _MODULES if name in __all__ else ():
        found = vars(import_module(f"{__name__}.{module}"))
        if name in found:
            return found[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
