"""What an attacker who can write to a store's database but has no key can change, on any kind of database."""

from collections.abc import Callable

from daynight.games import Store
from daynight.store.database.rows import Cursor
from daynight.store.database.settings import Settings
from daynight.store.proving.chain import ORIGIN, digest

__all__ = ["Rows", "changed_row", "cut_off", "deleted", "rewritten", "rows_of", "unsigned_after"]

Rows = list[tuple[str, bytes, bytes]]
"""Tag, line and digest of each event of a game."""


def rows_of(place: Settings, game: str) -> Rows:
    """Return the rows of a game as stored."""
    with Store(place) as store:
        return [(row.tag, row.line, row.digest) for rows in store.recorder.rows(game) for row in rows]


def rewritten(
    place: Settings, game: str, change: Callable[[list[bytes]], None], *, keep: Callable[[int], bool] = lambda at: False
) -> None:
    """Let `change` edit the list of lines, recompute the digests except where `keep` of the number is true, and delete
    commands, snapshots and the library's row."""
    rows = rows_of(place, game)
    lines = [line for _tag, line, _digest in rows]
    change(lines)
    before, forged = ORIGIN, []
    for number, (line, (tag, _line, old)) in enumerate(zip(lines, rows, strict=True), 1):
        before = digest(before, game, number, tag, line)
        forged.append((line, old if keep(number) else before, game, number))
    with Store(place) as store, store.recorder.transaction(write=True) as cursor:
        statement = "UPDATE stored_events SET state = ?, digest = ? WHERE originator_id = ? AND originator_version = ?"
        cursor.executemany(store.recorder.sql(statement), forged)
        _unsettled(store, cursor, game)


def changed_row(place: Settings, game: str, number: int, column: str, value: bytes) -> None:
    """Change one column of one event, without recomputing digests; delete commands, snapshots and the library's row."""
    with Store(place) as store, store.recorder.transaction(write=True) as cursor:
        statement = f"UPDATE stored_events SET {column} = ? WHERE originator_id = ? AND originator_version = ?"
        cursor.execute(store.recorder.sql(statement), (value, game, number))
        _unsettled(store, cursor, game)


def cut_off(place: Settings, game: str, last: int) -> None:
    """Delete what was stored after the event `last`, as if an older copy of the store was restored."""
    with Store(place) as store, store.recorder.transaction(write=True) as cursor:
        for table, column, number in (
            ("stored_events", "originator_id", "originator_version"), ("heads", "game", "event"),
            ("snapshots", "game", "event"), ("commands", "game", "last_event"),
        ):  # fmt: skip
            statement = f"DELETE FROM {table} WHERE {column} = ? AND {number} > ?"
            cursor.execute(store.recorder.sql(statement), (game, last))


def deleted(place: Settings, game: str) -> None:
    """Delete every row of the game from every table."""
    cut_off(place, game, 0)
    with Store(place) as store, store.recorder.transaction(write=True) as cursor:
        cursor.execute(store.recorder.sql("DELETE FROM library WHERE game = ?"), (game,))


def unsigned_after(place: Settings, game: str, event: int) -> None:
    """Delete the signatures of all events after `event`."""
    with Store(place) as store, store.recorder.transaction(write=True) as cursor:
        cursor.execute(store.recorder.sql("DELETE FROM heads WHERE game = ? AND event > ?"), (game, event))


def _unsettled(store: Store, cursor: Cursor, game: str) -> None:
    """Delete the game's commands, snapshots and library row, which would show that the lines were different."""
    for table in ("commands", "snapshots", "library"):
        cursor.execute(store.recorder.sql(f"DELETE FROM {table} WHERE game = ?"), (game,))
