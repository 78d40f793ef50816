"""Finds the first claim or ruling that contradicts the rules, and whether the later ones contradict them too."""

from __future__ import annotations

from daynight.events import Claim, JudgeRuled
from daynight.framework import bisect
from daynight.framework.bisect import Parted
from daynight.projections.audit.audit import Auditor
from daynight.projections.audit.findings import Finding
from daynight.referee.state import PlayedRecord


def parted(game: PlayedRecord, *, edition: str | None = None) -> Parted[Finding]:
    """Find the first claim or ruling that differs from what is derived; its finding is `first`.

    `right_again` is the event of the first later claim that is right; `monotone` is True if there is none.

    >>> from daynight import Game
    >>> found = parted(Game.load("demo"))
    >>> found.first.event, found.monotone, found.right_again
    (122, False, 135)
    """
    said = (
        number
        for number, event in enumerate(game.events, 1)
        if isinstance(event, (Claim, JudgeRuled)) and game.stands(number)
    )
    return bisect.parted(Auditor(edition).game(game), said)
