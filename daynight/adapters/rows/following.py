"""Follows an application that runs: which events it stores, by the numbers of its notifications."""

from __future__ import annotations

import threading
from time import monotonic
from typing import Protocol

from daynight.adapters.rows.stored import Noticed

PAUSE = 0.1
"""Seconds between two looks at a database. A look costs some 0.1 milliseconds if nothing was stored."""

AT_ONCE = 500
"""How many events are told of at once."""


class Notices(Protocol):
    """Where events are looked for."""

    def last(self) -> int:
        """Return the number of the latest notification; 0 if there is none."""
        ...

    def noticed(self, after: int, limit: int) -> list[Noticed]:
        """Return at most `limit` events whose notifications have a number greater than `after`, in their order."""
        ...


class Following:
    """Tells of new events. `place` is the number of the last notification that was told of."""

    def __init__(self, notices: Notices, after: int | None = None) -> None:
        self._notices = notices
        self.place = notices.last() if after is None else after
        self._closed = threading.Event()

    def take(self, timeout: float | None = None) -> list[Noticed]:
        """Wait for new events and return them; none where it was closed, or nothing came for `timeout` seconds.

        Raises:
            AdoptedError: where the database can't be read.
        """
        until = None if timeout is None else monotonic() + timeout
        while not self._closed.is_set():
            found = self._notices.noticed(self.place, AT_ONCE)
            if found:
                self.place = found[-1].place
                return found
            left = PAUSE if until is None else min(PAUSE, until - monotonic())
            if left <= 0:
                break
            self._closed.wait(left)
        return []

    def close(self) -> None:
        """End it: who waits is told that nothing comes."""
        self._closed.set()
