"""Connections with time limits: a connection is cut if its client sends nothing, or reads nothing, for too long."""

from __future__ import annotations

import asyncio
import re
from functools import partial

import h11
from starlette.types import Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from daynight.web.computing.rounds import Rounds
from daynight.web.limits import KIB, Limits
from daynight.web.listening import Crowd
from daynight.web.live.stream import TRANSPORT

HURRY = 1.0
"""Seconds that a connection beyond the limit on connections has to send a request."""

UNHURRIED = "daynight.unhurried"
"""The name of an extension in the scope: a function to call before reading a body for longer than `head_seconds`."""

PIECE = KIB
"""The bytes of a head that are parsed at a time, so that a too long head is refused before its end."""

PAUSE = 0.002
"""Seconds between two requests of a caller that sends many at once: this allows ten times `Limits.requests`."""

_END = re.compile(rb"\n\r?\n")
"""Matches the end of a head."""

_SHOWN = re.compile(rb"\n(?:authorization|cookie):([^\r\n]*)", re.IGNORECASE)
"""Matches a caller's credentials. They are read before the head is parsed, only to let callers take turns."""


class Connection(H11Protocol):
    """A connection that is cut if its client sends nothing, reads nothing, or completes no request for too long.

    If many requests come at once, callers take turns in having theirs parsed.
    """

    limits = Limits()
    crowd: Crowd | None = None
    rounds = Rounds(PAUSE)
    _head = b""
    _unparsed: bytes | None = None
    _extra = False
    _patient = False
    _whole: asyncio.TimerHandle | None = None
    _coming: asyncio.TimerHandle | None = None
    _going: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer for silent clients. Each request's scope gets the transport, so that a stream can be cut."""
        super().connection_made(transport)
        app = self.app

        async def connected(scope: Scope, receive: Receive, send: Send) -> None:
            extensions = {**scope.get("extensions", {}), TRANSPORT: transport, UNHURRIED: self._unhurried}
            await app({**scope, "extensions": extensions}, receive, partial(_last, send) if self._extra else send)

        self.app = connected
        opened = transport.get_extra_info("socket")
        self._extra = self.crowd is not None and opened is not None and self.crowd.is_extra(opened.fileno())
        if self._extra:
            self._whole = self.loop.call_later(HURRY, self._cut)
        self._await()

    def data_received(self, data: bytes) -> None:
        """Restart the timer, and parse the data; a new request only when its caller's turn comes.

        The beginning of a short head is kept, without taking a turn, until the rest of the head arrives.
        """
        self._await()
        if self._whole is None and not self._patient:
            self._whole = self.loop.call_later(self.limits.head_seconds, self._cut)
        if self._unparsed is not None:
            # No more is read until it is this one's turn.
            self._unparsed += data
            self.flow.pause_reading()
        elif self.conn.their_state is h11.IDLE:
            data, self._head = self._head + data, b""
            if data[:1].isalpha() and len(data) < PIECE and _END.search(data) is None:
                # Clients that send a byte now and then take no turns from others.
                self._head = data
                return
            shown = _SHOWN.search(data)
            self._unparsed = data
            self.rounds.take((self.client or ("",))[0] if shown is None else shown[1], self._begin)
        else:
            self._parse(data)

    def _begin(self) -> None:
        data, self._unparsed = self._unparsed, None
        self.flow.resume_reading()
        self._parse(data or b"")

    def _parse(self, data: bytes) -> None:
        """Parse the data, a head in pieces of `PIECE` bytes."""
        while data and not self.transport.is_closing():
            size = PIECE if self.conn.their_state is h11.IDLE else len(data)
            super().data_received(data[:size])
            data = data[size:]
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            # The request is whole.
            self._unhurried()
            self._patient = False

    def pause_writing(self) -> None:
        """Stop writing, as the buffer is full; cut the connection if the client reads nothing for `stalled_seconds`."""
        super().pause_writing()
        if self._going is None:
            self._going = self.loop.call_later(self.limits.stalled_seconds, self._cut)

    def resume_writing(self) -> None:
        """Write again, and stop the timer, because the client reads."""
        super().resume_writing()
        _over(self._going)
        self._going = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers, and drop the application and the last request, which refer to this connection."""
        for timer in (self._coming, self._going, self._whole):
            _over(timer)
        self._coming = self._going = self._whole = None
        super().connection_lost(exc)
        # Both refer to the connection, which would stay in memory with its last answer until Python looks for cycles.
        del self.app
        self.cycle = None  # type: ignore[assignment]  # as before the first request

    def shutdown(self) -> None:
        """Close the connection when the server stops, but only once: asyncio cannot cut a connection closed twice."""
        if not self.transport.is_closing():
            super().shutdown()

    def _await(self) -> None:
        _over(self._coming)
        self._coming = self.loop.call_later(self.limits.idle_seconds, self._tired)

    def _unhurried(self) -> None:
        _over(self._whole)
        self._whole = None
        self._patient = True

    def _tired(self) -> None:
        """Cut a connection that sent nothing for `idle_seconds`, unless its client is waiting for the server."""
        cycle: RequestResponseCycle | None = self.cycle
        answering = cycle is not None and not cycle.response_complete
        if self.flow.read_paused or (answering and self.conn.their_state is not h11.SEND_BODY):
            self._coming = None
            return
        self._cut()

    def _cut(self) -> None:
        self.transport.abort()


def connections(limits: Limits, crowd: Crowd | None = None) -> type[Connection]:
    """Return a class of connections with these limits; `crowd` knows the connections beyond the limit."""
    return type("Connection", (Connection,), {"limits": limits, "crowd": crowd, "rounds": Rounds(PAUSE)})


async def _last(send: Send, message: Message) -> None:
    if message["type"] == "http.response.start":
        message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
    await send(message)


def _over(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
