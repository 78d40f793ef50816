"""Reads the last part of a stored record, from a snapshot on, for questions about one moment.

Each line is compared with the chain, from the digest in the snapshot's seal on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn, TypeVar, cast, overload

from daynight.framework.folding.fold import Fold
from daynight.framework.folding.history import History
from daynight.framework.folding.moment import Moment
from daynight.framework.recorded import Recorded
from daynight.store.moments.live import Live
from daynight.store.moments.past import Past

PAGE = 256
"""The number of events that are read at a time."""

R = TypeVar("R", bound=Recorded[Any, Any, Any])


class LooksBackError(Exception):
    """An event needs data that snapshots leave out: the record must be read from its beginning."""


def recent(past: Past, number: int, record: R) -> R:
    """Return a copy of `record` that reads the stored events up to event `number`, for questions about its last ones.

    Reading it raises the errors of `past`. Its states come from `Past.at`: they have only the data of a snapshot.

    Raises:
        LooksBackError: at once or later, when an event is read that needs more data.
    """
    return record.over(_Recent(past, number), record.mechanic)


class _Recent(History[Any, Any, Any]):
    """A history that reads its events on demand, and takes its states from the snapshots."""

    recalls = False

    def __init__(self, past: Past, number: int) -> None:
        super().__init__(past.mechanic)
        self._past = past
        self.game = past.game
        self._events = cast(list[Any], _Events(past, number))
        live = past.snapshot(number)
        standing = live.standing
        self._take(live)
        for at, event in enumerate(self._events[live.number :], live.number + 1):
            if (to := self.mechanic.restores(event)) is not None:
                standing.back_up(at, to)
        self._fold = Fold(self._fold.watched, self.at(number), number, standing=standing)

    @property
    def events(self) -> tuple[Any, ...]:
        """The events; each is read on first use."""
        return cast(tuple[Any, ...], self._events)

    def at(self, number: int) -> Any:
        """The state after event `number`, as it was then.

        Raises:
            IndexError: where there is no such event.
        """
        if not 0 <= number <= len(self._events):
            raise IndexError(number)
        place = self._places[bisect_right(self._places, number) - 1]
        if number - place > PAGE:
            live = self._past.snapshot(number)
            if live.number > place:
                self._take(live)
        index = bisect_right(self._places, number) - 1
        # Of the events before it nothing is asked: each that is backed up to here did stand.
        live = Live(self._fold.watched, self, self._places[index], self._kept[index].copy(), remembers=False)
        while live.number < number:
            events = self._events[live.number : min(live.number + PAGE, number)]
            with self._past.played():
                live.pass_over(events, stored=True)
            self._take(live)
        return live.whole

    def whole(self, number: int) -> NoReturn:
        """Raise LooksBackError: only the last part of the record is read."""
        raise LooksBackError

    def what_if(self, after: int) -> NoReturn:
        """Raise TypeError: only the last part of the record is read."""
        raise TypeError("of this game only the last part is known")

    def extend(self, event: Any) -> Moment[Any, Any]:
        """Raise TypeError: only the last part of the record is read."""
        raise TypeError("of this game only the last part is known")

    def _take(self, live: Live) -> None:
        index = bisect_right(self._places, live.number)
        if self._places[index - 1] != live.number:
            self._places.insert(index, live.number)
            self._kept.insert(index, live.whole.copy())


class _Events(Sequence[Any]):
    """The events of a stored record, read in pages."""

    def __init__(self, past: Past, number: int) -> None:
        self._past = past
        self._number = number
        self._fresh = past.mechanic.start()
        self._pages: dict[int, list[Any]] = {}

    def __len__(self) -> int:
        return self._number

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            first, end, stride = index.indices(self._number)
            if (first, end) == (0, 1) and 0 not in self._pages:
                # Line 1 describes the record, so it is read alone.
                return [event for found in self._past.events(0, 1) for event in found]
            pages = range(first // PAGE, (max(end, 1) - 1) // PAGE + 1) if first < end else range(0)
            found = [event for page in pages for event in self._page(page, pages.stop)]
            return found[first - pages.start * PAGE : end - pages.start * PAGE : stride]
        if not -self._number <= index < self._number:
            raise IndexError(index)
        page, place = divmod(index % self._number, PAGE)
        return self._page(page, page + 1)[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(self[:])

    def _page(self, page: int, stop: int) -> list[Any]:
        """Return the events of a page; if it was not read yet, read all pages from it to before page `stop`.

        Raises:
            LooksBackError: where one of the events needs data that a snapshot leaves out.
        """
        if page not in self._pages:
            after, until = page * PAGE, min(stop * PAGE, self._number)
            events = [event for found in self._past.events(after, until) for event in found]
            # Read for a state that remembers nothing.
            if any([self._past.mechanic.forgets(event, self._fresh) for event in events]):
                raise LooksBackError
            for first in range(0, len(events), PAGE):
                self._pages[page + first // PAGE] = events[first : first + PAGE]
        return self._pages[page]
