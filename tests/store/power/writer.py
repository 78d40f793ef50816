"""A simple writer: one transaction for each append, WAL mode, frequent checkpoints.

As a program: `writer.py DATABASE SYNCHRONOUS APPENDS`. Each event depends only on its number, so `held` knows what to
expect.
"""

import contextlib
import sqlite3
import sys
from pathlib import Path
from random import Random

TABLE = """
CREATE TABLE IF NOT EXISTS stored_events (
    originator_id TEXT NOT NULL, originator_version INTEGER NOT NULL, topic TEXT NOT NULL, state BLOB NOT NULL,
    PRIMARY KEY (originator_id, originator_version)
)
"""

Row = tuple[str, int, str, bytes]


def event(number: int) -> Row:
    """Return the row of the event with this number; most are small, some fill several pages."""
    random = Random(number)
    size = random.choice((40, 60, 90, 200, 300, 700, 6000))
    return f"game-{number % 3}", number // 3 + 1, random.choice(("ZoneChanged", "TurnBegan")), random.randbytes(size)


def connect(database: Path, synchronous: str) -> sqlite3.Connection:
    """Connect to a database in WAL mode, and make its table; only an explicit BEGIN begins a transaction."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    connection.execute("PRAGMA wal_autocheckpoint = 12")
    connection.execute(TABLE)
    return connection


def write(database: Path, synchronous: str, appends: int) -> None:
    """Append events, often one and sometimes more in a transaction; print after each how many are committed.

    Reconnect in the middle. If events are already stored, continue after them.
    """
    total = held(database)
    for half in (appends // 2, appends - appends // 2):
        with contextlib.closing(connect(database, synchronous)) as connection:
            for _ in range(half):
                count = Random(-1 - total).choice((1, 1, 1, 1, 2, 12))
                connection.execute("BEGIN IMMEDIATE")
                rows = [event(number) for number in range(total, total + count)]
                connection.executemany("INSERT INTO stored_events VALUES (?, ?, ?, ?)", rows)
                connection.execute("COMMIT")
                total += count
                print(total, flush=True)


def held(database: Path) -> int:
    """Return the number of events in a database, as a check for `simulate`; raise ValueError if one is changed."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'stored_events'").fetchall():
            return 0
        rows = connection.execute("SELECT * FROM stored_events ORDER BY rowid").fetchall()
    for number, row in enumerate(rows):
        if row != event(number):
            raise ValueError(f"event {number} is not what was written: {row[:3]}")
    return len(rows)


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
