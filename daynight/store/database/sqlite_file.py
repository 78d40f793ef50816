"""The file of a SQLite store: its required content, and checks before it is used."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Protocol, TypeAlias
from weakref import WeakSet

from eventsourcing.persistence import OperationalError

from daynight.framework.language.wording import _
from daynight.machine.program import program
from daynight.machine.reasons import reason_of
from daynight.machine.reserved import DATABASE, HEADS, beginning_of, ending_of, why_reserved
from daynight.store.database.declared import FORMAT, VIEWS, other_format, own_tables, tables_of
from daynight.store.database.rows import tables
from daynight.store.errors import DamagedError, SettingsError, UnavailableError

APPLICATION = 0x64_61_79_6E
"""The application id in the header of the file: "dayn"."""

SCHEMA = 1
"""The version of the tables."""

ROLLBACK = (18, b"\x01\x01")
"""The offset of the journal mode in a file's header, and its two bytes for rollback mode: no write-ahead log."""

_JOURNAL = bytes.fromhex("d9d505f920a163d7")
_PASSING = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM})
_NO_ROOM = frozenset({sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE})
"""SQLite's input and output errors where the disk has no room; the others mean damage of the file itself."""

_EVENTS = (
    "CREATE TABLE IF NOT EXISTS stored_events (originator_id TEXT NOT NULL, originator_version INTEGER NOT NULL,"
    " topic TEXT NOT NULL, state BLOB NOT NULL, digest BLOB NOT NULL,"
    " PRIMARY KEY (originator_id, originator_version))"
)
_TRACKING = (
    "CREATE TABLE IF NOT EXISTS tracking (application_name TEXT NOT NULL, notification_id INTEGER NOT NULL,"
    " PRIMARY KEY (application_name)) WITHOUT ROWID"
)


def made(name: str, columns: str) -> str:
    """Return the statement that creates a table, if it does not exist."""
    return f"CREATE TABLE IF NOT EXISTS {name} ({columns}) WITHOUT ROWID"


STATEMENTS = (_EVENTS, _TRACKING, *(made(*each) for each in tables(blob="BLOB", integer="INTEGER").items()))
"""The statements that create the tables, if they do not exist."""

_OWN = own_tables(integer="INTEGER")


_Schema: TypeAlias = set[tuple[str, str, str, str]]
_Look: TypeAlias = tuple[int, int, _Schema, _Schema, str]
"""The facts read from a file: application id, version, schema, expected schema, and the daynight that wrote it."""


class User(Protocol):
    """An object in this process that has a file open."""

    path: Path

    def rest(self) -> None:
        """Close unused connections before this process forks."""
        ...


_opening = threading.RLock()
_used: WeakSet[User] = WeakSet()


def used(by: User) -> None:
    """Note that an object of this process has a file open."""
    with _opening:
        _used.add(by)


def let_go(by: User) -> None:
    """Note that an object of this process has closed the file."""
    with _opening:
        _used.discard(by)


def _before_fork() -> None:
    # Held during a fork: a thread inspecting a file would otherwise leave the lock held in the child for ever.
    _opening.acquire()
    for each in list(_used):
        # A store that can't close its connections is refused in the child, and does not affect others.
        with suppress(Exception):
            each.rest()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_opening.release, after_in_child=_opening.release)


def inspect(path: Path) -> str | None:
    """Check a file before it is used: it must be a store of a known version, with exactly its tables.

    Returns the name by which SQLite must open it: its path or, for a read-only file, a URI. None if the file does not
    exist or is empty, which is allowed: power may have failed while a process created a store there. An unfinished
    transaction is completed or rolled back; nothing else is written, and no code in the file is run.

    Raises:
        DamagedError: where it is anything else.
        OperationalError: where the file cannot be checked now, or this process may not read it, or not write to it
            although SQLite has to.
        UnavailableError: where its folder cannot be read, or a read-only file has an unfinished log beside it.
        SettingsError: where the file's name is reserved for another use.
    """
    check_name(path)
    try:
        there = path.exists()
    except OSError as error:
        raise _no_place(path, error) from None
    try:
        if not there:
            return None
        if not path.is_file():
            # A pipe would block for ever, a device never ends.
            raise ValueError(_("no file"))
        _check_beside(path.resolve())
        # Checked before the header is read: a process that creates the log has written the header first.
        log = path.resolve().with_name(f"{path.resolve().name}-wal")
        has_log = log.exists()
        if path.stat().st_size == 0:
            return None
        _check_header(path, log.name if has_log else "")
        name, (application, version, found, expected, writer) = _opened(path)
    except (OSError, sqlite3.Error, ValueError) as error:
        code = getattr(error, "sqlite_errorcode", 0)
        if code & 0xFF == sqlite3.SQLITE_READONLY or isinstance(error, PermissionError):
            # SQLite keeps its log beside the file, even for readers.
            sentence = _("{path} may not be written here; copy it to where it may")
            raise OperationalError(sentence.format(path=path)) from error
        if code & 0xFF in _PASSING or code in _NO_ROOM:
            raise OperationalError(reason_of(error)) from error
        sentence = _("{path}: not a store: {reason}; give another file with --db")
        raise DamagedError(sentence.format(path=path, reason=reason_of(error))) from None
    if (application, version, found) == (0, 0, set()):
        return None
    if application != APPLICATION:
        sentence = _("{path}: a SQLite file, but not one of daynight; give another file with --db")
        raise DamagedError(sentence.format(path=path))
    if version != SCHEMA:
        raise DamagedError(other_format(path, version, SCHEMA, writer))
    if strange := sorted(found ^ expected):
        sentence = _("{path}: the store's tables are not those of daynight: {kind} {name}; do not use it")
        raise DamagedError(sentence.format(path=path, kind=strange[0][0], name=strange[0][1]))
    return name


def check_name(path: Path) -> None:
    """Check that the name does not end like SQLite's files beside a database (`-wal`) or a key's memory (`.heads`).

    An existing store with such a name is accepted if there is no file whose name is the same without the ending.

    Raises:
        SettingsError: where the name is reserved.
    """
    path = Path(os.path.realpath(path))
    if not (ending := ending_of(path.name)):
        return
    owner = path.with_name(path.name[: -len(ending)])
    with suppress(OSError):
        if path.stat().st_size and not owner.exists() and (ending != HEADS or beginning(path).startswith(DATABASE)):
            return
    raise SettingsError(_("{path}: no store: {reason}").format(path=path, reason=why_reserved(ending)))


def beginning(path: Path) -> bytes:
    """Return the first bytes of a file; for a store that this process has open, `DATABASE`, without opening the file.

    Closing any handle of a file drops all locks that the process has on it. Then another process would believe that it
    is the last user, and delete the log that this process still writes to.

    Raises:
        OSError: where the file cannot be read.
    """
    with _opening:
        return DATABASE if any(_is_same(each.path, path) for each in list(_used)) else beginning_of(path)


@contextmanager
def making(path: Path) -> Iterator[None]:
    """Replace SQLite's error in the block by one that says why no file can be created at `path`, if none can.

    Raises:
        UnavailableError: where the system creates no file there.
    """
    try:
        yield
    except OperationalError:
        try:
            # Beside the file, because the file itself may have been replaced by now.
            NamedTemporaryFile(dir=path.parent, prefix=f"{path.name[:64]}.").close()
            with suppress(FileNotFoundError):
                path.stat()  # a name may be too long
        except OSError as error:
            raise _no_place(path, error) from None
        raise


def _no_place(path: Path, error: OSError) -> UnavailableError:
    sentence = _(
        "{path}: no store can be made or read there: {reason}; --db PLACE, or DAYNIGHT_DB in the environment, names"
        " another place"
    )
    return UnavailableError(sentence.format(path=path, reason=reason_of(error)))


def _opened(path: Path) -> tuple[str, _Look]:
    """Return the name by which SQLite can open a file, writable or read-only, and the facts read from it so."""
    uri = path.as_uri()
    if _may_be_written(path):
        return str(path), _look(f"{uri}?mode=rw")
    try:
        return f"{uri}?mode=ro", _look(f"{uri}?mode=ro")
    except sqlite3.OperationalError as error:
        # Even a reader needs the log's index, which is created beside the file, unless nobody ever writes.
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
    if left := _left_beside(path):
        sentence = _(
            "{path} may not be written here, and {log} beside it is not done with; copy both to where they may"
        )
        raise UnavailableError(sentence.format(path=path, log=left))
    return f"{uri}?mode=ro&immutable=1", _look(f"{uri}?mode=ro&immutable=1")


def _may_be_written(path: Path) -> bool:
    """Return whether this process may write to at least one of two: the file, and its folder."""
    effective = os.access in os.supports_effective_ids
    file = path.resolve()
    return any(os.access(each, os.W_OK, effective_ids=effective) for each in (file, file.parent))


def _left_beside(path: Path) -> str:
    """Return the name of a file beside this one that may hold a part of the store; "" if there is none."""
    file = path.resolve()
    # The log's index is deleted together with the log: an index alone shows that there was one.
    for ending in ("-wal", "-journal", "-shm"):
        beside = file.with_name(f"{file.name}{ending}")
        if os.path.lexists(beside) and (not beside.is_file() or beside.stat().st_size):
            return beside.name
    return ""


def _look(uri: str) -> _Look:
    with closing(sqlite3.connect(uri, uri=True, timeout=30)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        # In one transaction: somebody else may be making the store just now.
        connection.execute("BEGIN")
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if connection.execute("PRAGMA encoding").fetchone()[0] != "UTF-8":
            # Lines are bytes that are read as text, so another encoding would change them.
            raise ValueError(_("its text is not UTF-8"))
        found = _schema(connection)
        return application, version, found, _expected(connection, found), _writer(connection, found)


def _check_header(path: Path, log: str) -> None:
    """Check that the file begins as a SQLite file does; in rollback mode, that there is no log beside it.

    SQLite would copy a log of another store into the file. A file that this process has open was checked before. `log`
    is the name of the log, "" if there is none. Raise ValueError for another kind of file, DamagedError for the log.
    """
    header = beginning(path)
    if not header.startswith(DATABASE):
        raise ValueError(_("no SQLite file"))
    if log and header[ROLLBACK[0] :].startswith(ROLLBACK[1]):
        sentence = _(
            "{log} beside it is another store's; do not copy a back-up over a store, but put it there with"
            " {program} restore BACKUP --db {path}, which keeps both"
        )
        raise DamagedError(sentence.format(log=log, program=program(), path=path))


def _is_same(path: Path, other: Path) -> bool:
    """Return whether both are the same file; a missing or inaccessible file is a different one."""
    try:
        return path.samefile(other)
    except OSError:
        return False


def _check_beside(path: Path) -> None:
    """Raise ValueError if SQLite must not read the log or the journal beside this file.

    Opening a pipe would wait for ever. And after a rollback SQLite deletes the file named at the end of the journal:
    only transactions over several files have such a name, and daynight makes none. `path` has no links in it, because
    SQLite looks beside the real file.
    """
    for ending in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(path.with_name(f"{path.name}{ending}").lstat().st_mode):
                raise ValueError(_("{log} beside it is no file").format(log=f"{path.name}{ending}"))
    journal = path.with_name(f"{path.name}-journal")
    try:
        if not stat.S_ISREG(journal.stat().st_mode):
            raise ValueError(_("its journal is no file"))
        with open(journal, "rb") as stream:
            stream.seek(-min(len(_JOURNAL), os.fstat(stream.fileno()).st_size), os.SEEK_END)
            if stream.read() == _JOURNAL:
                raise ValueError(_("its journal is not one of daynight"))
    except FileNotFoundError:
        # It does not exist, or no longer: another process may be creating the store now.
        return


def _schema(connection: sqlite3.Connection) -> _Schema:
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    return {(str(kind), str(name), str(table), str(sql)) for kind, name, table, sql in rows}


def _expected(connection: sqlite3.Connection, found: _Schema) -> _Schema:
    """Return the schema that a file should have: the tables of every store, those made on demand, and its views'."""
    own = {name: columns for name, columns in _OWN.items() if ("table", name) in {each[:2] for each in found}}
    made_ = _made(own)
    if VIEWS in own and made_ <= found:
        rows = connection.execute(f"SELECT name, columns FROM {VIEWS}").fetchall()
        made_ = _made(own | tables_of(rows, integer="INTEGER"))
    return made_


def _writer(connection: sqlite3.Connection, found: _Schema) -> str:
    """Return the version of the daynight that wrote the store; "" if it is not recorded."""
    if ("table", FORMAT) not in {each[:2] for each in found}:
        return ""
    rows = connection.execute(f"SELECT daynight FROM {FORMAT}").fetchall()
    return str(rows[0][0]) if rows else ""


def _made(more: dict[str, str]) -> _Schema:
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in (*STATEMENTS, *(made(*each) for each in more.items())):
            connection.execute(statement)
        return _schema(connection)
