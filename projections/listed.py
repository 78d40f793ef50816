"""Which games are one player's, or have one verdict: an index of the library, so that a page of them is found at once.

It is a table of the store, made when somebody first asks for the games of a player or of a verdict. Then it is kept in
the transactions that write the rows of the library.
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
"""A player and a verdict; "" is any."""

VERDICTS = get_args(Verdict)


class Listed:
    """The index of a store's library. Each game is in it for each of its players, with its verdict and without."""

    def __init__(self, recorder: GamesRecorder, library: str) -> None:
        self._recorder = recorder
        self._library = library

    def is_there(self) -> bool:
        """Return whether the store has the index."""
        return self._recorder.has_table(LISTED)

    def make(self) -> None:
        """Make it of the rows that the library has, unless somebody else has made it meanwhile."""
        recorder = self._recorder
        with recorder.transaction(write=True) as cursor:
            if self.is_there():
                return
            recorder.make_table(cursor, LISTED, own_tables(integer=recorder.integer)[LISTED])
            self._insert(cursor, recorder.select(f"SELECT game, verdict FROM {self._library}"))

    def put(self, cursor: Cursor, rows: Sequence[tuple[str, str]]) -> None:
        """Put these games in, each with its verdict, in place of what stood there of them."""
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
        """Take everything out, where the rows of the library are made anew."""
        cursor.execute(f"DELETE FROM {LISTED}")

    def games(self, key: Key, after: str, most: int) -> list[str]:
        """Return the names of the first `most` games of a key after that name."""
        statement = f"SELECT game FROM {LISTED} WHERE player = ? AND verdict = ? AND game > ? ORDER BY game LIMIT ?"
        return [str(game) for (game,) in self._recorder.select(statement, *key, after, most)]

    def fits(self, game: str, verdict: str) -> bool:
        """Return whether a game is in it just as its row in the library says, for each of its players."""
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
        """Return whether each of these games that is stored names that player in its first line."""
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
    """The first line of a game, as far as it names players."""

    players: tuple[str, ...] = ()


_DECODER = msgspec.json.Decoder(_Began)


def _players(line: bytes) -> tuple[str, ...]:
    try:
        return tuple(dict.fromkeys(_DECODER.decode(line).players))
    except (msgspec.MsgspecError, TypeError):
        return ()
