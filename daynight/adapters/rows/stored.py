"""Data from rows: ids, heads of aggregates, notifications; and the SQL statements that all databases share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from daynight.adapters.errors import AdoptedError
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _

Id = UUID | str


class Head(NamedTuple):
    """An aggregate in the list: its id, its first event, its last one, and the number of events."""

    id: str
    events: int
    first: StoredEvent
    last: StoredEvent


class Noticed(NamedTuple):
    """The notification of a stored event: its number `place`, the id of the aggregate, and the event's version."""

    place: int
    id: str
    version: int


HEADS = (
    "SELECT g.id, g.many, f.originator_version, f.topic, f.state, l.originator_version, l.topic, l.state FROM"
    " (SELECT {column} AS id, originator_id AS own, count(*) AS many, min(originator_version) AS least,"
    " max(originator_version) AS most FROM {table} AS e WHERE {conditions} GROUP BY originator_id"
    " ORDER BY originator_id LIMIT {mark}) AS g"
    " JOIN {table} AS f ON f.originator_id = g.own AND f.originator_version = g.least"
    " JOIN {table} AS l ON l.originator_id = g.own AND l.originator_version = g.most ORDER BY g.own"
)
"""A page of the list in one statement: grouped along the index of the ids, so that only the page is read."""

NAMED = (
    "EXISTS (SELECT 1 FROM {table} AS b WHERE b.originator_id = e.originator_id AND lower(b.topic) LIKE {mark}"
    " ESCAPE '~' AND b.originator_version ="
    " (SELECT min(originator_version) FROM {table} WHERE originator_id = e.originator_id))"
)


def like(name: str) -> str:
    """Return the SQL pattern for texts that contain a name, in lower case."""
    return "%" + re.sub(r"([%_~])", r"~\1", name.lower()) + "%"


def no_table(place: str, table: str, known: Sequence[str]) -> AdoptedError:
    """Return the error for a database at `place` that has no `table` of events, only the tables `known`."""
    sentence = _("{place} has no table {table}, where the application keeps its events; it has: {known}")
    return AdoptedError(sentence.format(place=place, table=table, known=commas([*known]) or _("no table")))


def head_of(row: Sequence[Any], own: Any) -> Head:
    """Return the head from a row of `HEADS`; `own` is the id in the application's type."""
    id, many, first, first_topic, first_state, last, last_topic, last_state = row
    return Head(
        str(id), int(many), StoredEvent(own, int(first), str(first_topic), bytes(first_state)),
        StoredEvent(own, int(last), str(last_topic), bytes(last_state)),
    )  # fmt: skip


def own_id(id: str, *, text: bool) -> Any:
    """Return an id in the application's type: a UUID; unchanged with `text`, and if it is no UUID."""
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
    """Return an id as the database stores it: a UUID in lower case without hyphens; with `text`, unchanged."""
    return id if text else id.replace("-", "").lower()
