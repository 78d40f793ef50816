"""Threads: short work runs in threads of the server, with a time limit in case a database blocks one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import RLock
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool

from daynight.framework.language.wording import _
from daynight.web.errors import AGAIN, Problem

MOST = 8
"""The most blocked threads; beyond that `run` refuses all work until one of them continues."""

T = TypeVar("T")


class Threads:
    """Runs functions in threads, and waits at most `patience` seconds for each; None: without a limit.

    With `alone`, each function holds this lock while it runs, so they run one at a time, and `patience` is ignored.
    """

    def __init__(self, patience: float | None = None, alone: RLock | None = None) -> None:
        self._patience = patience
        self._alone = alone
        self._held_up: set[asyncio.Future[Any]] = set()

    async def run(self, function: Callable[..., T], *arguments: object) -> T:
        """Return what the function returns.

        Raises:
            Problem: where the function does not return in time: it continues, and may store something later; or where
                `MOST` threads are blocked.
        """
        if self._alone is not None:
            return await run_in_threadpool(_held, self._alone, function, *arguments)
        if self._patience is None:
            return await run_in_threadpool(function, *arguments)
        if len(self._held_up) >= MOST:
            raise unavailable()
        running: asyncio.Future[T] = asyncio.ensure_future(run_in_threadpool(function, *arguments))
        try:
            await asyncio.wait((running,), timeout=self._patience)
        finally:
            if not running.done():
                self._held_up.add(running)
                running.add_done_callback(self._went_on)
        if not running.done():
            raise unavailable()
        return running.result()

    def _went_on(self, running: asyncio.Future[T]) -> None:
        self._held_up.discard(running)
        if not running.cancelled():
            # Nobody waits for it any more.
            running.exception()


def _held(alone: RLock, function: Callable[..., T], *arguments: object) -> T:
    with alone:
        return function(*arguments)


def unavailable() -> Problem:
    """Return the problem for a request whose database does not answer."""
    sentence = _("the database does not answer; send it again in a moment, as the same command")
    return Problem(503, "store-unavailable", sentence, headers={"Retry-After": AGAIN})
