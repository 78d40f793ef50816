"""The feed passes new events to followers of a store soon after any process has stored them.

Each feed has one thread, which watches the database and passes new events to all its subscriptions. It does not wait
for a slow reader: that subscription reads the missed events from the database, in order, and then follows the feed.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextvars import copy_context
from functools import partial
from time import monotonic
from typing import Any

from eventsourcing.persistence import Subscription as Hearing
from msgspec import Struct

from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.wording import _
from daynight.store.database.guard import guarded
from daynight.store.database.rows import BULK
from daynight.store.errors import DamagedError, UnavailableError
from daynight.store.store import AnyStore

POLL = 0.02
"""Seconds between two polls of a SQLite store. A poll costs some sixty microseconds if nothing was stored."""

PAUSES = (0.05, 1.0)
"""Seconds to wait before a database that did not answer is tried again: at first, and at most."""

PAGE = BULK
"""The number of events read from the database at a time."""

QUEUE = 1000
"""The most events that may wait for the reader of a subscription, unless it asks for another number."""

_COLUMNS = "originator_id, originator_version, topic, state"


class Notification(Struct, frozen=True, gc=False):
    """A stored event: event `number` of a game, at position `place` in the order of all events of the store.

    `line` is the stored line: its tag may be an old one, or one that only another version of the mechanic knows.
    """

    place: int
    game: str
    number: int
    tag: str
    line: bytes


class Feed:
    """The new events of a store, for any number of subscriptions.

    `after`: the default position after which subscriptions to all games begin; without it, they leave out events stored
    before they began. `trouble` is the error of the database, which is tried again then; None while it answers.

    >>> from daynight import Store
    >>> with Store.open("memory:") as store, Feed(store) as feed, feed.subscribe() as subscription:
    ...     appended = store.new("friday", ["Ana", "Bo"])
    ...     notification = subscription.wait(timeout=10)
    >>> notification.game, notification.number, notification.tag
    ('friday', 1, 'game-started')
    """

    def __init__(self, store: AnyStore, after: int | None = None) -> None:
        self.trouble: UnavailableError | None = None
        self._store = store
        self._after = after
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._subscriptions: set[Subscription] = set()
        self._failed: Exception | None = None
        self._thread: threading.Thread | None = None
        self._hearing: Hearing[Any] | None = None
        self._place = self._last()

    def subscribe(
        self, game: str | None = None, *, after: int | None = None, timeout: float | None = None, queue: int = QUEUE
    ) -> Subscription:
        """Return a subscription to the events of a game, or of all games.

        `after`: the last known event number of the game or, without a game, the last known position. `timeout`: the
        seconds without events after which the iteration ends; without it, only closing ends it. `queue`: the most
        events that may wait for the reader; further ones are read from the database again.

        Raises:
            UnavailableError: where the database does not answer, or the feed is closed.
        """
        start = after
        if start is None:
            start = self._number(game) if game is not None else self._after if self._after is not None else self._last()
        subscription = Subscription(self, game, start, timeout, queue)
        with self._lock:
            if self._stop.is_set():
                raise UnavailableError(_("the feed is closed"))
            self._subscriptions.add(subscription)
            if self._thread is None:
                # Its sentences use the language of the caller that started it.
                work = partial(copy_context().run, self._run)
                self._thread = threading.Thread(target=work, name="daynight-feed", daemon=True)
                self._thread.start()
        return subscription

    def close(self) -> None:
        """End all subscriptions and stop watching the database."""
        with self._lock:
            self._stop.set()
            self._wake()
            thread, hearing = self._thread, self._hearing
        if hearing is not None:
            hearing.stop()
        if thread is not None:
            thread.join()

    def __enter__(self) -> Feed:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # --------------------------------------------------------------------------------------------------- watching

    def _run(self) -> None:
        pause, most = PAUSES
        while not self._stop.is_set():
            try:
                with guarded():
                    self._follow()
            except UnavailableError as error:
                pause = PAUSES[0] if self.trouble is None else min(2 * pause, most)
                self.trouble = error
                self._stop.wait(pause)
            except Exception as error:  # whatever the error is, readers are told
                with self._lock:
                    self._failed = error
                    self._wake()
                return

    def _follow(self) -> None:
        """Publish new events until the feed is closed."""
        self._publish()
        if self._store.settings.kind == "postgresql":
            self._hear()
            return
        while not self._stop.wait(POLL):
            if self._last() > self._place:
                self._publish()

    def _hear(self) -> None:
        """Offer each event of the library's subscription, which waits for PostgreSQL, to the feed's subscriptions."""
        with self._store.recorder.subscribe(gt=self._place) as hearing:
            with self._lock:
                self._hearing = hearing
                if self._stop.is_set():
                    return
            for one in hearing:
                self._deliver(
                    [Notification(one.id, str(one.originator_id), one.originator_version, one.topic, one.state)]
                )

    def _publish(self) -> None:
        """Read the new events and offer them to each subscription."""
        while not self._stop.is_set():
            place = self._store.recorder.place
            found = _notifications(self._store, f"{place} > ? ORDER BY {place}", self._place)
            self.trouble = None
            if found:
                self._deliver(found)
            if len(found) < PAGE:
                return

    def _deliver(self, found: list[Notification]) -> None:
        _check(self._store, found)
        with self._lock:
            self._place = found[-1].place
            for subscription in self._subscriptions:
                subscription._offer(found)

    def _wake(self) -> None:
        for subscription in self._subscriptions:
            subscription._ready.notify_all()

    def _last(self) -> int:
        with guarded():
            found = self._store.recorder.select(f"SELECT max({self._store.recorder.place}) FROM stored_events")
            return found[0][0] or 0

    def _number(self, game: str) -> int:
        with guarded(game=game):
            return self._store.recorder.head(game).number


class Subscription:
    """The events of one game or of all, in order, each once: any thread may iterate over it, or wait for the next.

    `overruns`: how often too many events waited for the reader, so that they had to be read again.
    """

    def __init__(self, feed: Feed, game: str | None, after: int, timeout: float | None, queue: int) -> None:
        self.game = game
        self.overruns = 0
        self._feed = feed
        self._after = after
        self._timeout = timeout
        self._most = queue
        self._waiting: deque[Notification] = deque()
        self._ready = threading.Condition(feed._lock)
        self._reading = threading.Lock()
        self._follows = False
        self._closed = False

    @property
    def behind(self) -> bool:
        """Whether events are read from the database, because the reader is behind the feed."""
        return not self._follows

    def wait(self, timeout: float | None = None) -> Notification | None:
        """Return the next event; None if none came within `timeout` seconds, or the subscription was closed.

        Raises:
            UnavailableError: where missed events cannot be read now; the next call tries again.
            DamagedError: where a stored row is not an event.
        """
        found = self.take(timeout, 1)
        return found[0] if found else None

    def take(self, timeout: float | None = None, most: int = PAGE) -> list[Notification]:
        """Wait for an event like `wait`; return all events in the queue then, at most `most`, or [] instead of None.

        Raises:
            UnavailableError, DamagedError: as `wait`.
        """
        until = None if timeout is None else monotonic() + max(timeout, 0)
        if not self._reading.acquire(timeout=-1 if timeout is None else max(timeout, 0)):
            return []
        try:
            while True:
                with self._ready:
                    if self._ended():
                        return []
                    if self._waiting:
                        many = min(most, len(self._waiting))
                        found = [self._waiting.popleft() for _event in range(many)]
                        self._after = self._at(found[-1])
                        return found
                    place = self._feed._place
                    if self._follows:
                        left = None if until is None else until - monotonic()
                        if left is not None and left <= 0:
                            return []
                        self._ready.wait(left)
                        continue
                self._read(place)
        finally:
            self._reading.release()

    def close(self) -> None:
        """End the subscription: `wait` returns None, and iteration stops."""
        with self._ready:
            self._closed = True
            self._feed._subscriptions.discard(self)
            self._ready.notify_all()

    def __iter__(self) -> Iterator[Notification]:
        while (found := self.wait(self._timeout)) is not None:
            yield found

    def __enter__(self) -> Subscription:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _ended(self) -> bool:
        if self._feed._failed is not None and not self._waiting:
            raise self._feed._failed
        return self._closed or self._feed._stop.is_set()

    def _at(self, notification: Notification) -> int:
        return notification.place if self.game is None else notification.number

    def _offer(self, found: list[Notification]) -> None:
        """Queue the new events of this subscription; too many are left to be read from the database later.

        The caller holds the feed's lock.
        """
        if not self._follows:
            return
        mine = [one for one in found if self.game in (None, one.game) and self._at(one) > self._after]
        if len(self._waiting) + len(mine) > self._most:
            self.overruns += 1
            # Events that wait already are read from the queue, later ones from the database.
            self._follows = False
        else:
            self._waiting.extend(mine)
        if mine:
            self._ready.notify_all()

    def _read(self, place: int) -> None:
        """Read the next page of events up to the feed's position `place` into the queue.

        If it was the last page and the feed is still at `place`, take later events from the feed.
        """
        by = self._feed._store.recorder.place
        if self.game is None:
            where, params = f"{by} > ? AND {by} <= ? ORDER BY {by}", (self._after, place)
        else:
            where = f"originator_id = ? AND originator_version > ? AND {by} <= ? ORDER BY originator_version"
            params = (self.game, self._after, place)  # type: ignore[assignment]
        found = _notifications(self._feed._store, where, *params)
        _check(self._feed._store, found)
        with self._ready:
            self._waiting.extend(found)
            self._follows = len(found) < PAGE and self._feed._place == place


def _notifications(store: AnyStore, where: str, *params: Any) -> list[Notification]:
    recorder = store.recorder
    with guarded():
        statement = f"SELECT {recorder.place}, {_COLUMNS} FROM stored_events WHERE {where} LIMIT {PAGE}"
        return [Notification(*row) for row in recorder.select(statement, *params)]


def _check(store: AnyStore, found: list[Notification]) -> None:
    """Refuse tags that no version of the mechanic knows. Events of other versions are passed on as stored.

    Raises:
        DamagedError: at the first such tag.
    """
    for one in found:
        if not store.recorder.guarding.knows(one.tag):
            tag = repr(one.tag)[:NAME_LENGTH]
            raise DamagedError(_("unknown tag {topic}").format(topic=tag), game=one.game, event=one.number)
