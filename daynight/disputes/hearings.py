"""Collects the acts of each dispute of a record, and finds which rulings are carried out.

Back-ups do not undo these acts. This module does not decide whether they are right: `audit` and `questions` compare
claims and rulings with the derived state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from daynight.disputes.docket import Stage
from daynight.events import Designation, GameBackedUp, JudgeRuled, OfTheRecord, Outcome, disputes
from daynight.framework.mechanic import Said

Heard: TypeAlias = OfTheRecord | JudgeRuled | GameBackedUp
"""The events that a hearing reads: those about the record, and the judge's acts."""

_Answer: TypeAlias = Designation | int | None
"""What carries a ruling out: the designation of a `judge-ruled` or the `to` of a `game-backed-up`; None: no act can."""


class Carrying:
    """Finds which rulings in disputes are carried out.

    A ruling is carried out if the nearest game event before or after it is a `judge-ruled` of the same designation, or
    a `game-backed-up` to the same event. If both do, it is the act before, unless that carries out an earlier ruling of
    the same dispute: whoever rules the same again, and carries it out again, means the new act. Call its methods, in
    order, for each event about the record, each ruling in a dispute and each judge's act; other events are not needed.
    """

    __slots__ = ("_act", "_disputes", "_first", "_last", "_waiting")

    def __init__(self) -> None:
        # The last judge's act, and the events of the record right after it.
        self._act: tuple[int, _Answer] = (0, None)
        self._first = self._last = 0
        # The rulings that a later act may carry out, with their disputes.
        self._waiting: list[tuple[int, str, _Answer]] = []
        # The disputes of which the last act carries out a ruling.
        self._disputes: set[str] = set()

    def of_the_record(self, number: int) -> None:
        """Note event `number`, which is about the record and not about the game."""
        if number != self._last + 1:
            self._first = number
            self._waiting = []
        self._last = number

    def ruled(self, ruling: disputes.DisputeRuled, number: int) -> int | None:
        """Note ruling `number`; return the earlier judge's act that carries it out, or None. A later one still may.

        That later act then takes the place of the returned one.
        """
        self.of_the_record(number)
        answer: _Answer = ruling.to if ruling.designation is None else ruling.designation
        if answer is None:
            return None
        before, done = self._act
        found = before if before == self._first - 1 and _same(answer, done) else None
        if found is None or ruling.dispute in self._disputes:
            self._waiting.append((number, ruling.dispute, answer))
        if found is not None:
            self._disputes.add(ruling.dispute)
        return found

    def acted(self, act: JudgeRuled | GameBackedUp, number: int) -> tuple[int, ...]:
        """Note judge's act `number`; return the numbers of the earlier rulings that it carries out."""
        answer: _Answer = act.designation if isinstance(act, JudgeRuled) else act.to
        self._act = number, answer
        waiting = self._waiting if number == self._last + 1 else []
        found = [(ruling, dispute) for ruling, dispute, wanted in waiting if _same(wanted, answer)]
        self._waiting = []
        self._disputes = {dispute for _ruling, dispute in found}
        return tuple([ruling for ruling, _dispute in found])


def _same(one: _Answer, other: _Answer) -> bool:
    return type(one) is type(other) and one == other


@dataclass(slots=True)
class Hearing:
    """The acts of one dispute so far, each with its event number.

    `opened` is None if that event is in a stretch that the caller skipped. `carried_out` maps the
    number of a ruling to that of the judge's act that carries it out.
    """

    opened: tuple[int, disputes.DisputeOpened] | None = None
    claims: list[tuple[int, disputes.DisputeClaimed]] = field(default_factory=list)
    rulings: list[tuple[int, disputes.DisputeRuled]] = field(default_factory=list)
    appeals: list[tuple[int, disputes.DisputeAppealed]] = field(default_factory=list)
    closed: tuple[int, disputes.DisputeClosed] | None = None
    carried_out: dict[int, int] = field(default_factory=dict)
    stage: Stage = Stage.OPENED

    @property
    def about(self) -> int:
        """The number of the event that the dispute is about; if it names none, that before `opened`; 0 without it."""
        number, event = self.opened or (1, None)
        return number - 1 if event is None or event.about is None else event.about

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the last ruling, appealed or not; None if nothing was ruled."""
        return self.rulings[-1][1].outcome if self.rulings else None

    @property
    def ruled(self) -> Iterator[tuple[int, Said]]:
        """Yield (number, claim) of the last ruling if it names a designation and is not appealed or carried out."""
        for number, ruling in self.rulings[-1:]:
            if ruling.designation is not None and self.stage is not Stage.APPEALED and number not in self.carried_out:
                yield number, said(ruling)

    @property
    def trail(self) -> tuple[int, ...]:
        """The numbers of all acts of the dispute, and of the acts that carried out its rulings, in order."""
        acts = [self.opened, *self.claims, *self.rulings, *self.appeals, self.closed]
        return tuple(sorted({*[act[0] for act in acts if act is not None], *self.carried_out.values()}))


def said(ruling: disputes.DisputeRuled) -> Said:
    """Return the claim that a ruling makes: that by the rules alone, the game has the designation of the ruling."""
    return Said("ruled", ruling.dispute, ruling.designation, ruling.by)


class Hearings:
    """The disputes of a record so far, in the order they were opened."""

    __slots__ = ("_carrying", "_hearings", "_ruled")

    def __init__(self) -> None:
        self._hearings: dict[str, Hearing] = {}
        self._ruled: dict[int, Hearing] = {}
        self._carrying = Carrying()

    def __iter__(self) -> Iterator[Hearing]:
        return iter(self._hearings.values())

    def take(self, event: Heard, number: int) -> None:
        """Add an event about the record, or a judge's act, which may carry out rulings."""
        if isinstance(event, (JudgeRuled, GameBackedUp)):
            for ruling in self._carrying.acted(event, number):
                self._ruled[ruling].carried_out[ruling] = number
            return
        if not isinstance(event, disputes.DisputeRuled):
            self._carrying.of_the_record(number)
        if isinstance(event, disputes.NoteAdded):
            return
        hearing = self._hearings.setdefault(event.dispute, Hearing())
        match event:
            case disputes.DisputeOpened():
                hearing.opened = number, event
            case disputes.DisputeClaimed():
                hearing.claims.append((number, event))
            case disputes.DisputeRuled():
                hearing.stage = Stage.RULED
                hearing.rulings.append((number, event))
                self._ruled[number] = hearing
                if (before := self._carrying.ruled(event, number)) is not None:
                    hearing.carried_out[number] = before
            case disputes.DisputeAppealed():
                hearing.stage = Stage.APPEALED
                hearing.appeals.append((number, event))
            case disputes.DisputeClosed():
                hearing.stage = Stage.CLOSED
                hearing.closed = number, event
