"""A game at its last event, ready for the next one: its state, and which of its events stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from daynight.disputes.docket import Docket, listing
from daynight.events.claims import TallyClaimed
from daynight.events.consequences import Consequence
from daynight.events.rulings import GameBackedUp
from daynight.events.vocabulary import Event
from daynight.framework.history import Moment
from daynight.framework.recorded import never_stood
from daynight.framework.standing import Standing, UndoneError
from daynight.referee.referee import HANDLERS, Handlers, run
from daynight.referee.state import State
from daynight.store.moments.snapshots import looks_back


def _claimed(state: State, event: TallyClaimed, number: int) -> tuple[Consequence, ...]:
    return ()


STORED: Handlers = {**HANDLERS, TallyClaimed: _claimed}
"""The handlers for what was stored: a claim changes nothing, and need not find the turn it is about once more."""


class Past(Protocol):
    """What a live game asks of the store it came from."""

    @property
    def game(self) -> str:
        """The game's name."""

    def at(self, number: int) -> State:
        """The state after a stored event."""

    def whole(self, number: int) -> State:
        """The same, with the tally of every turn."""


class Live:
    """The state after the last event.

    `whole`: the state knows the tally of every turn. One that came from a snapshot does not, and fetches them where a
    claim is about an earlier turn.
    """

    def __init__(
        self, past: Past, state: State, standing: Standing, docket: Docket | None = None, *, whole: bool
    ) -> None:
        self._past = past
        self.state = state
        self.standing = standing
        self.docket = Docket() if docket is None else docket
        self._whole = whole
        self._fresh, self._stored = (listing(each, self.docket, standing.stands) for each in (HANDLERS, STORED))

    @property
    def number(self) -> int:
        """The number of the last event."""
        return self.state.event

    @property
    def id(self) -> str:
        """The game's name, as the eventsourcing library asks for it."""
        return self._past.game

    @property
    def version(self) -> int:
        """The number of the last event, as the eventsourcing library asks for it."""
        return self.number

    def __deepcopy__(self, memo: object) -> Live:
        return Live(self._past, self.state.copy(), self.standing.copy(), self.docket.copy(), whole=self._whole)

    def advance(self, events: Sequence[Event], *, stored: bool = False) -> list[Moment[Event, Consequence]]:
        """Take the game over more events, as filled in; answers what each set off. `stored`: they were taken before.

        Raises:
            RecordError: with its line, at the first that cannot happen; the game is then to be thrown away.
        """
        start, whole = self.number, self._whole
        before = self.state.copy() if any(type(event) is GameBackedUp for event in events) else self.state
        moments: list[Moment[Event, Consequence]] = []
        for number, event in enumerate(events, start + 1):
            to = event.to if type(event) is GameBackedUp else None
            if to is not None and number > 1:
                try:
                    self.standing.back_up(number, to)
                except UndoneError:
                    raise never_stood(to, number) from None
                if to < start:
                    self.state, self._whole = self._past.at(to), False
                else:
                    self.state, self._whole = forward(before.copy(), events[: to - start], self._past), whole
            elif not (stored or self._whole) and looks_back(event, self.state):
                so_far = events[: number - 1 - start]
                self.state, self._whole = forward(self._past.whole(start), so_far, _Whole(self._past)), True
            found: list[Consequence] = []
            run(self.state, (event,), number - 1, found, self._stored if stored else self._fresh)
            moments.append(Moment(number, event, tuple(found), to))
        return moments

    def pass_over(self, events: Sequence[Event], *, stored: bool = False) -> None:
        """As `advance`, and faster, for who does not ask what each event set off.

        Raises:
            RecordError: as `advance`.
        """
        if not (stored or self._whole) or any([type(event) is GameBackedUp for event in events]):
            self.advance(events, stored=stored)
        else:
            run(self.state, events, self.number, handlers=self._stored if stored else self._fresh)


class _Whole:
    """A past in which every state knows the tally of every turn."""

    def __init__(self, past: Past) -> None:
        self.game, self.at, self.whole = past.game, past.whole, past.whole


def forward(state: State, events: Sequence[Event], past: Past) -> State:
    """The state after these events, which were taken before, from a state before them, which is used up.

    Of several that back the game up only the last one matters: the state after it is that of the event it goes to.

    Raises:
        RecordError: where they never were taken.
    """
    start, end = state.event, len(events)
    stretches: list[tuple[int, Sequence[Event]]] = []
    for index in range(len(events) - 1, -1, -1):
        event = events[index]
        if index < end and type(event) is GameBackedUp:
            number = start + index + 1
            if not 1 <= event.to < number:
                raise never_stood(event.to, number)
            stretches.append((number - 1, events[index:end]))
            end = event.to - start
    if end < 0:
        state = past.at(start + end)
    elif end:
        stretches.append((start, events[:end]))
    for before, stretch in reversed(stretches):
        run(state, stretch, before, handlers=STORED)
    return state
