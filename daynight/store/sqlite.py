"""A store in one SQLite file, or in memory: the library's SQLite recorder, made durable, fair and suspicious."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from eventsourcing.persistence import (
    ConnectionUnavailableError,
    DatabaseError,
    IntegrityError,
    InterfaceError,
    OperationalError,
)
from eventsourcing.sqlite import (
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteProcessRecorder,
)

from daynight.events.wording import _
from daynight.store.errors import DamagedError
from daynight.store.rows import BULK, Chunk, Cursor, GamesRecorder, Row, tables
from daynight.store.settings import Settings

__all__ = ["APPLICATION", "SCHEMA", "SQLiteGames", "backed_up", "inspect"]

APPLICATION = 0x64_61_79_6E
"""What is written into the file's header to say whose it is: "dayn"."""

SCHEMA = 1
"""The version of the tables."""

_MAGIC = b"SQLite format 3\0"

_memories = count(1)

_EVENTS = (
    "CREATE TABLE IF NOT EXISTS stored_events (originator_id TEXT NOT NULL, originator_version INTEGER NOT NULL,"
    " topic TEXT NOT NULL, state BLOB NOT NULL, digest BLOB NOT NULL,"
    " PRIMARY KEY (originator_id, originator_version))"
)
_TRACKING = (
    "CREATE TABLE IF NOT EXISTS tracking (application_name TEXT NOT NULL, notification_id INTEGER NOT NULL,"
    " PRIMARY KEY (application_name)) WITHOUT ROWID"
)
_STATEMENTS = (
    _EVENTS,
    _TRACKING,
    *(
        f"CREATE TABLE IF NOT EXISTS {name} ({columns}) WITHOUT ROWID"
        for name, columns in tables(blob="BLOB", integer="INTEGER").items()
    ),
)


class _Pool(SQLiteConnectionPool):
    """Connections on which a commit that was answered is on the disk, and no schema is trusted."""

    def _create_connection(self) -> SQLiteConnection:
        try:
            connection = super()._create_connection()
            raw = connection._sqlite_conn
            raw.execute("PRAGMA trusted_schema = OFF")
            raw.execute("PRAGMA cell_size_check = ON")
            raw.execute("PRAGMA synchronous = FULL")
            raw.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
            if raw.execute("PRAGMA synchronous").fetchone()[0] < 2:
                raise OperationalError("synchronous is not FULL: what is acknowledged might be lost")
        except sqlite3.Error as error:
            raise _translated(error) from error
        return connection


class _Datastore(SQLiteDatastore):
    """Who writes waits for a lock of our own, and takes the file's before it reads anything.

    The library's pool keeps the lock of a writer whose connection could not be opened; this one cannot.
    """

    def __init__(self, path: str, timeout: int) -> None:
        super().__init__(path, lock_timeout=timeout, pool_timeout=timeout, originator_id_type="text")
        self.pool = _Pool(db_name=path, lock_timeout=timeout, pool_timeout=timeout)
        self._writing = threading.RLock()
        self._timeout = timeout
        self._alone = self.pool.is_sqlite_memory_mode

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[SQLiteConnection]:
        # In memory all connections share one cache, where a reader would meet a writer's table lock.
        alone = commit or self._alone
        if alone and not self._writing.acquire(timeout=self._timeout):
            raise ConnectionUnavailableError("another thread writes for too long")
        try:
            connection = self.pool.get_connection()
            try:
                yield connection
            finally:
                self.pool.put_connection(connection)
        finally:
            if alone:
                self._writing.release()

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        with self.get_connection(commit=commit) as connection:
            cursor = connection.cursor()
            try:
                cursor.execute("BEGIN IMMEDIATE" if commit else "BEGIN")
                try:
                    yield cursor
                except BaseException:
                    connection.rollback()
                    raise
                if commit:
                    connection.commit()
                else:
                    connection.rollback()
            except sqlite3.Error as error:
                if connection._sqlite_conn.in_transaction:
                    connection.rollback()
                raise _translated(error) from error


def _translated(error: sqlite3.Error) -> Exception:
    for kind, ours in (
        (sqlite3.IntegrityError, IntegrityError),
        (sqlite3.OperationalError, OperationalError),
        (sqlite3.InterfaceError, InterfaceError),
    ):
        if isinstance(error, kind):
            return ours(str(error))
    return DatabaseError(str(error))


class SQLiteGames(GamesRecorder, SQLiteProcessRecorder):
    """The recorder of a SQLite file; it is made where there is none."""

    place = "rowid"

    def __init__(self, settings: Settings) -> None:
        GamesRecorder.__init__(self)
        if settings.kind == "memory":
            path = f"file:daynight-{next(_memories)}?mode=memory&cache=shared"
            self.file: Path | None = None
        else:
            self.file = Path(settings.path).absolute()
            path = str(self.file)
            inspect(self.file)
        SQLiteProcessRecorder.__init__(self, _Datastore(path, settings.timeout))
        self.create_table_statements = list(_STATEMENTS)
        with self.transaction(write=True) as cursor:
            for statement in self.create_table_statements:
                cursor.execute(statement)
            cursor.execute(f"PRAGMA application_id = {APPLICATION}")
            cursor.execute(f"PRAGMA user_version = {SCHEMA}")

    @contextmanager
    def begin(self, *, write: bool) -> Iterator[Cursor]:
        with self.datastore.transaction(commit=write) as cursor:
            yield cursor

    def add_events(self, cursor: Cursor, rows: Sequence[Row]) -> Sequence[int]:
        cursor.executemany(
            "INSERT INTO stored_events VALUES (?, ?, ?, ?, ?)",
            [(row.game, row.number, row.tag, row.line, row.digest) for row in rows],
        )
        # Nobody else writes in this transaction: the last places are ours.
        cursor.execute("SELECT max(rowid) FROM stored_events")
        last: int = cursor.fetchone()[0]
        return range(last - len(rows) + 1, last + 1)

    def chunks(self, game: str, after: int, until: int | None = None) -> Iterator[Chunk]:
        # One row of the database for thousands of events: a row each costs more than reading and replaying them.
        while True:
            limit = BULK if until is None else min(BULK, until - after)
            if limit <= 0:
                return
            found = self.select(
                "SELECT count(*), min(number), max(number), group_concat(DISTINCT topic),"
                " CAST(group_concat(line, char(10)) AS BLOB) FROM (SELECT originator_version AS number, topic,"
                " CAST(state AS TEXT) AS line FROM stored_events WHERE originator_id = ? AND originator_version > ?"
                " ORDER BY originator_version LIMIT ?)",
                game,
                after,
                limit,
            )
            many, first, last, tags, lines = found[0]
            if not many:
                return
            if first != after + 1 or last != after + many:
                raise DamagedError(_("event {event} is missing").format(event=after + 1), game=game, event=after + 1)
            yield Chunk(first, many, frozenset(str(tags).split(",")), lines + b"\n")
            after = last

    def check(self) -> None:
        with self.transaction(write=False) as cursor:
            cursor.execute("PRAGMA integrity_check(1)")
            found = cursor.fetchone()[0]
        if found != "ok":
            raise DamagedError(_("the file is damaged: {reason}").format(reason=found))

    def create_table(self) -> None:
        """Made when the file was opened."""

    def close(self) -> None:
        self.datastore.close()


def inspect(path: Path) -> None:
    """Look at a file before it is used: it is ours, of a version we know, and has just our tables.

    A file that is not there, or in which nothing is yet, is fine: whoever began to make a store there lost power. What
    SQLite had begun to write, it brings to an end; nothing else is written, and nothing that the file holds is run.

    Raises:
        DamagedError: where it is anything else.
    """
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return
    try:
        with open(path, "rb") as stream:
            if stream.read(len(_MAGIC)) != _MAGIC:
                raise ValueError(_("no SQLite file"))
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=30)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA cell_size_check = ON")
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            found = _schema(connection)
    except (OSError, sqlite3.Error, ValueError) as error:
        raise DamagedError(
            _("{path}: not a store: {reason}; give another file with --db").format(path=path, reason=error)
        ) from None
    if (application, version, found) == (0, 0, set()):
        return
    if application != APPLICATION:
        raise DamagedError(
            _("{path}: a SQLite file, but not one of daynight; give another file with --db").format(path=path)
        )
    if version != SCHEMA:
        raise DamagedError(
            _("{path}: a store of version {version}, this daynight knows {known}; use a newer one").format(
                path=path, version=version, known=SCHEMA
            )
        )
    if strange := sorted(found ^ _expected()):
        raise DamagedError(
            _("{path}: the store's tables are not those of daynight: {kind} {name}; do not use it").format(
                path=path, kind=strange[0][0], name=strange[0][1]
            )
        )


def _schema(connection: sqlite3.Connection) -> set[tuple[str, str, str, str]]:
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    return {(str(kind), str(name), str(table), str(sql)) for kind, name, table, sql in rows}


def _expected() -> set[tuple[str, str, str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in _STATEMENTS:
            connection.execute(statement)
        return _schema(connection)


def backed_up(recorder: SQLiteGames, target: Path, progress: Any = None) -> None:
    """Copy a store that is in use into a new file, by SQLite's own online backup.

    Raises:
        FileExistsError: where the target is there already.
    """
    target.open("xb").close()
    try:
        with (
            recorder.datastore.get_connection(commit=False) as connection,
            closing(sqlite3.connect(target)) as copy,
        ):
            connection._sqlite_conn.backup(copy, pages=1000, progress=progress)
            copy.execute("PRAGMA journal_mode = DELETE")
    except BaseException:
        target.unlink()
        raise
