"""Replays a record from its file, block by block, so that memory does not grow with the length of the record.

Three things look back: backing up needs the state after an earlier event, a claim may name the tally of an earlier
turn, and an audit needs the state at the event that a dispute is about. A record is replayed at first without keeping
anything; at the first event that looks back, the replay finds out what the whole record looks back at, and begins
again, keeping just that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from daynight.cards import Catalogue, bundled
from daynight.disputes.docket import Listing
from daynight.events import Designation, DisputeOpened, Event, GameBackedUp, TallyClaimed
from daynight.events.language import read_blocks, read_line
from daynight.framework.folding.fold import Fold, Observer, PassedError, Visit, Watch, Watched
from daynight.framework.language.errors import ImpossibleError, NotFoundError, RecordError
from daynight.framework.language.happening import anew
from daynight.framework.language.reader import blocks
from daynight.framework.language.source import Source
from daynight.framework.language.wording import _
from daynight.referee.assumption import assuming
from daynight.referee.mechanic import DAYNIGHT
from daynight.referee.state import State

KEPT = 5_000_000
"""The most permanents that the states kept for back-ups may have together."""


@dataclass(slots=True)
class LookedBack:
    """The earlier events and turns that a record refers to.

    Back-ups return to `events`, claims name the tallies of `turns`, and disputes are about the events in `disputed`.
    """

    events: set[int] = field(default_factory=set)
    turns: set[int] = field(default_factory=set)
    disputed: set[int] = field(default_factory=set)


def look_back(record: Source) -> LookedBack:
    """Find the earlier events and turns that a record refers to, by the tags in its bytes.

    Unreadable lines are refused later, by the replay.
    """
    found = LookedBack()
    try:
        with record.open() as stream:
            for block in blocks(stream):
                end = 0
                while (sign := _LOOKING_BACK.search(block, end)) is not None:
                    start, end = block.rfind(b"\n", 0, sign.start()) + 1, block.find(b"\n", sign.end())
                    end = len(block) if end < 0 else end
                    _note(read_line(block[start:end]), found)
    except RecordError:
        pass
    return found


_LOOKING_BACK = re.compile(rb"\\|game-backed-up|tally-claimed|dispute-opened")
"""The tags of events that may look back. A backslash may spell any of them in another way."""


def _note(event: Event, found: LookedBack) -> None:
    if isinstance(event, GameBackedUp):
        found.events.add(event.to)
    elif isinstance(event, TallyClaimed) and event.turn is not None:
        found.turns.add(event.turn)
    elif isinstance(event, DisputeOpened) and event.about is not None:
        found.disputed.add(event.about)


def replay(
    record: Source,
    *,
    until: int | None = None,
    catalogue: Catalogue | None = None,
    remember: bool = True,
    progress: Callable[[int], None] = lambda events: None,
) -> State:
    """Replay one record, as `Replayer(catalogue=catalogue).replay(record, ...)` does; see there."""
    return Replayer(catalogue=catalogue).replay(record, until=until, remember=remember, progress=progress)


class Replayer:
    """Replays any number of records, one after another, and shows their events to the same observers.

    `catalogue` completes entering permanents; None is the bundled one. With `assume`, each game is replayed as though
    it had begun with that designation. `about` is called with the state after each event that a dispute is about; the
    state is valid only during the call.
    """

    def __init__(
        self,
        observers: Sequence[Observer] = (),
        *,
        catalogue: Catalogue | None = None,
        assume: Designation | None = None,
        about: Callable[[State], None] | None = None,
    ) -> None:
        self._about = about
        rules = DAYNIGHT if assume is None else assuming(assume)
        self._fill = anew((bundled() if catalogue is None else catalogue).fill)
        self._listing = Listing()
        forward = _LookingBack(disputed=about is not None)
        self._forward = Watched(rules, (forward, self._listing, *observers), fill=self._fill)
        # The observer for a record that looks back is made when there is one.
        self._watching = rules, (self._listing, *observers)

    @cached_property
    def _all(self) -> Watched[Any, Any, Any]:
        return Watched(*self._watching, fill=self._fill)

    def replay(
        self,
        record: Source,
        *,
        until: int | None = None,
        remember: bool = True,
        progress: Callable[[int], None] = lambda events: None,
        events: Sequence[Event] | None = None,
    ) -> State:
        """Return the state after a record, or after its event `until`. Pass its `events` if you have read them already.

        Without `remember` the state keeps no changes and triggers, the only part of it that grows with the record. The
        whole record is always read, so a line after `until` that is refused raises an error too. Each observer begins
        before the first event, and again if the replay begins again. `progress` is called with the number of events
        read so far.

        Raises:
            RecordError: at the first line that is refused.
            NotFoundError: where there is no event `until`.
        """
        wanted: list[State] = []
        visits: dict[int, list[Visit]] = {} if until is None else {until: [lambda state: wanted.append(state.copy())]}
        try:
            try:
                fold = Fold(self._forward, State((), remember=remember), visits=visits)
                _through(record, fold, progress, events)
            except PassedError:
                fold = self._again(record, remember, visits)
                _through(record, fold, progress, events)
        except RecordError as error:
            raise record.located(error) from None
        if until is not None and not 1 <= until <= fold.number:
            sentence = _("{record}: no event {event}; the last one is {last}")
            sentence = sentence.format(record=record.name, event=until, last=fold.number)
            raise NotFoundError(sentence, file=record.name)
        return wanted[-1] if wanted else fold.whole

    def _again(self, record: Source, remember: bool, visits: dict[int, list[Visit]]) -> Fold[State, Any, Any]:
        """Return a fold from event 1 of a record that looks back; it keeps the states that the record refers to."""
        found = look_back(record)
        if self._about is not None:
            for number in found.disputed:
                visits.setdefault(number, []).append(self._about)
        kept = _Measured()
        for number in found.events:
            visits.setdefault(number, []).append(kept.measure)
        return Fold(self._all, State(found.turns, remember=remember), keep=found.events, visits=visits)


class _Measured:
    """Refuses a record whose back-ups need too many states: together they may have `KEPT` permanents."""

    def __init__(self) -> None:
        self._size = 0

    def measure(self, state: State) -> None:
        """Add a state.

        Raises:
            ImpossibleError: where the states added so far have more than KEPT permanents together.
        """
        self._size += len(state.battlefield)
        if self._size > KEPT:
            raise ImpossibleError(_("too many back-ups for so many permanents"), line=state.event)


class _LookingBack:
    """Raises a PassedError at the first event that needs a state that this replay has not kept.

    That is a claim about another turn and, with `disputed`, a dispute about an event. At a back-up, the fold itself
    raises the PassedError.
    """

    def __init__(self, *, disputed: bool) -> None:
        self.before: dict[type, Watch] = {TallyClaimed: self._claimed}
        if disputed:
            self.before[DisputeOpened] = self._opened

    def begin(self) -> None:
        """Do nothing as a record begins: there is nothing to reset."""

    def back_up(self, number: int, to: int) -> None:
        """Do nothing: this replay keeps nothing that could be undone."""

    def _opened(self, state: State, event: DisputeOpened, number: int) -> None:
        if event.about is not None:
            raise PassedError(event.about)

    def _claimed(self, state: State, event: TallyClaimed, number: int) -> None:
        if event.turn is not None and event.turn != state.turn:
            raise PassedError(number)


def _through(
    record: Source, fold: Fold[State, Any, Any], progress: Callable[[int], None], events: Sequence[Event] | None
) -> None:
    if events is not None:
        fold.over(events)
        progress(fold.number)
        return
    with record.open() as stream:
        for block in read_blocks(stream):
            fold.over(block)
            progress(fold.number)
