"""The one fold of the framework: it applies the events of a record to a state, handles back-ups, and calls observers.

Replays, audits, statistics, appends of a store and histories all use this fold, with different observers, and with
different sources for the states that back-ups restore.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from daynight.framework.folding.moment import Copyable, Moment, several
from daynight.framework.folding.standing import Standing, never_stood
from daynight.framework.language.errors import AnswerError, DaynightError, RecordError, failed, locating
from daynight.framework.language.happening import kinds_of
from daynight.framework.mechanic import Mechanic

S = TypeVar("S", bound=Copyable)
E = TypeVar("E")
C = TypeVar("C")

Watch: TypeAlias = Callable[[Any, Any, int], object]
"""Called with the state before an event, the event, and its number."""

Visit: TypeAlias = Callable[[Any], object]
"""Called with the state after an event; the state is valid only during the call."""


PIECE = 500
"""After the first back-up of a record, a fold applies at most this number of events at once."""


class Observer(Protocol):
    """Gets the events of a record while it is folded, and must not change the state.

    `before` maps the event types of interest to functions that are called before such an event. A mechanic with
    `handlers` calls these functions in its own loop, so other events cost nothing. Some changes are due between two
    events: the state that a function gets may have them or not. `mechanic.seen(state, number)` returns it with them.
    """

    @property
    def before(self) -> Mapping[type, Watch]: ...  # noqa: D102

    def begin(self) -> None:
        """Forget all earlier events: a fold begins, or begins again, with event 1."""

    def back_up(self, number: int, to: int) -> None:
        """Note that event `number` undoes the events after `to`.

        `before` was called for that event already, as for any other.
        """


class PassedError(LookupError):
    """A fold did not keep the state that a back-up restores; the argument is the number of that state's event."""


class BacksUpError(Exception):
    """Stops `Mechanic.run` at event `number`, a back-up. The state is then the one directly before that event."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Watched(Generic[S, E, C]):
    """A mechanic and its observers, prepared once for any number of folds, one after another.

    `fill` completes each event before the observers see it; usually it is the mechanic's own `fill`.
    """

    def __init__(
        self, mechanic: Mechanic[S, E, C], observers: Sequence[Observer] = (), *, fill: Callable[[E], E] | None = None
    ) -> None:
        self.mechanic = mechanic
        self.observers = tuple(observers)
        self._fill = fill
        self._fills = frozenset[type]() if fill is None else kinds_of(fill, mechanic.language.kinds)
        self.backing = kinds_of(mechanic.restores, mechanic.language.kinds)
        self._watches: dict[type, tuple[Watch, ...]] = {}
        for observer in observers:
            for kind, watch in observer.before.items():
                self._watches[kind] = (*self._watches.get(kind, ()), watch)
        self._handlers = None if mechanic.handlers is None else self._prepared(mechanic.handlers)
        looked_at = self._watches or self._fills
        self.step: Callable[[S, E, int], tuple[C, ...]] = self._look if looked_at else partial(stepped, mechanic)
        """Applies one event to a state like `stepped`, whether it backs up or not; observers see the event first."""

    def _prepared(self, handlers: Mapping[type, Callable[[S, Any, int], Sequence[C]]]) -> dict[type, Any]:
        found = {**handlers}
        for kind in (self._watches.keys() | self._fills) & handlers.keys():
            fill = self._fill if kind in self._fills else None
            found[kind] = _looked_at(handlers[kind], self._watches.get(kind, ()), fill)
        for kind in self.backing:
            found[kind] = self._stopping(found[kind])
        return found

    def _stopping(self, handle: Callable[[S, Any, int], Sequence[C]]) -> Callable[[S, Any, int], Sequence[C]]:
        to = self.to

        def stopping(state: S, event: Any, number: int) -> Sequence[C]:
            if to(event, number) is None:
                return handle(state, event, number)
            raise BacksUpError(number)

        return stopping

    def run(self, state: S, events: Sequence[E], number: int, found: list[C] | None = None) -> int:
        """Apply the events after event `number` to a state, but stop before the first one that backs up.

        Return how many events were applied; their consequences are appended to `found`.

        Raises:
            RecordError: with its line, at the first event that cannot happen.
        """
        if self._handlers is not None and self.mechanic.run is not None:
            try:
                self.mechanic.run(state, events, number, found, self._handlers)
            except BacksUpError as stopped:
                return stopped.number - 1 - number
            return len(events)
        end = next(iter(self.backs(events, number)), len(events))
        if self.mechanic.run is not None and not self._watches and not self._fills:
            if end:
                self.mechanic.run(state, events if end == len(events) else events[:end], number, found)
            return end
        for at, event in enumerate(events[:end], number + 1):
            consequences = self.step(state, event, at)
            if found is not None:
                found += consequences
        return end

    def _look(self, state: S, event: E, number: int) -> tuple[C, ...]:
        """Complete an event by `fill`, show it to the observers, and apply it to a state; return its consequences."""
        if self._fill is not None and type(event) in self._fills:
            event = self._fill(event)
        if type(event) in self._watches:
            self.watch(state, event, number)
        return stepped(self.mechanic, state, event, number)

    def watch(self, state: S, event: E, number: int) -> None:
        """Call the functions of the observers for this type of event; the event is not yet applied."""
        for watch in self._watches.get(type(event), ()):
            watch(state, event, number)

    def backs(self, events: Sequence[E], number: int) -> list[int]:
        """Return the indices, from 0 on, of the events that back up; index 0 is the event after event `number`."""
        backs = self.backing
        if backs.isdisjoint(map(type, events)):
            return []
        return [at for at, one in enumerate(events) if type(one) in backs and self.to(one, number + at + 1) is not None]

    def to(self, event: E, number: int) -> int | None:
        """Return the number of the event that event `number` backs up to; None if it does not back up.

        Raises:
            MechanicError: with its line, where `restores` fails.
        """
        try:
            return self.mechanic.restores(event)
        except RecordError as error:
            raise error.located(line=number) from None


def stepped(mechanic: Mechanic[S, E, C], state: S, event: E, number: int) -> tuple[C, ...]:
    """Apply one event to a state; return the consequences.

    Raises:
        RecordError: with its line, where the event cannot happen, or the step fails.
        AnswerError: where the step returned None, or a single consequence instead of a sequence.
    """
    try:
        found = mechanic.step(state, event, number)
    except RecordError as error:
        raise error.located(line=number) from None
    except DaynightError:
        raise
    except Exception as error:
        raise failed(f"step, event {number} ({type(event).__name__})", error, number) from error
    # Most steps answer a tuple, so nothing is asked of it.
    return found if type(found) is tuple else several("step", found, event, number)


def _looked_at(handle: Any, watches: tuple[Watch, ...], fill: Callable[[Any], Any] | None) -> Any:
    """Return a handler that completes the event by `fill`, calls the `watches`, and then calls `handle`."""
    if fill is None and len(watches) == 1:
        (watch,) = watches

        def watched(state: Any, event: Any, number: int) -> Any:
            watch(state, event, number)
            return handle(state, event, number)

        return watched

    def looked_at(state: Any, event: Any, number: int) -> Any:
        if fill is not None:
            event = fill(event)
        for watch in watches:
            watch(state, event, number)
        return handle(state, event, number)

    return looked_at


class Fold(Generic[S, E, C]):
    """A replayed record, ready for further events: `whole` is its state after event `number`.

    It begins before event 1, or with the `state` after event `number`; `standing` says which events no back-up has
    undone. The fold copies the states after the events in `keep`, so that a later back-up can restore them. For a
    back-up to another event n it calls `then(n)`, which returns a state that the fold may change. `visits` has, by
    event number, functions that the fold calls with the state after that event.
    """

    def __init__(
        self,
        watched: Watched[S, E, C],
        state: S | None = None,
        number: int = 0,
        *,
        standing: Standing | None = None,
        then: Callable[[int], S] | None = None,
        keep: Collection[int] = (),
        visits: Mapping[int, Iterable[Visit]] = {},  # never written to
    ) -> None:
        self.watched = watched
        self.whole: S = watched.mechanic.start() if state is None else state
        self.number = number
        self.standing = Standing() if standing is None else standing
        self._then = then
        self._keep = keep
        self._kept: dict[int, S] = {}
        self._backed_up = False
        self.stop_at(visits)
        if number == 0:
            for observer in watched.observers:
                observer.begin()

    def over(self, events: Sequence[E], found: list[C] | None = None) -> None:
        """Apply more events; append their consequences to `found`.

        Raises:
            RecordError: with its line, at the first event that cannot happen; throw the fold away then.
            PassedError: where an event backs up to a state that was not kept; throw the fold away then.
        """
        if not self.number and events:
            self._begins(events[0])
        first, last = self.number, self.number + len(events)
        while self.number < last:
            at, size = self.number - first, self._piece(last)
            piece = events if size == len(events) else events[at : at + size]
            taken = self.watched.run(self.whole, piece, self.number, found)
            self.number += taken
            if taken < size:
                consequences = self._back_up(piece[taken])
                if found is not None:
                    found += consequences
            if self._stops:
                self._stop()

    def stop_at(self, visits: Mapping[int, Iterable[Visit]]) -> None:
        """Replace `visits`: by event number, functions to call with the state after that event."""
        self._visits = visits
        self._stops = sorted({*self._keep, *visits}) if self._keep or visits else []

    def take(self, event: E) -> Moment[E, C]:
        """Apply one event; return the moment.

        Raises:
            RecordError, PassedError: as `over`.
        """
        if not self.number:
            self._begins(event)
        watched, number = self.watched, self.number + 1
        to = watched.to(event, number) if type(event) in watched.backing else None
        if to is None:
            found = watched.step(self.whole, event, number)
            self.number = number
        else:
            found = self._back_up(event)
        if self._stops:
            self._stop()
        return Moment(number, event, found, to)

    def _begins(self, event: E) -> None:
        with locating(line=1):
            self.watched.mechanic.begins(event)

    def _piece(self, last: int) -> int:
        """Return how many events to apply at once: up to event `last`, or to an earlier event of `keep` or `visits`.

        After the first back-up they are at most `PIECE`: each block costs a copy, and the next back-up may come soon.
        """
        if self._stops and (place := bisect_left(self._stops, self.number + 1)) < len(self._stops):
            last = min(last, self._stops[place])
        return min(last - self.number, PIECE) if self._backed_up else last - self.number

    def _stop(self) -> None:
        if self.number in self._keep:
            self._kept[self.number] = self.whole.copy()
        for visit in self._visits.get(self.number, ()):
            visit(self.whole)

    def _back_up(self, event: E) -> tuple[C, ...]:
        mechanic, number = self.watched.mechanic, self.number + 1
        to: Any = self.watched.to(event, number)
        if not isinstance(to, int):
            sentence = f"restores, event {number}: it answered {to!r}; answer an event's number, or None"
            raise AnswerError(sentence, line=number)
        if not self.standing.stands(to, number):
            raise never_stood(to, number)
        then = self.after(to)
        self.watched.watch(self.whole, event, number)
        for observer in self.watched.observers:
            observer.back_up(number, to)
        state = mechanic.restored(self.whole, then)
        found = stepped(mechanic, state, event, number)
        self.standing.back_up(number, to)
        self._backed_up = True
        self.whole, self.number = state, number
        return found

    def after(self, number: int) -> S:
        """Return the state that a back-up to event `number` restores; the fold may change it.

        Raises:
            PassedError: where it was not kept.
        """
        if number in self._kept:
            return self._kept[number].copy()
        if self._then is None:
            raise PassedError(number)
        return self._then(number)
