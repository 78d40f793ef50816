"""Replays a record from its file, event by event, so that memory does not grow with its length.

Three things look back: backing up needs the state after an earlier event, a claim may name the tally of an earlier
turn, and an audit needs the state at the event that a dispute is about. A record is replayed at first without keeping
anything; at the first event that looks back, the replay finds out what the whole record looks back at, and begins
again, keeping just that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from daynight.cards import Catalogue, bundled
from daynight.disputes.docket import Docket, listing
from daynight.events import DisputeOpened, Event, GameBackedUp, GameJoined, PermanentsEntered, TallyClaimed
from daynight.events.language import read_blocks, read_line
from daynight.framework.language.errors import ImpossibleError, NotFoundError, RecordError
from daynight.framework.language.reader import blocks
from daynight.framework.language.source import Source
from daynight.framework.language.wording import _
from daynight.framework.standing import Standing, UndoneError, never_stood
from daynight.referee.referee import HANDLERS, Found, Handlers, restores, run
from daynight.referee.state import State

KEPT = 5_000_000
"""The most permanents that the states kept for back-ups may have together."""


@dataclass(slots=True)
class LookedBack:
    """What a record looks back at.

    `events` are backed up to, of `turns` the tally is claimed, and disputes are about the `disputed` events.
    """

    events: set[int] = field(default_factory=set)
    turns: set[int] = field(default_factory=set)
    disputed: set[int] = field(default_factory=set)


def look_back(record: Source) -> LookedBack:
    """Find what a record looks back at, by the tags in its bytes. Unreadable lines are left to the replay."""
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
"""The tags of events that may look back. A backslash may hide any of them."""


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
    handlers: Handlers = HANDLERS,
    remember: bool = True,
    begin: Callable[[], None] = lambda: None,
    about: Callable[[State], None] | None = None,
    progress: Callable[[int], None] = lambda events: None,
) -> State:
    """Replay one record, as `Replayer(handlers, catalogue, about).replay(record, ...)` does; see there."""
    replayer = Replayer(handlers, catalogue, about)
    return replayer.replay(record, until=until, remember=remember, begin=begin, progress=progress)


class Replayer:
    """Replays any number of records with the same handlers, one after another.

    `catalogue` completes what arrives; None is the bundled one. `about` is called with the state after each event that
    a dispute is about; the state is valid only during the call.
    """

    def __init__(
        self,
        handlers: Handlers = HANDLERS,
        catalogue: Catalogue | None = None,
        about: Callable[[State], None] | None = None,
    ) -> None:
        self._about = about
        self._all = {**handlers, **completing(bundled() if catalogue is None else catalogue, handlers)}
        keeping_nothing = {**self._all, **_keeping_nothing(self._all, disputed=about is not None)}
        self._docket = Docket()
        self._keeping_nothing = listing(keeping_nothing, self._docket, self._docket.stands)

    def replay(
        self,
        record: Source,
        *,
        until: int | None = None,
        remember: bool = True,
        begin: Callable[[], None] = lambda: None,
        progress: Callable[[int], None] = lambda events: None,
    ) -> State:
        """Return the state after a record, or after its event `until`.

        Without `remember` the state keeps no changes and triggers, the only part of it that grows with the record. The
        whole record is always read, so a record that is refused later has no state anywhere. `begin` is called before
        the first event, and again if the replay begins again. `progress` is called with the number of events read so
        far.

        Raises:
            RecordError: at the first line that is refused.
            NotFoundError: where there is no event `until`.
        """
        self._docket.clear()
        try:
            begin()
            try:
                state = State((), remember=remember)
                state = _through(record, state, _over, self._keeping_nothing, until, progress)
            except _LooksBackError:
                begin()
                state = self._looking_back(record, until, remember, progress)
        except RecordError as error:
            raise record.located(error) from None
        if until is not None and not 1 <= until <= state.event:
            sentence = _("{record}: no event {event}; the last one is {last}")
            sentence = sentence.format(record=record.name, event=until, last=state.event)
            raise NotFoundError(sentence, file=record.name)
        return state

    def _looking_back(
        self, record: Source, until: int | None, remember: bool, progress: Callable[[int], None]
    ) -> State:
        """Replay a record that looks back, from its beginning, and keep what it looks back at."""
        found = look_back(record)
        docket = Docket()
        over, stands = _over, docket.stands
        if found.events or (found.disputed and self._about is not None):
            back_ups = _BackUps(found.events, found.disputed, self._about)
            over, stands = back_ups.run, back_ups.standing.stands
        state = State(found.turns, remember=remember)
        return _through(record, state, over, listing(self._all, docket, stands), until, progress)


def completing(catalogue: Catalogue, handlers: Handlers) -> Handlers:
    """Return the handlers of arrivals, changed so that a catalogue first completes the permanents."""
    return dict.fromkeys(_ARRIVALS, partial(_completed, catalogue, handlers))


_ARRIVALS = (PermanentsEntered, GameJoined)


def _completed(catalogue: Catalogue, handlers: Handlers, state: State, event: Event, number: int) -> Found:
    return handlers[type(event)](state, catalogue.fill(event), number)


class _LooksBackError(Exception):
    """The record looks back, but nothing was kept."""


def _keeping_nothing(handlers: Handlers, *, disputed: bool) -> Handlers:
    """Return the handlers of events that may look back, changed so that one that does raises `_LooksBackError`.

    `disputed`: a dispute about an earlier event looks back.
    """

    def backed_up(state: State, event: GameBackedUp, number: int) -> Found:
        raise _LooksBackError

    def opened(state: State, event: DisputeOpened, number: int) -> Found:
        if disputed and event.about is not None:
            raise _LooksBackError
        return handlers[DisputeOpened](state, event, number)

    def claimed(state: State, event: TallyClaimed, number: int) -> Found:
        if event.turn is not None and event.turn != state.turn:
            raise _LooksBackError
        return handlers[TallyClaimed](state, event, number)

    return {GameBackedUp: backed_up, DisputeOpened: opened, TallyClaimed: claimed}


def _through(
    record: Source,
    state: State,
    over: Callable[[State, list[Event], Handlers], State],
    table: Handlers,
    until: int | None,
    progress: Callable[[int], None],
) -> State:
    wanted: State | None = None
    with record.open() as stream:
        for events in read_blocks(stream):
            rest = events
            if until is not None and state.event < until <= state.event + len(events):
                cut = until - state.event
                state, rest = over(state, events[:cut], table), events[cut:]
                wanted = state.copy()
            state = over(state, rest, table)
            progress(state.event)
    return state if wanted is None else wanted


def _over(state: State, events: list[Event], table: Handlers) -> State:
    run(state, events, state.event, handlers=table)
    return state


class _BackUps:
    """Replays a record that looks back: keeps the states that it backs up to, and passes disputed ones to `about`."""

    def __init__(self, wanted: set[int], disputed: set[int], about: Callable[[State], None] | None) -> None:
        self._wanted = wanted
        self._disputed = disputed
        self._about = about
        self._kept: dict[int, State] = {}
        self._size = 0
        self.standing = Standing()

    def run(self, state: State, events: list[Event], table: Handlers) -> State:
        for number, event in enumerate(events, state.event + 1):
            to = restores(event)
            if to is not None and state.event:
                try:
                    self.standing.back_up(number, to)
                except UndoneError:
                    raise never_stood(to, number) from None
                # The handler sees the state before the back-up.
                table[GameBackedUp](state, event, number)
                state = self._kept[to].copy()
            run(state, (event,), number - 1, handlers=HANDLERS if to is not None else table)
            if number in self._disputed and self._about is not None:
                self._about(state)
            if number in self._wanted:
                self._size += len(state.battlefield)
                if self._size > KEPT:
                    raise ImpossibleError(_("too many back-ups for so many permanents"), line=number)
                self._kept[number] = state.copy()
        return state
