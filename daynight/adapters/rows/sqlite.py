"""A file of SQLite, read only."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from eventsourcing.persistence import StoredEvent

from daynight.adapters.errors import AdoptedError
from daynight.adapters.rows.beside import Beside
from daynight.adapters.rows.stored import HEADS, NAMED, Head, Noticed, head_of, like, no_table, own_id
from daynight.framework.language.wording import _


class Sqlite:
    """A file of SQLite. Each reading opens it anew, so no lock is held while another program writes."""

    def __init__(self, path: Path, *, text_ids: bool, immutable: bool) -> None:
        self.place = str(path)
        self._path = path
        self._text_ids = text_ids
        self._mode = "mode=ro&immutable=1" if immutable else "mode=ro"
        if path.is_dir():
            raise AdoptedError(_("{place}: this is a folder; name the database file in it").format(place=path))
        if not path.is_file():
            raise AdoptedError(_("{place}: there is no such file").format(place=path))
        log = path.with_name(f"{path.name}-wal")
        if immutable and log.is_file() and log.stat().st_size:
            sentence = _("{place}: a part of it is in {log}, which is not read if the file is taken as immutable")
            raise AdoptedError(sentence.format(place=path, log=log.name))
        with self._reading() as connection:
            found = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        if "stored_events" not in found:
            raise no_table(self.place, "stored_events", found)
        self._has_snapshots = "stored_snapshots" in found

    def held(self) -> AbstractContextManager[None]:
        """Return a block during which the files that SQLite creates beside the file stay; its end removes the new ones.

        If two processes read, the later one does not remove the files, because they existed when it began; the first
        one can't remove them while the other reads.
        """
        return Beside.of(self._path)

    def ids(self, after: str, begin: str, limit: int) -> list[tuple[str, int, int, int]]:
        """Return id, number of events, first and last version of at most `limit` aggregates, as `Rows.ids` says."""
        asked = (
            "SELECT originator_id, count(*), min(originator_version), max(originator_version) FROM stored_events"
            " WHERE originator_id > ? AND originator_id >= ? AND originator_id < ? GROUP BY originator_id"
            " ORDER BY originator_id LIMIT ?"
        )
        with self._reading() as connection:
            return connection.execute(asked, (after, begin, begin + "\U0010ffff", limit)).fetchall()

    def heads(self, after: str, begin: str, name: str, limit: int) -> list[Head]:
        """Return the heads of at most `limit` aggregates, filtered as `Rows.heads` says, in the order of their ids."""
        begins = "(originator_id >= ? AND originator_id < ?)"
        conditions, values = ["originator_id > ?"], [after, begin, begin + "\U0010ffff"]
        if name:
            named = NAMED.format(table="stored_events", mark="?")
            conditions.append(f"({begins} OR {named})" if begin else f"({begins} AND {named})")
            values.append(like(name))
        else:
            conditions.append(begins)
        asked = HEADS.format(
            column="originator_id", table="stored_events", conditions=" AND ".join(conditions), mark="?"
        )
        with self._reading() as connection:
            found = connection.execute(asked, (*values, limit)).fetchall()
        return [head_of(row, self._own(row[0])) for row in found]

    def noticed(self, after: int, limit: int) -> list[Noticed]:
        """Return at most `limit` events whose notifications have a number greater than `after`, in their order."""
        asked = (
            "SELECT rowid, originator_id, originator_version FROM stored_events WHERE rowid > ? ORDER BY rowid LIMIT ?"
        )
        with self._reading() as connection, suppress(sqlite3.OperationalError):
            return [Noticed(*row) for row in connection.execute(asked, (after, limit))]
        return []

    def events(self, id: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        """Return at most `limit` events of an aggregate, in order: those with versions greater than `after`."""
        return self._rows("stored_events", id, after, limit)

    def snapshots(self, id: str) -> list[StoredEvent]:
        """Return the snapshots of an aggregate, in order; an empty list if there is no table of snapshots."""
        return self._rows("stored_snapshots", id, 0, None) if self._has_snapshots else []

    def topics(self) -> list[str]:
        """Return the distinct topics of stored events."""
        with self._reading() as connection:
            return [row[0] for row in connection.execute("SELECT DISTINCT topic FROM stored_events")]

    def last(self) -> int:
        """Return the number of the latest notification; 0 if there is none."""
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
        with Beside.of(self._path):
            try:
                with closing(sqlite3.connect(uri, uri=True, timeout=30)) as connection:
                    connection.execute("PRAGMA trusted_schema = OFF")
                    connection.execute("PRAGMA query_only = ON")
                    # SQLite's own `lower` knows the letters of ASCII alone.
                    connection.create_function("lower", 1, str.lower, deterministic=True)
                    yield connection
            except sqlite3.DatabaseError as error:
                sentence = _("{place} can't be read: {reason}")
                raise AdoptedError(sentence.format(place=self.place, reason=error)) from error
