"""A database of PostgreSQL, read only."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, nullcontext
from typing import Any
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from daynight.adapters.errors import AdoptedError
from daynight.adapters.rows.stored import HEADS, NAMED, Head, Noticed, head_of, like, no_table, own_id
from daynight.framework.language.wording import _
from daynight.machine.addresses import without_password


class Postgres:
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
            raise no_table(self.place, self._events, tables)
        self._has_snapshots = self._snapshots in tables
        kinds = self._asked(
            "SELECT data_type FROM information_schema.columns WHERE table_schema = coalesce(%s, current_schema())"
            " AND table_name = %s AND column_name = 'originator_id'",
            (schema or None, self._events),
        )
        self._text_ids = kinds[0][0] != "uuid"

    def held(self) -> AbstractContextManager[None]:
        """Return a block that does nothing: reading PostgreSQL creates no files."""
        return nullcontext()

    def ids(self, after: str, begin: str, limit: int) -> list[tuple[str, int, int, int]]:
        """Return id, number of events, first and last version of at most `limit` aggregates, as `Rows.ids` says."""
        column = "originator_id" if self._text_ids else "replace(originator_id::text, '-', '')"
        conditions, values = ["true"], list[Any]()
        if begin and self._text_ids:
            conditions.append("originator_id LIKE %s")
            values.append(re.sub(r"([%_\\])", r"\\\1", begin) + "%")
        elif begin:
            between = self._between(begin)
            if between is None:
                return []
            conditions.append("originator_id BETWEEN %s AND %s")
            values += between
        if after:
            conditions.append("originator_id > %s")
            values.append(self._own(after))
        found = self._asked(
            f"SELECT {column}, count(*), min(originator_version), max(originator_version) FROM {self._table()}"
            f" WHERE {' AND '.join(conditions)} GROUP BY originator_id ORDER BY originator_id LIMIT %s",
            (*values, limit),
        )
        return [(str(id), int(many), int(first), int(last)) for id, many, first, last in found]

    def heads(self, after: str, begin: str, name: str, limit: int) -> list[Head]:
        """Return the heads of at most `limit` aggregates, filtered as `Rows.heads` says, in the order of their ids."""
        conditions, values = ["true"], list[Any]()
        begins = "originator_id::text LIKE %s" if self._text_ids else "originator_id BETWEEN %s AND %s"
        between = self._between(begin) if begin else []
        if between is None and not name:
            return []
        if after:
            conditions.append("originator_id > %s")
            values.append(self._own(after))
        if name:
            named = NAMED.format(table=self._table(), mark="%s")
            conditions.append(f"({begins} OR {named})" if between else named)
        elif between:
            conditions.append(begins)
        values += [*(between or ()), *([like(name)] if name else [])]
        column = "originator_id" if self._text_ids else "replace(originator_id::text, '-', '')"
        asked = HEADS.format(column=column, table=self._table(), conditions=" AND ".join(conditions), mark="%s")
        return [head_of(row, self._own(row[0])) for row in self._asked(asked, (*values, limit))]

    def _between(self, begin: str) -> list[Any] | None:
        """Return the least and the greatest UUID that begin with `begin`; None if no UUID can begin so.

        For ids that are texts, return their pattern for LIKE.
        """
        if self._text_ids:
            return [re.sub(r"([%_\\])", r"\\\1", begin) + "%"]
        # The ids that begin so lie together: the index finds them.
        is_one = re.fullmatch("[0-9a-f]{1,32}", begin) is not None
        return [UUID(begin.ljust(32, fill)) for fill in "0f"] if is_one else None

    def noticed(self, after: int, limit: int) -> list[Noticed]:
        """Return at most `limit` events whose notifications have a number greater than `after`, in their order."""
        column = "originator_id" if self._text_ids else "replace(originator_id::text, '-', '')"
        found = self._asked(
            f"SELECT notification_id, {column}, originator_version FROM {self._table()}"
            " WHERE notification_id > %s ORDER BY notification_id LIMIT %s",
            (after, limit),
        )
        return [Noticed(int(place), str(id), int(version)) for place, id, version in found]

    def events(self, id: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        """Return at most `limit` events of an aggregate, in order: those with versions greater than `after`."""
        return self._rows(self._events, id, after, limit)

    def snapshots(self, id: str) -> list[StoredEvent]:
        """Return the snapshots of an aggregate, in order; an empty list if there is no table of snapshots."""
        return self._rows(self._snapshots, id, 0, None) if self._has_snapshots else []

    def topics(self) -> list[str]:
        """Return the distinct topics of stored events."""
        return [str(row[0]) for row in self._asked(f"SELECT DISTINCT topic FROM {self._table()}", ())]

    def last(self) -> int:
        """Return the number of the latest notification; 0 if there is none."""
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
