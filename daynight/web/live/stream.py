"""A stream: the response to a listener, sent frame by frame until the client disconnects."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from time import monotonic
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from daynight.web.live import frames
from daynight.web.live.frames import Frame
from daynight.web.live.hub import Hub
from daynight.web.live.listener import Listener

TRANSPORT = "daynight.transport"
"""The name of the scope's extension that is the connection's transport."""

PAGE = 64
"""The most missed events that are read at a time."""

SMALL = 2**15
"""If a batch of missed events has fewer bytes than this, the next one has twice as many events; else it has one."""

Missed = Callable[[int, int], list[Frame]]
"""A function that makes the frames of missed events: `(first, last) -> frames`, both included."""

Turn = Callable[[], AbstractAsyncContextManager[None]]
"""A function whose context manager waits for the client's turn among its own requests; leaving it ends the turn."""


class Stream(Response):
    """The response to a listener: first the events that it `missed` up to event `last`, then new ones.

    It waits for a `turn` before it makes the frames of missed events. `reset`: end the stream at once with a reset,
    because the missed events cannot be sent; `identity` is as for `frames.reset`.
    """

    media_type = "text/event-stream"

    def __init__(
        self, hub: Hub, listener: Listener, last: int, missed: Missed, turn: Turn = nullcontext, *, reset: bool = False,
        identity: str | None = None,
    ) -> None:  # fmt: skip
        self.status_code = 200
        self.background = None
        self.init_headers({"Cache-Control": "no-store"})
        self._hub = hub
        self._listener = listener
        self._last = last
        self._missed = missed
        self._turn = turn
        self._identity = identity
        listener.newest = max(listener.newest, last)
        if reset:
            listener.end("reset")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send frames until the client disconnects or the stream ends; if it is cancelled while stalled, cut it."""
        listener, hub = self._listener, self._hub
        transport: Any = scope.get("extensions", {}).get(TRANSPORT)
        listener.transport = transport
        listener.task = asyncio.current_task()
        watch = asyncio.ensure_future(_gone(receive))
        watch.add_done_callback(lambda found: listener.leave())
        try:
            if transport is not None:
                # Each `send` is to wait until the connection has sent everything, so that nothing piles up there.
                # Not 0: an encrypted connection pauses as soon as it holds `high` bytes, so it would never send.
                transport.set_write_buffer_limits(high=1)
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await self._put(send, frames.OPENING)
            await self._catch_up(send)
            await self._go_on(send)
            if listener.ending is not None:
                ending = (
                    frames.reset(listener.newest, self._identity) if listener.ending == "reset" else frames.closing()
                )
                await self._put(send, ending)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except asyncio.CancelledError:
            if transport is None or listener.sending is None:
                raise
            # Stalled: a normal close would wait for ever until the client reads.
            transport.abort()
            await asyncio.wait((watch,), timeout=1)
        finally:
            hub.leave(listener)
            watch.cancel()
            # A closed connection that was encrypted has no buffer any more, and must not be asked about it.
            if transport is not None and not transport.is_closing():
                transport.set_write_buffer_limits()
            with suppress(Exception, asyncio.CancelledError):
                await watch

    async def _catch_up(self, send: Send) -> None:
        listener, many = self._listener, 1
        while listener.at < self._last and not listener.is_over():
            async with self._turn():
                page = await run_in_threadpool(self._missed, listener.at + 1, min(listener.at + many, self._last))
            for frame in page:
                if len(frame.data) > listener.most:
                    # Too large for the queue: the client has to read it at `/moments`.
                    listener.end("reset")
                if listener.is_over():
                    return
                await self._put(send, frame.data)
                listener.at = frame.number
            # Read more at a time only if they are small: the frames wait in memory until they are sent.
            many = min(2 * many, PAGE) if sum(len(frame.data) for frame in page) < SMALL else 1

    async def _go_on(self, send: Send) -> None:
        listener = self._listener
        while not listener.is_over():
            frame = await listener.next()
            if frame is not None:
                await self._put(send, frame.data)
                listener.done(frame)
            elif listener.quiet:
                listener.quiet = False
                await self._put(send, frames.COMMENT)

    async def _put(self, send: Send, data: bytes) -> None:
        listener = self._listener
        listener.sending = monotonic()
        await send({"type": "http.response.body", "body": data, "more_body": True})
        listener.sending, listener.sent = None, monotonic()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
