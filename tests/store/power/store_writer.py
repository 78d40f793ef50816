"""The store as a writer for the recorder: after each append it prints the number of stored events.

Arguments: database, number of appends, and the `synchronous` setting that is forced on the connections.
"""

import sqlite3
import sys
from pathlib import Path
from typing import Any

from daynight.games import Store
from daynight.store.database.sqlite import SQLiteGames

GAME = "g"


def event(number: int) -> dict[str, Any]:
    """Return the event with this number: game-started, then a turn-began for each number."""
    if number == 1:
        return {"type": "game-started", "format": 1, "game": GAME, "players": ["Ana", "Bo"]}
    return {"type": "turn-began", "turn": number - 1, "active": ["Ana" if number % 2 else "Bo"]}


def held(path: Path) -> int:
    """Return how many events a store has, then append one more; those there must be the first that were written.

    Raises:
        AssertionError: if the events are others, or appending fails.
    """
    with Store.open(path) as store:
        if not store.games():
            return 0
        events = list(store.events(GAME))
        assert [one.__struct_config__.tag for one in events] == [event(n + 1)["type"] for n in range(len(events))]
        assert [getattr(one, "turn", 0) for one in events] == list(range(len(events)))
        assert store.append(GAME, [event(len(events) + 1)]).last == len(events) + 1
        return len(events)


def write(path: Path, appends: int, synchronous: str) -> None:
    """Append events one by one, and print their number after each; close and reopen the store in the middle."""
    total = 0
    for _half in range(2):
        with Store.open(path) as store:
            recorder = store.recorder
            assert isinstance(recorder, SQLiteGames)
            with recorder.datastore.get_connection(commit=True) as connection:
                raw: sqlite3.Connection = connection._sqlite_conn
                raw.execute("PRAGMA wal_autocheckpoint = 12")
                raw.execute(f"PRAGMA synchronous = {synchronous}")
            for _append in range(appends // 2):
                total = store.append(GAME, [event(total + 1)], command=f"c-{total + 1}").last
                print(total, flush=True)


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
