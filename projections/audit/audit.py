"""Audits records: compares each claim and ruling with what the actions imply by the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeAlias, get_args

from daynight.cards import Catalogue
from daynight.disputes.hearings import Heard, Hearings, said
from daynight.events import Claim, Designation, Event, GameBackedUp, GameStarted, JudgeRuled, OfTheRecord
from daynight.events.actions import EffectResolved, GameRestarted
from daynight.events.disputes import DisputeOpened, DisputeRuled
from daynight.framework.audit import Auditing, Finding
from daynight.framework.folding.fold import Fold, Observer, Watch, Watched
from daynight.framework.language.source import Source
from daynight.projections.audit.doubts import BEARERS, Doubts
from daynight.projections.audit.findings import Audit, heard
from daynight.projections.audit.resting import Resting
from daynight.referee.due import shown
from daynight.referee.mechanic import DAYNIGHT
from daynight.referee.parts import only_as_ruled
from daynight.referee.state import PlayedRecord, State
from daynight.replay import Replayer
from daynight.rules.citations import DEFAULT_EDITION

LookedAt: TypeAlias = tuple[tuple[Designation, ...], bool]
"""The possible designations after an event; True if a ruling has made them, or their cause, other than by the rules."""


class Auditor:
    """Audits records one by one, and cites an edition of the rules (None: that of each record).

    `catalogue` adds the faces of permanents that enter in a record that is read (None: the bundled one). With `assume`
    each such record is audited as though its game had begun with that designation; a game in memory is not changed.
    `also` are further observers, which are called while a record is read.
    """

    def __init__(
        self,
        edition: str | None = None,
        *,
        catalogue: Catalogue | None = None,
        assume: Designation | None = None,
        also: Sequence[Observer] = (),
    ) -> None:
        self._also = also
        self._edition, self._catalogue, self._assume = edition, catalogue, assume
        self._held = Auditing(DAYNIGHT)
        self.begin()
        self.before: dict[type, Watch] = {
            **dict.fromkeys((GameStarted, *BEARERS), self._noted),
            **dict.fromkeys(get_args(Claim), self._claimed),
            EffectResolved: self._effect,
            GameRestarted: self._restarted,
            JudgeRuled: self._ruling,
            **dict.fromkeys(get_args(OfTheRecord), self._act),
            GameBackedUp: self._backed_up,
            DisputeOpened: self._opened,
            DisputeRuled: self._ruled,
        }

    def record(self, record: Source, *, progress: Callable[[int], None] = lambda n: None) -> Audit:
        """Audit a record while reading it; `progress` is called with the number of events so far.

        Raises:
            RecordError: at the first line that is refused.
            NotFoundError: where there is no such record.
        """
        self.state = self._replayer.replay(record, remember=False, progress=progress)
        return self.concluded(self.state, record)

    @cached_property
    def _replayer(self) -> Replayer:
        """Return the replayer for every record; it is made once, because many records are small."""
        return Replayer((self, *self._also), catalogue=self._catalogue, assume=self._assume, about=self.about)

    def game(self, game: PlayedRecord) -> Audit:
        """Audit a game in memory, as it is: `assume`, `catalogue` and `also` do not count."""
        disputed = [event.about for event in game.events if type(event) is DisputeOpened and event.about is not None]
        visits = dict.fromkeys(disputed, (self.about,))
        fold = Fold(Watched(DAYNIGHT, (self,)), then=game.at, visits=visits)
        fold.over(game.events)
        return self.concluded(fold.whole)

    def begin(self) -> None:
        """Start with another record: forget everything so far."""
        self._held.begin()
        self._doubts, self._resting = Doubts(), Resting()
        self._hearings = Hearings()
        self._looked_at: dict[int, LookedAt] = {}
        self._disputed: dict[int, tuple[tuple[Designation, ...] | None, bool]] = {}
        self._rulings: dict[int, Finding | None] = {}

    def back_up(self, number: int, to: int) -> None:
        """Mark findings after event `to` as undone, and forget doubts after it: event `number` is a back-up to it."""
        self._held.back_up(number, to)
        self._doubts.undo(to)
        self._resting.undo(to)

    def concluded(self, state: State, record: Source | None = None) -> Audit:
        """Return the audit of the events so far; `state` is the state after them, `record` the one read, if any."""
        hearings = [*self._hearings]
        answered = [heard(one, *self._disputed[one.opened[0]]) for one in hearings if one.opened is not None]
        return Audit(
            record=state.game if record is None else record.shown,
            game=state.game,
            events=state.event,
            edition=self._edition or state.edition or DEFAULT_EDITION,
            held=self._held.audit.also((n, self._rulings[n]) for hearing in hearings for n, _said in hearing.ruled),
            heard=tuple(answered),
            assumed=None if record is None else self._assume,
            doubts=self._doubts,
        )

    # ------------------------------------------------------------------------------------------ claims and rulings

    def _noted(self, state: State, event: Event, number: int) -> None:
        if event.meta is not None and (names := self._doubts.note(event, number)):
            self._resting.note(state, event, number, names)

    def _effect(self, state: State, event: EffectResolved, number: int) -> None:
        self._resting.effect(state, event, number)

    def _restarted(self, state: State, event: GameRestarted, number: int) -> None:
        self._resting.restart(number)

    def _claimed(self, state: State, event: Event, number: int) -> None:
        found = self._said(state, event, number)
        if not found and self._resting.settles_nothing(state):
            self._held.audit.settled = self._settled

    def _ruling(self, state: State, event: JudgeRuled, number: int) -> None:
        self._act(state, event, number)
        found = self._said(state, event, number)
        self._resting.ruling(number, uncertain=any(one.doubt for one in found))

    def _said(self, state: State, event: Event, number: int) -> list[Finding]:
        """Compare a claim or ruling with the rules; return its findings, unsettled if they rest on `Doubts`."""
        before, self._settled = len(self._held.audit.findings), self._held.audit.settled
        self._held.said(state, event, number)
        found = self._held.audit.findings[before:]
        for one in found:
            self._doubt(one)
        return found

    def _doubt(self, found: Finding | None) -> None:
        if found is not None and found.right is False and (names := self._resting.names(found)):
            found.right, found.doubt = None, names

    def _backed_up(self, state: State, event: GameBackedUp, number: int) -> None:
        self._act(state, event, number)
        if not event.corrects:
            self._resting.restore(event.to)

    # ------------------------------------------------------------------------------------------ disputes

    def about(self, state: State) -> None:
        """Keep the designations possible in `state`, after an event that a dispute is about, to check its claims."""
        self._looked_at[state.event] = _looked_at(state)

    def _opened(self, state: State, event: DisputeOpened, number: int) -> None:
        before = event.about is None or event.about == number - 1
        self._disputed[number] = _looked_at(state) if before else self._looked_at.get(event.about or 0, (None, False))
        self._act(state, event, number)

    def _ruled(self, state: State, event: DisputeRuled, number: int) -> None:
        if event.designation is not None:
            self._rulings |= self._held.found(state, (said(event),), number, event)
            self._doubt(self._rulings[number])
        self._act(state, event, number)

    def _act(self, state: State, event: Heard, number: int) -> None:
        self._hearings.take(event, number)


def _looked_at(state: State) -> LookedAt:
    there = shown(state)
    return there.possible, only_as_ruled(there)
