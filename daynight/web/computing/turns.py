"""Turns: how many requests of one caller are answered at once, by threads of the server itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

AT_ONCE = 2
"""The requests of one caller that are answered at once. More would slow down the threads of all other callers."""


class Turns:
    """For each caller a turnstile that lets `AT_ONCE` requests through; the others of the same caller wait."""

    def __init__(self, most: int = AT_ONCE) -> None:
        self._most = most
        self._stiles: dict[str, tuple[asyncio.Semaphore, list[None]]] = {}

    @asynccontextmanager
    async def of(self, who: str) -> AsyncIterator[None]:
        """Wait for a turn of this caller; the turn ends with the block."""
        stile, here = self._stiles.setdefault(who, (asyncio.Semaphore(self._most), []))
        here.append(None)
        try:
            async with stile:
                yield
        finally:
            here.pop()
            if not here:
                del self._stiles[who]
