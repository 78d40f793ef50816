"""An index of the library: it finds the games of a player, or with a verdict, without reading every row.

It is a table of the store, made on the first question about a player or a verdict. From then on the transactions that
write the rows of the library keep it up to date.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import get_args

import msgspec

from daynight.framework.audit import Verdict
from daynight.store.database.declared import LISTED, own_tables
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import Cursor

Key = tuple[str, str]
"""A key of the index: a player and a verdict; "" in place of one of them means any."""

VERDICTS = get_args(Verdict)


class Listed:
    """The index of a store's library: it has each game under its verdict, and under each player with and without it."""

    def __init__(self, recorder: GamesRecorder, library: str) -> None:
        self._recorder = recorder
        self._library = library

    def is_there(self) -> bool:
        """Return whether the store has the index."""
        return self._recorder.has_table(LISTED)

    def make(self) -> None:
        """Make the index from the rows of the library, unless another process has made it meanwhile."""
        recorder = self._recorder
        with recorder.transaction(write=True) as cursor:
            if self.is_there():
                return
            recorder.make_table(cursor, LISTED, own_tables(integer=recorder.integer)[LISTED])
            self._insert(cursor, recorder.select(f"SELECT game, verdict FROM {self._library}"))

    def put(self, cursor: Cursor, rows: Sequence[tuple[str, str]]) -> None:
        """Add the entries of games, each given with its verdict; their entries with another verdict are removed."""
        gone = [
            (player, verdict, game)
            for game, now in rows
            for player in ("", *self.players(game))
            for verdict in VERDICTS
            if verdict != now
        ]
        statement = f"DELETE FROM {LISTED} WHERE player = ? AND verdict = ? AND game = ?"
        cursor.executemany(self._recorder.sql(statement), gone)
        self._insert(cursor, rows)

    def clear(self, cursor: Cursor) -> None:
        """Remove all entries; used when the rows of the library are rebuilt."""
        cursor.execute(f"DELETE FROM {LISTED}")

    def games(self, key: Key, after: str, most: int) -> list[str]:
        """Return the names of the first `most` games under `key` that sort after the name `after`."""
        statement = f"SELECT game FROM {LISTED} WHERE player = ? AND verdict = ? AND game > ? ORDER BY game LIMIT ?"
        return [str(game) for (game,) in self._recorder.select(statement, *key, after, most)]

    def fits(self, game: str, verdict: str) -> bool:
        """Return whether the index has a game under each of its players, and under `verdict` and no other verdict."""
        statement = f"SELECT verdict FROM {LISTED} WHERE player = ? AND verdict = ? AND game = ?"
        return all(
            bool(self._recorder.select(statement, player, one, game)) == (one in ("", verdict))
            for player in ("", *self.players(game))
            for one in (*VERDICTS, *([""] if player else []))
        )

    def players(self, game: str) -> tuple[str, ...]:
        """Return the players of a game, as its first line names them."""
        statement = "SELECT state FROM stored_events WHERE originator_id = ? AND originator_version = 1"
        return next((_players(line) for (line,) in self._recorder.select(statement, game)), ())

    def are_of(self, player: str, games: Sequence[str]) -> bool:
        """Return whether the stored first line of each of these games names that player."""
        statement = (
            "SELECT state FROM stored_events WHERE originator_version = 1"
            f" AND originator_id IN ({', '.join('?' * len(games))})"
        )
        return all(player in _players(line) for (line,) in self._recorder.select(statement, *games))

    def _insert(self, cursor: Cursor, rows: Iterable[Sequence[str]]) -> None:
        statement = f"INSERT INTO {LISTED} VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        kept = (
            (*key, game)
            for game, verdict in rows
            for player in ("", *self.players(game))
            for key in ((player, verdict), (player, ""))
            if key != ("", "")
        )
        cursor.executemany(self._recorder.sql(statement), [*kept])


class _Began(msgspec.Struct, frozen=True):
    """The first event of a game, of which only the players are read."""

    players: tuple[str, ...] = ()


_DECODER = msgspec.json.Decoder(_Began)


def _players(line: bytes) -> tuple[str, ...]:
    try:
        return tuple(dict.fromkeys(_DECODER.decode(line).players))
    except (msgspec.MsgspecError, TypeError):
        return ()
