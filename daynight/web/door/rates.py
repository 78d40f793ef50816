"""Rates limit how often a caller may send requests. A bucket of tokens fills steadily; each request takes a token."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from daynight.web.limits import Limits

_MOST = 10_000


class Rates:
    """A bucket of tokens for each caller: it fills by `rate` tokens a second, up to `burst`."""

    def __init__(self, rate: float, burst: int, *, now: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._now = now
        self._buckets: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, who: str) -> float:
        """Take a token from the bucket of `who`.

        Return 0 or, if the bucket is empty, the seconds until the next token.
        """
        with self._lock:
            now = self._now()
            # Taken out and put back at the end: the buckets stand in the order in which they were asked last.
            tokens, at = self._buckets.pop(who, (float(self._burst), now))
            tokens = min(tokens + (now - at) * self._rate, float(self._burst))
            wait = 0.0
            if tokens >= 1:
                tokens -= 1
            else:
                wait = (1 - tokens) / self._rate
            self._buckets[who] = tokens, now
            if len(self._buckets) > _MOST:
                self._forget(now)
            return wait

    def _forget(self, now: float) -> None:
        """Drop the full buckets, which are the same as new ones; if too many are left, also the least recently used."""
        full = [who for who, (tokens, at) in self._buckets.items() if tokens + (now - at) * self._rate >= self._burst]
        for who in full:
            del self._buckets[who]
        for who in [*self._buckets][: len(self._buckets) - _MOST // 2] if len(self._buckets) > _MOST else ():
            del self._buckets[who]


class Counted:
    """The rates of all callers: requests (GET) and writes per key, and wrong keys per address."""

    def __init__(self, limits: Limits) -> None:
        self.requests = Rates(limits.requests, limits.requests_burst)
        self.writes = Rates(limits.writes, limits.writes_burst)
        self.failed = Rates(limits.requests, limits.requests_burst)
