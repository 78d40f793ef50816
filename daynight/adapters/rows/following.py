"""Follows a running application: finds newly stored events by the numbers of their notifications."""

from __future__ import annotations

import threading
from time import monotonic
from typing import Protocol

from daynight.adapters.rows.stored import Noticed

PAUSE = 0.1
"""Seconds between two polls of a database. A poll takes some 0.1 milliseconds if nothing was stored."""

AT_ONCE = 500
"""The most events that one poll returns."""


class Notices(Protocol):
    """A source of notifications that can be polled."""

    def last(self) -> int:
        """Return the number of the latest notification; 0 if there is none."""
        ...

    def noticed(self, after: int, limit: int) -> list[Noticed]:
        """Return at most `limit` events whose notifications have a number greater than `after`, in their order."""
        ...


class Following:
    """Polls for new events. `place` is the number of the last notification that was returned."""

    def __init__(self, notices: Notices, after: int | None = None) -> None:
        self._notices = notices
        self.place = notices.last() if after is None else after
        self._closed = threading.Event()

    def take(self, timeout: float | None = None) -> list[Noticed]:
        """Wait for new events and return them; an empty list after `close`, or after `timeout` seconds without one.

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
        """Stop following; a waiting `take` returns an empty list."""
        self._closed.set()
