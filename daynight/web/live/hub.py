"""The hub: one thread follows the store, and encodes new events once per language for all listeners."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic
from typing import Any

from daynight.framework.language.errors import MechanicError
from daynight.framework.language.wording import _
from daynight.store import UnavailableError
from daynight.store.errors import NotReadableError
from daynight.web.door.grants import Grant, Keys
from daynight.web.errors import AGAIN, Problem
from daynight.web.limits import Limits
from daynight.web.live import frames
from daynight.web.live.frames import Frame
from daynight.web.live.listener import Listener
from daynight.web.shelf import Follows

LOG = logging.getLogger("daynight.web")

TICK = 0.25
"""Seconds between two checks of the listeners: is their link still valid, and do they still read?"""

COMMENTS = 15.0
"""Seconds without a frame after which a comment is sent."""

AT_ONCE = 25
"""The number of listeners that get frames before the event loop runs other tasks."""

HOLD = 0.1
"""The most seconds that new frames wait for running writes, whose answers are sent first."""

FEW = 16
"""The most frames that a listener gets at once; its queue has room for more (`FRAMES`)."""

Tell = Callable[[str, int, int, str], list[Frame]]
"""A function that makes the frames of some events of a game: `(game, first, last, language) -> frames`."""


class Hub:
    """The listeners to the games of a store, and the frames for them.

    `feed` returns the object that waits for new events, None if there is no store to follow. `tell` makes frames, in
    the thread that follows the store; `serves` returns whether a game is served, and `id_of` its id in addresses.
    """

    def __init__(
        self, feed: Callable[[], Follows | None], keys: Keys, limits: Limits, tell: Tell, *,
        serves: Callable[[str], bool] = lambda name: True, id_of: Callable[[str], str] = lambda name: name,
    ) -> None:  # fmt: skip
        self._begin_feed = feed
        self._keys = keys
        self._limits = limits
        self._tell = tell
        self._serves = serves
        self._id_of = id_of
        self._listeners: dict[Listener, None] = {}
        self._wanted: Counter[tuple[str | None, str]] = Counter()
        self._pending: deque[tuple[str | None, str, list[Frame]]] = deque()
        self._more = asyncio.Event()
        self._writers = 0
        self._written = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._feed: Follows | None = None
        self._lock = threading.Lock()
        self._closed = False

    # ------------------------------------------------------------------------------------------------------- listening

    def enter(self, game: str | None, language: str, grant: Grant, at: int) -> Listener:
        """Add a listener that knows the events up to `at`, and return it; call this in the thread of the event loop.

        Raises:
            Problem: where the server stops, or there are too many listeners, with this key or in total.
        """
        if self._closed:
            raise Problem(503, "busy", _("the server stops"), headers={"Retry-After": AGAIN})
        mine = sum(other.grant.key == grant.key for other in self._listeners)
        if len(self._listeners) >= self._limits.listeners or mine >= self._limits.listeners_key:
            sentence = _("too many listen just now; close another page")
            raise Problem(503, "busy", sentence, headers={"Retry-After": AGAIN})
        self._begin()
        listener = Listener(game, language, grant, at, self._limits.listener_bytes)
        self._listeners[listener] = None
        self._wanted[game, language] += 1
        return listener

    def leave(self, listener: Listener) -> None:
        """Remove a listener whose stream has ended."""
        if listener in self._listeners:
            del self._listeners[listener]
            self._wanted[listener.game, listener.language] -= 1
            self._wanted += Counter()  # drops counts of zero

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Count a write until the block ends; new frames wait until its answer is sent, but at most `HOLD` seconds."""
        self._writers += 1
        try:
            yield
        finally:
            self._writers -= 1
            if not self._writers:
                self._written.set()

    async def close(self) -> None:
        """Tell all listeners that the server stops, and stop following the store."""
        self._closed = True
        for listener in self._listeners:
            listener.end("closing")
        for task in self._tasks:
            task.cancel()
        if self._listeners:
            await asyncio.sleep(TICK)
        for listener in list(self._listeners):
            # A listener that does not read will not read the last frame either, so do not wait for it.
            if listener.sending is not None and listener.task is not None:
                listener.task.cancel()
        with self._lock:
            feed, self._feed = self._feed, None
        if feed is not None:
            await asyncio.to_thread(feed.close)

    def _begin(self) -> None:
        """Start to follow the store and to check the listeners, unless this runs already."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop = loop
            self._more, self._written = asyncio.Event(), asyncio.Event()
            self._tasks = [loop.create_task(self._hand_out()), loop.create_task(self._look_after())]
        with self._lock:
            if self._feed is None and (feed := self._begin_feed()) is not None:
                self._feed = feed
                threading.Thread(target=self._follow, args=(feed,), name="daynight-hub", daemon=True).start()

    # ------------------------------------------------------------------------------------------ the thread that follows

    def _follow(self, feed: Follows) -> None:
        while True:
            try:
                found = [*feed.take()]
                if not found:
                    return
                self._told(found)
            except UnavailableError:
                threading.Event().wait(float(AGAIN))
            except Exception as error:
                LOG.error("live streams end", exc_info=error)
                self._fail()
                return

    def _told(self, found: Iterable[Any]) -> None:
        """Make the frames of the new events `found`, in the thread that follows; pass them to the event loop."""
        spans: dict[str, tuple[int, int]] = {}
        for one in found:
            first, _last = spans.get(one.game, (one.number, 0))
            spans[one.game] = first, one.number
        for game, (first, last) in spans.items():
            if not self._serves(game):
                continue
            for wanted, language in list(self._wanted):
                if wanted == game:
                    try:
                        self._leave(game, language, self._tell(game, first, last, language))
                    except (NotReadableError, MechanicError) as error:
                        LOG.error("live streams of a game end", exc_info=error)
                        self._in_loop(partial(self._end, game))
                elif wanted is None:
                    self._leave(None, language, [frames.grown(self._id_of(game), game, last)])

    def _leave(self, game: str | None, language: str, made: list[Frame]) -> None:
        def put() -> None:
            self._pending.append((game, language, made))
            self._more.set()

        self._in_loop(put)

    def _fail(self) -> None:
        """Stop following the store, and end all streams with a reset; the next `enter` follows the store again."""
        with self._lock:
            feed, self._feed = self._feed, None
        if feed is not None:
            feed.close()
        self._in_loop(self._end)

    def _end(self, game: str | None = None) -> None:
        """End the streams of `game` with a reset; all streams if it is None."""
        for listener in self._listeners:
            if game in (None, listener.game):
                listener.end("reset")

    def _in_loop(self, put: Callable[[], None]) -> None:
        # The loop may be closed by now; then there are no listeners.
        with suppress(RuntimeError):
            assert self._loop is not None
            self._loop.call_soon_threadsafe(put)

    # --------------------------------------------------------------------------------------------------- the event loop

    async def _hand_out(self) -> None:
        """Give frames to their listeners, a few frames and a few listeners at a time."""
        while True:
            await self._more.wait()
            while self._pending:
                game, language, made = self._pending.popleft()
                for first in range(0, len(made), FEW):
                    await self._hand(game, language, made[first : first + FEW])
            self._more.clear()

    async def _hand(self, game: str | None, language: str, made: list[Frame]) -> None:
        given, until = 0, monotonic() + HOLD
        await self._let_write(until)
        for listener in list(self._listeners):
            if listener.game == game and listener.language == language:
                listener.offer(made)
                given += 1
                if given % AT_ONCE == 0:
                    await asyncio.sleep(0)
                    await self._let_write(until)
        # Let the listeners that read take these frames before the next ones come.
        await asyncio.sleep(0)

    async def _let_write(self, until: float) -> None:
        """Wait until no write is running, but not beyond the time `until`."""
        while self._writers and (left := until - monotonic()) > 0:
            self._written.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._written.wait(), left)

    async def _look_after(self) -> None:
        """End the streams of ended links, cut stalled streams, and let a comment be sent on silent ones."""
        while True:
            await asyncio.sleep(TICK)
            now = monotonic()
            good: dict[str, bool] = {}
            for listener in list(self._listeners):
                grant = listener.grant
                if grant.key not in good:
                    good[grant.key] = self._keys.lives(grant)
                if not good[grant.key]:
                    listener.end("closing")
                if listener.sending is not None and now - listener.sending > self._limits.stalled_seconds:
                    if listener.task is not None:
                        listener.task.cancel()
                elif listener.sending is None and now - listener.sent > COMMENTS:
                    listener.hush()
