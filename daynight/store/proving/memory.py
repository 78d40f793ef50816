"""The memory of a key: the last head of each game that it has signed, in a file beside the key.

Each signed head is a line, appended after the store has committed: at once, or, if many are signed, within a quarter of
a second. Nothing waits until the line is on the disk. If the machine stops, the newest lines may be lost or cut, and a
cut line is skipped; then an older head is remembered, which the game contains too. The other order would be wrong: a
head that is remembered first may never be stored, and then no store would contain it.
"""

from __future__ import annotations

import errno
import math
import os
import stat
import threading
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import monotonic
from typing import Literal

import msgspec
from msgspec import Struct

from daynight.framework.language.errors import tame
from daynight.framework.language.wording import _
from daynight.store.database.rows import Head, Hex32, Number
from daynight.store.errors import SettingsError

ENDING = ".heads"
"""The suffix of the memory's file, added to the name of the key's file."""

MOST = 2048
"""How many lines a file may have before lines of older heads are removed."""

LARGEST = 2**26
"""The most bytes of a file that are read. No key writes more."""

PAUSE = 0.25
"""Seconds between two writings: each costs as much as a signature, in the time that the database takes to sync."""


class _Signed(Struct, frozen=True, forbid_unknown_fields=True):
    """A head that was signed."""

    type: Literal["signed"]
    signer: Hex32
    game: str
    event: Number
    digest: Hex32


_DECODER = msgspec.json.Decoder(_Signed)
_ENCODER = msgspec.json.Encoder()


class Memory:
    """The heads that one key has signed; several processes may add to one file at the same time.

    A line is written in one piece behind all others, and the greatest event of a game counts, in whatever order the
    lines came.
    """

    def __init__(self, path: Path, signer: bytes) -> None:
        self.path = path
        self._name = str(path)
        self._signer = signer.hex()
        self._lock = threading.Lock()
        self._file = -1
        # No file is open yet.
        self._close: Callable[[], object] = lambda: None
        self._which: tuple[int, int] = (0, 0)
        self._read = self._lines = 0
        self._torn = False
        self._fresh: set[str] = set()
        self._pause = -math.inf
        self._heads: dict[tuple[str, str], Head] = {}

    def last(self, game: str) -> Head | None:
        """The last head of a game that the key has signed, as far as it remembers one.

        Raises:
            SettingsError: where the file cannot be read, or could not be written: then nothing may be signed.
        """
        with self._lock:
            self._look()
            return self._heads.get((self._signer, game))

    def note(self, game: str, head: Head) -> None:
        """Remember a head that was signed and stored, after `last` was asked for the one before it."""
        with self._lock:
            self._keep(self._signer, game, head)
            self._fresh.add(game)
            if monotonic() > self._pause:
                self._write()

    def settle(self) -> None:
        """Write the lines that wait; where the disk is full they are lost."""
        with self._lock:
            if self._fresh:
                self._write()

    def forget(self, game: str) -> Head | None:
        """Forget a game; answers the head that was remembered.

        Raises:
            SettingsError: where the file cannot be read, or not be written.
        """
        with self._lock:
            self._look()
            head = self._heads.pop((self._signer, game), None)
            self._fresh.discard(game)
            if head is not None:
                try:
                    self._replace()
                except OSError as error:
                    raise self._unusable(error) from None
            return head

    def _write(self) -> None:
        with suppress(OSError, SettingsError):
            self._look()
            os.write(self._file, b"\n" * self._torn + self._lines_of((self._signer, game) for game in self._fresh))
        self._fresh.clear()
        self._pause = monotonic() + PAUSE

    def _lines_of(self, games: Iterable[tuple[str, str]]) -> bytes:
        found = [(signer, game, self._heads[signer, game]) for signer, game in games]
        return _ENCODER.encode_lines(
            [_Signed("signed", signer, game, head.number, head.digest.hex()) for signer, game, head in found]
        )

    def _look(self) -> None:
        """Open the file, again where another took its place, and read what came since the last time."""
        try:
            # Path.stat takes four times as long, and this is asked at each append.
            found = os.stat(self._name)  # noqa: PTH116
        except OSError:
            # There is none yet, or it is said why when it is opened.
            found = None
        try:
            if found is None or (found.st_dev, found.st_ino) != self._which or found.st_size < self._read:
                found = self._open()
            if found.st_size > self._read:
                self._take(found.st_size)
        except OSError as error:
            raise self._unusable(error) from None

    def _open(self) -> os.stat_result:
        self._close()
        # What is not written yet is known here alone.
        fresh = {(self._signer, game) for game in self._fresh}
        self._heads = {name: head for name, head in self._heads.items() if name in fresh}
        self._which, self._read, self._lines = (0, 0), 0, 0
        # A pipe is not waited for, and a link could lead to a file of something else, which is not added to.
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
        flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        try:
            self._file = os.open(self.path, flags, 0o600)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise OSError(0, _("no file")) from None
            raise
        self._close = weakref.finalize(self, os.close, self._file)
        found = os.fstat(self._file)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(0, _("no file"))
        if os.name == "posix" and found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            # Somebody who could remove a line could make the key sign a rewritten game.
            raise OSError(0, _("others may write to it (chmod 600 it)"))
        self._which = (found.st_dev, found.st_ino)
        return found

    def _take(self, size: int) -> None:
        if size - self._read > LARGEST:
            raise OSError(0, _("more than {most} bytes").format(most=LARGEST))
        os.lseek(self._file, self._read, os.SEEK_SET)
        data = os.read(self._file, size - self._read)
        whole = data[: data.rfind(b"\n") + 1]
        for line in whole.splitlines():
            self._lines += 1
            with suppress(msgspec.MsgspecError, UnicodeDecodeError):
                found = _DECODER.decode(line)
                self._keep(found.signer, found.game, Head(found.event, bytes.fromhex(found.digest)))
        self._read += len(whole)
        self._torn = len(whole) < len(data)
        if self._lines > max(MOST, 2 * len(self._heads)):
            # Who may not make a file there has a long one.
            with suppress(OSError):
                self._replace()

    def _keep(self, signer: str, game: str, head: Head) -> None:
        known = self._heads.get((signer, game))
        if known is None or known.number < head.number:
            self._heads[signer, game] = head

    def _replace(self) -> None:
        """Replace the file, atomically, by one with a line for each game.

        What another process adds meanwhile to the former one is lost: that is remembered only up to the head before.
        """
        with NamedTemporaryFile(dir=self.path.parent, prefix=f"{self.path.name}.", delete=False) as stream:
            try:
                stream.write(self._lines_of(self._heads))
                stream.flush()
                os.fsync(stream.fileno())
                Path(stream.name).replace(self.path)
            except BaseException:
                Path(stream.name).unlink()
                raise
        self._which = (0, 0)

    def _unusable(self, error: OSError) -> SettingsError:
        sentence = _(
            "{path}: {reason}; a key remembers there what it has signed, and signs nothing without: make that file"
            " one that may be written to, or sign with another key (--key FILE)"
        )
        return SettingsError(tame(sentence.format(path=self.path, reason=error.strerror or error)))
