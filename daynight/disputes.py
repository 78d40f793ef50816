"""Disputes: what each side said, what is derived beside it, what was ruled and appealed, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

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
from daynight.events.wording import _
from daynight.projections.possibilities import Possibility
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
    """What a judge ruled. `carried_out` is the first act of the same judge that does just what it says.

    It comes after the ruling, and before the next one and the dispute's end. A ruling that says what it is says it from
    then on: `right` is as in `Side`, but held against the rules' own line right before it was carried out, as the audit
    does with every ruling, or right before the ruling itself where it was not.
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
    open. The `trail` are the numbers of all its acts, and of those that carried its rulings out. `stands`: where the
    last ruling leaves the game as it is, the acts that carried out an earlier one and still stand, with a sentence.
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

    @property
    def derived(self) -> Designation | None:
        """What is derived at the event it is about; None where more than one is possible."""
        return self.possible[0] if len(self.possible) == 1 else None

    def right(self, designation: Designation | None) -> bool | None:
        """Whether what is derived is this; None where that is not certain, or this is nothing."""
        return None if designation is None else _right(designation, self.possible)

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
    waiting = _Waiting()
    for number, event in enumerate(game.events, 1):
        if isinstance(event, DisputeOpened):
            about = number - 1 if event.about is None else event.about
            heard[event.dispute] = _Hearing(_opened(game, event, number, about, edition or game.edition))
        elif isinstance(event, (DisputeClaimed, DisputeRuled, DisputeAppealed, DisputeClosed)):
            heard[event.dispute].hear(event, number)
            if isinstance(event, DisputeRuled):
                waiting.begin(event)
            elif isinstance(event, DisputeClosed):
                waiting.end(event.dispute)
        elif isinstance(event, (JudgeRuled, GameBackedUp)):
            for dispute in waiting.answered(event):
                heard[dispute].carried_out(number)
    before = _before(game, {number for hearing in heard.values() for number in hearing.saying()})
    told = [hearing.told(before) for hearing in heard.values()]
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
            yield number, sentence.format(event=number, designation=either_word((Designation(act.designation),)))


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


def _right(designation: Designation, possible: tuple[Designation, ...]) -> bool | None:
    return None if designation in possible and len(possible) > 1 else designation in possible


class _Hearing:
    """A dispute while its acts are gone through."""

    def __init__(self, opened: Dispute) -> None:
        self._dispute = opened
        self._claims: list[Side] = []
        self._rulings: list[Ruling] = []
        self._appeals: list[Appeal] = []
        self._trail = [opened.event]

    def hear(self, event: DisputeClaimed | DisputeRuled | DisputeAppealed | DisputeClosed, number: int) -> None:
        self._trail.append(number)
        if isinstance(event, DisputeClaimed):
            right = self._dispute.right(event.designation)
            self._claims.append(Side(number, event.by, event.at, event.designation, event.says, right))
            return
        if isinstance(event, DisputeRuled):
            said = None if event.designation is None else Designation(event.designation)
            self._rulings.append(Ruling(number, event.by, event.at, event.outcome, said, event.to, event.says, None))
            self._dispute = replace(self._dispute, stage=Stage.RULED)
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

    def carried_out(self, number: int) -> None:
        self._rulings[-1] = replace(self._rulings[-1], carried_out=number)
        self._trail.append(number)

    def saying(self) -> Iterator[int]:
        """The events before which what is possible is asked for."""
        return (ruling.carried_out or ruling.event for ruling in self._rulings if ruling.designation is not None)

    def told(self, before: dict[int, tuple[Designation, ...]]) -> Dispute:
        rulings = [
            ruling
            if ruling.designation is None
            else replace(ruling, right=_right(ruling.designation, before[ruling.carried_out or ruling.event]))
            for ruling in self._rulings
        ]
        return replace(
            self._dispute,
            claims=tuple(self._claims),
            rulings=tuple(rulings),
            appeals=tuple(self._appeals),
            trail=tuple(self._trail),
        )


_Answer: TypeAlias = tuple[str, str | int | None]
"""Who would carry a ruling out, and how: what it is, or the event backed up to."""


class _Waiting:
    """The disputes whose last ruling waits to be carried out, by what would do that."""

    def __init__(self) -> None:
        self._answers: dict[str, _Answer] = {}
        self._disputes: dict[_Answer, dict[str, None]] = {}

    def begin(self, ruling: DisputeRuled) -> None:
        self.end(ruling.dispute)
        answer = ruling.by, ruling.designation if ruling.to is None else ruling.to
        self._answers[ruling.dispute] = answer
        self._disputes.setdefault(answer, {})[ruling.dispute] = None

    def end(self, dispute: str) -> None:
        answer = self._answers.pop(dispute, None)
        if answer is not None:
            del self._disputes[answer][dispute]

    def answered(self, act: JudgeRuled | GameBackedUp) -> list[str]:
        """The disputes whose rulings this act carries out; they wait no longer."""
        answer = act.by, act.designation if isinstance(act, JudgeRuled) else act.to
        found = [*self._disputes.pop(answer, {})]
        for dispute in found:
            del self._answers[dispute]
        return found


def _before(game: Game, numbers: AbstractSet[int]) -> dict[int, tuple[Designation, ...]]:
    """What is possible right before each of these events, by the rules' own line, as the audit holds it to rulings."""
    found: dict[int, tuple[Designation, ...]] = {}
    line: tuple[Possibility, ...] = ()
    possible: tuple[Designation, ...] = ()
    # Before the first of them a game began, and a dispute was opened.
    for moment, state in game.walk(min(numbers) - 2) if numbers else ():
        if moment.number + 1 in numbers:
            now = state.possibilities if state.unruled is None else state.unruled
            if now is not line:
                line, there = now, {possibility.designation for possibility in now}
                possible = tuple(designation for designation in Designation if designation in there)
            found[moment.number + 1] = possible
        if len(found) == len(numbers):
            break
    return found
