"""Copies of whole SQLite stores: a back-up of a store in use, and restoring a back-up.

A copy is written to a temporary file, so a killed process leaves nothing that opens as a store. The copy is in SQLite's
rollback mode: it has no log file, so a log beside it is known to belong to another store.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from io import BytesIO
from pathlib import Path
from tempfile import mkstemp
from typing import BinaryIO

from msgspec import Struct

from daynight.framework.language.errors import NotFoundError
from daynight.framework.language.wording import _
from daynight.machine.program import program
from daynight.machine.reserved import BESIDE, is_private_key
from daynight.machine.unnamed import give_name, unnamed
from daynight.store.database.guard import guarded
from daynight.store.database.sqlite import SQLiteGames
from daynight.store.database.sqlite_file import ROLLBACK, beginning, check_name, inspect
from daynight.store.errors import DamagedError, SettingsError, StoreError, UnavailableError
from daynight.store.files.connections import of_library
from daynight.store.inventory import is_empty

_KEPT = ".before"
_IN_MEMORY = 2**26
"""The largest store, in bytes, that is copied through memory; this briefly takes twice its size."""

_COUNTED = "SELECT count(DISTINCT originator_id), count(*) FROM stored_events"


class Copied(Struct, frozen=True):
    """The number of games and events in a copy; `kept` is the file with the replaced store, if there was one."""

    games: int
    events: int
    kept: Path | None = None


def backed_up(recorder: SQLiteGames, target: Path) -> Copied:
    """Copy a store that is in use into a new file, by SQLite's own online backup.

    Raises:
        FileExistsError: where the target exists already.
        OSError: naming the target, where it cannot be written.
        SettingsError: where the target's name is reserved for another use.
        UnavailableError: where there is not enough space.
    """
    check_name(target)
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    with (
        guarded(),
        recorder.datastore.get_connection(commit=False) as connection,
        _copied(connection._sqlite_conn, target) as (copied, name_it),
    ):
        name_it(target)
    return copied


def restored(backup: Path, target: Path) -> Copied:
    """Replace a store by a copy of a back-up; the old store is kept beside it, under another name.

    Raises:
        NotFoundError: where there is no such back-up.
        DamagedError: where the back-up is not an intact store.
        SettingsError: where the back-up is the store itself, or the target is no regular file, is a private key, or has
            a reserved name.
        UnavailableError: where another process uses the store, or there is not enough space.
    """
    backup, target = backup.absolute(), target.resolve()
    with guarded():
        name = inspect(backup)
    if name is None:
        sentence = _("{file}: no store there; give a file that {program} backup made")
        raise NotFoundError(sentence.format(file=backup, program=program()))
    if target.exists() and backup.samefile(target):
        raise SettingsError(_("{file}: the back-up is the store itself; name another file").format(file=backup))
    if os.path.lexists(target) and not target.is_file():
        raise SettingsError(_("{file}: no file; name another place with --db").format(file=target))
    check_name(target)
    if is_private_key(beginning(target)):
        raise SettingsError(_("{file}: a private key, and it stays; name another place with --db").format(file=target))
    with guarded(), closing(sqlite3.connect(name, uri=True, isolation_level=None)) as source:
        with _translating():
            found = source.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise DamagedError(_("{file}: the file is damaged: {reason}").format(file=backup, reason=found))
        with _copied(source, target) as (copied, name_it), _held(target):
            kept = _kept(target)
            name_it(part := _free(target, ".new"))
            try:
                part.replace(target)
            finally:
                part.unlink(missing_ok=True)
            _settle(target.parent)
    return Copied(copied.games, copied.events, kept)


def taken_back(recorder: SQLiteGames) -> bool:
    """Remove a store in which nothing was stored, as if it had never been created; return whether it is removed.

    A process that wants to write meanwhile waits for the lock, and is then refused, because a commit checks that its
    file exists. Windows removes no open file, so the store stays there.
    """
    if recorder.file is None:
        return False
    with suppress(StoreError, OSError), recorder.transaction(write=True):
        recorder.check_there()
        if not is_empty(recorder):
            return False
        recorder.file.unlink()
        for ending in BESIDE:
            Path(f"{recorder.file}{ending}").unlink(missing_ok=True)
    return not recorder.file.exists()


@contextmanager
def _copied(source: sqlite3.Connection, target: Path) -> Iterator[tuple[Copied, Callable[[Path], None]]]:
    """Copy into an unnamed or temporary file beside the target; yield a `Copied`, and a function to name the copy."""
    with ExitStack() as open_:
        try:
            if (whole := unnamed(target.parent, 0o600)) is not None:
                open_.callback(os.close, whole)
            with _translating():
                source.execute("BEGIN")
                open_.callback(source.rollback)
                copied = Copied(*source.execute(_COUNTED).fetchone())
            name = None
            if whole is None or not _by_memory(source, whole):
                name = _beside(source, target, whole, open_)

            def name_it(path: Path) -> None:
                if whole is not None:
                    give_name(whole, path)
                elif name is not None:
                    _link(name, path)
                _settle(path.parent)

            yield copied, name_it
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(target)) from None


def _by_memory(source: sqlite3.Connection, whole: int) -> bool:
    """Copy into the unnamed file `whole`, a descriptor; return False if the store is too large, or SQLite too old."""
    with _translating(), closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        size = source.execute("PRAGMA page_count").fetchone()[0] * source.execute("PRAGMA page_size").fetchone()[0]
        if size > _IN_MEMORY or not hasattr(copy, "serialize"):
            return False
        source.backup(copy, pages=-1)
        data = BytesIO(copy.serialize())
    data.seek(ROLLBACK[0])
    data.write(ROLLBACK[1])
    data.seek(0)
    _write(whole, data)
    return True


def _beside(source: sqlite3.Connection, target: Path, whole: int | None, open_: ExitStack) -> Path:
    """Copy into a temporary file, and from there into the unnamed file `whole`, if that is given.

    Return the path of the temporary file, which is already removed if `whole` is given.
    """
    # SQLite can only open files by name.
    number, name = mkstemp(prefix=".daynight-", dir=target.parent)
    open_.callback(Path(name).unlink, missing_ok=True)
    with _translating(), closing(sqlite3.connect(name, isolation_level=None)) as copy:
        if whole is not None:
            Path(name).unlink()
        passing = open_.enter_context(os.fdopen(number, "r+b"))
        copy.execute("PRAGMA journal_mode = MEMORY")
        copy.execute("PRAGMA synchronous = OFF")
        # All at once: a copy in steps would restart whenever another process writes.
        source.backup(copy, pages=-1)
    passing.seek(ROLLBACK[0])
    passing.write(ROLLBACK[1])
    passing.flush()
    if whole is None:
        os.fsync(passing.fileno())
    else:
        passing.seek(0)
        _write(whole, passing)
    return Path(name)


def _write(whole: int, data: BinaryIO) -> None:
    with os.fdopen(os.dup(whole), "wb") as stream:
        shutil.copyfileobj(data, stream, 2**20)
        stream.flush()
        os.fsync(stream.fileno())


def _link(path: Path, other: Path) -> None:
    """Give a file a second name, or, if the file system has no hard links, rename it."""
    try:
        os.link(path, other)
    except FileExistsError:
        raise
    except OSError:
        if os.path.lexists(other):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(other)) from None
        path.rename(other)


@contextmanager
def _held(target: Path) -> Iterator[None]:
    """Keep the store `target` locked in the block, after its log was written into it; ignore a file that is no store.

    Raises:
        UnavailableError: where somebody has it open.
    """
    with ExitStack() as open_:
        with suppress(DamagedError), guarded():
            # A file that is refused on opening is used by nobody.
            if target.exists() and inspect(target) is not None:
                holder = open_.enter_context(closing(sqlite3.connect(target, timeout=1, isolation_level=None)))
                try:
                    # SQLite writes the log into the file for the last process that has it open.
                    holder.execute("PRAGMA journal_mode = DELETE")
                    holder.execute("BEGIN EXCLUSIVE")
                except sqlite3.OperationalError as error:
                    sentence = _("{file}: somebody uses this store ({reason}); end that, and restore again")
                    raise UnavailableError(sentence.format(file=target, reason=error)) from None
                except sqlite3.DatabaseError:
                    # Damaged further in: it is kept as it is.
                    pass
        yield


def _kept(target: Path) -> Path | None:
    """Give the old store and SQLite's files beside it new names; return its new path, None if no file is there."""
    beside = [ending for ending in BESIDE if os.path.lexists(f"{target}{ending}")]
    there = target.exists() and target.stat().st_size > 0
    if not there and not beside:
        return None
    kept = _free(target, _KEPT)
    if there:
        _link(target, kept)
    for ending in beside:
        Path(f"{target}{ending}").rename(f"{kept}{ending}")
    return kept


def _free(target: Path, ending: str) -> Path:
    """Return an unused path beside `target`: its name with `ending` and, if that is used, `-2`, `-3` and so on."""
    number = 1
    while True:
        found = target.with_name(f"{target.name}{ending}{f'-{number}' if number > 1 else ''}")
        if not any(os.path.lexists(f"{found}{each}") for each in ("", *BESIDE)):
            return found
        number += 1


def _settle(folder: Path) -> None:
    """Sync a folder's entries to the disk, if the system supports it."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


@contextmanager
def _translating() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise of_library(error) from error
