"""The log of a report: all events, or, of a long game, those around the events that the report names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from daynight.framework.language.codec import document_of
from daynight.projections.transcript import Line

EVENTS = 2_000
"""The most events of a game whose log is whole; that of a longer game is cut."""

AROUND = 25
"""How many events a cut log has before and after each finding, after the beginning, and before the end."""

NEAR = 2
"""How many events a cut log has before and after any other event that the report names."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Events `first` to `last`, which the log leaves out."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ToldLog:
    """The events that are listed and, between them, the cuts; `whole` if there are no cuts."""

    told: tuple[Line | Cut, ...]
    whole: bool

    def document(self) -> dict[str, Any]:
        """Return the log as JSON: the events that are listed, each with its consequences."""
        names = "event sentence consequences note undone"
        lines = [document_of(line, names, event=line.number) for line in self.told if isinstance(line, Line)]
        return {"whole": self.whole, "events": lines}


def log(lines: Sequence[Line], findings: Iterable[int], named: Iterable[int]) -> ToldLog:
    """Return the log of a game. `lines` has event n at index n - 1; `findings` and `named` are events to keep.

    >>> from daynight.events.actions import SpellCast
    >>> lines = [Line(number, SpellCast(player="Ana")) for number in range(1, 3001)]
    >>> [one.number if isinstance(one, Line) else (one.first, one.last) for one in log(lines, (), [1000]).told[24:33]]
    [25, 26, (27, 997), 998, 999, 1000, 1001, 1002, (1003, 2974)]
    """
    if len(lines) <= EVENTS:
        return ToldLog(tuple(lines), True)
    last = len(lines)
    wanted: set[int] = set()
    for numbers, around in ((findings, AROUND), ((1, last), AROUND), (named, NEAR)):
        for number in numbers:
            wanted.update(range(max(number - around, 1), min(number + around, last) + 1))
    told: list[Line | Cut] = []
    for before, number in pairwise([0, *sorted(wanted)]):
        if number > before + 1:
            told.append(Cut(before + 1, number - 1))
        told.append(lines[number - 1])
    return ToldLog(tuple(told), False)
