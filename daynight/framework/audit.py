"""Compares what claims and rulings say about a part of a state with the value derived from the events before them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from enum import Enum
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from daynight.framework.chart import misspelt
from daynight.framework.folding.fold import Fold, PassedError, Watch, Watched
from daynight.framework.folding.moment import several
from daynight.framework.language.errors import AnswerError, RecordError, failed
from daynight.framework.language.happening import anew, kinds_of
from daynight.framework.mechanic import Derived, Mechanic, Said, agrees

Verdict: TypeAlias = Literal["disputed", "exact", "unverified"]
"""`disputed`: a claim differs. `exact`: none differs, and one is certainly right. `unverified`: neither is so."""


class Finding(Struct):
    """A claim or ruling, at `event`, that differs from what is `derived`, or that the record cannot settle.

    `right` is False if it differs, and None if the record leaves it open. `state` is the state with which it was
    compared. `undone`: the event was undone by a later back-up; such a finding does not count. `doubt` names
    what the derived answer rests on and the record's writer did not know, if the mechanic reports that.
    """

    event: int
    said: Said
    derived: Derived | None
    right: bool | None
    state: Any = None
    undone: bool = False
    doubt: tuple[str, ...] = ()


class Audit(Struct):
    """The result of an audit. `settled` is the first event whose claim is right and was not undone."""

    findings: list[Finding] = []
    settled: int | None = None

    @property
    def disputes(self) -> list[Finding]:
        """The findings that count: claims and rulings that differ and were not undone."""
        return [finding for finding in self.findings if finding.right is False and not finding.undone]

    @property
    def unsettled(self) -> list[Finding]:
        """The claims and rulings that the record leaves open, undone ones too."""
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
        """Return a new audit: this one and further results, which back-ups never undo."""
        both = Audit([*self.findings], self.settled)
        for one in said:
            both.note(*one)
        both.findings.sort(key=lambda finding: finding.event)
        return both

    def back_up(self, to: int) -> None:
        """Note that the events after `to` are undone."""
        for finding in reversed(self.findings):
            if finding.event <= to:
                break
            finding.undone = True
        if self.settled is not None and self.settled > to:
            self.settled = None


def compared(mechanic: Mechanic[Any, Any, Any], state: Any, said: Said, event: int) -> Finding | None:
    """Compare a claim or ruling with its part of a state; return a finding, or None if it is right.

    Raises:
        AnswerError: where there is no such part, or `said` gives the text of an enum's member and not the member.
    """
    if said.part not in mechanic.parts:
        raise AnswerError(misspelt(f"says, event {event}: there is no part", said.part, mechanic.parts), line=event)
    part = mechanic.parts[said.part]
    values = part.may_be(state, said.subject)
    right = agrees(values, said.value)
    for value in values or () if right is False else ():
        if isinstance(value, Enum) and value.value == said.value:
            sentence = f"{said.part} is {value}, and never {said.value!r}; say the member, not its text"
            raise AnswerError(f"says, event {event}: {sentence}", line=event)
    return None if right else Finding(event, said, part.of(state, said.subject), right, state)


class Auditing:
    """An observer that compares each claim and ruling with its part of the state before (or, if `after`, after) it."""

    def __init__(self, mechanic: Mechanic[Any, Any, Any]) -> None:
        self.mechanic = mechanic
        self.before: dict[type, Watch] = dict.fromkeys(kinds_of(mechanic.says, mechanic.language.kinds), self.said)
        self.begin()

    def begin(self) -> None:
        """Start with an empty audit."""
        self.audit = Audit()

    def back_up(self, number: int, to: int) -> None:
        """Note that the events after `to` are undone."""
        self.audit.back_up(to)

    def said(self, state: Any, event: Any, number: int) -> None:
        """Compare the claims and rulings of an event, and note the findings."""
        try:
            said = self.mechanic.says(event)
        except Exception as error:
            raise failed(f"says, event {number} ({type(event).__name__})", error, number) from error
        try:
            for one in self.found(state, several("says", said, event, number), number, event):
                self.audit.note(*one)
        except RecordError as error:
            raise error.located(line=number) from None

    def found(self, state: Any, said: Sequence[Said], number: int, event: Any) -> Iterator[tuple[int, Finding | None]]:
        """Compare each of `said`, the claims and rulings of event `number`, with `state`, the state before that event.

        With `after` it is the state after the event. Yield `number` and the finding; None if it is right.
        """
        before = self.mechanic.seen(state, number) if said else state
        later = None
        for one in said:
            there = before
            if one.after:
                if later is None:
                    later = state.copy()
                    self.mechanic.step(later, event, number)
                there = later
            finding = compared(self.mechanic, there, one, number)
            if finding is not None:
                # Later events change the state; the finding's sentence needs it as it was.
                finding.state = there.copy()
            yield number, finding


def audited(record: Any) -> Audit:
    """Audit a record in memory: compare each claim and ruling with its part of the state, as `Auditing` does."""
    mechanic = record.mechanic
    auditing = Auditing(mechanic)
    Fold(Watched(mechanic, (auditing,)), then=record.whole).over(record.events)
    concluded = () if mechanic.concludes is None else mechanic.concludes(record.events)
    return auditing.audit.also(
        one
        for number, said in concluded
        for one in auditing.found(record.whole(number - 1), (said,), number, record.events[number - 1])
    )


def spoken(game: Any) -> Iterator[int]:
    """Yield the numbers of events whose claims and rulings count: those not undone, then those from `concludes`."""
    mechanic = game.mechanic
    for number, event in enumerate(game.events, 1):
        if several("says", mechanic.says(event), event, number) and game.stands(number):
            yield number
    for number, _said in () if mechanic.concludes is None else mechanic.concludes(game.events):
        yield number


def streamed(mechanic: Mechanic[Any, Any, Any], read: Callable[[], Iterable[Any]]) -> tuple[int, Audit]:
    """Audit a record without keeping its events; return how many events there were, and the audit.

    `read` starts to read the events each time it is called. If an event backs up, all events are read a second time,
    and the states that back-ups return to are kept.

    Raises:
        RecordError: with its line, at the first event that cannot be read or cannot happen.
        ValueError: where the mechanic concludes or checks something from all events together.
    """
    if mechanic.concludes is not None or mechanic.check is not None:
        raise ValueError(f"{mechanic.name} asks something of all events together; load the record")
    auditing = Auditing(mechanic)
    watched = Watched(mechanic, (auditing,), fill=anew(mechanic.fill))

    def passed(wanted: Set[int]) -> tuple[int, Audit]:
        fold = Fold(watched, keep=wanted)
        for event in read():
            fold.over((event,))
        return fold.number, auditing.audit

    try:
        return passed(frozenset())
    except PassedError:
        wanted = set[int]()
        # The second pass finds and reports an event that cannot be read, or cannot happen.
        with suppress(RecordError):
            wanted.update(to for event in read() if (to := mechanic.restores(event)) is not None)
        return passed(wanted)
