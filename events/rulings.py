"""Judge's acts: a ruling that stands, and backing the game up."""

from __future__ import annotations

from typing import Literal

from daynight.events.happening import Happening
from daynight.events.terms import Name, Number

__all__ = ["GameBackedUp", "JudgeRuled"]


class JudgeRuled(Happening, frozen=True, kw_only=True, tag="judge-ruled"):
    """It is day, or night, from now on: right or wrong, the ruling stands."""

    designation: Literal["day", "night"]
    by: Name


class GameBackedUp(Happening, frozen=True, kw_only=True, tag="game-backed-up"):
    """The state is again what it was after event `to`; the events between stay, marked undone."""

    to: Number
    by: Name
