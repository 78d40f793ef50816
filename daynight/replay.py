"""Replaying a record from its file: streamed, so that memory does not grow with its length.

Three things in a record look back: backing up asks for the state after an earlier event, a claim may ask for the tally
of an earlier turn, and an audit asks what was possible at the event that a dispute is about. Few records do any of
that, so a replay begins without keeping anything; where it meets the first such event it finds out what all of the
record looks back at, and begins again, keeping just that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from daynight.cards import Catalogue, bundled
from daynight.disputes.docket import Docket, listing
from daynight.events import Consequence, DisputeOpened, Event, GameBackedUp, GameJoined, PermanentsEntered, TallyClaimed
from daynight.events.language import read_blocks, read_line
from daynight.framework.language.errors import ImpossibleError, NotFoundError, RecordError
from daynight.framework.language.reader import blocks
from daynight.framework.language.wording import _
from daynight.framework.standing import Standing, UndoneError, never_stood
from daynight.records import Record
from daynight.referee.referee import HANDLERS, Found, Handlers, restores, run
from daynight.referee.state import State

KEPT = 5_000_000
"""How many permanents the states kept for backing up may have together."""


@dataclass(slots=True)
class LookedBack:
    """What later lines of a record ask of earlier ones.

    `events` are backed up to, of `turns` the tally is claimed, and `disputed` events are what disputes are about.
    """

    events: set[int] = field(default_factory=set)
    turns: set[int] = field(default_factory=set)
    disputed: set[int] = field(default_factory=set)


def look_back(record: Record) -> LookedBack:
    """Find out what a record looks back at, by the tags in its bytes. What cannot be read is left to the replay."""
    found = LookedBack()
    try:
        with record.open() as stream:
            for block in blocks(stream):
                if any(tag in block for tag in _LOOKING_BACK):
                    for line in block.split(b"\n"):
                        if any(tag in line for tag in _LOOKING_BACK):
                            _note(read_line(line), found)
    except RecordError:
        pass
    return found


_LOOKING_BACK = (b"\\", b"game-backed-up", b"tally-claimed", b"dispute-opened")
"""The tags of events that may look back; behind a backslash may be any."""


def _note(event: Event, found: LookedBack) -> None:
    if isinstance(event, GameBackedUp):
        found.events.add(event.to)
    elif isinstance(event, TallyClaimed) and event.turn is not None:
        found.turns.add(event.turn)
    elif isinstance(event, DisputeOpened) and event.about is not None:
        found.disputed.add(event.about)


def with_catalogue(catalogue: Catalogue, handlers: Handlers = HANDLERS) -> Handlers:
    """The handlers, with permanents filled in from a catalogue first."""
    return {
        **handlers,
        **{kind: partial(_filled, catalogue, handlers[kind]) for kind in (PermanentsEntered, GameJoined)},
    }


def _filled(
    catalogue: Catalogue, handle: Callable[[State, Any, int], Found], state: State, event: Event, number: int
) -> Found:
    return handle(state, catalogue.fill(event), number)


def replay(
    record: Record,
    *,
    until: int | None = None,
    catalogue: Catalogue | None = None,
    handlers: Handlers = HANDLERS,
    remember: bool = True,
    begin: Callable[[], None] = lambda: None,
    about: Callable[[State], None] | None = None,
    progress: Callable[[int], None] = lambda events: None,
) -> State:
    """The state after a record, or after its event `until`.

    Without `remember` the state has no list of changes and triggers, the only part of it that grows with a record.
    The whole record is read in any case: one that is refused later on has no state anywhere. `begin` is called
    before the first event, again where the replay has to begin again; `about` is given, for its time alone, the state
    after each event that a dispute names as what it is about; `progress` hears how many events were read.

    Raises:
        RecordError: at the first line that is refused.
        NotFoundError: where there is no event `until`.
    """
    table = with_catalogue(bundled() if catalogue is None else catalogue, handlers)
    try:
        begin()
        try:
            unprepared = _UNPREPARED if about is None else {**_UNPREPARED, DisputeOpened: _unprepared}
            state = _through(record, until, {**table, **unprepared}, LookedBack(), remember, progress)
        except _LooksBackError:
            begin()
            state = _through(record, until, table, look_back(record), remember, progress, about)
    except RecordError as error:
        raise record.located(error) from None
    if until is not None and not 1 <= until <= state.event:
        sentence = _("{record}: no event {event}; the last one is {last}")
        raise NotFoundError(sentence.format(record=record.name, event=until, last=state.event))
    return state


class _LooksBackError(Exception):
    """The record looks back, and nothing was kept."""


def _unprepared(
    state: State, event: GameBackedUp | TallyClaimed | DisputeOpened, number: int
) -> tuple[Consequence, ...]:
    raise _LooksBackError


_UNPREPARED: Handlers = {GameBackedUp: _unprepared, TallyClaimed: _unprepared}


def _through(
    record: Record,
    until: int | None,
    table: Handlers,
    looked_back: LookedBack,
    remember: bool,
    progress: Callable[[int], None],
    about: Callable[[State], None] | None = None,
) -> State:
    state = State(looked_back.turns, remember=remember)
    disputed = looked_back.disputed if about is not None else set()
    back_ups = _BackUps(looked_back.events, disputed, about) if looked_back.events or disputed else None
    docket = Docket()
    table = listing(table, docket, docket.stands if back_ups is None else back_ups.standing.stands)

    def over(state: State, events: list[Event]) -> State:
        if back_ups is not None:
            return back_ups.run(state, events, table)
        run(state, events, state.event, handlers=table)
        return state

    wanted: State | None = None
    with record.open() as stream:
        for events in read_blocks(stream):
            rest = events
            if until is not None and state.event < until <= state.event + len(events):
                cut = until - state.event
                state, rest = over(state, events[:cut]), events[cut:]
                wanted = state.copy()
            state = over(state, rest)
            progress(state.event)
    return state if wanted is None else wanted


class _BackUps:
    """Replays a record that looks back: keeps the states that it backs up to, and shows those that are disputed."""

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
                # What the audit does with this event, it does to the state before it.
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
