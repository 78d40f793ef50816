"""A store in one SQLite file, or in memory: the library's SQLite recorder, durable, fair to writers, and checked."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any, cast

from eventsourcing import persistence
from eventsourcing.sqlite import (
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteProcessRecorder,
)

from daynight.framework.language.wording import _
from daynight.store.database.guard import guarded
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import BULK, Chunk, Cursor, Row
from daynight.store.database.settings import Settings
from daynight.store.database.sqlite_file import APPLICATION, SCHEMA, STATEMENTS, inspect, let_go, made, making, used
from daynight.store.errors import DamagedError, UnavailableError
from daynight.store.records import missing

POLL = 0.02
"""Seconds between two polls of a subscription. A poll costs some microseconds if nothing was stored."""

_memories = count(1)
_MEMORY = "file:daynight-"
_FIXED = "file://"
"""How the name of a database begins that is in memory, or of a file that nobody may write: others are plain paths."""


_CHUNK = (
    "SELECT count(*), max(number), group_concat({tags}), CAST(group_concat(state, '\n') AS BLOB), {typed}, {digests}"
    " FROM (SELECT originator_version AS number, topic, state{column} FROM stored_events"
    " WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? ORDER BY originator_version)"
)
_PLAIN = _CHUNK.format(tags="DISTINCT topic", typed="0", digests="x''", column="")
_CHAINED = _CHUNK.format(
    tags="topic",
    # SQLite would join a value of another type to the others without an error.
    typed=(
        "sum(typeof(number) = 'integer' AND typeof(topic) = 'text'"
        " AND typeof(state) = 'blob' AND typeof(digest) = 'blob')"
    ),
    digests="CAST(group_concat(digest, '') AS BLOB)",
    column=", digest",
)


class _Pool(SQLiteConnectionPool):
    """Connections with durable commits that trust no schema."""

    @staticmethod
    def detect_memory_mode(db_name: str) -> bool:
        # The library takes a file for memory whose path has one of SQLite's words for it.
        return db_name.startswith(_MEMORY)

    def _create_connection(self) -> SQLiteConnection:
        # Not the library's own: it has one statement kept ready, so that every one is compiled again each time, which
        # costs as much as running it; and it would not wait for whoever turns to the log at the same time.
        timeout = self.lock_timeout or 0
        try:
            raw = sqlite3.connect(
                self.db_name, timeout=timeout, isolation_level=None, check_same_thread=False, uri=True
            )
            raw.row_factory = sqlite3.Row
            # For a file that is made now. A turn fills half a page: with pages twice as large, twice as much is synced.
            raw.execute("PRAGMA page_size = 2048")
            if not self.db_name.startswith((_MEMORY, _FIXED)):
                _keep_log(raw, timeout)
            raw.execute("PRAGMA trusted_schema = OFF")
            raw.execute("PRAGMA cell_size_check = ON")
            raw.execute("PRAGMA cache_size = -16384")
            raw.execute("PRAGMA synchronous = FULL")
            raw.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
            raw.text_factory = _text
            if raw.execute("PRAGMA synchronous").fetchone()[0] < 2:
                raise persistence.OperationalError("synchronous is not FULL: what is acknowledged might be lost")
        except sqlite3.Error as error:
            raise _translated(error) from error
        return SQLiteConnection(raw, max_age=self.max_age)

    def close(self) -> None:
        # A lent connection is closed when it is returned: closing it under a running statement ends the process.
        with self._put_condition:
            self._closed = True
            while self._pool:
                self._pool.popleft().close()


def _text(data: bytes) -> str | bytes:
    """Decode text of the database; bytes that are no UTF-8 stay bytes, and are refused where text is expected."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


class _Datastore(SQLiteDatastore):
    """The connections of a file. A writer waits for our own lock, then takes the file's before it reads anything.

    The library's pool keeps the lock of a writer whose connection could not be opened; this one does not.
    """

    def __init__(self, name: str, path: Path, timeout: int) -> None:
        super().__init__(name, lock_timeout=timeout, pool_timeout=timeout, originator_id_type="text")
        self.pool = _Pool(db_name=name, lock_timeout=timeout, pool_timeout=timeout)
        self._writing = threading.RLock()
        self._writer: SQLiteConnection | None = None
        self._timeout = timeout
        self._alone = self.pool.is_sqlite_memory_mode
        self.path = path
        if not self._alone:
            used(self)

    def _lend(self, *, commit: bool) -> SQLiteConnection:
        """Lend a connection. Committing callers share one, one caller at a time."""
        # In memory all connections share one cache, where a reader would meet a writer's table lock.
        if (commit or self._alone) and not self._writing.acquire(timeout=self._timeout):
            raise persistence.ConnectionUnavailableError("another thread writes for too long")
        try:
            return self._writers() if commit else self.pool.get_connection()
        except BaseException:
            if commit or self._alone:
                self._writing.release()
            raise

    def _take_back(self, connection: SQLiteConnection, *, commit: bool) -> None:
        try:
            if not commit:
                self.pool.put_connection(connection)
        except persistence.ConnectionPoolClosedError:
            connection.close()
        finally:
            if commit or self._alone:
                self._writing.release()

    def _writers(self) -> SQLiteConnection:
        """The one connection that writes."""
        if self._writer is None or self._writer.closed:
            if self.pool.closed:
                raise persistence.InterfaceError("the store is closed")
            writer = self.pool._create_connection()
            try:
                # It waits its turn elsewhere, in `_take_turn`.
                writer._sqlite_conn.execute("PRAGMA busy_timeout = 0")
            except sqlite3.Error as error:
                self._let_go(writer)
                raise _translated(error) from error
            self._writer = writer
        return self._writer

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[SQLiteConnection]:
        connection = self._lend(commit=commit)
        try:
            yield connection
        finally:
            self._take_back(connection, commit=commit)

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        connection = self._lend(commit=commit)
        try:
            if commit:
                _take_turn(connection._sqlite_conn, self._timeout)
            else:
                connection._sqlite_conn.execute("BEGIN")
            cursor = connection.cursor()
            try:
                yield cursor
            except BaseException:
                connection.rollback()
                raise
            finally:
                # A cursor left to the garbage collector would reset its statement later, perhaps under another thread.
                cursor.sqlite_cursor.close()
            if commit:
                connection.commit()
            else:
                connection.rollback()
        except sqlite3.Error as error:
            self._let_go(connection)
            raise _translated(error) from error
        except BaseException:
            # An interrupt may come between any two steps. The open transaction must not keep the file locked.
            with suppress(sqlite3.Error):
                if connection._sqlite_conn.in_transaction:
                    self._let_go(connection)
            raise
        finally:
            self._take_back(connection, commit=commit)

    def close(self) -> None:
        super().close()
        with self._writing:
            if self._writer is not None:
                self._writer.close()
        let_go(self)

    def _let_go(self, connection: SQLiteConnection) -> None:
        """Close a connection after an error, because its state is unknown; the pool drops closed ones.

        A store in memory may have no other connection; closing the last one would delete everything.
        """
        with suppress(sqlite3.Error):
            if connection._sqlite_conn.in_transaction:
                connection.rollback()
        if not self._alone:
            with suppress(sqlite3.Error):
                connection.close()


def _keep_log(connection: sqlite3.Connection, timeout: float) -> None:
    """Switch a file to write-ahead logging. SQLite itself does not wait if several processes create a store at once."""
    began = monotonic()
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
                raise persistence.OperationalError("the file cannot have its log written ahead")
        except sqlite3.OperationalError as error:
            if monotonic() - began > timeout or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            sleep(0.001)


def _take_turn(connection: sqlite3.Connection, timeout: float) -> None:
    """Begin to write as soon as no other process does, within so many seconds.

    SQLite sleeps longer the longer it has waited: of eight processes that wrote all the time, some waited six seconds.
    Here a process that has waited longer asks more often than one that has just come, so all get their turn. After some
    seconds the cause is not a busy writer, and asking often is pointless.
    """
    began = monotonic()
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            waited = monotonic() - began
            if waited > timeout or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
        sleep(0.001 if waited < 0.01 else 0.0003 if waited < 1 else 0.01)


_OURS: dict[type[sqlite3.Error], type[Exception]] = {
    sqlite3.IntegrityError: persistence.IntegrityError,
    sqlite3.OperationalError: persistence.OperationalError,
    sqlite3.InterfaceError: persistence.InterfaceError,
    # The connection was closed meanwhile.
    sqlite3.ProgrammingError: persistence.InterfaceError,
}


def _translated(error: sqlite3.Error) -> Exception:
    return _OURS.get(type(error), persistence.DatabaseError)(str(error))


class _Subscription(persistence.ListenNotifySubscription[SQLiteProcessRecorder]):
    """Polls the file: SQLite does not notify other processes, so the library has no subscription for it."""

    def _loop_on_pull(self) -> None:
        try:
            while not self._has_been_stopped:
                self._pull()
                self._has_been_notified.wait(POLL)
        except BaseException as error:
            self._thread_error = error
            self.stop()


class SQLiteGames(GamesRecorder, SQLiteProcessRecorder):
    """The recorder of a SQLite file; it is made where there is none. Where nothing may be written, it is `fixed`."""

    place = "rowid"

    def __init__(self, settings: Settings) -> None:
        GamesRecorder.__init__(self)
        self.address, self.shown = settings.address, "" if settings.kind == "memory" else settings.shown
        there: str | None = None
        if settings.kind == "memory":
            name = f"{_MEMORY}{next(_memories)}?mode=memory&cache=shared"
            self.file: Path | None = None
        else:
            self.file = Path(settings.path).absolute()
            there = inspect(self.file)
            name = there or str(self.file)
            self.fixed = name.startswith(_FIXED)
        SQLiteProcessRecorder.__init__(self, _Datastore(name, self.file or Path(), settings.timeout))
        self.create_table_statements = list(STATEMENTS)
        if there is not None:
            # Nothing is written, so reading works on a full disk, and while somebody writes.
            return
        with making(self.file or Path()), self.transaction(write=True) as cursor:
            for statement in self.create_table_statements:
                cursor.execute(statement)
            cursor.execute(f"PRAGMA application_id = {APPLICATION}")
            cursor.execute(f"PRAGMA user_version = {SCHEMA}")

    def begin(self, *, write: bool) -> AbstractContextManager[Cursor]:
        if write and self.fixed:
            raise UnavailableError(
                _("{path} may only be read here; copy it to where it may be written: daynight backup FILE --db {path}")
                .format(path=self.file)
            )  # fmt: skip
        return self.datastore.transaction(commit=write)

    def select(self, statement: str, *params: Any) -> list[Any]:
        with self.transaction(write=False) as cursor:
            # The library's rows have names, which nobody asks for, and take a third longer to be made.
            cast(SQLiteCursor, cursor).sqlite_cursor.row_factory = None
            return super().select(statement, *params)

    def add_events(self, cursor: Cursor, rows: Sequence[Row]) -> None:
        cursor.executemany(
            "INSERT INTO stored_events VALUES (?, ?, ?, ?, ?)",
            # Python looks for an adapter of bytes each time, which takes as long as to insert them; not of a bytearray.
            ((row.game, row.number, row.tag, bytearray(row.line), bytearray(row.digest)) for row in rows),
        )

    def chunks(self, game: str, after: int, until: int | None = None, *, digests: bool = False) -> Iterator[Chunk]:
        # One row of the database for thousands of events: a row each costs more than reading and replaying them.
        # The range is faster than a limit. Numbers are there once: as many as the last one is further are all of them.
        statement = _CHAINED if digests else _PLAIN
        while until is None or after < until:
            upto = after + BULK if until is None else min(after + BULK, until)
            many, last, tags, lines, typed, joined = self.select(statement, game, after, upto)[0]
            if not many:
                return
            if last != after + many:
                raise missing(self, game, after)
            yield Chunk(after + 1, many, str(tags).split(","), lines + b"\n", joined if typed == many else b"")
            after = last

    def has_table(self, name: str) -> bool:
        return bool(self.select("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name))

    def make_table(self, cursor: Cursor, name: str, columns: str) -> None:
        cursor.execute(made(name, columns))

    def check(self) -> None:
        with self.transaction(write=False) as cursor:
            cursor.execute("PRAGMA integrity_check(1)")
            found = cursor.fetchone()[0]
        if found != "ok":
            raise DamagedError(_("the file is damaged: {reason}").format(reason=found))

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> persistence.Subscription[persistence.ApplicationRecorder]:
        return _Subscription(recorder=self, gt=gt, topics=topics)

    def create_table(self) -> None:
        """Do nothing: opening the file makes the tables."""

    def close(self) -> None:
        self.datastore.close()


def backed_up(recorder: SQLiteGames, target: Path) -> None:
    """Copy a store that is in use into a new file, by SQLite's own online backup.

    Raises:
        FileExistsError: where the target is there already.
        UnavailableError: where there is no room for it.
    """
    target.open("xb").close()
    try:
        with (
            guarded(),
            recorder.datastore.get_connection(commit=False) as connection,
            closing(sqlite3.connect(target)) as copy,
        ):
            try:
                # All at once: in pieces it would begin again whenever another process has written.
                connection._sqlite_conn.backup(copy, pages=-1)
                copy.execute("PRAGMA journal_mode = DELETE")
            except sqlite3.Error as error:
                raise _translated(error) from error
    except BaseException:
        target.unlink()
        raise
