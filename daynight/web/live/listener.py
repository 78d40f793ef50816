"""A listener: its queue of frames, of bounded size, and how its stream ends."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from time import monotonic
from typing import Literal, TypeAlias

from daynight.web.door.grants import Grant
from daynight.web.live.frames import Frame

FRAMES = 64
"""The most frames that may wait for a listener."""

End: TypeAlias = Literal["reset", "closing"]


class Listener:
    """A listener to `game`, or to all games if that is None; `at` is the last event that was sent to it.

    At most `FRAMES` frames with `most` bytes in total wait for it, including those in the connection's buffer. Its
    methods run in the thread of the event loop.
    """

    def __init__(self, game: str | None, language: str, grant: Grant, at: int, most: int) -> None:
        self.game = game
        self.language = language
        self.grant = grant
        self.at = at
        self.newest = at
        self.ending: End | None = None
        self.gone = False
        self.sent = monotonic()
        self.sending: float | None = None
        self.quiet = False
        """Whether a comment is due."""
        self.task: asyncio.Task[None] | None = None
        self.transport: asyncio.Transport | None = None
        self.most = most
        self._waiting: deque[Frame] = deque()
        self._size = 0
        self._ready = asyncio.Event()

    def unsent(self) -> int:
        """Return the number of bytes in the connection's buffer."""
        # One that is closing may have no buffer any more.
        if self.transport is None or self.transport.is_closing():
            return 0
        return self.transport.get_write_buffer_size()

    def is_over(self) -> bool:
        """Return whether no more frames will be sent, except the one that ends the stream."""
        return self.gone or self.ending is not None

    def offer(self, frames: Sequence[Frame]) -> None:
        """Add frames to the queue; if it gets too large, end the stream with a reset instead."""
        if self.ending is not None:
            return
        self.newest = max(self.newest, frames[-1].number)
        self._size += sum(len(frame.data) for frame in frames)
        if len(self._waiting) + len(frames) > FRAMES or self._size + self.unsent() > self.most:
            self.end("reset")
            return
        self._waiting.extend(frames)
        self._ready.set()

    def end(self, ending: End) -> None:
        """End the stream; waiting frames are not sent any more."""
        if self.ending is None:
            self.ending = ending
            self._waiting.clear()
        self._ready.set()

    def leave(self) -> None:
        """Note that the client has disconnected."""
        self.gone = True
        self._ready.set()

    def hush(self) -> None:
        """Let a comment be sent, because no frame was sent for long."""
        self.quiet = True
        self._ready.set()

    async def next(self) -> Frame | None:
        """Wait for the next frame that was not sent yet and return it; None if a comment is due, or the stream is over.

        If the frame's event does not directly follow event `at`, events are missing, and the stream ends with a reset.
        A frame counts as waiting until `done` is called with it.
        """
        while not self.is_over():
            while self._waiting:
                frame = self._waiting.popleft()
                if 0 < frame.number <= self.at:
                    self._size -= len(frame.data)
                elif frame.number > self.at + 1:
                    self.end("reset")
                    return None
                else:
                    return frame
            if self.quiet:
                return None
            self._ready.clear()
            await self._ready.wait()
        return None

    def done(self, frame: Frame) -> None:
        """Note that this frame was sent: it does not count as waiting any more, and `at` becomes its event."""
        self._size -= len(frame.data)
        self.at = frame.number or self.at
