"""Appends events to a record: a game of a store, or a file, which is never half-written."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from daynight.events.vocabulary import Event
from daynight.framework.language.codec import encode_lines
from daynight.framework.language.errors import RecordError, UnreadableError, locating
from daynight.framework.language.reader import SIZE
from daynight.framework.language.wording import _
from daynight.game import Game
from daynight.keeping.files import PlaceError, written
from daynight.machine.shells import likely, quoted
from daynight.records import DEMO, Held, Record

if TYPE_CHECKING:
    from daynight.games import Store
    from daynight.store import Appended

Make = Callable[[Game, Sequence[Event]], Sequence[Event]]
"""Returns the events to append, from the present game and the events that the same command stored before."""

_GZIP = b"\x1f\x8b"
_TRIES = 20
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class Added(NamedTuple):
    """The game after an append, and the numbers of the first and the last appended event.

    `command` is the id of the command, if it had one. `repeated`: an earlier call with this id stored the events.
    """

    game: Game
    first: int
    last: int
    command: str | None = None
    repeated: bool = False


def append_to_store(store: Store, game: str, make: Make, *, command: str | None = None) -> Added:
    """Append events to a game of a store: all of them, or none.

    If another process stores events meanwhile, `make` is called again with the new state. The same append with the
    same `command` is stored once.

    Raises:
        RecordError: where an event is refused.
        NotFoundError: where there is no such game.
        StoreError: where the store refuses the events.
    """
    appended: Appended | None = None
    for left in reversed(range(_TRIES)):
        head = store.head(game).number
        before = None if command is None else store.command(game, command)
        same = [] if before is None else [*store.events(game, before.first - 1, before.last)]
        events = make(store.load(game), same)
        try:
            appended = store.append(game, events, command=command)
            break
        except RecordError as error:
            # Somebody else may have stored events meanwhile. Then make the events again, from the game as it is now.
            if not left or store.head(game).number == head:
                raise error.located(line=head + 1) from None
    assert appended is not None
    id = appended.command if command is not None else None
    return Added(store.load(game), appended.first, appended.last, id, appended.repeated)


def append_to_file(record: Record, make: Make) -> Added:
    """Append events to a record in a file: all of them, or none. The file is replaced in one step.

    Raises:
        RecordError: naming the record, where an event, or the record itself, is refused.
        NotFoundError: where there is no such file.
        PlaceError: where the file cannot be appended to.
        OSError: where the file can't be written; the old file stays.
    """
    with locating(file=record.name):
        return _append(record, _checked(record), make)


def _checked(record: Record) -> Path:
    """Return the path of a record; raise PlaceError if it is no file, a log, read-only or has hard links."""
    path = Path(record.name)
    if record.name == "-" or (record.name == DEMO and not path.exists()):
        raise _refusal(_("{record} can't be appended to; give a .jsonl or .dn file, or db:GAME"), record)
    # Do not open it before it is known to be a regular file: opening a pipe without a writer blocks for ever.
    if path.exists() and not path.is_file():
        raise _refusal(_("{record} is no plain file; give a .jsonl or .dn file, or db:GAME"), record)
    with record.raw():
        pass  # If it is not there, reading it says so.
    if record.is_log():
        sentence = _("{record} is a log of another program; make a record of it first: daynight import {file} -o DIR")
        raise PlaceError(sentence.format(record=record.shown, file=quoted(record.name, likely())), record.name)
    # A new file will take its place. That needs only rights on the folder, and would break hard links.
    found = path.stat()
    # Respect a missing write permission even for root: somebody took it away on purpose.
    if not os.access(path, os.W_OK) or not found.st_mode & _WRITABLE:
        raise _refusal(_("{record} may not be written to; allow that first (chmod u+w), or append to a copy"), record)
    if found.st_nlink > 1:
        sentence = _("{record} has other names (hard links), where it would stay as it is; append to a copy")
        raise _refusal(sentence, record)
    return path


def _refusal(sentence: str, record: Record) -> PlaceError:
    return PlaceError(sentence.format(record=record.name), record.name)


def _append(record: Record, path: Path, make: Make) -> Added:
    with _alone(path) as stream:
        data = stream.read(SIZE + 1)
        if data.startswith(_GZIP) or path.suffix == ".gz":
            sentence = _("{record} is packed; unpack it first: what is appended to is a .jsonl or .dn file, or db:GAME")
            raise _refusal(sentence, record)
        game = Game.load(Held(record.name, data))
        first = len(game) + 1
        # The last line may lack its line feed.
        ending = b"\r\n" if data[: data.rfind(b"\n") + 1].endswith(b"\r\n") else b"\n"
        there = data if data.endswith(b"\n") else data + ending.removeprefix(data[-1:])
        try:
            events = [game.record(event).event for event in make(game, ())]
        except RecordError as error:
            if record.in_words:
                # Here an event number is not a line number: the new line would come after the whole file.
                error.line = there.count(b"\n") + 1
            raise
        lines = (_in_words(game, first) if record.in_words else encode_lines(events)).replace(b"\n", ending)
        if len(there) + len(lines) >= SIZE:
            raise UnreadableError(_("a record may have {most} bytes").format(most=SIZE), line=first)
        if record.in_words and Game.load(Held(record.name, there + lines)).events != game.events:
            sentence = _(
                "{record} would be read otherwise with these lines below it; append to the .jsonl that daynight read"
                " makes of it"
            )
            raise _refusal(sentence, record)
        # A copy with the new lines takes the file's place in one step. Appending in place would be shorter, but a disk
        # that is full, or a machine that stops, could leave half a line there, and then nobody reads the record.
        with written(path) as whole:
            if sys.platform != "win32":
                found = path.stat()
                # Only root can keep the file's owner; otherwise the new file belongs to the user who appends.
                with suppress(PermissionError):
                    os.fchown(whole.fileno(), found.st_uid, found.st_gid)
                os.fchmod(whole.fileno(), stat.S_IMODE(found.st_mode))
            whole.write(there + lines)
        _settle(path.resolve().parent)
    return Added(game, first, len(game))


def _in_words(game: Game, first: int) -> bytes:
    """Return the events from `first` on in the notation, written so that they continue the events before them."""
    from daynight.notation import lines_of

    lines = islice(lines_of(game.events, game.catalogue), first - 1, None)
    return "".join(f"{line}\n" for some in lines for line in some).encode()


@contextmanager
def _alone(path: Path) -> Iterator[BinaryIO]:
    """Open the file for reading, locked (except on Windows) until the end, so that no other append is lost."""
    while True:
        with path.open("rb") as stream:
            if sys.platform != "win32":
                import fcntl

                fcntl.flock(stream, fcntl.LOCK_EX)
                # While waiting, the file may have been replaced.
                if not os.path.samestat(os.fstat(stream.fileno()), path.stat()):
                    continue
            yield stream
            return


def _settle(folder: Path) -> None:
    """Sync the folder, so that the new name is on the disk too."""
    if sys.platform != "win32":
        place = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)
