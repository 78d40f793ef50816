"""Records events, replays them, and finds the state at any moment, for any kind of game.

A history is a list of events and a step: a function that applies an event to a state, in place, and returns what
followed. Nothing is removed: time travel replays fewer events, a what-if replays a changed list, and backing up is an
event after which the state is again what it was after an earlier event.
"""

from __future__ import annotations

import reprlib
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from daynight.framework.language.errors import RecordError
from daynight.framework.standing import Standing, UndoneError

CHECKPOINT = 64
"""How many events lie between two remembered states."""


class State(Protocol):
    """What a history needs of a state: an independent copy, which later steps on the original do not change."""

    def copy(self: S) -> S: ...  # noqa: D102


S = TypeVar("S", bound=State)
S_co = TypeVar("S_co", covariant=True)
E = TypeVar("E")
C = TypeVar("C")


class Moment(Struct, Generic[E, C], frozen=True, repr_omit_defaults=True):
    """An event with all its consequences. Moment n is event n; there is no state between the event and them."""

    number: int
    event: E
    consequences: tuple[C, ...] = ()
    restores: int | None = None
    """The event to whose state this event backs up; None if it does not."""


class History(Generic[S, E, C]):
    """Events, and the state after any of them.

    `step(state, event, number)` updates the state in place and returns the consequences. It raises to refuse the event;
    a refused event may leave the state half-updated. `restores(event)` is the number of the event that this one backs
    up to, or None. The state then becomes `restored(now, then)`: by default the state after that event.
    """

    def __init__(
        self,
        start: S,
        step: Callable[[S, E, int], Sequence[C]],
        restores: Callable[[E], int | None] = lambda event: None,
        events: Iterable[E] = (),
        *,
        restored: Callable[[S, S], S] = lambda now, then: then,
    ) -> None:
        if not hasattr(start, "copy"):
            raise TypeError(
                f"start: {type(start).__name__} has no method copy; derive the class of the state from Facts"
            )
        self._start = start.copy()
        self._step = step
        self._restores = restores
        self._restored = restored
        self._events: list[E] = []
        self._asked: tuple[E, ...] = ()
        self._state = start.copy()
        self._standing = Standing()
        self._number = 0
        self._places: list[int] = [0]
        self._kept: list[S] = [self._start]
        for event in events:
            self.extend(event)

    def __len__(self) -> int:
        return self._number

    @property
    def events(self) -> tuple[E, ...]:
        """Everything recorded, in order; event n is `events[n - 1]`."""
        # Kept, because callers ask for it event by event. It stays right: events are only added.
        if len(self._asked) != len(self._events):
            self._asked = tuple(self._events)
        return self._asked

    @property
    def state(self) -> S:
        """A copy of the state after the last event."""
        return self._state.copy()

    def record(self, event: E) -> Moment[E, C]:
        """Append an event. If the step refuses it (by raising), the history stays as it was."""
        before = self._state.copy()
        try:
            return self.extend(event)
        except BaseException:
            self._state = before
            raise

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
            self._step(state, self._events[earlier - 1], earlier)
        return state

    def moments(self, after: int = 0) -> Iterator[Moment[E, C]]:
        """Yield every moment after event `after`, also undone ones, as they were when they happened."""
        for moment, _state in self.walk(after):
            yield moment

    def walk(self, after: int = 0) -> Iterator[tuple[Moment[E, C], S]]:
        """Yield every moment with the state after it. The yielded state is reused; call `.copy()` to keep it."""
        state = self.at(after)
        for number, event in enumerate(self._events[after:], after + 1):
            restores = self._restores(event)
            if restores is not None:
                state = self._restored(state, self.at(restores))
            yield Moment(number, event, tuple(self._step(state, event, number)), restores), state

    def what_if(self, after: int, events: Iterable[E]) -> History[S, E, C]:
        """Another history: this one up to `after`, then these events. This one stays as it is."""
        other: History[S, E, C] = History(self._start, self._step, self._restores, restored=self._restored)
        other._state = self.at(after)
        other._events = self._events[:after]
        other._number = after
        # Both share the states that are kept: none of them is ever stepped, only copies are.
        keep = bisect_right(self._places, after)
        other._places, other._kept = self._places[:keep], self._kept[:keep]
        for number in other._places[1:]:
            # The state after each event that backs up is kept.
            if (to := self._restores(self._events[number - 1])) is not None:
                other._standing.back_up(number, to)
        for event in events:
            other.extend(event)
        return other

    def standing(self, number: int) -> bool:
        """Whether event `number` was not undone by backing up."""
        return self._standing.stands(number, len(self) + 1)

    def extend(self, event: E) -> Moment[E, C]:
        """As `record`, without a copy to fall back on: throw the history away after a refusal."""
        number = self._number + 1
        restores = self._restores(event)
        state = self._state
        if restores is not None:
            if not isinstance(restores, int):
                raise TypeError(
                    f"restores, event {number}: it answered {restores!r}; answer an event's number, or None"
                )
            if not self._standing.stands(restores, number):
                raise UndoneError(restores)
            state = self._restored(state, self.at(restores))
        try:
            found = self._step(state, event, number)
        except RecordError:
            raise
        except Exception as error:
            error.add_note(f"step, event {number} ({type(event).__name__})")
            raise
        # Most steps answer a tuple, so nothing is asked of it.
        consequences = found if type(found) is tuple else several("step", found, event, number)
        if restores is not None:
            self._standing.back_up(number, restores)
        self._state = state
        self._number = number
        self._keep(number, event, restores)
        return Moment(number, event, consequences, restores)

    def _keep(self, number: int, event: E, restores: int | None) -> None:
        self._events.append(event)
        if restores is not None or number % CHECKPOINT == 0:
            self._places.append(number)
            self._kept.append(self._state.copy())


class PassedError(LookupError):
    """The state that is asked for was not kept."""


class Passing(History[S, E, C]):
    """A history that keeps none of its events: only the last state, and those after the events `wanted`."""

    def __init__(
        self,
        start: S,
        step: Callable[[S, E, int], Sequence[C]],
        restores: Callable[[E], int | None],
        wanted: Container[int],
        *,
        restored: Callable[[S, S], S],
    ) -> None:
        super().__init__(start, step, restores, restored=restored)
        self._wanted = wanted
        self._there: dict[int, S] = {}

    def at(self, number: int) -> S:
        """The state after the last event, or after one that was wanted.

        Raises:
            PassedError: where there is no such state any more.
        """
        if number != self._number and number not in self._there:
            raise PassedError(number)
        return (self._state if number == self._number else self._there[number]).copy()

    def _keep(self, number: int, event: E, restores: int | None) -> None:
        if number in self._wanted:
            self._there[number] = self._state.copy()


def several(asked: str, answer: Any, event: Any, number: int) -> tuple[Any, ...]:
    """What a function of a mechanic, such as its step, answered for an event.

    Raises:
        TypeError: where it answered None, or one thing by itself.
    """
    if hasattr(answer, "__iter__"):
        return tuple(answer)
    kind, short = type(event).__name__, reprlib.repr(answer)
    raise TypeError(f"{asked}, event {number} ({kind}): it answered {short}; answer a list, or () for nothing")


class Walks(Protocol[S_co]):
    """What `states` asks of a history."""

    def walk(self, after: int = 0) -> Iterator[tuple[Moment[Any, Any], S_co]]: ...  # noqa: D102


def states(history: Walks[S], numbers: Iterable[int]) -> dict[int, S]:
    """The states after these events, each as it was then, in one walk; `at` would step to each one anew."""
    wanted = frozenset(numbers)
    found: dict[int, S] = {}
    for moment, state in history.walk(min(wanted) - 1) if wanted else ():
        if moment.number in wanted:
            found[moment.number] = state.copy()
        if len(found) == len(wanted):
            break
    return found


class Projection(Protocol):
    """What `project` asks of a view: the same view one moment later, as a new value."""

    def fold(self: P, moment: Moment[Any, Any]) -> P: ...  # noqa: D102


P = TypeVar("P", bound=Projection)


def project(moments: Iterable[Moment[Any, Any]], view: P) -> P:
    """Fold moments into a view. A moment that backs up restores the view as it was after the event it goes to."""
    after = [view]
    for moment in moments:
        if moment.restores is not None:
            view = after[moment.restores]
        view = view.fold(moment)
        after.append(view)
    return view
