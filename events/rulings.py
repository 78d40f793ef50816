"""Judge's acts: a ruling on day and night, which holds even if it is wrong, and a back-up of the game."""

from __future__ import annotations

from daynight.events.terms import Designation
from daynight.framework.language.happening import Unmarked
from daynight.framework.language.kinds import Name, Number

__all__ = ["GameBackedUp", "JudgeRuled"]


class JudgeRuled(Unmarked, frozen=True, kw_only=True, tag="judge-ruled"):
    """It is this from now on: right or wrong, the ruling stands.

    `neither` only settles a doubt: it is refused where neither is not possible.
    """

    designation: Designation
    by: Name


class GameBackedUp(Unmarked, frozen=True, kw_only=True, tag="game-backed-up"):
    """The state is again what it was after event `to`; the events between stay, marked undone.

    `corrects`: what was written is put right, and the game was not backed up; the events that follow repeat what stood
    after `to`, edited.
    """

    to: Number
    by: Name
    corrects: bool = False
