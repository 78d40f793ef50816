"""Removes the files that SQLite creates beside a database file that it only reads."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import ClassVar


class Beside:
    """The files that SQLite creates beside a file that it only reads: an empty log (`-wal`), and its index (`-shm`).

    SQLite does not remove them after reading, so they are removed here after the last reading; but not if they existed
    before, and not while another program has the file open.
    """

    _all: ClassVar[dict[Path, Beside]] = {}
    _lock = threading.Lock()

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files = [path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-shm")]
        self._open = 0
        self._were_there = True

    @classmethod
    def of(cls, path: Path) -> Beside:
        """Return the object for a file: all readings of the file share one."""
        with cls._lock:
            return cls._all.setdefault(path.resolve(), cls(path.resolve()))

    def __enter__(self) -> None:
        with self._lock:
            if not self._open:
                self._were_there = any(os.path.lexists(one) for one in self._files)
            self._open += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._open -= 1
            if not self._open and not self._were_there:
                with suppress(OSError, ImportError):
                    self._remove()

    def _remove(self) -> None:
        import fcntl

        log = self._files[0]
        if not any(os.path.lexists(one) for one in self._files):
            return
        with open(self._path, "r+b") as stream:
            # Every connection locks a part of these bytes: with all of them locked, nobody has the file open.
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED[1], _SHARED[0])
            if not os.path.lexists(log) or not log.stat().st_size:
                for one in self._files:
                    one.unlink(missing_ok=True)


_SHARED = (0x40000002, 510)
"""The offset in a file, and the number, of the bytes that SQLite locks for reading."""
