"""The audit: claims and rulings held against what follows from the actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from daynight.assumption import assuming
from daynight.cards import Catalogue
from daynight.documents import count_document
from daynight.events.claims import DesignationClaimed, FaceClaimed, TallyClaimed
from daynight.events.consequences import Changed, Consequence, EnteredTransformed, Transformed
from daynight.events.grammar import full_stop, paragraph
from daynight.events.rulings import GameBackedUp, JudgeRuled
from daynight.events.terms import Designation
from daynight.events.vocabulary import Event
from daynight.events.wording import _, card_word, counted
from daynight.projections.possibilities import Possibility
from daynight.projections.sentences import (
    designation_word,
    either_word,
    face_word,
    since_sentence,
    step_word,
    token_sentence,
)
from daynight.records import Record
from daynight.referee import HANDLERS, Handlers, restores, run
from daynight.replay import replay
from daynight.rules.citations import DEFAULT_EDITION, cited, with_number
from daynight.state import State

if TYPE_CHECKING:
    from daynight.game import Game

__all__ = ["Audit", "Auditor", "Finding", "Verdict", "verdict_word"]

Verdict: TypeAlias = Literal["disputed", "exact", "unverified"]
About: TypeAlias = Literal["designation", "face", "tally", "ruling"]
"""What a finding is about."""


@dataclass(slots=True)
class Finding:
    """A claim or ruling that differs from what is derived, or that an uncertain record cannot settle.

    `subject` is the permanent or the player it is about, None for the game's designation. `derived` is None where
    more than one answer is possible, and bounds for a tally. `rule` and `because` are those of the derived answer.
    """

    event: int
    about: About
    subject: str | None
    claimed: str | int
    derived: str | int | dict[str, int | None] | None
    by: str
    rule: str | None
    because: tuple[int, ...]
    sentence: str
    undone: bool = False

    def document(self, edition: str) -> dict[str, Any]:
        """The finding as `daynight audit --json` prints it."""
        document: dict[str, Any] = {
            "event": self.event,
            "about": self.about,
            "subject": self.subject,
            "claimed": self.claimed,
            "derived": self.derived,
            "by": self.by,
            "rule": self.rule,
            "cr": cited(self.rule, edition),
            "because": list(self.because),
            "sentence": self.sentence,
        }
        return document | ({"undone": True} if self.undone else {})


@dataclass(slots=True)
class Audit:
    """What an audit of one record found; `settled` is the first standing event that was found to be right.

    `assumed` is what it was taken to be from the beginning, where that was asked for.
    """

    record: str = ""
    game: str = ""
    events: int = 0
    edition: str = DEFAULT_EDITION
    findings: list[Finding] = field(default_factory=list)
    unsettled: list[Finding] = field(default_factory=list)
    settled: int | None = None
    assumed: Designation | None = None

    @property
    def disputes(self) -> list[Finding]:
        """The findings that count: not of an undone stretch."""
        return [finding for finding in self.findings if not finding.undone]

    @property
    def first_dispute(self) -> Finding | None:
        """The finding that counts whose event is the first, if there is one."""
        return min(self.disputes, key=lambda finding: finding.event, default=None)

    @property
    def verdict(self) -> Verdict:
        """Disputed: something differs. Exact: nothing does, and something was settled. Else unverified."""
        if self.disputes:
            return "disputed"
        return "unverified" if self.settled is None else "exact"

    def document(self) -> dict[str, Any]:
        """The audit as `daynight audit --json` prints it."""
        document: dict[str, Any] = {
            "record": self.record,
            "game": self.game,
            "events": self.events,
            "verdict": self.verdict,
            "findings": [finding.document(self.edition) for finding in self.findings],
            "unsettled": [finding.document(self.edition) for finding in self.unsettled],
        }
        return document if self.assumed is None else document | {"assumed": self.assumed.value}


def verdict_word(verdict: Verdict) -> str:
    """The verdict in the reader's language."""
    return {"disputed": _("disputed"), "exact": _("exact"), "unverified": _("unverified")}[verdict]


class Auditor:
    """Audits one record after another, in an edition of the rules (None: each record's own)."""

    def __init__(self, edition: str | None = None) -> None:
        self._edition = edition
        self._audit = Audit()
        self._handlers: Handlers = {
            **HANDLERS,
            DesignationClaimed: self._designation,
            FaceClaimed: self._face,
            TallyClaimed: self._tally,
            JudgeRuled: self._ruling,
            GameBackedUp: self._back_up,
        }
        self._standing: Handlers = {**self._handlers, GameBackedUp: HANDLERS[GameBackedUp]}

    def record(
        self,
        record: Record,
        *,
        catalogue: Catalogue | None = None,
        assume: Designation | None = None,
        progress: Callable[[int], None] = lambda n: None,
    ) -> Audit:
        """The audit of a record, streamed from where it is; with `assume`, as though the game had begun so.

        Raises:
            RecordError: at the first line that is refused.
            NotFoundError: where there is no such record.
        """

        def begin() -> None:
            self._audit = Audit(record=record.shown, assumed=assume)

        handlers = self._handlers if assume is None else assuming(assume, self._handlers)
        state = replay(record, catalogue=catalogue, handlers=handlers, remember=False, begin=begin, progress=progress)
        return self._concluded(state)

    def game(self, game: Game) -> Audit:
        """The audit of a game in memory."""
        self._audit = Audit(record=game.state.game)
        state = State()
        for number, event in enumerate(game.events, 1):
            if (to := restores(event)) is not None:
                self._undo(to)
                state = game.at(to)
                run(state, (event,), number - 1)
            else:
                run(state, (event,), number - 1, handlers=self._handlers)
        return self._concluded(state)

    def forward(
        self, state: State, events: Sequence[Event], number: int, found: list[Consequence] | None = None
    ) -> Audit:
        """The audit so far, after events of one game that follow event `number`; the state goes with them.

        Only what stands may come here: where the game is backed up, the caller goes on from the event it is backed up
        to, with the state and the auditor that were there. What followed is added to `found`.

        Raises:
            ImpossibleError: with its line, at the first event that cannot happen here.
        """
        run(state, events, number, found, handlers=self._standing)
        return self._concluded(state)

    def _concluded(self, state: State) -> Audit:
        audit = self._audit
        audit.game = state.game
        audit.events = state.event
        audit.edition = self._edition or state.edition or DEFAULT_EDITION
        return audit

    def _cited(self, state: State) -> str:
        return self._edition or state.edition or DEFAULT_EDITION

    def _designation(self, state: State, event: DesignationClaimed, number: int) -> tuple[Consequence, ...]:
        found = HANDLERS[DesignationClaimed](state, event, number)
        self._compare(state, "designation", state.possibilities, event.designation, event.by, number)
        return found

    def _ruling(self, state: State, event: JudgeRuled, number: int) -> tuple[Consequence, ...]:
        line = state.possibilities if state.unruled is None else state.unruled
        self._compare(state, "ruling", line, Designation(event.designation), event.by, number)
        return HANDLERS[JudgeRuled](state, event, number)

    def _compare(
        self,
        state: State,
        about: About,
        line: tuple[Possibility, ...],
        claimed: Designation,
        by: str,
        number: int,
    ) -> None:
        possible = tuple(d for d in Designation if d in {possibility.designation for possibility in line})
        if possible == (claimed,):
            self._settle(number)
            return
        derived = possible[0] if len(possible) == 1 else None
        causes = tuple(dict.fromkeys(cause for possibility in line for cause in possibility.causes))
        cause = causes[0]
        rule, because = _origin(state, derived, cause)
        if len(causes) > 1:
            looked_at = {event for change in causes if change for event in change.because}
            rule, because = None, tuple(sorted(looked_at)) or because
        edition = self._cited(state)
        says = (
            _("{by} rules that it is {claimed}") if about == "ruling" else _("{by} says that it is {claimed}")
        ).format(by=by, claimed=designation_word(claimed))
        ruled = about != "ruling" and cause is not None and cause.rule == "judge"
        answer = (
            _("{place}: {says}; as ruled it is {derived}.")
            if ruled
            else _("{place}: {says}; by the rules it is {derived}.")
        )
        sentence = answer.format(place=_place(state, number), says=says, derived=either_word(possible))
        if derived is not None and len(causes) == 1:
            sentence = paragraph(sentence, _since(state, derived, cause, edition))
        finding = Finding(
            event=number,
            about=about,
            subject=None,
            claimed=claimed.value,
            derived=None if derived is None else derived.value,
            by=by,
            rule=rule,
            because=because,
            sentence=sentence,
        )
        self._note(finding, settled=claimed not in possible)

    def _face(self, state: State, event: FaceClaimed, number: int) -> tuple[Consequence, ...]:
        found = HANDLERS[FaceClaimed](state, event, number)
        derived = state.face(event.permanent)
        if derived is event.face:
            self._settle(number)
            return found
        status = state.battlefield[event.permanent]
        edition = self._cited(state)
        card = f"{card_word(status.permanent.card)} ({status.id})"
        says = _("{by} shows the {claimed} of {card}").format(by=event.by, claimed=face_word(event.face), card=card)
        possibility = state.possibilities[0]
        rule: str | None = None
        because: tuple[int, ...] = (status.arrived,)
        if status.face_down:
            answer = _("by the rules it is face down, and shows neither.")
        elif derived is None:
            answer = _("by the rules either face may be up.")
        else:
            name = card_word(status.name(possibility.backs))
            answer = _("by the rules its {face}, {name}, is up.").format(face=face_word(derived), name=name)
            how = possibility.turned.get(status.id)
            if how is not None:
                rule, because = how.rule, how.because
                sentence = _how(how)
                if rule == "daybound-at-night" and status.permanent.token:
                    sentence = token_sentence(sentence)
                answer = paragraph(answer, full_stop(with_number(sentence, rule, edition)))
            if state.designation is not None and status.matters:
                answer = paragraph(answer, _since(state, state.designation, possibility.causes[0], edition))
        finding = Finding(
            event=number,
            about="face",
            subject=event.permanent,
            claimed=event.face.value,
            derived=None if derived is None else derived.value,
            by=event.by,
            rule=rule,
            because=because,
            sentence=_("{place}: {says}; {answer}").format(place=_place(state, number), says=says, answer=answer),
        )
        self._note(finding, settled=derived is not None)
        return found

    def _tally(self, state: State, event: TallyClaimed, number: int) -> tuple[Consequence, ...]:
        found = HANDLERS[TallyClaimed](state, event, number)
        turn = state.turn if event.turn is None else event.turn
        tally = state.tallies.find(turn)
        assert tally is not None
        least, most = tally.range(event.player)
        if least == most == event.spells:
            self._settle(number)
            return found
        claimed = counted("{n} spell", "{n} spells", event.spells).format(n=event.spells)
        finding = Finding(
            event=number,
            about="tally",
            subject=event.player,
            claimed=event.spells,
            derived=count_document(least, most),
            by=event.by,
            rule=None,
            because=tally.told_of(event.player),
            sentence=_(
                "{place}: {by} says that {player} cast {claimed} in turn {turn}; the record has {derived}."
            ).format(
                place=_place(state, number),
                by=event.by,
                player=event.player,
                claimed=claimed,
                turn=turn,
                derived=_counted(least, most),
            ),
        )
        self._note(finding, settled=event.spells < least or (most is not None and event.spells > most))
        return found

    def _back_up(self, state: State, event: GameBackedUp, number: int) -> tuple[Consequence, ...]:
        self._undo(event.to)
        return ()

    def _undo(self, to: int) -> None:
        for finding in (*self._audit.findings, *self._audit.unsettled):
            if finding.event > to:
                finding.undone = True
        if self._audit.settled is not None and self._audit.settled > to:
            self._audit.settled = None

    def _settle(self, number: int) -> None:
        if self._audit.settled is None:
            self._audit.settled = number

    def _note(self, finding: Finding, *, settled: bool) -> None:
        (self._audit.findings if settled else self._audit.unsettled).append(finding)


def _origin(state: State, designation: Designation | None, cause: Changed | None) -> tuple[str | None, tuple[int, ...]]:
    if cause is not None:
        return cause.rule, cause.because
    if designation is Designation.NEITHER and not state.joined:
        return "no-designation", (state.began,)
    return None, (state.began,)


def _place(state: State, number: int) -> str:
    if state.turn == 0:
        return _("event {event}").format(event=number)
    return _("event {event} (turn {turn}, {step})").format(event=number, turn=state.turn, step=step_word(state.step))


def _since(state: State, designation: Designation, change: Changed | None, edition: str) -> str:
    if change is None:
        if designation is Designation.NEITHER and not state.joined:
            return full_stop(with_number(_("Nothing has made it day or night yet"), "no-designation", edition))
        return _("So it was when the record took the game up.")
    return full_stop(with_number(since_sentence(change), change.rule, edition))


def _how(how: Transformed | EnteredTransformed) -> str:
    if isinstance(how, EnteredTransformed):
        if how.rule == "daybound-enters":
            return _(
                "It entered at event {event} while it was night, and what has daybound and is represented by a"
                " double-faced card then enters with its back face up"
            ).format(event=how.event)
        return _("It entered at event {event} with its back face up").format(event=how.event)
    return {
        "daybound-as-night": _("It transformed as it became night, at event {event}"),
        "daybound-at-night": _("It had daybound by night and so transformed at once, at event {event}"),
        "nightbound-as-day": _("It transformed as it became day, at event {event}"),
        "nightbound-at-day": _("It had nightbound by day and so transformed at once, at event {event}"),
    }.get(how.rule, _("It was told to transform at event {event}")).format(event=how.event)


def _counted(least: int, most: int | None) -> str:
    if most is None:
        return counted("at least {n}", "at least {n}", least).format(n=least)
    return str(least) if least == most else _("{least} to {most}").format(least=least, most=most)
