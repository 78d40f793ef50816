"""The audit: compares claims and rulings with what follows from the actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from daynight.audit.doubts import noting
from daynight.audit.findings import About, Audit, Finding, agrees
from daynight.audit.grounds import face_words, remarks, since_words
from daynight.audit.hearings import Hearings
from daynight.audit.obstacles import obstacle
from daynight.cards import Catalogue
from daynight.events.claims import DesignationClaimed, FaceClaimed, TallyClaimed
from daynight.events.consequences import Consequence
from daynight.events.disputes import (
    DisputeAppealed,
    DisputeClaimed,
    DisputeClosed,
    DisputeOpened,
    DisputeRuled,
    NoteAdded,
)
from daynight.events.rulings import GameBackedUp, JudgeRuled
from daynight.events.terms import Designation
from daynight.events.vocabulary import Event
from daynight.framework.language.grammar import full_stop, paragraph
from daynight.framework.language.wording import _, card_word, counted
from daynight.projections.battlefield import Status
from daynight.projections.sentences import face_word, state_clause, step_word
from daynight.records import Record
from daynight.referee.assumption import assuming
from daynight.referee.documents import count_document
from daynight.referee.due import shown
from daynight.referee.grounds import designation_grounds, designation_ways, face_grounds, face_ways, only_as_ruled
from daynight.referee.referee import HANDLERS, Handlers, run
from daynight.referee.state import Line, State, own_line, possible_in
from daynight.replay import replay
from daynight.rules.citations import DEFAULT_EDITION, with_number

if TYPE_CHECKING:
    from daynight.game import Game


class Auditor:
    """Audits one record after another, in an edition of the rules (None: each record's own)."""

    def __init__(self, edition: str | None = None) -> None:
        self._edition = edition
        self._begin(Audit())
        self._handlers: Handlers = {
            **noting(HANDLERS, lambda: self._audit.doubts),
            DesignationClaimed: self._designation,
            FaceClaimed: self._face,
            TallyClaimed: self._tally,
            JudgeRuled: self._ruling,
            GameBackedUp: self._back_up,
            DisputeOpened: self._opened,
            DisputeClaimed: self._claimed,
            DisputeRuled: self._ruled,
            DisputeAppealed: self._appealed,
            DisputeClosed: self._closed,
            NoteAdded: self._noted,
        }
        self._standing: Handlers = {**self._handlers, GameBackedUp: self._backed_up}

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
        handlers = self._handlers if assume is None else assuming(assume, self._handlers)
        state = replay(
            record,
            catalogue=catalogue,
            handlers=handlers,
            remember=False,
            begin=lambda: self._begin(Audit(record=record.shown, assumed=assume)),
            about=self._about,
            progress=progress,
        )
        return self._concluded(state)

    def game(self, game: Game) -> Audit:
        """The audit of a game in memory."""
        self._begin(Audit(record=game.state.game))
        state = State()
        for number, event in enumerate(game.events, 1):
            if isinstance(event, DisputeOpened) and event.about is not None:
                self._about(game.at(event.about))
            if isinstance(event, GameBackedUp):
                self._back_up(state, event, number)
                state = game.at(event.to)
                run(state, (event,), number - 1)
            else:
                run(state, (event,), number - 1, handlers=self._handlers)
        return self._concluded(state)

    def forward(
        self, state: State, events: Sequence[Event], number: int, found: list[Consequence] | None = None
    ) -> Audit:
        """The audit so far, after events of one game that follow event `number`; the state goes with them.

        Only what stands may come here: where the game is backed up, the caller goes on from the event it is backed up
        to, with the state and the auditor that were there. What followed is added to `found`. Of the disputes the audit
        then has the rulings alone that came here, and it does not hold against anything what was said in them.

        Raises:
            ImpossibleError: with its line, at the first event that cannot happen here.
        """
        run(state, events, number, found, handlers=self._standing)
        return self._concluded(state)

    def _begin(self, audit: Audit) -> None:
        self._audit = audit
        self._hearings = Hearings()
        self._looked_at: dict[int, tuple[tuple[Designation, ...], bool]] = {}

    def _concluded(self, state: State) -> Audit:
        audit = self._audit
        audit.game = state.game
        audit.events = state.event
        audit.edition = self._cited(state)
        return self._hearings.concluded(audit)

    def _cited(self, state: State) -> str:
        return self._edition or state.edition or DEFAULT_EDITION

    # ------------------------------------------------------------------------------------------ claims and rulings

    def _designation(self, state: State, event: DesignationClaimed, number: int) -> tuple[Consequence, ...]:
        found = HANDLERS[DesignationClaimed](state, event, number)
        self._note(*self._held(state, number, "designation", state.possibilities, event.designation, event.by))
        return found

    def _ruling(self, state: State, event: JudgeRuled, number: int) -> tuple[Consequence, ...]:
        self._hearings.acted(event, number)
        claimed = Designation(event.designation)
        before = self._held(state, number, "ruling", own_line(state), claimed, event.by)
        found = HANDLERS[JudgeRuled](state, event, number)
        self._note(*before)
        return found

    def _held(
        self, state: State, number: int, about: About, line: Line, claimed: Designation, by: str,
        subject: str | None = None,
    ) -> tuple[int, Finding | None, bool | None]:  # fmt: skip
        """What there is to say of a designation that somebody says or rules, and whether a line of the game agrees."""
        possible = possible_in(line)
        right = agrees(claimed, possible)
        if right:
            return number, None, True
        says = {
            "designation": _("{by} says that {claimed}"),
            "ruling": _("{by} rules that {claimed}")
            if subject is None
            else _("{by} rules in dispute {dispute} that {claimed}"),
        }[about].format(by=by, claimed=state_clause((claimed,)), dispute=subject)
        ways = designation_ways(line)
        grounds = designation_grounds(ways, state)
        ruled = about == "designation" and only_as_ruled(state)
        clause = state_clause(possible)
        if len(possible) > 1:
            answer = (
                _("{place}: {says}; as ruled the record leaves it open: {derived}.")
                if ruled
                else _("{place}: {says}; by the rules the record leaves it open: {derived}.")
            )
            since = ""
        else:
            answer = _("{place}: {says}; by the rules {derived}.")
            if ruled:
                answer = _("{place}: {says}; as ruled {derived}.")
            since = _since(state, ways, self._cited(state))
        sentence = answer.format(place=_place(state, number), says=says, derived=clause)
        finding = Finding(
            event=number,
            about=about,
            subject=subject,
            claimed=claimed.value,
            derived=possible[0].value if len(possible) == 1 else None,
            by=by,
            rule=grounds.rule,
            because=grounds.because,
            sentence=paragraph(sentence, since, remarks(ways, line, state)),
        )
        return number, finding, right

    def _face(self, state: State, event: FaceClaimed, number: int) -> tuple[Consequence, ...]:
        found = HANDLERS[FaceClaimed](state, event, number)
        derived = state.face(event.permanent)
        if derived is event.face:
            self._note(number, None, True)
            return found
        status = state.battlefield[event.permanent]
        ways = face_ways(state.possibilities, status.id)
        grounds = face_grounds(ways, status.arrived)
        card = f"{card_word(status.permanent.card)} ({status.id})"
        says = _("{by} shows the {claimed} of {card}").format(by=event.by, claimed=face_word(event.face), card=card)
        finding = Finding(
            event=number,
            about="face",
            subject=event.permanent,
            claimed=event.face.value,
            derived=None if derived is None else derived.value,
            by=event.by,
            rule=None if status.face_down else grounds.rule,
            because=(status.arrived,) if status.face_down else grounds.because,
            sentence=_("{place}: {says}; {answer}").format(
                place=_place(state, number), says=says, answer=_face_answer(state, status, self._cited(state))
            ),
        )
        self._note(number, finding, None if derived is None else False)
        return found

    def _tally(self, state: State, event: TallyClaimed, number: int) -> tuple[Consequence, ...]:
        found = HANDLERS[TallyClaimed](state, event, number)
        turn = state.turn if event.turn is None else event.turn
        tally = state.tallies.find(turn)
        assert tally is not None
        least, most = tally.range(event.player)
        if least == most == event.spells:
            self._note(number, None, True)
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
        outside = event.spells < least or (most is not None and event.spells > most)
        self._note(number, finding, False if outside else None)
        return found

    def _back_up(self, state: State, event: GameBackedUp, number: int) -> tuple[Consequence, ...]:
        self._hearings.acted(event, number)
        for finding in (*self._audit.findings, *self._audit.unsettled):
            if finding.event > event.to:
                finding.undone = True
        self._audit.doubts.undo(event.to)
        if self._audit.settled is not None and self._audit.settled > event.to:
            self._audit.settled = None
        return ()

    def _backed_up(self, state: State, event: GameBackedUp, number: int) -> tuple[Consequence, ...]:
        self._hearings.acted(event, number)
        return HANDLERS[GameBackedUp](state, event, number)

    def _note(self, number: int, finding: Finding | None, right: bool | None) -> None:
        if finding is not None:
            (self._audit.unsettled if right is None else self._audit.findings).append(finding)
        elif self._audit.settled is None:
            self._audit.settled = number

    # ------------------------------------------------------------------------------------------ disputes

    def _about(self, state: State) -> None:
        """A dispute is about this event: note the state to which a claim right after it is compared."""
        self._looked_at[state.event] = _looked_at(state)

    def _opened(self, state: State, event: DisputeOpened, number: int) -> tuple[Consequence, ...]:
        before = event.about is None or event.about == number - 1
        possible, as_ruled = _looked_at(state) if before else self._looked_at.get(event.about or 0, (None, False))
        self._hearings.opened(event, number, possible, as_ruled=as_ruled)
        return HANDLERS[DisputeOpened](state, event, number)

    def _claimed(self, state: State, event: DisputeClaimed, number: int) -> tuple[Consequence, ...]:
        self._hearings.claimed(event, number)
        return HANDLERS[DisputeClaimed](state, event, number)

    def _ruled(self, state: State, event: DisputeRuled, number: int) -> tuple[Consequence, ...]:
        finding, right = None, None
        if event.designation is not None:
            claimed, there = Designation(event.designation), shown(state, number)
            _number, finding, right = self._held(
                there, number, "ruling", own_line(there), claimed, event.by, event.dispute
            )
        self._hearings.ruled(event, number, finding, right)
        return HANDLERS[DisputeRuled](state, event, number)

    def _appealed(self, state: State, event: DisputeAppealed, number: int) -> tuple[Consequence, ...]:
        self._hearings.appealed(event, number)
        return HANDLERS[DisputeAppealed](state, event, number)

    def _closed(self, state: State, event: DisputeClosed, number: int) -> tuple[Consequence, ...]:
        self._hearings.closed(event, number)
        return HANDLERS[DisputeClosed](state, event, number)

    def _noted(self, state: State, event: NoteAdded, number: int) -> tuple[Consequence, ...]:
        self._hearings.noted(number)
        return HANDLERS[NoteAdded](state, event, number)


def _looked_at(state: State) -> tuple[tuple[Designation, ...], bool]:
    """What is possible where a claim is compared, and whether that value, or its cause, holds by a ruling alone."""
    there = shown(state)
    return there.possible, only_as_ruled(there)


def _place(state: State, number: int) -> str:
    if state.turn == 0:
        return _("event {event}").format(event=number)
    return _("event {event} (turn {turn}, {step})").format(event=number, turn=state.turn, step=step_word(state.step))


def _since(state: State, ways: Sequence[Any], edition: str) -> str:
    """Since when it is what it is in every possibility, and why."""
    if len(ways) > 1 or ways[0] is not None:
        return full_stop(since_words(ways, edition))
    if state.joined:
        return _("So it was when the record took the game up.")
    return full_stop(with_number(_("Nothing has made it day or night yet"), "no-designation", edition))


def _face_answer(state: State, status: Status, edition: str) -> str:
    """Which face is up, how it came to that, and what it is: as an answer to a claim."""
    if status.face_down:
        return _("by the rules it is face down, and shows neither.")
    ruled = only_as_ruled(state, status.id)
    derived = state.face(status.id)
    ways = face_ways(state.possibilities, status.id)
    if derived is None:
        open_ = _("as ruled either face may be up.") if ruled else _("by the rules either face may be up.")
        return paragraph(open_, remarks(ways, (), state))
    answer = _("as ruled its {face}, {name}, is up.") if ruled else _("by the rules its {face}, {name}, is up.")
    told = [answer.format(face=face_word(derived), name=card_word(status.name(state.possibilities[0].backs)))]
    told += [full_stop(sentence) for sentence in face_words(ways, status, edition)]
    told.append(obstacle(state, status))
    designations = designation_ways(state.possibilities)
    if state.designation is not None and status.matters:
        more = remarks((*ways, *designations), state.possibilities, state)
        told += [_since(state, designations, edition), more]
    else:
        told.append(remarks(ways, (), state))
    return paragraph(*told)


def _counted(least: int, most: int | None) -> str:
    if most is None:
        return counted("at least {n}", "at least {n}", least).format(n=least)
    return str(least) if least == most else _("{least} to {most}").format(least=least, most=most)
