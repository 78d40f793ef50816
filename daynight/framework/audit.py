"""The audit: what claims and rulings say of a part, compared to what follows from the events before them."""

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
    """Something said at `event` that differs from what is `derived`, or that the record cannot settle.

    `right` is False where it differs, and None where the record leaves it open. `state` is the state it was compared
    to. `undone`: the event was undone by backing up later; such a finding does not count.
    """

    event: int
    said: Said
    derived: Derived | None
    right: bool | None
    state: Any = None
    undone: bool = False


class Audit(Struct):
    """What an audit found. `settled` is the first event whose claim was found to be right, and stands."""

    findings: list[Finding] = []
    settled: int | None = None

    @property
    def disputes(self) -> list[Finding]:
        """The findings that count: those that differ and stand."""
        return [finding for finding in self.findings if finding.right is False and not finding.undone]

    @property
    def unsettled(self) -> list[Finding]:
        """What was said and the record leaves open."""
        return [finding for finding in self.findings if finding.right is None]

    @property
    def verdict(self) -> Verdict:
        """The verdict on the whole record."""
        if self.disputes:
            return "disputed"
        return "unverified" if self.settled is None else "exact"

    def note(self, event: int, finding: Finding | None) -> None:
        """What was said at an event is right where there is no `finding`."""
        if finding is not None:
            self.findings.append(finding)
        elif self.settled is None:
            self.settled = event

    def also(self, said: Iterable[tuple[int, Finding | None]]) -> Audit:
        """Another audit: this one with more that was said, no part of which is undone by backing up."""
        more = [*said]
        if not more:
            return self
        findings = [*self.findings, *[finding for _event, finding in more if finding is not None]]
        settled = [event for event, finding in more if finding is None]
        settled += [] if self.settled is None else [self.settled]
        return Audit(sorted(findings, key=lambda finding: finding.event), min(settled, default=None))

    def back_up(self, to: int) -> None:
        """The events after `to` are undone."""
        for finding in self.findings:
            if finding.event > to:
                finding.undone = True
        if self.settled is not None and self.settled > to:
            self.settled = None


def compared(mechanic: Mechanic[Any, Any, Any], state: Any, said: Said, event: int) -> Finding | None:
    """What there is to say of a claim or ruling, compared to its part of a state; None where it is right."""
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
    """The audit of a record: each claim and ruling against the part it is about, as the event finds it."""
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


def _found(
    mechanic: Mechanic[Any, Any, Any], before: Any, said: Iterable[Said], number: int
) -> Iterator[tuple[int, Finding | None]]:
    """What event `number` said, compared to the state `before` it."""
    state = mechanic.seen(before, number)
    return ((number, compared(mechanic, state, one, number)) for one in said)


def streamed(empty: Any, read: Callable[[], Iterable[Any]]) -> tuple[int, Audit]:
    """The audit of a record whose events come one by one, none of them kept; and how many events there were.

    `empty` is a record of the mechanic without an event. `read` begins to read the events, each time it is called:
    where one backs up, they are read again from the first one, and the states that are backed up to are kept.

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
        # What cannot be read is left to the second pass, as what cannot happen is.
        with suppress(RecordError):
            wanted.update(to for event in read() if (to := mechanic.restores(event)) is not None)
        return passed(wanted)
