"""Turns: how many requests of one caller are answered at once, by threads of the server itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext

from daynight.web.computing.rounds import FEW

AT_ONCE = 2
"""The requests of one caller that are answered at once. More would slow down the threads of all other callers."""


class Turns:
    """For each caller a turnstile that lets `AT_ONCE` requests through; the others of the same caller wait.

    If a caller has more than `FEW` requests here, waiting ones included, the further ones go through one by one.
    """

    def __init__(self, most: int = AT_ONCE) -> None:
        self._most = most
        self._stiles: dict[str, _Stile] = {}

    @asynccontextmanager
    async def of(self, who: str) -> AsyncIterator[None]:
        """Wait for a turn of this caller; it ends with the block."""
        stile = self._stiles.setdefault(who, _Stile(self._most))
        stile.here += 1
        try:
            async with stile.single if stile.here > FEW else nullcontext(), stile.gate:
                yield
        finally:
            stile.here -= 1
            if not stile.here:
                del self._stiles[who]


class _Stile:
    """A turnstile: `here` counts requests, `gate` lets some in at once, and `single` one at a time beyond `FEW`."""

    def __init__(self, most: int) -> None:
        self.here = 0
        self.gate = asyncio.Semaphore(most)
        self.single = asyncio.Lock()
