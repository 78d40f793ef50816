"""A layer between a store and its SQLite file in which any call may fail. The seed decides which; no clock is used."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from eventsourcing.persistence import InterfaceError
from eventsourcing.sqlite import SQLiteConnection

from daynight.games import Store
from daynight.store.database.settings import Settings

STATEMENT = ("refused", "reply lost", "connection lost", "killed before", "killed after")
BEGIN = ("locked", "overtaken", *STATEMENT)
ANSWER = ("answer lost", "killed before the answer")
COMMIT = ("commit refused", "commit lost", "killed before the commit", "killed after the commit")
KINDS = (*BEGIN, *ANSWER, *COMMIT, "no connection", "rollback refused")
"""All the ways in which a call fails."""


class Killed(BaseException):
    """Simulates that the process was killed: `except Exception` does not catch it, so the process does nothing more."""


class Faults:
    """Decides which calls of one process fail, and how; `rate` is the probability, `fired` counts the failures."""

    def __init__(self, random: Random, database: Path, fired: Counter[str]) -> None:
        self.rate = 0.0
        self.dead = False
        self.open: list[sqlite3.Connection] = []
        self.overtake: Callable[[], None] = lambda: None
        self._random = random
        self._database = database
        self._fired = fired
        self._holder: sqlite3.Connection | None = None

    def pick(self, kinds: tuple[str, ...]) -> str:
        """Return one of `kinds` if this call fails, otherwise ""; raise Killed if the process is dead."""
        if self.dead:
            raise Killed
        # There are many statements to each begin and commit, so they fail less often.
        if self._random.random() >= self.rate * (5 if kinds in (BEGIN, COMMIT) else 1):
            return ""
        kind = self._random.choice(kinds)
        self._fired[kind] += 1
        return kind

    def die(self) -> Killed:
        """End the process, whose open connections are rolled back and closed; return the exception to raise."""
        self.dead = True
        for connection in self.open:
            # SQLite does not close a connection at once while a cursor of it exists.
            with suppress(sqlite3.ProgrammingError):
                connection.rollback()
            connection.close()
        return Killed()

    def lock(self) -> None:
        """Lock the file as another process would, until `unlock`."""
        self._holder = sqlite3.connect(self._database, isolation_level=None)
        self._holder.execute("BEGIN IMMEDIATE")

    def unlock(self) -> None:
        """Release the lock of the other process."""
        if self._holder is not None:
            self._holder.close()
            self._holder = None

    def around(self, kinds: tuple[str, ...], real: sqlite3.Connection, call: Callable[[], Any]) -> Any:
        """Run `call` and return its answer, or fail before or after it in one of `kinds`.

        Of these kinds, "locked" and "overtaken" first let another process lock the file or store a command.
        """
        kind = self.pick(kinds)
        if kind == "connection lost":
            real.close()
        elif kind == "locked":
            self.lock()
        elif kind == "overtaken":
            self.overtake()
        elif kind.startswith("killed before"):
            raise self.die()
        elif kind.endswith("refused") or kind == "answer lost":
            raise sqlite3.OperationalError("disk I/O error")
        answer = call()
        if kind.startswith("killed after"):
            raise self.die()
        if kind.endswith("lost") and kind != "connection lost":
            raise sqlite3.OperationalError("disk I/O error")
        return answer


class Cursor:
    """A cursor whose calls may fail."""

    def __init__(self, faults: Faults, connection: sqlite3.Connection) -> None:
        self._faults = faults
        self._connection = connection
        self._real = connection.cursor()

    def execute(self, *call: Any) -> Any:
        return self._faults.around(STATEMENT, self._connection, lambda: self._real.execute(*call))

    def executemany(self, *call: Any) -> Any:
        return self._faults.around(STATEMENT, self._connection, lambda: self._real.executemany(*call))

    def fetchone(self) -> Any:
        return self._faults.around(ANSWER, self._connection, self._real.fetchone)

    def fetchall(self) -> Any:
        return self._faults.around(ANSWER, self._connection, self._real.fetchall)

    def close(self) -> None:
        # Otherwise the store would translate Killed into its own error, and the test would not restart the process.
        if self._faults.dead:
            raise Killed
        self._real.close()


class Connection:
    """A connection whose calls may fail."""

    def __init__(self, faults: Faults, real: sqlite3.Connection) -> None:
        self._faults = faults
        self._real = real

    @property
    def in_transaction(self) -> bool:
        return self._real.in_transaction

    def cursor(self) -> Cursor:
        return Cursor(self._faults, self._real)

    def execute(self, statement: str) -> Any:
        kinds = BEGIN if statement == "BEGIN IMMEDIATE" else STATEMENT
        return self._faults.around(kinds, self._real, lambda: self._real.execute(statement))

    def commit(self) -> None:
        self._faults.around(COMMIT, self._real, self._real.commit)

    def rollback(self) -> None:
        self._faults.around(("rollback refused",), self._real, self._real.rollback)

    def close(self) -> None:
        self._real.close()


class Process:
    """A process with a store; if it is killed, the next one starts on the same file."""

    def __init__(self, settings: Settings, random: Random, fired: Counter[str]) -> None:
        self._settings = settings
        self._random = random
        self._fired = fired
        self.start()

    def start(self) -> None:
        """Start a new process: open the store again, with connections that may fail."""
        self.faults = Faults(self._random, Path(self._settings.path), self._fired)
        self.store = Store(self._settings)
        datastore: Any = self.store.recorder.datastore  # type: ignore[attr-defined]
        pool = datastore.pool
        real = pool._create_connection

        def create() -> SQLiteConnection:
            if self.faults.pick(("no connection",)):
                raise InterfaceError("unable to open database file")
            return self._watched(real())

        for each in pool._pool:
            self._watched(each)
        pool._create_connection = create

    def _watched(self, connection: SQLiteConnection) -> SQLiteConnection:
        self.faults.open.append(connection._sqlite_conn)
        connection._sqlite_conn = Connection(self.faults, connection._sqlite_conn)  # type: ignore[assignment]
        return connection

    def gone(self) -> None:
        """Clean up after a process that was killed or has ended: close its connections and release its lock."""
        self.faults.die()
        self.faults.unlock()
