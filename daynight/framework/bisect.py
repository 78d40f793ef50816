"""Finds the first bad event of a record: by its claims, or by a test of its first n events, for a few numbers n."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from daynight.framework.language.codec import document_of

Judgement: TypeAlias = Literal["good", "bad", "skip"]


F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Parted(Generic[F]):
    """The first claim or ruling that differs from the derived value, and the claims and rulings after it.

    `first` is the finding about it; None if no claim differs. A finding that a back-up undid does not count; `undone`
    has those before `first`. The other fields are event numbers: `wrong` has the later claims that differ too, up to
    `right_again`, the first later claim that is right; `differ_again` has the claims after that one that differ. Later
    claims whose value the record leaves open are in no field.
    """

    first: F | None
    undone: tuple[F, ...]
    wrong: tuple[int, ...] = ()
    right_again: int | None = None
    differ_again: tuple[int, ...] = ()

    @property
    def monotone(self) -> bool:
        """Whether no claim or ruling after `first` is right: each differs too, or its value is open."""
        return self.right_again is None

    def document(self, told: Callable[[F], dict[str, Any]]) -> dict[str, Any]:
        """Return the result as JSON; `told(finding)` returns the JSON object of a finding, which has its `event`."""
        finding = None if self.first is None else told(self.first)
        bad = None if finding is None else finding["event"]
        undone = [told(finding) for finding in self.undone]
        names = "bad finding undone monotone wrong right_again differ_again"
        return document_of(self, names, bad=bad, finding=finding, undone=undone)


def parted(audit: Any, said: Iterable[int]) -> Parted[Any]:
    """Find the first claim or ruling that differs from the derived value, and whether later ones differ too.

    `audit` is the record's audit; `said` are the numbers of the events whose claims or rulings count, as
    `daynight.framework.audit.spoken` yields them.
    """
    first = min(audit.disputes, key=lambda finding: finding.event, default=None)
    earlier = (finding for finding in audit.findings if first is None or finding.event < first.event)
    undone = tuple(finding for finding in earlier if finding.undone)
    differ = {finding.event for finding in audit.disputes}
    settled = (differ | {*said}) - {finding.event for finding in audit.unsettled}
    after = sorted(number for number in settled if first is not None and number > first.event)
    right = next((number for number in after if number not in differ), None)
    return Parted(
        first=first,
        undone=undone,
        wrong=tuple(number for number in after if number in differ and (right is None or number < right)),
        right_again=right,
        differ_again=tuple(number for number in after if number in differ and right is not None and number > right),
    )


@dataclass(slots=True)
class Bisected:
    """The result of a bisection: `bad` is the first bad event, `good` the last event found good before it (0: none).

    `untested` are events after `good` and before `bad` for which the test answered "skip": the first bad event may be
    one of them. `bad` is None if the test did not answer "bad" for the last event of the record. `asked` has each
    answer of the test, by event number; `runs` is the number of answers.
    """

    bad: int | None
    good: int
    untested: tuple[int, ...] = ()
    asked: dict[int, Judgement] = field(default_factory=dict)

    @property
    def runs(self) -> int:
        """How many times the test was called."""
        return len(self.asked)

    def document(self) -> dict[str, Any]:
        """Return the result as JSON."""
        asked = [{"event": number, "judgement": judgement} for number, judgement in self.asked.items()]
        return document_of(self, "bad good untested runs asked", asked=asked)


def bisected(last: int, test: Callable[[int], Judgement]) -> Bisected:
    """Find by bisection the first number from 1 to `last` that is bad, if every number after a bad one is bad too.

    `test(n)` judges the first n events of a record: "good", "bad", or "skip" if it cannot tell. It is called at most
    once for each n, and never for 0, which counts as good.

    >>> found = bisected(1000, lambda number: "bad" if number >= 122 else "good")
    >>> found.bad, found.good, found.runs
    (122, 121, 11)
    """
    asked: dict[int, Judgement] = {}

    def judged(number: int) -> Judgement:
        asked[number] = test(number)
        return asked[number]

    if last == 0 or judged(last) != "bad":
        if last and asked[last] == "skip":
            return Bisected(None, 0, (last,), asked)
        return Bisected(None, last, (), asked)
    good, bad = 0, last
    while (middle := _middle(good, bad, asked)) is not None:
        judgement = judged(middle)
        if judgement == "bad":
            bad = middle
        elif judgement == "good":
            good = middle
    # What was asked between the two was neither: it was skipped.
    untested = tuple(sorted(number for number in asked if good < number < bad))
    return Bisected(bad, good, untested, asked)


def _middle(good: int, bad: int, asked: Container[int]) -> int | None:
    """Return the number between `good` and `bad` nearest to their middle and not in `asked`; None if there is none."""
    middle = (good + bad) // 2
    for away in range(bad - good):
        for number in (middle - away, middle + away):
            if good < number < bad and number not in asked:
                return number
    return None
