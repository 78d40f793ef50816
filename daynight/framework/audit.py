"""The audit compares what claims and rulings say of a part with what follows from the events before them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import suppress
from enum import Enum
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from daynight.framework.chart import misspelt
from daynight.framework.history import PassedError, Passing, several
from daynight.framework.language.errors import RecordError
from daynight.framework.mechanic import Derived, Mechanic, Said, agrees

Verdict: TypeAlias = Literal["disputed", "exact", "unverified"]
"""Disputed: something differs. Exact: nothing does, and something was settled. Otherwise unverified."""


class Finding(Struct):
    """A claim or ruling, at `event`, that differs from what is `derived`, or that the record cannot settle.

    `right` is False if it differs, and None if the record leaves it open. `state` is the state with which it was
    compared. `undone`: the event was undone by a later back-up; such a finding does not count.
    """

    event: int
    said: Said
    derived: Derived | None
    right: bool | None
    state: Any = None
    undone: bool = False


class Audit(Struct):
    """What an audit found. `settled` is the first event whose claim is right and was not undone."""

    findings: list[Finding] = []
    settled: int | None = None

    @property
    def disputes(self) -> list[Finding]:
        """The findings that count: claims and rulings that differ and were not undone."""
        return [finding for finding in self.findings if finding.right is False and not finding.undone]

    @property
    def unsettled(self) -> list[Finding]:
        """The claims and rulings that the record leaves open."""
        return [finding for finding in self.findings if finding.right is None]

    @property
    def verdict(self) -> Verdict:
        """The verdict on the whole record."""
        if self.disputes:
            return "disputed"
        return "unverified" if self.settled is None else "exact"

    def note(self, event: int, finding: Finding | None) -> None:
        """Add the result for a claim or ruling at an event. No `finding` means that it is right."""
        if finding is not None:
            self.findings.append(finding)
        elif self.settled is None or event < self.settled:
            self.settled = event

    def also(self, said: Iterable[tuple[int, Finding | None]]) -> Audit:
        """Return a new audit: this one and further results, which no back-up undoes."""
        both = Audit([*self.findings], self.settled)
        for one in said:
            both.note(*one)
        both.findings.sort(key=lambda finding: finding.event)
        return both

    def back_up(self, to: int) -> None:
        """Note that the events after `to` are undone."""
        for finding in self.findings:
            if finding.event > to:
                finding.undone = True
        if self.settled is not None and self.settled > to:
            self.settled = None


def compared(mechanic: Mechanic[Any, Any, Any], state: Any, said: Said, event: int) -> Finding | None:
    """Compare a claim or ruling with its part of a state; return a finding, or None if it is right."""
    if said.part not in mechanic.parts:
        raise ValueError(misspelt(f"says, event {event}: there is no part", said.part, mechanic.parts))
    part = mechanic.parts[said.part]
    values = part.may_be(state, said.subject)
    right = agrees(values, said.value)
    for value in values or () if right is False else ():
        if isinstance(value, Enum) and value.value == said.value:
            raise TypeError(
                f"says, event {event}: {said.part} is {value}, and never {said.value!r}; say the member, not its text"
            )
    return None if right else Finding(event, said, part.of(state, said.subject), right, state)


def audited(game: Any) -> Audit:
    """Audit a record: compare each claim and ruling with its part in the state before the event."""
    audit, mechanic = Audit(), game.mechanic

    def found(number: int, said: Iterable[Said]) -> Iterator[tuple[int, Finding | None]]:
        return _found(mechanic, game.whole(number - 1), said, number)

    for number, event in enumerate(game.events, 1):
        if said := several("says", mechanic.says(event), event, number):
            for one in found(number, said):
                audit.note(*one)
        if (to := mechanic.restores(event)) is not None:
            audit.back_up(to)
    concluded = () if mechanic.concludes is None else mechanic.concludes(game.events)
    return audit.also(one for number, said in concluded for one in found(number, (said,)))


def spoken(game: Any) -> Iterator[int]:
    """Yield the events of a record with claims and rulings that count: no back-up has undone them."""
    mechanic = game.mechanic
    for number, event in enumerate(game.events, 1):
        if several("says", mechanic.says(event), event, number) and game.stands(number):
            yield number
    for number, _said in () if mechanic.concludes is None else mechanic.concludes(game.events):
        yield number


def _found(
    mechanic: Mechanic[Any, Any, Any], before: Any, said: Iterable[Said], number: int
) -> Iterator[tuple[int, Finding | None]]:
    """Compare what event `number` says with the state `before` it."""
    state = mechanic.seen(before, number)
    return ((number, compared(mechanic, state, one, number)) for one in said)


def streamed(empty: Any, read: Callable[[], Iterable[Any]]) -> tuple[int, Audit]:
    """Audit a record without keeping its events; return how many events there were, and the audit.

    `empty` is a record of the mechanic without an event. `read` starts to read the events each time it is called. If an
    event backs up, they are read a second time from the first one, and the states that are backed up to are kept.

    Raises:
        RecordError: with its line, at the first event that cannot be read or cannot happen.
        ValueError: where the mechanic concludes something from all events together.
    """
    mechanic: Mechanic[Any, Any, Any] = empty.mechanic
    if mechanic.concludes is not None:
        raise ValueError(f"{mechanic.name} concludes something from all events together; load the record")

    def passed(wanted: Set[int]) -> tuple[int, Audit]:
        start, step, restores, restored = mechanic.start(), mechanic.step, mechanic.restores, mechanic.restored
        audit, game = Audit(), empty.over(Passing(start, step, restores, wanted, restored=restored), mechanic)
        for number, event in enumerate(map(mechanic.fill, read()), 1):
            said = several("says", mechanic.says(event), event, number)
            before = game.whole(number - 1) if said else None
            game.extended((event,))
            for one in _found(mechanic, before, said, number) if said else ():
                audit.note(*one)
            if (to := mechanic.restores(event)) is not None:
                audit.back_up(to)
        return len(game), audit

    try:
        return passed(frozenset())
    except PassedError:
        wanted = set[int]()
        # The second pass finds and reports an event that cannot be read, or cannot happen.
        with suppress(RecordError):
            wanted.update(to for event in read() if (to := mechanic.restores(event)) is not None)
        return passed(wanted)
