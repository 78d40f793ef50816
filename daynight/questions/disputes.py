"""Disputes: what each side said, what is derived beside it, what was ruled and appealed, and how it ended."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from daynight.audit.hearings import Carrying
from daynight.disputes.docket import Stage
from daynight.events import Designation, DesignationClaimed, GameBackedUp, JudgeRuled, OfTheRecord
from daynight.events import disputes as acts
from daynight.questions.explain import explained
from daynight.questions.proceedings import Appeal, Dispute, LeftStanding, Ruling, Side
from daynight.referee.due import shown
from daynight.referee.parts import designation_ways, only_as_ruled
from daynight.referee.state import own_line, possible_in

if TYPE_CHECKING:
    from daynight.game import Game


def disputes(game: Game, *, edition: str | None = None) -> tuple[Dispute, ...]:
    """Every dispute of a game, in the order they were opened, of undone stretches too: backing up undoes none.

    >>> from daynight import Game
    >>> game = Game.start("g1", ["Ana", "Bo"])
    >>> moment = game.record({"type": "dispute-opened", "dispute": "d1", "by": "Ana"})
    >>> moment = game.record({"type": "dispute-claimed", "dispute": "d1", "by": "Bo", "designation": "day"})
    >>> [(one.about, one.derived, one.claims[0].right) for one in disputes(game)]
    [(1, Designation.NEITHER, False)]
    """
    heard: dict[str, _Hearing] = {}
    ruled: dict[int, _Hearing] = {}
    carrying = Carrying()
    table = _Table()
    for number, event in enumerate(game.events, 1):
        if isinstance(event, OfTheRecord):
            if isinstance(event, acts.DisputeRuled):
                heard[event.dispute].ruled(event, number, carrying.ruled(event, number), table.said(event, number))
                ruled[number] = heard[event.dispute]
                continue
            carrying.of_the_record(number)
            if isinstance(event, acts.DisputeOpened):
                about = number - 1 if event.about is None else event.about
                heard[event.dispute] = _Hearing(_opened(game, event, number, about, edition or game.edition))
            elif not isinstance(event, acts.NoteAdded):
                heard[event.dispute].hear(event, number)
        elif isinstance(event, (JudgeRuled, GameBackedUp)):
            for ruling in carrying.acted(event, number):
                ruled[ruling].carried_out(number, ruling)
            table.acted(event)
        elif isinstance(event, DesignationClaimed):
            table.claimed(event, number)
    asked = sorted({place for hearing in heard.values() for place in hearing.asking()})
    states = _states(game, asked)
    told = [hearing.told(states) for hearing in heard.values()]
    return tuple([replace(dispute, stands=tuple(_left_standing(game, dispute))) for dispute in told])


def _left_standing(game: Game, dispute: Dispute) -> Iterator[LeftStanding]:
    if not dispute.rulings or dispute.rulings[-1].outcome != "leave" or dispute.stage is Stage.APPEALED:
        return
    for number in dict.fromkeys(ruling.carried_out for ruling in dispute.rulings):
        act = None if number is None or not game.stands(number) else game.events[number - 1]
        if number is not None and isinstance(act, (GameBackedUp, JudgeRuled)):
            yield LeftStanding(number, act)


def _opened(game: Game, event: acts.DisputeOpened, number: int, about: int, edition: str) -> Dispute:
    state = shown(game.at(about))
    return Dispute(
        dispute=event.dispute,
        event=number,
        by=event.by,
        at=event.at,
        about=about,
        possible=state.possible,
        why=explained(state, about, edition),
        trail=(number,),
        as_ruled=only_as_ruled(state),
    )


class _Table:
    """What was claimed at the table and stands, whatever was backed up since."""

    def __init__(self) -> None:
        self._claims: list[tuple[int, Designation]] = []

    def claimed(self, claim: DesignationClaimed, number: int) -> None:
        self._claims.append((number, claim.designation))

    def acted(self, act: JudgeRuled | GameBackedUp) -> None:
        while self._claims and isinstance(act, GameBackedUp) and self._claims[-1][0] > act.to:
            self._claims.pop()

    def said(self, ruling: acts.DisputeRuled, number: int) -> tuple[int, Designation] | None:
        """The last claim before the ruling, or before what it backs up to; the event and what was claimed."""
        last = number if ruling.to is None else ruling.to
        place = bisect_right(self._claims, last, key=lambda claim: claim[0])
        return self._claims[place - 1] if place else None


_Told: TypeAlias = tuple[tuple[Designation, ...], tuple[Designation, ...], int, bool]
"""What may be as ruled and what by the rules' own line, the event of the last change as ruled, and whether an untap
step that is due changes what it is."""


class _Hearing:
    """A dispute while its acts are gone through."""

    def __init__(self, opened: Dispute) -> None:
        self._dispute = opened
        self._claims: list[Side] = []
        self._rulings: dict[int, tuple[Ruling, tuple[int, Designation] | None]] = {}
        self._appeals: list[Appeal] = []
        self._trail = {opened.event}

    def hear(self, event: acts.DisputeClaimed | acts.DisputeAppealed | acts.DisputeClosed, number: int) -> None:
        self._trail.add(number)
        if isinstance(event, acts.DisputeClaimed):
            right = self._dispute.right(event.designation)
            self._claims.append(Side(number, event.by, event.at, event.designation, event.says, right))
        elif isinstance(event, acts.DisputeAppealed):
            self._appeals.append(Appeal(number, event.by, event.at))
            self._dispute = replace(self._dispute, stage=Stage.APPEALED)
        else:
            self._dispute = replace(
                self._dispute, stage=Stage.CLOSED, closed=number, closed_by=event.by, closed_at=event.at
            )

    def ruled(
        self, event: acts.DisputeRuled, number: int, carried_out: int | None, said: tuple[int, Designation] | None
    ) -> None:
        """`carried_out` by an event before it, if by any; `said` is what was claimed last at the table."""
        ruling = Ruling(
            event=number,
            by=event.by,
            at=event.at,
            outcome=event.outcome,
            designation=event.designation,
            to=event.to,
            says=event.says,
            stands=None,
            possible=(),
            carried_out=carried_out,
        )
        self._rulings[number] = ruling, said
        self._trail |= {number} if carried_out is None else {number, carried_out}
        self._dispute = replace(self._dispute, stage=Stage.RULED)

    def carried_out(self, number: int, ruling: int) -> None:
        """Event `number` carries out this ruling."""
        told, said = self._rulings[ruling]
        self._rulings[ruling] = replace(told, carried_out=number), said
        self._trail.add(number)

    def asking(self) -> Iterator[int]:
        """The events after which what is possible is asked for."""
        return (_place(ruling) for ruling, _said in self._rulings.values())

    def told(self, states: dict[int, _Told]) -> Dispute:
        rulings = [_told(ruling, said, states[_place(ruling)]) for ruling, said in self._rulings.values()]
        return replace(
            self._dispute,
            claims=tuple(self._claims),
            rulings=tuple(rulings),
            appeals=tuple(self._appeals),
            trail=tuple(sorted(self._trail)),
        )


def _place(ruling: Ruling) -> int:
    """The event after which the rules are asked about a ruling: what it backs up to, or that before what is done."""
    return (ruling.carried_out or ruling.event) - 1 if ruling.to is None else ruling.to


def _told(ruling: Ruling, said: tuple[int, Designation] | None, there: _Told) -> Ruling:
    as_ruled, own, changed, untapped = there
    stands = ruling.designation
    if ruling.outcome != "fix":
        claimed = said is not None and said[0] >= changed
        stands = said[1] if claimed and said is not None else as_ruled[0] if len(as_ruled) == 1 else None
    return replace(ruling, stands=stands, possible=own, untapped=untapped)


def _states(game: Game, numbers: Sequence[int]) -> dict[int, _Told]:
    """What is possible after each of these events, in order, as a claim there shows it."""
    found: dict[int, _Told] = {}
    wanted = frozenset(numbers)
    for moment, state in game.walk(numbers[0] - 1) if numbers else ():
        if moment.number in wanted:
            there = shown(state)
            changes = [way.event for way in designation_ways(there.possibilities) if way is not None]
            untapped = there.possible != state.possible
            changed = max(changes, default=there.began)
            found[moment.number] = there.possible, possible_in(own_line(there)), changed, untapped
        if len(found) == len(wanted):
            break
    return found
