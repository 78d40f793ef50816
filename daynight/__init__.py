"""Is it day or night, and can you prove it? A recorded game of Magic, replayed, explained and audited."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from daynight.events.terms import Designation
    from daynight.game import Game

__all__ = ["Designation", "Game", "__version__"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    # Loaded when first asked for: what only prints the version should not wait for the rules.
    if name == "Game":
        from daynight.game import Game

        return Game
    if name == "Designation":
        from daynight.events.terms import Designation

        return Designation
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
