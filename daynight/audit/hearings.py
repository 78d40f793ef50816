"""Hearings: the disputes of a record gone through event by event, for an audit; and which rulings are carried out.

They are of the record, not of the game: backing up does not undo them, so they are kept beside the state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from daynight.audit.findings import Heard, Said, Status, agrees
from daynight.events import Designation, GameBackedUp, JudgeRuled, OfTheRecord, disputes
from daynight.framework.audit import Audit, Finding

_Answer: TypeAlias = Designation | int | None
"""What would carry a ruling out: the designation of a judge-ruled, or the event that is backed up to."""


class Carrying:
    """Which rulings in disputes are carried out.

    That is where the nearest event before or after the ruling that is not of the record is a `judge-ruled` of the same
    designation, or a `game-backed-up` to the same event. Tell it of each event of the record, each ruling in a dispute
    and each judge's act, in order; it need not hear of anything else.
    """

    __slots__ = ("_act", "_first", "_last", "_waiting")

    def __init__(self) -> None:
        # The last judge's act, and the last stretch of events of the record alone.
        self._act: tuple[int, _Answer] = (0, None)
        self._first = self._last = 0
        self._waiting: list[tuple[int, _Answer]] = []

    def of_the_record(self, number: int) -> None:
        """Event `number` is of the record, not of the game."""
        if number != self._last + 1:
            self._first = number
            self._waiting = []
        self._last = number

    def ruled(self, ruling: disputes.DisputeRuled, number: int) -> int | None:
        """The event before ruling `number` that carries it out; where none does, one after it still may."""
        self.of_the_record(number)
        answer: _Answer = Designation(ruling.designation) if ruling.designation is not None else ruling.to
        if answer is None:
            return None
        before, done = self._act
        if before == self._first - 1 and _same(answer, done):
            return before
        self._waiting.append((number, answer))
        return None

    def acted(self, act: JudgeRuled | GameBackedUp, number: int) -> tuple[int, ...]:
        """The rulings that judge's act `number` carries out, and that were before it."""
        answer: _Answer = Designation(act.designation) if isinstance(act, JudgeRuled) else act.to
        self._act = number, answer
        found = self._waiting if number == self._last + 1 else []
        self._waiting = []
        return tuple([ruling for ruling, wanted in found if _same(wanted, answer)])


def _same(one: _Answer, other: _Answer) -> bool:
    return type(one) is type(other) and one == other


@dataclass(slots=True)
class _Hearing:
    """A dispute so far; `opened` is None where that was in a stretch that the caller passed over."""

    opened: disputes.DisputeOpened | None = None
    number: int = 0
    possible: tuple[Designation, ...] | None = None
    as_ruled: bool = False
    status: Status = "open"
    claims: list[Said] = field(default_factory=list)
    outcome: disputes.Outcome | None = None
    ruling: tuple[int, Finding | None] | None = None
    """The last ruling that says what it is, and what there is to say of it; None where the rules say the same."""

    def heard(self) -> Iterator[Heard]:
        if self.opened is not None:
            about = self.number - 1 if self.opened.about is None else self.opened.about
            claims = tuple(self.claims)
            yield Heard(self.opened.dispute, self.number, about, self.status, self.outcome, claims, self.as_ruled)


class Hearings:
    """The disputes of a record so far."""

    __slots__ = ("_carrying", "_hearings", "_rulings")

    def __init__(self) -> None:
        self._hearings: dict[str, _Hearing] = {}
        self._rulings: dict[int, _Hearing] = {}
        self._carrying = Carrying()

    def opened(
        self, event: disputes.DisputeOpened, number: int, possible: tuple[Designation, ...] | None, *, as_ruled: bool
    ) -> None:
        """A dispute is opened; `possible` is what may be at the event it is about, None where that is not known.

        `as_ruled`: it is so, or came about so, by a ruling alone.
        """
        self._carrying.of_the_record(number)
        self._hearings[event.dispute] = _Hearing(event, number, possible, as_ruled)

    def take(self, event: OfTheRecord, number: int) -> None:
        """One side says something, the last ruling waits for another, a dispute ends; or a note is added."""
        self._carrying.of_the_record(number)
        if isinstance(event, disputes.NoteAdded):
            return
        hearing = self._of(event.dispute)
        if not isinstance(event, disputes.DisputeClaimed):
            hearing.status = "appealed" if isinstance(event, disputes.DisputeAppealed) else "closed"
            return
        possible = hearing.possible
        derived = possible[0] if possible is not None and len(possible) == 1 else None
        right = None if event.designation is None or possible is None else agrees(event.designation, possible)
        hearing.claims.append(Said(number, event.by, event.designation, event.says, derived, right))

    def ruled(self, event: disputes.DisputeRuled, number: int, finding: Finding | None) -> None:
        """A judge ruled. `finding` is what there is to say of it, None where the rules say the same."""
        hearing = self._of(event.dispute)
        hearing.status, hearing.outcome, hearing.ruling = "ruled", event.outcome, None
        if self._carrying.ruled(event, number) is None and event.designation is not None:
            hearing.ruling = number, finding
            self._rulings[number] = hearing

    def acted(self, act: JudgeRuled | GameBackedUp, number: int) -> None:
        """A judge's act carries out the rulings beside it: they are that act, and no rulings of their own."""
        for event in self._carrying.acted(act, number):
            hearing = self._rulings.get(event)
            if hearing is not None and hearing.ruling is not None and hearing.ruling[0] == event:
                hearing.ruling = None

    @property
    def heard(self) -> tuple[Heard, ...]:
        """The disputes so far."""
        return tuple([heard for hearing in self._hearings.values() for heard in hearing.heard()])

    def concluded(self, audit: Audit) -> Audit:
        """The audit with the rulings in disputes that no other event carries out."""
        rulings = [one.ruling for one in self._hearings.values() if one.ruling is not None and one.status != "appealed"]
        if not rulings:
            return audit
        found = [finding for _number, finding in rulings if finding is not None]
        right = [number for number, finding in rulings if finding is None]
        settled = min([*right, *([] if audit.settled is None else [audit.settled])], default=None)
        return Audit(sorted((*audit.findings, *found), key=lambda finding: finding.event), settled)

    def _of(self, dispute: str) -> _Hearing:
        return self._hearings.setdefault(dispute, _Hearing())
