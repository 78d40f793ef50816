"""Stores a complete record, or all games of an archive, and returns a report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from daynight.events import GameStarted, read
from daynight.games import Store
from daynight.records import Record
from daynight.store import read_archive
from daynight.store.proving import archive
from daynight.store.proving.chain import code_of
from daynight.titles import own_name

Progress = Callable[[int], None]
"""A function that is called with the number of events read so far."""


def is_archive(record: Record) -> bool:
    """Return whether a record is an archive of a store.

    Raises:
        NotFoundError, RecordError, OSError: where the record cannot be read.
    """
    with record.open() as stream:
        return archive.is_archive(stream.read(2**10))


def store_archive(
    store: Store, record: Record, progress: Progress, *, trust_rules: bool = False,
    tell: Callable[[str], object] = lambda sentence: None,
) -> dict[str, Any]:  # fmt: skip
    """Store all games of an archive; return the number of games and of events as a JSON document.

    `trust_rules` and `tell` are passed to `read_archive`.

    Raises:
        RecordError, StoreError, OSError: where the archive cannot be read, or the store refuses it.
    """
    with record.raw() as stream:
        games, events = read_archive(store, stream, progress=progress, trust_rules=trust_rules, tell=tell)
    return {"archive": record.shown, "games": games, "events": events}


def store_record(opened: Callable[[], Store], record: Record, name: str | None, progress: Progress) -> dict[str, Any]:
    """Store a record under its own name, or under `name`; return a report as JSON.

    The report has the game, its number of events, the code of its last event, and `repeated`: the store had the game
    already. The store is opened after the record's first line was read.

    Raises:
        RecordError, StoreError, OSError: where the record cannot be read, or the store refuses it.
    """
    with record.open() as stream:
        # If line 1 is wrong, reading the whole record says so.
        first = next(read(stream))
    own = own_name(first) if isinstance(first, GameStarted) else ""
    game = own if name is None else name
    store = opened()
    repeated = bool(game) and store.last(game) > 0
    head = store.import_record(record, name, progress=progress)
    return {
        "record": record.shown,
        "game": game,
        "events": head.number,
        "code": code_of(head.number, head.digest),
        "repeated": repeated,
    }
