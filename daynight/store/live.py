"""A game at its last event, ready for the next one: its state, and which of its events stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from daynight.events.claims import TallyClaimed
from daynight.events.consequences import Consequence
from daynight.events.rulings import GameBackedUp
from daynight.events.vocabulary import Event
from daynight.history import Moment, Standing, UndoneError
from daynight.referee import HANDLERS, Handlers, run
from daynight.replay import never_stood
from daynight.state import State

__all__ = ["Live", "Past", "forward"]


class Past(Protocol):
    """What a live game asks of the store it came from."""

    def at(self, number: int) -> State:
        """The state after a stored event."""

    def whole(self, number: int) -> State:
        """The same, with the tally of every turn."""


class Live:
    """The state after the last event.

    `whole`: the state knows the tally of every turn. One that came from a snapshot does not, and fetches them where a
    claim is about an earlier turn.
    """

    def __init__(self, past: Past, state: State, standing: Standing, *, whole: bool) -> None:
        self._past = past
        self.state = state
        self.standing = standing
        self._whole = whole

    @property
    def number(self) -> int:
        """The number of the last event."""
        return self.state.event

    def copy(self) -> Live:
        """The same game, apart."""
        return Live(self._past, self.state.copy(), self.standing.copy(), whole=self._whole)

    def advance(self, events: Sequence[Event]) -> list[Moment[Event, Consequence]]:
        """Take the game over more events, as filled in; answers what each set off.

        Raises:
            RecordError: with its line, at the first that cannot happen; the game is then to be thrown away.
        """
        start = self.number
        if not self._whole and any(type(event) is TallyClaimed and event.turn is not None for event in events):
            self.state, self._whole = self._past.whole(start), True
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
                    self.state = self._past.at(to)
                    self._whole = False
                else:
                    self.state = forward(before.copy(), events[: to - start], self._past)
            found: list[Consequence] = []
            run(self.state, (event,), number - 1, found)
            moments.append(Moment(number, event, tuple(found), to))
        return moments


def forward(state: State, events: Sequence[Event], past: Past, handlers: Handlers = HANDLERS) -> State:
    """The state after these events, which were taken once, from a state before them, which is used up.

    Of several that back the game up only the last one matters: the state after it is that of the event it goes to.

    Raises:
        RecordError: where they never were taken.
    """
    start = state.event
    for index in range(len(events) - 1, -1, -1):
        event = events[index]
        if type(event) is GameBackedUp:
            number = start + index + 1
            if not 1 <= event.to < number:
                raise never_stood(event.to, number)
            before = past.at(event.to) if event.to <= start else forward(state, events[: event.to - start], past)
            run(before, (event,), number - 1, handlers=handlers)
            state, events = before, events[index + 1 :]
            break
    run(state, events, state.event, handlers=handlers)
    return state
