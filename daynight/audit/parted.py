"""Finds where claims and rules first disagree, and whether later claims disagree too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from daynight.audit.audit import Auditor
from daynight.audit.findings import Finding
from daynight.events import Claim, JudgeRuled
from daynight.framework.language.codec import document_of
from daynight.referee.state import PlayedRecord


@dataclass(frozen=True, slots=True)
class Parted:
    """Where a record and the rules first disagree, and what comes after.

    `first` is the first claim or ruling, not undone, that differs from what is derived; None if none does. `undone` are
    earlier ones that differed and were undone. `wrong` are the events after `first` that differ as well, up to
    `right_again`, the first one that is right; `differ_again` are those that differ after that. What an uncertain
    record leaves open is neither wrong nor right.
    """

    first: Finding | None
    undone: tuple[Finding, ...]
    wrong: tuple[int, ...] = ()
    right_again: int | None = None
    differ_again: tuple[int, ...] = ()

    @property
    def monotone(self) -> bool:
        """Whether everything after the first one that differs is wrong too."""
        return self.right_again is None

    def document(self, edition: str) -> dict[str, Any]:
        """The answer as `daynight bisect --json` prints it."""
        bad, finding = (None, None) if self.first is None else (self.first.event, self.first.document(edition))
        undone = [finding.document(edition) for finding in self.undone]
        names = "bad finding undone monotone wrong right_again differ_again"
        return document_of(self, names, bad=bad, finding=finding, undone=undone)


def parted(game: PlayedRecord, *, edition: str | None = None) -> Parted:
    """Find the first claim or ruling that differs from what is derived, and whether later ones differ too.

    >>> from daynight import Game
    >>> found = parted(Game.load("demo"))
    >>> found.first.event, found.monotone, found.right_again
    (122, False, 135)
    """
    audit = Auditor(edition).game(game)
    first = audit.first_dispute
    end = len(game) + 1 if first is None else first.event
    undone = tuple(finding for finding in audit.findings if finding.event < end)
    differ = {finding.event for finding in audit.disputes}
    settled = differ | {
        number
        for number, event in enumerate(game.events, 1)
        if isinstance(event, (Claim, JudgeRuled)) and game.stands(number)
    }
    settled -= {finding.event for finding in audit.unsettled}
    after = sorted(number for number in settled if number > end)
    right = next((number for number in after if number not in differ), None)
    return Parted(
        first=first,
        undone=undone,
        wrong=tuple(number for number in after if number in differ and (right is None or number < right)),
        right_again=right,
        differ_again=tuple(number for number in after if number in differ and right is not None and number > right),
    )
