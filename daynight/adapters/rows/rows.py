"""Reads the rows of an application's database, and never writes.

SQLite is opened with `mode=ro`, PostgreSQL in read-only transactions. The tables are those that the library makes:
`stored_events` and `stored_snapshots`, or in PostgreSQL those that begin with the name of the application.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from eventsourcing.persistence import StoredEvent

from daynight.adapters.errors import AdoptedError
from daynight.adapters.rows.postgres import Postgres
from daynight.adapters.rows.sqlite import Sqlite
from daynight.adapters.rows.stored import Head, Noticed
from daynight.framework.language.wording import _
from daynight.machine.addresses import may_hold_password, without_password

PAGE = 500
"""The number of aggregates that one query reads."""


class Rows(Protocol):
    """The rows of an application's database; ids are spelled as in the database: a UUID has no hyphens."""

    place: str

    def held(self) -> AbstractContextManager[None]:
        """Return a block during which other processes of this command may read, too.

        Its end removes the files that SQLite created beside the database file.
        """
        ...

    def ids(self, after: str, begin: str, limit: int) -> list[tuple[str, int, int, int]]:
        """Return id, number of events, first and last version of at most `limit` aggregates, in the order of the ids.

        Their ids are greater than `after` and start with `begin`.
        """
        ...

    def heads(self, after: str, begin: str, name: str, limit: int) -> list[Head]:
        """Return the heads of at most `limit` aggregates, in the order of their ids, which are greater than `after`.

        Without a `name`: those whose ids start with `begin`. With a `name`: those with `name` in the topic of their
        first event, ignoring case; and, if `begin` is not empty, those whose ids start with `begin`, too.
        """
        ...

    def events(self, id: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        """Return at most `limit` events of an aggregate, in order: those with versions greater than `after`."""
        ...

    def snapshots(self, id: str) -> list[StoredEvent]:
        """Return the snapshots of an aggregate, in order; an empty list if the database has no table of snapshots."""
        ...

    def topics(self) -> list[str]:
        """Return the distinct topics of stored events."""
        ...

    def last(self) -> int:
        """Return the number of the latest notification; 0 if there is none."""
        ...

    def noticed(self, after: int, limit: int) -> list[Noticed]:
        """Return at most `limit` events whose notifications have a number greater than `after`, in their order."""
        ...


def rows_of(place: str, name: str, *, text_ids: bool = False, schema: str = "", immutable: bool = False) -> Rows:
    """Return the rows at a place: a file of SQLite, or `postgresql://...`. `name` is the application's name.

    For PostgreSQL, `schema` is the schema of the tables. For SQLite, `text_ids`: ids are texts, not UUIDs;
    `immutable`: no program writes to the file.

    Raises:
        AdoptedError: where no database of the library is there.
    """
    if place.startswith(("postgresql://", "postgres://")):
        return Postgres(place, name, schema)
    if may_hold_password(place) or "://" in place:
        raise AdoptedError(_("{place}: expected a file, or postgresql://...").format(place=without_password(place)))
    return Sqlite(Path(place), text_ids=text_ids, immutable=immutable)
