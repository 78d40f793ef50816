"""Finds the first event that a test finds bad, by testing only a few beginnings of the record."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from daynight.framework.language.codec import document_of

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
        asked = [{"event": number, "judgement": judgement} for number, judgement in self.asked.items()]
        return document_of(self, "bad good untested runs asked", asked=asked)


def bisected(last: int, test: Callable[[int], Judgement]) -> Bisected:
    """Return the first bad number from 1 to `last`, if everything after a bad one is bad too.

    `test(n)` judges the beginning of a record that ends with event n. Each beginning is tested at most once; 0, the
    empty one, counts as good.

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
    """Return the number nearest to the middle of the two that was not `asked` yet."""
    middle = (good + bad) // 2
    for away in range(bad - good):
        for number in (middle - away, middle + away):
            if good < number < bad and number not in asked:
                return number
    return None
