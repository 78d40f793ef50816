"""The connections of one SQLite file: durable, fair to writers, and all to the same file that was first opened.

An open SQLite connection must not be inherited by a fork: the locks stay with the parent, and SQLite in the child
believes that it has them. So unused connections are closed before a fork, and parent and child open the file again when
needed.
"""

from __future__ import annotations

import math
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TypeAlias

from eventsourcing import persistence
from eventsourcing.sqlite import SQLiteConnection, SQLiteConnectionPool, SQLiteCursor, SQLiteDatastore

from daynight.framework.language.wording import _
from daynight.store.database.sqlite_file import let_go, used
from daynight.store.errors import UnavailableError, of_another_process
from daynight.store.threads import Process

MEMORY = "file:daynight-"
FIXED = "file://"
"""How the name begins by which SQLite opens a database in memory, or a read-only file; other names are paths."""


class _Pool(SQLiteConnectionPool):
    """Connections with durable commits and without a trusted schema, all to the file that the first of them opened."""

    def __init__(self, name: str, path: Path, timeout: int, which: Which | None = None) -> None:
        super().__init__(db_name=name, lock_timeout=timeout, pool_timeout=timeout)
        self._path = str(path)
        # A read-only store acknowledges nothing.
        self._compared = not name.startswith((MEMORY, FIXED))
        self.which = which
        self._seen = -math.inf

    @staticmethod
    def detect_memory_mode(db_name: str) -> bool:
        # The library mistakes a path that contains one of SQLite's words for memory.
        return db_name.startswith(MEMORY)

    def _create_connection(self) -> SQLiteConnection:
        # Not the library's own connection: it caches only one statement, so every one is compiled again each time,
        # which costs as much as running it; and it would not wait while another process switches to the log.
        timeout = self.lock_timeout or 0
        before = self._begin() if self._compared else None
        raw: sqlite3.Connection | None = None
        try:
            raw = sqlite3.connect(
                self.db_name, timeout=timeout, isolation_level=None, check_same_thread=False, uri=True
            )
            raw.row_factory = sqlite3.Row
            # For a new file. A turn fills half a page: with pages twice as large, twice as much is synced.
            raw.execute("PRAGMA page_size = 2048")
            if self._compared:
                _keep_log(raw, timeout)
                self._compare(raw, before)
            raw.execute("PRAGMA trusted_schema = OFF")
            raw.execute("PRAGMA cell_size_check = ON")
            raw.execute("PRAGMA cache_size = -16384")
            raw.execute("PRAGMA synchronous = FULL")
            raw.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
            raw.text_factory = _text
            if raw.execute("PRAGMA synchronous").fetchone()[0] < 2:
                raise persistence.OperationalError("synchronous is not FULL: what is acknowledged might be lost")
        except sqlite3.Error as error:
            if raw is not None:
                raw.close()
            raise of_library(error) from error
        return SQLiteConnection(raw, max_age=self.max_age)

    def _begin(self) -> Which | None:
        """Return the identity of the file; create a missing one, readable by its owner alone, and return None then."""
        found = _which(self._path)
        if self.which is not None and found != self.which:
            # SQLite would create a new one.
            raise gone(self._path)
        if found is None:
            # If none can be created, SQLite can't either; the error then says why.
            with suppress(OSError):
                os.close(os.open(os.path.realpath(self._path), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        return found

    def _compare(self, raw: sqlite3.Connection, before: Which | None) -> None:
        """Close a connection and raise UnavailableError if the file was replaced since `before`; note its identity."""
        found = _which(self._path)
        if found is None or (before is not None and before != found):
            raw.close()
            raise gone(self._path)
        self.which = found

    def check_there(self) -> None:
        """Check that the open file is still the one at that path. Every append calls this, so each step costs time.

        Raises:
            UnavailableError: where the file was removed, moved or replaced.
        """
        # For a read-only file its identity was never noted.
        if self.which is not None:
            try:
                check_which(self._path, self.which)
            except UnavailableError:
                self._seen = -math.inf
                raise

    def check_lately(self, now: float) -> None:
        """Like `check_there`, but do nothing if this method checked at most `_LATELY` seconds before `now`.

        Raises:
            UnavailableError: as `check_there`.
        """
        if now - self._seen > _LATELY:
            self.check_there()
            self._seen = now

    def rest(self) -> None:
        """Close the unused connections."""
        with self._put_condition:
            while self._pool:
                self._pool.popleft().close()

    @property
    def is_open(self) -> bool:
        """Whether it has any connection. A fork asks this, where locks may be held for ever, so it takes no lock."""
        return bool(self._pool or self._in_use)

    def close(self) -> None:
        # A connection in use is closed when it is returned: closing it under a running statement crashes the process.
        with self._put_condition:
            self._closed = True
            while self._pool:
                self._pool.popleft().close()


_LATELY = 0.05
"""The check before a transaction is skipped for so many seconds after a check; the check after a transaction never."""

Which: TypeAlias = tuple[int, int]
"""The device and inode of a file: its identity on this machine, whatever its name."""


def _which(path: str) -> Which | None:
    try:
        # Path.stat takes four times as long, and this is asked at each append.
        found = os.stat(path)  # noqa: PTH116
    except OSError:
        return None
    return found.st_dev, found.st_ino


def check_which(path: str, which: Which) -> None:
    """Check that a path still names the file with this identity.

    Raises:
        UnavailableError: where that file was removed, moved or replaced.
    """
    if _which(path) != which:
        raise gone(path)


def gone(path: str) -> UnavailableError:
    """Return the error that the file of an open store was removed, moved or replaced."""
    sentence = _(
        "{path}: the store that was opened is not there any more: it was removed, moved or replaced. Nothing is"
        " acknowledged: put it back, or open the one that is there now, and send again what was not answered"
    )
    return UnavailableError(sentence.format(path=path))


def _text(data: bytes) -> str | bytes:
    """Decode text of the database; bytes that are not UTF-8 stay bytes, and are refused where text is expected."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


class Connections(SQLiteDatastore):
    """The connections of a file.

    A writer waits for this process's lock, then takes the file's lock before it reads anything. The library's pool
    never releases the lock of a writer whose connection could not be opened; this class does.
    """

    def __init__(self, name: str, path: Path, timeout: int) -> None:
        super().__init__(name, lock_timeout=timeout, pool_timeout=timeout, originator_id_type="text")
        self._name = name
        self._timeout = timeout
        self.path = path
        self._writer: SQLiteConnection | None = None
        self.pool: _Pool = _Pool(name, path, timeout)
        self._alone = self.pool.is_sqlite_memory_mode
        self._begin()
        if not self._alone:
            used(self)

    def _begin(self) -> None:
        self._process = Process.number
        self._writing = threading.RLock()

    def rest(self) -> None:
        """Close unused connections before this process forks."""
        if self._alone or not self._writing.acquire(blocking=False):
            return
        try:
            # The forking thread may hold the lock itself, in the middle of a transaction.
            if self._writer is not None and not self._writer.closed and not self._writer._sqlite_conn.in_transaction:
                self._writer.close()
        finally:
            self._writing.release()
        self.pool.rest()

    def _begin_anew(self) -> None:
        """Make new locks and a new pool in a fork of the process that opened the file.

        Raises:
            UnavailableError: where the fork inherited an open connection.
        """
        if self._alone or self.pool.is_open or not (self._writer is None or self._writer.closed):
            raise of_another_process()
        if not self.pool.closed:
            self.pool = _Pool(self._name, self.path, self._timeout, self.pool.which)
        self._begin()

    def _lend(self, *, commit: bool) -> SQLiteConnection:
        """Return a connection. Callers that commit share one connection, one at a time."""
        if self._process != Process.number:
            self._begin_anew()
        # In memory all connections share one cache, where a reader would meet a writer's table lock.
        if (commit or self._alone) and not self._writing.acquire(timeout=self._timeout):
            raise persistence.ConnectionUnavailableError("another thread writes for too long")
        try:
            if not commit:
                return self.pool.get_connection()
            if self._writer is None or self._writer.closed:
                self._writer = self._open_writer()
            return self._writer
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

    def _open_writer(self) -> SQLiteConnection:
        """Open the single connection for writing."""
        if self.pool.closed:
            raise persistence.InterfaceError("the store is closed")
        writer = self.pool._create_connection()
        try:
            # It waits for its turn in `_take_turn`.
            writer._sqlite_conn.execute("PRAGMA busy_timeout = 0")
        except sqlite3.Error as error:
            self._let_go(writer)
            raise of_library(error) from error
        return writer

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
                # The file now at that path has this log beside it, and would be written to.
                self.pool.check_lately(began := monotonic())
                _take_turn(connection._sqlite_conn, self._timeout, began)
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
                self.pool.check_there()
            else:
                connection.rollback()
        except sqlite3.Error as error:
            self._let_go(connection)
            self.pool.check_there()
            raise of_library(error) from error
        except BaseException:
            # An interrupt may come between any two steps. The open transaction must not keep the file locked.
            with suppress(sqlite3.Error):
                if connection._sqlite_conn.in_transaction:
                    self._let_go(connection)
            raise
        finally:
            self._take_back(connection, commit=commit)

    def close(self) -> None:
        if self._process != Process.number and (self.pool.is_open or not (self._writer is None or self._writer.closed)):
            # They belong to the parent: closing them here would write to its log.
            _left.append((self.pool, self._writer))
            return
        super().close()
        with self._writing:
            if self._writer is not None:
                self._writer.close()
        let_go(self)

    def _let_go(self, connection: SQLiteConnection) -> None:
        """Close a connection after an error, because its state is unknown; the pool drops closed ones.

        A store in memory keeps it, rolled back: closing its last connection would delete everything.
        """
        with suppress(sqlite3.Error):
            if connection._sqlite_conn.in_transaction:
                connection.rollback()
        if not self._alone:
            with suppress(sqlite3.Error):
                connection.close()


def _keep_log(connection: sqlite3.Connection, timeout: float) -> None:
    """Switch a file to write-ahead logging. Retry until `timeout` while others create the store."""
    began = monotonic()
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
                raise persistence.OperationalError("the file cannot have its log written ahead")
        except sqlite3.OperationalError as error:
            if monotonic() - began > timeout or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            sleep(0.001)


def _take_turn(connection: sqlite3.Connection, timeout: float, began: float) -> None:
    """Begin to write as soon as no other process does; give up `timeout` seconds after the time `began`.

    SQLite sleeps longer the longer it has waited: of eight processes that wrote all the time, some waited six seconds.
    Here a process that has waited longer polls more often than one that has just begun, so all get their turn. After
    one second the cause is not a busy writer, and frequent polls are pointless.
    """
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


_left: list[object] = []
"""Connections inherited from the parent process, which are never closed here."""


def of_library(error: sqlite3.Error) -> Exception:
    """Return the library's error for an error of SQLite."""
    return _OURS.get(type(error), persistence.DatabaseError)(str(error))
