"""Disputes: what each side said, what is derived beside it, what was ruled and appealed, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from daynight.docket import Stage
from daynight.documents import policy
from daynight.events.disputes import (
    DisputeAppealed,
    DisputeClaimed,
    DisputeClosed,
    DisputeOpened,
    DisputeRuled,
    Outcome,
)
from daynight.events.grammar import full_stop, paragraph
from daynight.events.rulings import GameBackedUp, JudgeRuled
from daynight.events.terms import Designation
from daynight.events.vocabulary import Event
from daynight.events.wording import _
from daynight.projections.sentences import either_word, since_sentence
from daynight.rules.citations import cited, with_number

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
class Ruling:
    """What a judge ruled. `carried_out` is the first act after it, and before the next ruling, that does what it says.

    `right` is as in `Side`, of a ruling that says what it is.
    """

    event: int
    by: str
    at: str | None
    outcome: Outcome
    designation: Designation | None
    to: int | None
    says: str | None
    right: bool | None
    carried_out: int | None = None

    def document(self) -> dict[str, Any]:
        """The ruling as JSON."""
        return {
            "event": self.event,
            "by": self.by,
            "at": self.at,
            "outcome": self.outcome,
            "designation": None if self.designation is None else self.designation.value,
            "to": self.to,
            "says": self.says,
            "right": self.right,
            "carried_out": self.carried_out,
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
    open. The `trail` are the numbers of all its acts, and of those that carried its rulings out.
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

    @property
    def derived(self) -> Designation | None:
        """What is derived at the event it is about; None where more than one is possible."""
        return self.possible[0] if len(self.possible) == 1 else None

    def right(self, designation: Designation | None) -> bool | None:
        """Whether what is derived is this; None where that is not certain, or this is nothing."""
        if designation is None or (designation in self.possible and self.derived is None):
            return None
        return designation in self.possible

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
            "derived": derived | ({"policy": policy()} if self.derived is None else {}),
            "claims": [claim.document() for claim in self.claims],
            "rulings": [ruling.document() for ruling in self.rulings],
            "appeals": [appeal.document() for appeal in self.appeals],
            "stage": self.stage.value,
            "outcome": self.outcome,
            "closed": self.closed,
            "closed_by": self.closed_by,
            "closed_at": self.closed_at,
            "trail": list(self.trail),
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
    found: dict[str, Dispute] = {}
    waiting: dict[str, Ruling] = {}
    for number, event in enumerate(game.events, 1):
        if isinstance(event, DisputeOpened):
            about = number - 1 if event.about is None else event.about
            found[event.dispute] = _opened(game, event, number, about, edition or game.edition)
        elif isinstance(event, (DisputeClaimed, DisputeRuled, DisputeAppealed, DisputeClosed)):
            dispute = _gone_on(found[event.dispute], event, number)
            found[event.dispute] = dispute
            if isinstance(event, DisputeRuled):
                waiting[event.dispute] = dispute.rulings[-1]
        elif isinstance(event, (JudgeRuled, GameBackedUp)):
            for id, ruling in [*waiting.items()]:
                if _carries_out(event, ruling):
                    found[id] = _carried_out(found[id], number)
                    del waiting[id]
    return tuple(found.values())


def _opened(game: Game, event: DisputeOpened, number: int, about: int, edition: str) -> Dispute:
    state = game.at(about)
    possible = state.possible
    causes = [*dict.fromkeys(cause for possibility in state.possibilities for cause in possibility.causes)]
    cause = causes[0] if len(causes) == 1 else None
    rule, because = (None, (state.began,)) if cause is None else (cause.rule, cause.because)
    if len(possible) > 1:
        sentence = _("The record leaves open whether it is {either} after event {event}.").format(
            either=either_word(possible), event=about
        )
        told = _("Where nobody can tell, the judge assumes night ({rule}: policy, not derived).")
        sentence = paragraph(sentence, told.format(rule=policy()["rule"]))
    elif cause is not None:
        sentence = full_stop(with_number(since_sentence(cause), rule, edition))
    else:
        rule = "no-designation" if possible == (Designation.NEITHER,) and not state.joined else None
        sentence = full_stop(
            with_number(_("It is {designation}").format(designation=either_word(possible)), rule, edition)
        )
    because = tuple(sorted({at for one in causes if one is not None for at in one.because})) or because
    return Dispute(
        dispute=event.dispute,
        event=number,
        by=event.by,
        at=event.at,
        about=about,
        possible=possible,
        rule=rule,
        cr=cited(rule, edition),
        because=because,
        sentence=sentence,
        trail=(number,),
    )


def _gone_on(
    dispute: Dispute, event: DisputeClaimed | DisputeRuled | DisputeAppealed | DisputeClosed, number: int
) -> Dispute:
    dispute = replace(dispute, trail=(*dispute.trail, number))
    if isinstance(event, DisputeClaimed):
        right = dispute.right(event.designation)
        side = Side(number, event.by, event.at, event.designation, event.says, right)
        return replace(dispute, claims=(*dispute.claims, side))
    if isinstance(event, DisputeRuled):
        said = None if event.designation is None else Designation(event.designation)
        right = dispute.right(said)
        ruling = Ruling(number, event.by, event.at, event.outcome, said, event.to, event.says, right)
        return replace(dispute, rulings=(*dispute.rulings, ruling), stage=Stage.RULED)
    if isinstance(event, DisputeAppealed):
        appeal = Appeal(number, event.by, event.at)
        return replace(dispute, appeals=(*dispute.appeals, appeal), stage=Stage.APPEALED)
    return replace(
        dispute,
        stage=Stage.CLOSED,
        outcome=event.outcome,
        closed=number,
        closed_by=event.by,
        closed_at=event.at,
    )


def _carries_out(event: Event, ruling: Ruling) -> bool:
    if isinstance(event, GameBackedUp):
        return event.to == ruling.to
    return isinstance(event, JudgeRuled) and event.designation == ruling.designation


def _carried_out(dispute: Dispute, number: int) -> Dispute:
    *before, last = dispute.rulings
    return replace(dispute, rulings=(*before, replace(last, carried_out=number)), trail=(*dispute.trail, number))
