"""Reads a file as it grows: waits at its end, and starts again when another file replaces it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

from daynight.importers.sources import Source

LOOK = 0.5
"""Seconds between two polls of a file that did not grow."""

KNOWN = 4_096
"""The most bytes that are compared to notice another file: of the first ones, and of those that were read last."""


class _Growing:
    """A file that is read as it grows.

    It ends when the file is truncated, replaced or overwritten, or when the caller stops it. Like a non-blocking stream
    it returns None at its end, once between two polls.
    """

    def __init__(self, path: Path, waiting: Callable[[], bool], look: float) -> None:
        self._path = path
        self._waiting = waiting
        self._look = look
        self._file = path.open("rb", buffering=0)
        self._head = b""
        self._tail = b""
        self._looked = False
        self.stopped = False

    def read(self, size: int = -1) -> bytes | None:
        """Return the next bytes: None if there are none for now, empty at the end."""
        while not (found := self._file.read(size) or b""):
            # What was written just before the file was replaced is read first.
            replaced = self._is_replaced()
            if found := self._file.read(size) or b"":
                break
            if replaced or self._is_overwritten(0):
                return b""
            self._looked = not self._looked
            if self._looked:
                # Return first: the reader may have something to report before it waits.
                return None
            if not self._waiting():
                self.stopped = True
                return b""
            time.sleep(self._look)
        self._looked = False
        # The same file, no shorter than before, may hold another log by now, so the new bytes belong to that one.
        if self._is_overwritten(len(found)):
            return b""
        self._head = (self._head + found[:KNOWN])[:KNOWN]
        self._tail = (self._tail + found[-KNOWN:])[-KNOWN:]
        return found

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _is_overwritten(self, new: int) -> bool:
        """Return whether the first or last `KNOWN` bytes that were read before the last `new` ones have changed."""
        place = self._file.tell()
        known = ((0, self._head), (place - new - len(self._tail), self._tail))
        same = all(self._at(start, len(there)) == there for start, there in known)
        self._file.seek(place)
        return not same

    def _at(self, start: int, size: int) -> bytes:
        self._file.seek(start)
        return self._file.read(size) or b""

    def _is_replaced(self) -> bool:
        here = os.fstat(self._file.fileno())
        if here.st_size < self._file.tell():
            return True
        try:
            there = self._path.stat()
        except FileNotFoundError:
            return False
        return (here.st_dev, here.st_ino) != (there.st_dev, there.st_ino)


def follow(path: Path, waiting: Callable[[], bool], *, look: float = LOOK) -> Iterator[Source]:
    """Yield a source that continues as the file grows, and another one whenever the file is replaced or overwritten.

    `waiting` is called at the current end of the file, every `look` seconds; reading ends when it returns False.

    Raises:
        OSError: where the file can't be read.
    """
    number = 0
    while True:
        growing = _Growing(path, waiting, look)
        number += 1
        try:
            yield Source(str(path), cast(BinaryIO, growing), number=number)
        finally:
            growing.close()
        if growing.stopped:
            return
        while not path.exists():
            if not waiting():
                return
            time.sleep(look)
