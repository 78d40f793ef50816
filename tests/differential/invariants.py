"""Invariants after every event of every record."""

from __future__ import annotations

from daynight.events.terms import Designation, Keyword
from daynight.referee.state import State
from daynight.rules.holding import holders, obstacle


def hold(before: State, after: State) -> None:
    """Assert that a game which was day or night never becomes neither again.

    Also assert that a face with daybound or nightbound follows the designation, unless an effect prevents it.
    """
    if before.began == after.began and Designation.NEITHER not in before.possible:
        assert Designation.NEITHER not in after.possible
    wrong: dict[Designation, tuple[Keyword, bool]] = {
        Designation.NIGHT: ("daybound", False),
        Designation.DAY: ("nightbound", True),
    }
    for possibility in after.possibilities:
        if possibility.designation not in wrong:
            continue
        keyword, back = wrong[possibility.designation]
        held = holders(after.battlefield, possibility.backs)
        for status in after.battlefield:
            if (status.id in possibility.backs) is back and status.has(keyword, possibility.backs):
                assert obstacle(status, after.battlefield, possibility.backs, held) is not None
