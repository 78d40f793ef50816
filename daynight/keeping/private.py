"""Keeps a list in a file that only its owner may open, and that several processes read and write."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

import msgspec

from daynight.keeping.files import written
from daynight.store import SettingsError

T = TypeVar("T", bound=msgspec.Struct)

Stamp: TypeAlias = tuple[int, int, int]
"""Identifies a file's content: the time of its last change, its size, and its inode."""


class NotKeptError(OSError):
    """The file could not be written; the old content stays."""


class PrivateList(Generic[T]):
    """A list of structs of one `kind` in a JSON file of at most `size` bytes.

    Without a `file` nothing is saved. `wrong`, called with the file's name, returns the sentence of the error for a
    file that holds something else.
    """

    def __init__(self, file: Path | None, kind: type[T], size: int, wrong: Callable[[str], str]) -> None:
        self.file = file
        self._decoder: msgspec.json.Decoder[list[T]] = msgspec.json.Decoder(list[kind])  # type: ignore[valid-type]
        self._size = size
        self._wrong = wrong
        self._seen: Stamp | None = None

    def changed(self) -> list[T] | None:
        """Return the list if the file has changed since this object last read or wrote it, else None.

        If the file was there then and is missing now, the list is empty.

        Raises:
            SettingsError: where the file holds something else, or is too large.
            OSError: where the file cannot be read.
        """
        if self.file is None or (stamp := self._stamp()) == self._seen:
            return None
        found = [] if stamp is None else self._read(self.file)
        self._seen = stamp
        return found

    def forget(self) -> None:
        """Make the next call of `changed` read the file even if it did not change; a missing file still gives None."""
        self._seen = None

    def write(self, items: Sequence[T]) -> None:
        """Replace the list in the file by these items.

        Raises:
            NotKeptError: where the file cannot be written.
        """
        if self.file is None:
            return
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with written(self.file) as stream:
                os.fchmod(stream.fileno(), 0o600)
                stream.write(msgspec.json.format(msgspec.json.encode(items), indent=1) + b"\n")
        except OSError as error:
            raise NotKeptError(error.errno, error.strerror, error.filename) from error
        self._seen = self._stamp()

    def _stamp(self) -> Stamp | None:
        assert self.file is not None
        try:
            found = self.file.stat()
        except FileNotFoundError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _read(self, file: Path) -> list[T]:
        if not file.is_file():
            raise SettingsError(self._wrong(file.name))
        with file.open("rb") as stream:
            data = stream.read(self._size)
        try:
            return self._decoder.decode(data)
        except msgspec.MsgspecError:
            raise SettingsError(self._wrong(file.name)) from None
