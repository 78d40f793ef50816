"""Audits records: compares each claim and ruling with what follows from the actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeAlias, get_args

from daynight.audit.doubts import Doubts, noting
from daynight.audit.findings import Audit, heard
from daynight.cards import Catalogue
from daynight.disputes.hearings import Hearings, said
from daynight.events import Claim, Consequence, Designation, Event, GameBackedUp, JudgeRuled, OfTheRecord
from daynight.events.disputes import DisputeOpened, DisputeRuled
from daynight.framework import audit as framework
from daynight.framework.audit import Finding, compared
from daynight.framework.language.source import Source
from daynight.framework.mechanic import Said
from daynight.referee.assumption import assuming
from daynight.referee.due import shown
from daynight.referee.mechanic import DAYNIGHT
from daynight.referee.parts import only_as_ruled, says
from daynight.referee.referee import HANDLERS, Handlers, run
from daynight.referee.state import PlayedRecord, State
from daynight.replay import Replayer
from daynight.rules.citations import DEFAULT_EDITION

LookedAt: TypeAlias = tuple[tuple[Designation, ...], bool]
"""The designations possible where a claim is compared, and whether they, or their cause, hold only by a ruling."""


class Auditor:
    """Audits records one by one, and cites an edition of the rules (None: that of each record).

    `catalogue` completes what arrives in a record that is read (None: the bundled one). With `assume` each such record
    is audited as though its game had begun so. A game in memory is audited as it is.
    """

    def __init__(
        self, edition: str | None = None, *, catalogue: Catalogue | None = None, assume: Designation | None = None
    ) -> None:
        self._edition, self._catalogue, self._assume = edition, catalogue, assume
        self.begin()
        self._handlers: Handlers = {
            **noting(HANDLERS, lambda: self._doubts),
            **dict.fromkeys(get_args(Claim), self._claim),
            JudgeRuled: self._ruling,
            GameBackedUp: self._back_up,
            **dict.fromkeys(get_args(OfTheRecord), self._act),
            DisputeOpened: self._opened,
            DisputeRuled: self._ruled,
        }
        self._forward: Handlers = {**self._handlers, GameBackedUp: self._backed_up}

    def record(self, record: Source, *, progress: Callable[[int], None] = lambda n: None) -> Audit:
        """Audit a record while reading it.

        Raises:
            RecordError: at the first line that is refused.
            NotFoundError: where there is no such record.
        """

        def begin() -> None:
            self.begin(record.shown, self._assume)

        return self.concluded(self._replayer.replay(record, remember=False, begin=begin, progress=progress))

    @cached_property
    def _replayer(self) -> Replayer:
        """What replays every record; made once, because many records are small."""
        return Replayer(self.handlers, self._catalogue, self.about)

    @property
    def handlers(self) -> Handlers:
        """The handlers that apply events and note what has to be compared, for a replay by the caller."""
        return self._handlers if self._assume is None else assuming(self._assume, self._handlers)

    def game(self, game: PlayedRecord) -> Audit:
        """Audit a game in memory."""
        self.begin()
        state = State()
        for number, event in enumerate(game.events, 1):
            if isinstance(event, DisputeOpened) and event.about is not None:
                self.about(game.at(event.about))
            if isinstance(event, GameBackedUp):
                state = game.at(event.to)
            self.forward(state, (event,), number - 1)
        self._record = state.game
        return self.concluded(state)

    def forward(
        self, state: State, events: Sequence[Event], number: int, found: list[Consequence] | None = None
    ) -> None:
        """Audit further events of one game, those after event `number`, and apply them to `state`.

        For an event that backs the game up, `state` already is the state after the event it backs up to. Consequences
        are appended to `found`. Of what is said in disputes only rulings are compared.

        Raises:
            ImpossibleError: with its line, at the first event that cannot happen here.
        """
        run(state, events, number, found, handlers=self._forward)

    def begin(self, record: str = "", assumed: Designation | None = None) -> None:
        """Start with another record: forget everything so far."""
        self._record, self._assumed = record, assumed
        self._held = framework.Audit()
        self._doubts = Doubts()
        self._hearings = Hearings()
        self._looked_at: dict[int, LookedAt] = {}
        self._disputed: dict[int, tuple[tuple[Designation, ...] | None, bool]] = {}
        self._rulings: dict[int, Finding | None] = {}

    def concluded(self, state: State) -> Audit:
        """Return the audit of the events so far; `state` is the state after them."""
        hearings = [*self._hearings]
        answered = [heard(one, *self._disputed[one.opened[0]]) for one in hearings if one.opened is not None]
        return Audit(
            record=self._record,
            game=state.game,
            events=state.event,
            edition=self._edition or state.edition or DEFAULT_EDITION,
            held=self._held.also((n, self._rulings[n]) for hearing in hearings for n, _said in hearing.ruled),
            heard=tuple(answered),
            assumed=self._assumed,
            doubts=self._doubts,
        )

    # ------------------------------------------------------------------------------------------ claims and rulings

    def _claim(self, state: State, event: Claim, number: int) -> tuple[Consequence, ...]:
        found = HANDLERS[type(event)](state, event, number)
        for one in says(event):
            self._held.note(number, self._compared(state, one, number))
        return found

    def _ruling(self, state: State, event: JudgeRuled, number: int) -> tuple[Consequence, ...]:
        self._hearings.take(event, number)
        for one in says(event):
            self._held.note(number, self._compared(state, one, number))
        return HANDLERS[JudgeRuled](state, event, number)

    def _compared(self, state: State, said: Said, number: int) -> Finding | None:
        finding = compared(DAYNIGHT, state, said, number)
        if finding is not None:
            # Later events change the state; the finding's sentence needs it as it was.
            finding.state = state.copy()
        return finding

    def _back_up(self, state: State, event: GameBackedUp, number: int) -> tuple[Consequence, ...]:
        self._hearings.take(event, number)
        self._held.back_up(event.to)
        self._doubts.undo(event.to)
        return ()

    def _backed_up(self, state: State, event: GameBackedUp, number: int) -> tuple[Consequence, ...]:
        self._back_up(state, event, number)
        return HANDLERS[GameBackedUp](state, event, number)

    # ------------------------------------------------------------------------------------------ disputes

    def about(self, state: State) -> None:
        """Note the state after an event that a dispute is about; the claims of the dispute are compared with it."""
        self._looked_at[state.event] = _looked_at(state)

    def _opened(self, state: State, event: DisputeOpened, number: int) -> tuple[Consequence, ...]:
        before = event.about is None or event.about == number - 1
        self._disputed[number] = _looked_at(state) if before else self._looked_at.get(event.about or 0, (None, False))
        return self._act(state, event, number)

    def _ruled(self, state: State, event: DisputeRuled, number: int) -> tuple[Consequence, ...]:
        if event.designation is not None:
            self._rulings[number] = self._compared(shown(state, number), said(event), number)
        return self._act(state, event, number)

    def _act(self, state: State, event: OfTheRecord, number: int) -> tuple[Consequence, ...]:
        self._hearings.take(event, number)
        return HANDLERS[type(event)](state, event, number)


def _looked_at(state: State) -> LookedAt:
    there = shown(state)
    return there.possible, only_as_ruled(there)
