"""The memory of a key: the last head of each game that it has signed, in a file beside the key.

A game is known by its identity, the digest of its first event: two games of one name are two games. Each signed head is
two lines: one with the game's identity, its mechanic and the place of its store, and then a plain line, the only kind
that older versions of daynight read and write. A plain line that repeats the line before it is ignored. A plain line
alone, from an older version, counts for every game of that name.

The lines are appended after the store has committed: at once, or, if many are signed, within a quarter of a second.
Nothing waits until the line is on the disk. If the machine stops, the newest lines may be lost or truncated, and a
truncated line is skipped; then an older head is remembered, which the game contains too. The other order would be
wrong: a head written here first might never be stored, and then no store would contain it.
"""

from __future__ import annotations

import errno
import math
import os
import stat
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import monotonic

import msgspec

from daynight.framework.language.errors import tame
from daynight.framework.language.wording import _
from daynight.machine.reasons import reason_of
from daynight.machine.reserved import DATABASE
from daynight.store.database.rows import Head
from daynight.store.errors import SettingsError
from daynight.store.proving.remembered import (
    Line,
    OfAName,
    Place,
    Remembered,
    Signed,
    SignedGame,
    Trusted,
    later,
    lines_of,
)
from daynight.store.threads import Process

MOST = 2048
"""The most lines of a file before lines of older heads are removed."""

LARGEST = 2**26
"""The most bytes of a file that are read at a time; more are refused. No key writes more."""

PAUSE = 0.25
"""The least time between two writes to the file, in seconds: a write takes as long as a signature."""

_DECODER: msgspec.json.Decoder[Signed | SignedGame | Trusted] = msgspec.json.Decoder(Signed | SignedGame | Trusted)
_ENCODER = msgspec.json.Encoder()


class Memory:
    """The heads that one key has signed; several processes may add to one file at the same time.

    A line is appended in one piece, and the greatest event of a game counts, whatever the order of the lines.
    """

    def __init__(self, path: Path, signer: bytes) -> None:
        self.path = path
        self._name = str(path)
        self._signer = signer.hex()
        self._lock = threading.Lock()
        self._file = -1
        self._process = Process.number
        # No file is open yet.
        self._close: Callable[[], object] = lambda: None
        self._which: tuple[int, int] = (0, 0)
        self._read = self._lines = 0
        self._most = MOST
        self._torn = False
        self._fresh: dict[tuple[str, Place | None, Head | None], Head] = {}
        self._pause = -math.inf
        self._games: dict[tuple[str, str], OfAName] = {}

    def last(self, game: str, identity: bytes | None = None) -> Head | None:
        """Return the last head that the key signed of a game; without `identity`, of any game of that name.

        Raises:
            SettingsError: where the file cannot be read, or could not be written: then the key must not sign.
        """
        with self._lock:
            self._look()
            found = self._games.get((self._signer, game))
            return None if found is None else found.last(identity)

    def all(self, game: str) -> Remembered:
        """Return everything remembered about the games of a name.

        Raises:
            SettingsError: as `last`.
        """
        with self._lock:
            self._look()
            found = self._games.get((self._signer, game))
            if found is None:
                return Remembered()
            return Remembered((*found.known.values(),), found.unplaced, frozenset(found.trusted))

    def note(self, game: str, head: Head, place: Place | None = None) -> None:
        """Remember a head that was signed and stored. The caller has called `last` or `all` before, to read the file.

        Heads up to `head` from plain lines of older versions are noted again with the `place`: the game has them too.
        """
        with self._lock:
            mine = self._of(self._signer, game)
            olds = [] if place is None else [old for old in mine.plain if old.number <= head.number]
            for old in olds:
                mine.take(old, place)
                self._fresh[game, place, old] = old
            mine.take(head, place)
            self._fresh[game, place, None] = later(self._fresh.get((game, place, None)), head)
            if monotonic() > self._pause:
                self._write()

    def trust(self, game: str, key: bytes) -> None:
        """Let the signatures of another key count in the games of a name.

        Raises:
            SettingsError: where the file cannot be read, or not be written.
        """
        with self._lock:
            self._look()
            self._of(self._signer, game).trusted.add(key)
            try:
                self._put([Trusted(self._signer, game, key.hex())])
            except OSError as error:
                raise self._unusable(error) from None

    def settle(self) -> None:
        """Write the waiting lines; on a full disk they are lost."""
        with self._lock:
            if self._fresh:
                self._write()

    def forget(self, game: str) -> Head | None:
        """Forget all games of a name, and the trusted keys in them; return the last remembered head, None without one.

        Raises:
            SettingsError: where the file cannot be read, or not be written.
        """
        with self._lock:
            self._look()
            found = self._games.pop((self._signer, game), None)
            self._fresh = {name: head for name, head in self._fresh.items() if name[0] != game}
            head = None if found is None else found.last(None)
            if found is not None:
                try:
                    self._replace()
                except OSError as error:
                    raise self._unusable(error) from None
            return head

    def _write(self) -> None:
        lines = [
            line
            for (game, place, _old), head in self._fresh.items()
            for line in lines_of(self._signer, game, head, place)
        ]
        with suppress(OSError, SettingsError):
            self._look()
            self._put(lines)
        self._fresh.clear()
        self._pause = monotonic() + PAUSE

    def _put(self, lines: list[Line]) -> None:
        os.write(self._file, b"\n" * self._torn + _ENCODER.encode_lines(lines))

    def _of(self, signer: str, game: str) -> OfAName:
        return self._games.setdefault((signer, game), OfAName())

    def _look(self) -> None:
        """Open the file, or reopen it if it was replaced, and read the new lines; SettingsError if that fails."""
        try:
            # Path.stat takes four times as long, and this is asked at each append.
            found = os.stat(self._name)  # noqa: PTH116
        except OSError:
            # There is none yet; if it can't be opened, opening it later says why.
            found = None
        if self._process != Process.number:
            # A fork shares the file position with its parent, and each would miss what the other has read.
            self._process, self._which = Process.number, (0, 0)
        try:
            if found is None or (found.st_dev, found.st_ino) != self._which or found.st_size < self._read:
                found = self._open()
            if found.st_size > self._read:
                self._take(found.st_size)
        except OSError as error:
            raise self._unusable(error) from None

    def _open(self) -> os.stat_result:
        self._close()
        # Only this process knows lines that are not written yet.
        self._games = {}
        for (game, place, _old), head in self._fresh.items():
            self._of(self._signer, game).take(head, place)
        self._which, self._read, self._lines = (0, 0), 0, 0
        # A pipe would block, and a link could lead to another file, which must not be changed.
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
        if hasattr(os, "pread") and os.pread(self._file, len(DATABASE), 0) == DATABASE:
            # A line at its end would ruin a store.
            raise OSError(0, _("a database"))
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
                self._keep(_DECODER.decode(line))
        self._read += len(whole)
        self._torn = len(whole) < len(data)
        if self._lines > self._most:
            self._most = max(MOST, 2 * len(self._kept()))
        if self._lines > self._most:
            # Without permission to make a file there, the long one stays.
            with suppress(OSError):
                self._replace()

    def _keep(self, line: Signed | SignedGame | Trusted) -> None:
        found = self._of(line.signer, line.game)
        if isinstance(line, Trusted):
            found.trusted.add(bytes.fromhex(line.key))
            return
        place = None
        if isinstance(line, SignedGame):
            place = Place(bytes.fromhex(line.identity), line.mechanic, line.store)
        found.take(Head(line.event, bytes.fromhex(line.digest)), place)

    def _kept(self) -> list[Line]:
        return [line for (signer, game), found in self._games.items() for line in found.lines(signer, game)]

    def _replace(self) -> None:
        """Replace the file, atomically, by one with the fewest lines that hold what is remembered.

        Lines that another process adds to the old file meanwhile are lost: of those games only earlier heads are
        remembered.
        """
        with NamedTemporaryFile(dir=self.path.parent, prefix=f"{self.path.name}.", delete=False) as stream:
            try:
                stream.write(_ENCODER.encode_lines(self._kept()))
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
        return SettingsError(tame(sentence.format(path=self.path, reason=reason_of(error))))
