"""Disputes: what each side said, what is derived beside it, what was ruled and appealed, and how it ended."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from daynight.audit import shown
from daynight.docket import Stage
from daynight.documents import offered, policy
from daynight.events.claims import DesignationClaimed
from daynight.events.disputes import (
    DisputeAppealed,
    DisputeClaimed,
    DisputeClosed,
    DisputeOpened,
    DisputeRuled,
    NoteAdded,
    Outcome,
)
from daynight.events.rulings import GameBackedUp, JudgeRuled
from daynight.events.terms import Designation
from daynight.events.vocabulary import OfTheRecord
from daynight.events.wording import _
from daynight.explain import explained
from daynight.findings import agrees
from daynight.grounds import only_as_ruled
from daynight.hearings import Carrying
from daynight.projections.sentences import designation_word
from daynight.rulings import Ruling, There, judged, place, states_at

if TYPE_CHECKING:
    from daynight.game import Game

__all__ = ["Appeal", "Dispute", "Ruling", "Side", "disputes"]


@dataclass(frozen=True, slots=True)
class Side:
    """What somebody said in a dispute, at event `event` and perhaps a time.

    `right`: whether what is derived says so too; None where that is not certain, or nothing was said of it.
    """

    event: int
    by: str
    at: str | None
    designation: Designation | None
    says: str | None
    right: bool | None

    def document(self) -> dict[str, Any]:
        """What was said, as JSON."""
        return {
            "event": self.event,
            "by": self.by,
            "at": self.at,
            "designation": None if self.designation is None else self.designation.value,
            "says": self.says,
            "right": self.right,
        }


@dataclass(frozen=True, slots=True)
class Appeal:
    """Somebody appealed the ruling before."""

    event: int
    by: str
    at: str | None

    def document(self) -> dict[str, Any]:
        """The appeal as JSON."""
        return {"event": self.event, "by": self.by, "at": self.at}


@dataclass(frozen=True, slots=True)
class Dispute:
    """A dispute of a record, opened by event `event`, about event `about`.

    `possible` is what is derived right after event `about`, as it was then and as ruled before; `rule`, `cr` and
    `because` are those of it, `sentence` says it. `outcome`, `closed`, `closed_by` and `closed_at` are None while it is
    open. The `trail` are the numbers of all its acts, and of those that carried its rulings out. `stands`: where the
    last ruling leaves the game as it is, the acts that carried out an earlier one and still stand, with a sentence.
    `as_ruled`: what is derived there is so, or came about so, by a ruling alone.
    """

    dispute: str
    event: int
    by: str
    at: str | None
    about: int
    possible: tuple[Designation, ...]
    rule: str | None
    cr: str | None
    because: tuple[int, ...]
    sentence: str
    claims: tuple[Side, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    appeals: tuple[Appeal, ...] = ()
    stage: Stage = Stage.OPENED
    outcome: Outcome | None = None
    closed: int | None = None
    closed_by: str | None = None
    closed_at: str | None = None
    trail: tuple[int, ...] = field(default=())
    stands: tuple[tuple[int, str], ...] = ()
    as_ruled: bool = False

    @property
    def derived(self) -> Designation | None:
        """What is derived at the event it is about; None where more than one is possible."""
        return self.possible[0] if len(self.possible) == 1 else None

    def right(self, designation: Designation | None) -> bool | None:
        """Whether what is derived is this; None where that is not certain, or this is nothing."""
        return None if designation is None else agrees(designation, self.possible)

    def document(self) -> dict[str, Any]:
        """The dispute as `daynight dispute show --json` prints it."""
        derived: dict[str, Any] = {
            "designation": None if self.derived is None else self.derived.value,
            "possible": [designation.value for designation in self.possible],
            "rule": self.rule,
            "cr": self.cr,
            "because": list(self.because),
            "sentence": self.sentence,
        }
        return {
            "dispute": self.dispute,
            "event": self.event,
            "by": self.by,
            "at": self.at,
            "about": self.about,
            "derived": derived | ({"policy": policy()} if offered(self.possible) else {}),
            "claims": [claim.document() for claim in self.claims],
            "rulings": [ruling.document() for ruling in self.rulings],
            "appeals": [appeal.document() for appeal in self.appeals],
            "stage": self.stage.value,
            "outcome": self.outcome,
            "closed": self.closed,
            "closed_by": self.closed_by,
            "closed_at": self.closed_at,
            "trail": list(self.trail),
            "stands": [{"event": event, "sentence": sentence} for event, sentence in self.stands],
        }


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
            if isinstance(event, DisputeRuled):
                heard[event.dispute].ruled(event, number, carrying.ruled(event, number), table.said(event, number))
                ruled[number] = heard[event.dispute]
                continue
            carrying.of_the_record(number)
            if isinstance(event, DisputeOpened):
                about = number - 1 if event.about is None else event.about
                heard[event.dispute] = _Hearing(_opened(game, event, number, about, edition or game.edition))
            elif not isinstance(event, NoteAdded):
                heard[event.dispute].hear(event, number)
        elif isinstance(event, (JudgeRuled, GameBackedUp)):
            for ruling in carrying.acted(event, number):
                ruled[ruling].carried_out(number, ruling)
            table.acted(event)
        elif isinstance(event, DesignationClaimed):
            table.claimed(event, number)
    asked = sorted({place for hearing in heard.values() for place in hearing.asking()})
    states = states_at(game, asked)
    told = [hearing.told(states) for hearing in heard.values()]
    return tuple([replace(dispute, stands=tuple(_left_standing(game, dispute))) for dispute in told])


def _left_standing(game: Game, dispute: Dispute) -> Iterator[tuple[int, str]]:
    if not dispute.rulings or dispute.rulings[-1].outcome != "leave" or dispute.stage is Stage.APPEALED:
        return
    for number in dict.fromkeys(ruling.carried_out for ruling in dispute.rulings):
        act = None if number is None or not game.stands(number) else game.events[number - 1]
        if number is not None and isinstance(act, GameBackedUp):
            sentence = _("the back-up at event {event} stands: the game went on from after event {to}")
            yield number, sentence.format(event=number, to=act.to)
        elif number is not None and isinstance(act, JudgeRuled):
            sentence = _("the ruling at event {event} stands: it was {designation} from then on")
            yield number, sentence.format(event=number, designation=designation_word(act.designation))


def _opened(game: Game, event: DisputeOpened, number: int, about: int, edition: str) -> Dispute:
    state = shown(game.at(about))
    answer = explained(state, about, edition)
    return Dispute(
        dispute=event.dispute,
        event=number,
        by=event.by,
        at=event.at,
        about=about,
        possible=state.possible,
        rule=answer.rule,
        cr=answer.cr,
        because=answer.because,
        sentence=answer.sentence,
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

    def said(self, ruling: DisputeRuled, number: int) -> tuple[int, Designation] | None:
        """The last claim before the ruling, or before what it backs up to; the event and what was claimed."""
        last = number if ruling.to is None else ruling.to
        place = bisect_right(self._claims, last, key=lambda claim: claim[0])
        return self._claims[place - 1] if place else None


class _Hearing:
    """A dispute while its acts are gone through."""

    def __init__(self, opened: Dispute) -> None:
        self._dispute = opened
        self._claims: list[Side] = []
        self._rulings: dict[int, tuple[Ruling, tuple[int, Designation] | None]] = {}
        self._appeals: list[Appeal] = []
        self._trail = {opened.event}

    def hear(self, event: DisputeClaimed | DisputeAppealed | DisputeClosed, number: int) -> None:
        self._trail.add(number)
        if isinstance(event, DisputeClaimed):
            right = self._dispute.right(event.designation)
            self._claims.append(Side(number, event.by, event.at, event.designation, event.says, right))
        elif isinstance(event, DisputeAppealed):
            self._appeals.append(Appeal(number, event.by, event.at))
            self._dispute = replace(self._dispute, stage=Stage.APPEALED)
        else:
            self._dispute = replace(
                self._dispute,
                stage=Stage.CLOSED,
                outcome=event.outcome,
                closed=number,
                closed_by=event.by,
                closed_at=event.at,
            )

    def ruled(
        self, event: DisputeRuled, number: int, carried_out: int | None, said: tuple[int, Designation] | None
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
        return (place(ruling) for ruling, _said in self._rulings.values())

    def told(self, states: dict[int, There]) -> Dispute:
        rulings = [judged(ruling, said, states[place(ruling)]) for ruling, said in self._rulings.values()]
        return replace(
            self._dispute,
            claims=tuple(self._claims),
            rulings=tuple(rulings),
            appeals=tuple(self._appeals),
            trail=tuple(sorted(self._trail)),
        )
