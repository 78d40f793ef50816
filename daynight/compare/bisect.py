"""Bisect: the first event that a test finds bad, found by testing few beginnings of the record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from daynight.audit.findings import Finding
from daynight.events.rulings import JudgeRuled
from daynight.events.vocabulary import Claim
from daynight.game import Game

Judgement: TypeAlias = Literal["good", "bad", "skip"]


@dataclass(slots=True)
class Bisected:
    """What a bisection found: `bad` is the first bad event, `good` the last good one before it.

    Where beginnings between the two could not be tested (`untested`), any of those or `bad` may be the first. `bad` is
    None where the whole record is good, or could not be tested. `runs` is how many beginnings were tested, and `asked`
    what was said of each.
    """

    bad: int | None
    good: int
    untested: tuple[int, ...] = ()
    asked: dict[int, Judgement] = field(default_factory=dict)

    @property
    def runs(self) -> int:
        """How many beginnings were tested."""
        return len(self.asked)

    def document(self) -> dict[str, Any]:
        """The answer as JSON."""
        return {
            "bad": self.bad,
            "good": self.good,
            "untested": list(self.untested),
            "runs": self.runs,
            "asked": [{"event": number, "judgement": judgement} for number, judgement in self.asked.items()],
        }


@dataclass(frozen=True, slots=True)
class Parted:
    """Where claimed and derived part, and how it goes on.

    `first` is the first claim or ruling, of those that stand, that differs from what is derived, None where none does;
    `undone` are those before it that differed, and were undone. Of those that stand and come after it, `wrong` are the
    events that differ as well, up to `right_again`, the first event that is right; `differ_again` are those that differ
    after that. What an uncertain record leaves open is neither.
    """

    first: Finding | None
    undone: tuple[Finding, ...]
    wrong: tuple[int, ...] = ()
    right_again: int | None = None
    differ_again: tuple[int, ...] = ()

    @property
    def monotone(self) -> bool:
        """Whether whatever comes after the first one that differs is wrong too."""
        return self.right_again is None

    def document(self, edition: str) -> dict[str, Any]:
        """The answer as `daynight bisect --json` prints it."""
        return {
            "bad": None if self.first is None else self.first.event,
            "finding": None if self.first is None else self.first.document(edition),
            "undone": [finding.document(edition) for finding in self.undone],
            "monotone": self.monotone,
            "wrong": list(self.wrong),
            "right_again": self.right_again,
            "differ_again": list(self.differ_again),
        }


def parted(game: Game, *, edition: str | None = None) -> Parted:
    """The first claim or ruling that differs from what is derived, and whether those after it differ too.

    >>> found = parted(Game.load("demo"))
    >>> found.first.event, found.monotone, found.right_again
    (122, False, 135)
    """
    audit = game.audit(edition=edition)
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


def first_parting(game: Game, *, edition: str | None = None) -> tuple[Finding | None, tuple[Finding, ...]]:
    """The first claim or ruling, of those that stand, that differs from what is derived; and those undone before it.

    >>> found, undone = first_parting(Game.load("demo"))
    >>> found.event, undone
    (122, ())
    """
    found = parted(game, edition=edition)
    return found.first, found.undone


def bisected(last: int, test: Callable[[int], Judgement]) -> Bisected:
    """The first number from 1 to `last` that is bad, where what comes after a bad one is bad too.

    `test(n)` judges the beginning of a record that ends with event n; each is tested at most once, and 0, the empty
    one, counts as good.

    >>> found = bisected(1000, lambda number: "bad" if number >= 122 else "good")
    >>> found.bad, found.good, found.runs
    (122, 121, 11)
    """
    asked: dict[int, Judgement] = {}

    def judged(number: int) -> Judgement:
        if number not in asked:
            asked[number] = test(number)
        return asked[number]

    if last == 0 or judged(last) != "bad":
        if last and asked[last] == "skip":
            return Bisected(None, 0, (last,), asked)
        return Bisected(None, last, (), asked)
    good, bad = 0, last
    skipped: set[int] = set()
    while (middle := _middle(good, bad, skipped)) is not None:
        judgement = judged(middle)
        if judgement == "skip":
            skipped.add(middle)
        elif judgement == "bad":
            bad = middle
        else:
            good = middle
    untested = tuple(sorted(number for number in skipped if good < number < bad))
    return Bisected(bad, good, untested, asked)


def _middle(good: int, bad: int, skipped: set[int]) -> int | None:
    """The number nearest to the middle between the two that was not skipped."""
    middle = (good + bad) // 2
    for away in range(bad - good):
        for number in (middle - away, middle + away):
            if good < number < bad and number not in skipped:
                return number
    return None
