"""Reads the rows of an application's database, and never writes.

SQLite is opened with `mode=ro`, PostgreSQL in read-only transactions. The tables are those that the library makes:
`stored_events` and `stored_snapshots`, or in PostgreSQL those that begin with the name of the application.
"""

from __future__ import annotations

import os
import re
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, Protocol
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from daynight.adapters.errors import AdoptedError
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _
from daynight.machine.addresses import may_hold_password, without_password

Id = UUID | str

PAGE = 500
"""How many aggregates are read at once."""


class Rows(Protocol):
    """The rows of an application's database; an id is spelled as the database spells it, without hyphens if a UUID."""

    place: str

    def ids(self, after: str, begin: str, limit: int) -> list[tuple[str, int, int, int]]:
        """Return id, number of events, first and last version of at most `limit` aggregates, in the order of the ids.

        Their ids are greater than `after` and start with `begin`.
        """
        ...

    def events(self, id: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        """Return the events of an aggregate whose versions are greater than `after`, in order."""
        ...

    def snapshots(self, id: str) -> list[StoredEvent]:
        """Return the snapshots of an aggregate, in order; none where there is no table of them."""
        ...

    def last(self) -> int:
        """Return the number of the latest notification; 0 if there is none."""
        ...


def rows_of(place: str, name: str, *, text_ids: bool = False, schema: str = "", immutable: bool = False) -> Rows:
    """Return the rows at a place: a file of SQLite, or `postgresql://...`. `name` is that of the application.

    Raises:
        AdoptedError: where no database of the library is there.
    """
    if place.startswith(("postgresql://", "postgres://")):
        return _Postgres(place, name, schema)
    if may_hold_password(place):
        raise AdoptedError(_("{place}: expected a file, or postgresql://...").format(place=without_password(place)))
    return _Sqlite(Path(place), text_ids=text_ids, immutable=immutable)


def _no_table(place: str, table: str, known: Sequence[str]) -> AdoptedError:
    sentence = _("{place} has no table {table}, where the application keeps its events; it has: {known}")
    return AdoptedError(sentence.format(place=place, table=table, known=commas([*known]) or _("no table")))


class _Sqlite:
    """A file of SQLite. Each reading opens it, so nothing is held while another program writes."""

    def __init__(self, path: Path, *, text_ids: bool, immutable: bool) -> None:
        self.place = str(path)
        self._path = path
        self._text_ids = text_ids
        self._mode = "mode=ro&immutable=1" if immutable else "mode=ro"
        if not path.is_file():
            raise AdoptedError(_("{place}: there is no such file").format(place=path))
        log = path.with_name(f"{path.name}-wal")
        if immutable and log.is_file() and log.stat().st_size:
            sentence = _("{place}: a part of it is in {log}, which is not read if the file is taken as immutable")
            raise AdoptedError(sentence.format(place=path, log=log.name))
        with self._reading() as connection:
            found = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        if "stored_events" not in found:
            raise _no_table(self.place, "stored_events", found)
        self._has_snapshots = "stored_snapshots" in found

    def ids(self, after: str, begin: str, limit: int) -> list[tuple[str, int, int, int]]:
        asked = (
            "SELECT originator_id, count(*), min(originator_version), max(originator_version) FROM stored_events"
            " WHERE originator_id > ? AND originator_id >= ? AND originator_id < ? GROUP BY originator_id"
            " ORDER BY originator_id LIMIT ?"
        )
        with self._reading() as connection:
            return connection.execute(asked, (after, begin, begin + "\U0010ffff", limit)).fetchall()

    def events(self, id: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        return self._rows("stored_events", id, after, limit)

    def snapshots(self, id: str) -> list[StoredEvent]:
        return self._rows("stored_snapshots", id, 0, None) if self._has_snapshots else []

    def last(self) -> int:
        with self._reading() as connection, suppress(sqlite3.OperationalError):
            return connection.execute("SELECT max(rowid) FROM stored_events").fetchone()[0] or 0
        return 0

    def _rows(self, table: str, id: str, after: int, limit: int | None) -> list[StoredEvent]:
        asked = (
            f"SELECT originator_version, topic, state FROM {table} WHERE originator_id = ? AND originator_version > ?"
            " ORDER BY originator_version LIMIT ?"
        )
        with self._reading() as connection:
            found = connection.execute(asked, (id, after, -1 if limit is None else limit)).fetchall()
        own = self._own(id)
        return [StoredEvent(own, version, topic, state) for version, topic, state in found]

    def _own(self, id: str) -> Any:
        return own_id(id, text=self._text_ids)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        uri = f"{self._path.resolve().as_uri()}?{self._mode}"
        with _Beside.of(self._path):
            try:
                with closing(sqlite3.connect(uri, uri=True, timeout=30)) as connection:
                    connection.execute("PRAGMA trusted_schema = OFF")
                    connection.execute("PRAGMA query_only = ON")
                    yield connection
            except sqlite3.DatabaseError as error:
                sentence = _("{place} can't be read: {reason}")
                raise AdoptedError(sentence.format(place=self.place, reason=error)) from error


class _Beside:
    """What SQLite puts beside a file that it only reads: an index of the log, and an empty log.

    A reader can't remove them, so they are removed here when the last reading ends; not where they were there before,
    and not while any other program has the file open.
    """

    _all: ClassVar[dict[Path, _Beside]] = {}
    _lock = threading.Lock()

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files = [path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-shm")]
        self._open = 0
        self._were_there = True

    @classmethod
    def of(cls, path: Path) -> _Beside:
        with cls._lock:
            return cls._all.setdefault(path.resolve(), cls(path.resolve()))

    def __enter__(self) -> None:
        with self._lock:
            if not self._open:
                self._were_there = any(os.path.lexists(one) for one in self._files)
            self._open += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._open -= 1
            if not self._open and not self._were_there:
                with suppress(OSError, ImportError):
                    self._remove()

    def _remove(self) -> None:
        import fcntl

        log = self._files[0]
        if not any(os.path.lexists(one) for one in self._files):
            return
        with open(self._path, "r+b") as stream:
            # Every connection locks a part of these bytes: with all of them locked, nobody has the file open.
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED[1], _SHARED[0])
            if not os.path.lexists(log) or not log.stat().st_size:
                for one in self._files:
                    one.unlink(missing_ok=True)


_SHARED = (0x40000002, 510)
"""Where in a file SQLite locks for reading, and how many bytes."""


class _Postgres:
    """A database of PostgreSQL. Each reading is a read-only transaction."""

    def __init__(self, place: str, name: str, schema: str) -> None:
        self.place = without_password(place)
        self._address = place
        self._schema = schema
        prefix = name.lower() or "stored"
        self._events, self._snapshots = f"{prefix}_events", f"{prefix}_snapshots"
        found = self._asked(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = coalesce(%s, current_schema())",
            (schema or None,),
        )
        tables = [row[0] for row in found]
        if self._events not in tables:
            raise _no_table(self.place, self._events, tables)
        self._has_snapshots = self._snapshots in tables
        kinds = self._asked(
            "SELECT data_type FROM information_schema.columns WHERE table_name = %s AND column_name = 'originator_id'",
            (self._events,),
        )
        self._text_ids = kinds[0][0] != "uuid"

    def ids(self, after: str, begin: str, limit: int) -> list[tuple[str, int, int, int]]:
        column = "originator_id" if self._text_ids else "replace(originator_id::text, '-', '')"
        conditions, values = ["true"], list[Any]()
        if begin and self._text_ids:
            conditions.append("originator_id LIKE %s")
            values.append(re.sub(r"([%_\\])", r"\\\1", begin) + "%")
        elif begin:
            if not re.fullmatch("[0-9a-f]{1,32}", begin):
                return []
            # The ids that begin so lie together: the index finds them.
            conditions.append("originator_id BETWEEN %s AND %s")
            values += [UUID(begin.ljust(32, fill)) for fill in "0f"]
        if after:
            conditions.append("originator_id > %s")
            values.append(self._own(after))
        found = self._asked(
            f"SELECT {column}, count(*), min(originator_version), max(originator_version) FROM {self._table()}"
            f" WHERE {' AND '.join(conditions)} GROUP BY originator_id ORDER BY originator_id LIMIT %s",
            (*values, limit),
        )
        return [(str(id), int(many), int(first), int(last)) for id, many, first, last in found]

    def events(self, id: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        return self._rows(self._events, id, after, limit)

    def snapshots(self, id: str) -> list[StoredEvent]:
        return self._rows(self._snapshots, id, 0, None) if self._has_snapshots else []

    def last(self) -> int:
        return int(self._asked(f"SELECT max(notification_id) FROM {self._table()}", ())[0][0] or 0)

    def _rows(self, table: str, id: str, after: int, limit: int | None) -> list[StoredEvent]:
        own = self._own(id)
        found = self._asked(
            f"SELECT originator_version, topic, state FROM {self._table(table)}"
            " WHERE originator_id = %s AND originator_version > %s ORDER BY originator_version LIMIT %s",
            (own, after, limit),
        )
        return [StoredEvent(own, int(version), str(topic), bytes(state)) for version, topic, state in found]

    def _own(self, id: str) -> Any:
        return own_id(id, text=self._text_ids)

    def _table(self, name: str | None = None) -> str:
        own = (name or self._events).replace('"', '""')
        schema = self._schema.replace('"', '""')
        return f'"{schema}"."{own}"' if schema else f'"{own}"'

    def _asked(self, statement: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        try:
            import psycopg
        except ImportError:
            from daynight.machine.installing import how_to_install

            sentence = _("this needs {packages}").format(packages="psycopg")
            raise AdoptedError(f"{sentence}; {how_to_install('postgres')}") from None
        try:
            with psycopg.connect(self._address, connect_timeout=10) as connection:
                connection.read_only = True
                return connection.execute(statement.encode(), values).fetchall()
        except psycopg.Error as error:
            sentence = _("{place} can't be read: {reason}")
            reason = without_password(str(error).strip().partition("\n")[0])
            raise AdoptedError(sentence.format(place=self.place, reason=reason)) from None


def own_id(id: str, *, text: bool) -> Any:
    """Return an id as the application has it: a UUID, or a text."""
    if text:
        return id
    try:
        return UUID(id)
    except ValueError:
        return id


def spelled_id(id: Id) -> str:
    """Return an id as people write it: a UUID with its hyphens."""
    return str(id)


def stored_id(id: str, *, text: bool = False) -> str:
    """Return the text of an id as a database has it: of a UUID its digits alone."""
    return id if text else id.replace("-", "").lower()
