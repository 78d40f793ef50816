"""The last part of a stored game: what asks about one moment reads from the snapshot before it, not from the beginning.

Each line that is read is held against the chain, from the digest that the snapshot is sealed to.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NoReturn, cast, overload

from daynight.cards import Catalogue
from daynight.events.claims import TallyClaimed
from daynight.events.consequences import Consequence
from daynight.events.vocabulary import Event
from daynight.framework.history import History, Moment
from daynight.framework.recorded import never_stood
from daynight.game import Game
from daynight.referee.mechanic import DAYNIGHT
from daynight.referee.referee import restores, run, step
from daynight.referee.state import State
from daynight.store.moments.live import STORED
from daynight.store.moments.past import Past

PAGE = 256
"""How many events are read at a time."""


class LooksBackError(Exception):
    """An event that was read asks for the tally of an earlier turn: the game is needed from its beginning."""


def recent(past: Past, number: int, catalogue: Catalogue) -> Game:
    """The game up to event `number`, to be asked about its last events; reading it raises what `past` raises.

    Its states are those of `Past.at`: they know neither the tallies of earlier turns nor what changed before.

    Raises:
        LooksBackError: also later, as soon as an event is read that needs more than that.
    """
    return Game(catalogue=catalogue).over(_Recent(past, number), replace(DAYNIGHT, fill=catalogue.fill))


class _Recent(History[State, Event, Consequence]):
    """A history that reads its events when they are asked for, and has its states from the snapshots."""

    def __init__(self, past: Past, number: int) -> None:
        super().__init__(State(), step, restores)
        self._past = past
        self._events = cast(list[Event], _Events(past, number))
        state, self._standing, _docket = past.snapshot(number)
        self._keep(state)
        for at, event in enumerate(self._events[state.event :], state.event + 1):
            if (to := restores(event)) is not None:
                self._standing.back_up(at, to)
        self._state = self.at(number)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events, each read when it is looked at."""
        return cast(tuple[Event, ...], self._events)

    def at(self, number: int) -> State:
        """The state after event `number`, as it was then.

        Raises:
            IndexError: where there is no such event.
        """
        if not 0 <= number <= len(self._events):
            raise IndexError(number)
        # The stretches that lead there, the last one first: each comes from an event that backs up.
        stretches: list[tuple[int, int]] = []
        end = place = number
        start = self._nearest(place)
        while place > start:
            to = restores(self._events[place - 1])
            if to is None:
                place -= 1
                continue
            if not 1 <= to < place:
                raise never_stood(to, place)
            stretches.append((place - 1, end))
            end = place = to
            if place < start:
                start = self._nearest(place)
        stretches.append((start, end))
        state = self._kept[bisect_right(self._places, start) - 1].copy()
        for after, until in reversed(stretches):
            for begin in range(after, until, PAGE):
                events = self._events[begin : min(begin + PAGE, until)]
                with self._past.played():
                    run(state, events, begin, handlers=STORED)
                self._keep(state)
        return state

    def what_if(self, after: int, events: Iterable[Event]) -> NoReturn:
        """Not of a game of which only the last part is known."""
        raise TypeError("of this game only the last part is known")

    def extend(self, event: Event) -> Moment[Event, Consequence]:
        """Not of a game of which only the last part is known."""
        raise TypeError("of this game only the last part is known")

    def _nearest(self, number: int) -> int:
        """The latest event up to `number` after which the state is known, or can be had from a snapshot."""
        place = self._places[bisect_right(self._places, number) - 1]
        if number - place > PAGE:
            state, _standing, _docket = self._past.snapshot(number)
            place = max(place, state.event)
            self._keep(state)
        return place

    def _keep(self, state: State) -> None:
        index = bisect_right(self._places, state.event)
        if self._places[index - 1] != state.event:
            self._places.insert(index, state.event)
            self._kept.insert(index, state.copy())


class _Events(Sequence[Event]):
    """The events of a stored game, read in pages."""

    def __init__(self, past: Past, number: int) -> None:
        self._past = past
        self._number = number
        self._pages: dict[int, list[Event]] = {}

    def __len__(self) -> int:
        return self._number

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        if isinstance(index, slice):
            first, end, stride = index.indices(self._number)
            if (first, end) == (0, 1) and 0 not in self._pages:
                # Line 1 says what the record is: it is asked for alone.
                return [event for found in self._past.events(0, 1) for event in found]
            pages = range(first // PAGE, (max(end, 1) - 1) // PAGE + 1) if first < end else range(0)
            found = [event for page in pages for event in self._page(page, pages.stop)]
            return found[first - pages.start * PAGE : end - pages.start * PAGE : stride]
        if not -self._number <= index < self._number:
            raise IndexError(index)
        page, place = divmod(index % self._number, PAGE)
        return self._page(page, page + 1)[place]

    def __iter__(self) -> Iterator[Event]:
        return iter(self[:])

    def _page(self, page: int, stop: int) -> list[Event]:
        """The events of a page; where it was not read, all pages before `stop` are that follow it."""
        if page not in self._pages:
            after, until = page * PAGE, min(stop * PAGE, self._number)
            events = [event for found in self._past.events(after, until) for event in found]
            if any([type(event) is TallyClaimed and event.turn is not None for event in events]):
                raise LooksBackError
            for first in range(0, len(events), PAGE):
                self._pages[page + first // PAGE] = events[first : first + PAGE]
        return self._pages[page]
