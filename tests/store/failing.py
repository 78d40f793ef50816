"""Between a store and its SQLite file: every call may fail, as a seed says. Nothing else is random; no clock counts."""

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
"""Every way in which a call fails."""


class Killed(BaseException):
    """The process is gone: nothing that comes after happens."""


class Faults:
    """Which calls of one process fail, and how."""

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
        """How this call fails, or an empty text."""
        if self.dead:
            raise Killed
        # There are many statements to one beginning and one commit.
        if self._random.random() >= self.rate * (5 if kinds in (BEGIN, COMMIT) else 1):
            return ""
        kind = self._random.choice(kinds)
        self._fired[kind] += 1
        return kind

    def die(self) -> Killed:
        """The end of the process: the system closes what it had open."""
        self.dead = True
        for connection in self.open:
            # One that somebody still has a cursor of is not closed at once.
            with suppress(sqlite3.ProgrammingError):
                connection.rollback()
            connection.close()
        return Killed()

    def lock(self) -> None:
        """Somebody else has the file, until `unlock`."""
        self._holder = sqlite3.connect(self._database, isolation_level=None)
        self._holder.execute("BEGIN IMMEDIATE")

    def unlock(self) -> None:
        """Whoever had the file lets go of it."""
        if self._holder is not None:
            self._holder.close()
            self._holder = None

    def around(self, kinds: tuple[str, ...], real: sqlite3.Connection, call: Callable[[], Any]) -> Any:
        """A call that may fail."""
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
        # Else the end of the process would become an error that a store translates, and nobody would start it anew.
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
    """A store, and what happens to it; killed, it is started anew on the same file."""

    def __init__(self, settings: Settings, random: Random, fired: Counter[str]) -> None:
        self._settings = settings
        self._random = random
        self._fired = fired
        self.start()

    def start(self) -> None:
        """A new process."""
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
        """Killed, or ended as if it had been."""
        self.faults.die()
        self.faults.unlock()
