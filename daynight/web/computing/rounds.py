"""Rounds: in each, a caller takes one step at most, so a burst of one caller does not hold up the others."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Hashable

Step = Callable[[], None]

FEW = 6
"""How many steps of a caller may wait without slowing it down: a browser sends so many requests at once."""

SLOWED = 3
"""A caller with more than `FEW` waiting steps takes one only in every third round: a step takes about two rounds."""


class Rounds:
    """The steps that callers take in the event loop: reading a request, or sending a piece of an answer.

    The first step of a caller in a round is taken at once, and the next ones each in a later round. A round takes
    `pause` seconds; 0: it is a round of the event loop. With a pause, a caller with more than `FEW` steps waiting is
    slowed down, so that the processor has time for the others. All methods are called in the thread of the event loop.
    """

    def __init__(self, pause: float = 0) -> None:
        self._pause = pause
        self._waiting: dict[Hashable, deque[Step]] = {}
        self._round = 0

    def take(self, who: Hashable, step: Step) -> None:
        """Take a step of a caller: now, or in one of the next rounds if it has taken one in this round."""
        line = self._waiting.get(who)
        if line is not None:
            line.append(step)
            return
        if not self._waiting:
            self._go_on()
        self._waiting[who] = deque()
        step()

    async def turn(self, who: Hashable) -> None:
        """Wait until a caller may take a step: not at all if it has taken none in this round."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.take(who, lambda: None if turn.done() else turn.set_result(None))
        if not turn.done():
            await turn

    def _next(self) -> None:
        self._waiting = {who: line for who, line in self._waiting.items() if line}
        if not self._waiting:
            return
        self._go_on()
        self._round += 1
        slow = self._pause > 0 and self._round % SLOWED > 0
        for line in [*self._waiting.values()]:
            if not (slow and len(line) > FEW):
                line.popleft()()

    def _go_on(self) -> None:
        loop = asyncio.get_running_loop()
        if self._pause:
            loop.call_later(self._pause, self._next)
        else:
            loop.call_soon(self._next)
