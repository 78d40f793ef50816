"""Shared by the threads of a process: locks by name, recently stored values, and a number for the process."""

from __future__ import annotations

import os
import threading
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

K = TypeVar("K")
V = TypeVar("V")


class Process:
    """This process: `number` differs in a fork of it. Reading it is faster than asking for the process id."""

    number = 0

    @classmethod
    def forked(cls) -> None:
        """Change `number`; this runs in each new process after a fork."""
        cls.number += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=Process.forked)


class Locks:
    """One lock for each name. The thread that holds a lock may take it again."""

    def __init__(self) -> None:
        # Unused locks are removed, except the last one: the same name often comes again.
        self._locks: WeakValueDictionary[str, threading.RLock] = WeakValueDictionary()
        self._last: threading.RLock | None = None
        self._guard = threading.Lock()

    def __len__(self) -> int:
        """Return the number of names with a lock."""
        return len(self._locks)

    def of(self, name: str) -> threading.RLock:
        """Return the lock of a name, for a `with` statement."""
        with self._guard:
            lock = self._locks.get(name)
            if lock is None:
                lock = self._locks[name] = threading.RLock()
            self._last = lock
            return lock


class Lately(Generic[K, V]):
    """A cache of the `most` values that were stored last, each under its key."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[K, V] = {}
        self._guard = threading.Lock()

    def put(self, key: K, value: V) -> None:
        """Store a value as the last one; the oldest is removed if there are too many."""
        with self._guard:
            self._values.pop(key, None)
            self._values[key] = value
            if len(self._values) > self._most:
                del self._values[next(iter(self._values))]

    def get(self, key: K) -> V | None:
        """Return the value of a key, and leave it in its place in the order; None if there is none."""
        with self._guard:
            return self._values.get(key)

    def take(self, key: K) -> V | None:
        """Remove and return the value of a key; None if there is none."""
        with self._guard:
            return self._values.pop(key, None)

    def items(self) -> list[tuple[K, V]]:
        """Return all keys and values, the oldest first."""
        with self._guard:
            return [*self._values.items()]

    def clear(self) -> None:
        """Remove everything."""
        with self._guard:
            self._values.clear()
