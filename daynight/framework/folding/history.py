"""Records events, replays them, and finds the state at any moment, for any kind of game.

No event is ever removed: time travel replays fewer events, a what-if replays a changed list, and a back-up is an event
that restores the state after an earlier event.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from copy import copy
from typing import Any, Generic, Protocol, TypeVar

from daynight.framework.folding.fold import Fold, Watched
from daynight.framework.folding.marks import check_event, last_mark
from daynight.framework.folding.moment import Copyable, Moment
from daynight.framework.folding.standing import Standing
from daynight.framework.mechanic import Check, Mechanic

CHECKPOINT = 64
"""A history keeps the state after each event whose number is a multiple of this."""


S = TypeVar("S", bound=Copyable)
S_co = TypeVar("S_co", covariant=True)
E = TypeVar("E")
C = TypeVar("C")


class History(Generic[S, E, C]):
    """The events of a record, and the state after any of them: it keeps some states, and replays for the others."""

    def __init__(self, mechanic: Mechanic[S, E, C], events: Iterable[E] = ()) -> None:
        start = mechanic.start()
        if not hasattr(start, "copy"):
            raise TypeError(
                f"start: {type(start).__name__} has no method copy; derive the class of the state from Facts"
            )
        self.mechanic = mechanic
        self._fold: Fold[S, E, C] = Fold(Watched(mechanic), start.copy(), then=self.at)
        self._events: list[E] = []
        self._asked: tuple[E, ...] = ()
        self._places: list[int] = [0]
        self._kept: list[S] = [start]
        self.rules: Any = None
        """The version of the rules that accepted the last event; None without a `check`, or if no event names one."""
        for event in events:
            self.extend(event)

    def __len__(self) -> int:
        return self._fold.number

    @property
    def events(self) -> tuple[E, ...]:
        """All recorded events in order; event n is `events[n - 1]`."""
        # Kept, because callers ask for it event by event. It stays right: events are only added.
        if len(self._asked) != len(self._events):
            self._asked = tuple(self._events)
        return self._asked

    @property
    def state(self) -> S:
        """A copy of the state after the last event."""
        return self._fold.whole.copy()

    def record(self, event: E) -> Moment[E, C]:
        """Append an event. If it is refused (the step raises), the history stays as it was.

        Raises:
            RecordError: with its line, where the event cannot happen.
        """
        before = self._fold.whole.copy()
        try:
            return self.extend(event)
        except BaseException:
            self._fold.whole = before
            raise

    def check(self, check: Check, event: E) -> None:
        """Call `check` for a new event, with the state after the last event.

        Raises:
            RecordError: with its line, where the check refuses the event, or fails.
        """
        check_event(check, self._fold.whole, event, len(self) + 1)

    def extend(self, event: E) -> Moment[E, C]:
        """Append an event as `record` does, but copy no state first: after a refusal, discard the history."""
        moment = self._fold.take(event)
        self._events.append(event)
        if self.mechanic.check is not None:
            self.rules = last_mark((event,)) or self.rules
        if moment.restores is not None or moment.number % CHECKPOINT == 0:
            self._places.append(moment.number)
            self._kept.append(self._fold.whole.copy())
        return moment

    def at(self, number: int) -> S:
        """Return the state after event `number`, as it was then; 0 is the state before the first event.

        Raises:
            IndexError: where there is no such event.
        """
        if not 0 <= number <= len(self._events):
            raise IndexError(number)
        place = bisect_right(self._places, number) - 1
        state = self._kept[place].copy()
        for earlier in range(self._places[place] + 1, number + 1):
            # No event here backs up: the state after each back-up is kept as a checkpoint.
            self.mechanic.step(state, self._events[earlier - 1], earlier)
        return state

    def moments(self, after: int = 0) -> Iterator[Moment[E, C]]:
        """Yield every moment after event `after`, also undone ones, as they were when they happened."""
        for moment, _state in self.walk(after):
            yield moment

    def walk(self, after: int = 0) -> Iterator[tuple[Moment[E, C], S]]:
        """Yield every moment with the state after it. The yielded state is reused; call `.copy()` to keep it."""
        mechanic, state = self.mechanic, self.at(after)
        for number, event in enumerate(self._events[after:], after + 1):
            restores = mechanic.restores(event)
            if restores is not None:
                state = mechanic.restored(state, self.at(restores))
            yield Moment(number, event, tuple(mechanic.step(state, event, number)), restores), state

    def what_if(self, after: int) -> History[S, E, C]:
        """Return a new history with the events up to `after`. What is appended to it does not change this history."""
        other = copy(self)
        other._events, other._asked = self._events[:after], ()
        if self.mechanic.check is not None:
            other.rules = last_mark(other._events)
        # Both share the states that are kept: none of them is ever stepped, only copies are.
        keep = bisect_right(self._places, after)
        other._places, other._kept = self._places[:keep], self._kept[:keep]
        standing = Standing()
        for number in other._places[1:]:
            # The state after each event that backs up is kept.
            if (to := self.mechanic.restores(self._events[number - 1])) is not None:
                standing.back_up(number, to)
        other._fold = Fold(self._fold.watched, self.at(after), after, standing=standing, then=other.at)
        return other

    def standing(self, number: int) -> bool:
        """Return whether no back-up has undone event `number`."""
        return self._fold.standing.stands(number, len(self) + 1)


class Walks(Protocol[S_co]):
    """The method of a history that the function `states` calls."""

    def walk(self, after: int = 0) -> Iterator[tuple[Moment[Any, Any], S_co]]: ...  # noqa: D102


def states(history: Walks[S], numbers: Iterable[int]) -> dict[int, S]:
    """Return, by event number, copies of the states after these events, by one `walk`: faster than calls of `at`."""
    wanted = frozenset(numbers)
    found: dict[int, S] = {}
    for moment, state in history.walk(min(wanted) - 1) if wanted else ():
        if moment.number in wanted:
            found[moment.number] = state.copy()
        if len(found) == len(wanted):
            break
    return found
