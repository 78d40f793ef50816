"""Edits of a stored game by an attacker, who changes, moves, adds and deletes rows, and cannot sign them."""

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from daynight.store.proving.chain import ORIGIN, digest
from tests.store import victim
from tests.store.victim import EVENTS, GAME, OTHER

__all__ = ["EDITS"]

Raw = sqlite3.Connection

Edit = Callable[[Raw, random.Random, Path], tuple[int, int]]
"""An edit changes the database, and returns the first and last event that verify may name as the first bad one."""

EDITS: dict[str, Edit] = {}


def edit(function: Edit) -> Edit:
    """Add a function to EDITS under its name, as a decorator."""
    EDITS[function.__name__] = function
    return function


def put(raw: Raw, rows: list[tuple[Any, ...]], game: str = GAME) -> None:
    """Replace all rows of events of the game by `rows`, numbered from 1 in this order."""
    raw.execute("DELETE FROM stored_events WHERE originator_id = ?", (game,))
    numbered = [(game, number, *row[2:]) for number, row in enumerate(rows, 1)]
    raw.executemany("INSERT INTO stored_events VALUES (?, ?, ?, ?, ?)", numbered)


def two(luck: random.Random, rows: list[tuple[Any, ...]]) -> tuple[int, int]:
    """Return two indices in ascending order whose rows have different lines."""
    while True:
        one, another = sorted(luck.sample(range(len(rows)), 2))
        if rows[one][3] != rows[another][3]:
            return one, another


def exactly(event: int) -> tuple[int, int]:
    return event, event


@edit
def swap_lines(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    rows = victim.rows(raw)
    one, another = two(luck, rows)
    for at, line in ((one, rows[another]), (another, rows[one])):
        raw.execute(f"UPDATE stored_events SET topic = ?, state = ? {victim.AT}", (*line[2:4], GAME, at + 1))
    return exactly(one + 1)


@edit
def swap_rows(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    rows = victim.rows(raw)
    one, another = two(luck, rows)
    rows[one], rows[another] = rows[another], rows[one]
    put(raw, rows)
    return exactly(one + 1)


@edit
def swap_digests(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    rows = victim.rows(raw)
    one, another = two(luck, rows)
    for at, row in ((one, rows[another]), (another, rows[one])):
        raw.execute(f"UPDATE stored_events SET digest = ? {victim.AT}", (row[4], GAME, at + 1))
    return exactly(one + 1)


@edit
def swap_places(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    """Swap two events in the store's order (`rowid`): a follower would get the later one first."""
    one, another = sorted(luck.sample(range(1, EVENTS + 1), 2))
    first, second = (victim.of_event(raw, "rowid", number) for number in (one, another))
    for old, new in ((first, 0), (second, first), (0, second)):
        raw.execute("UPDATE stored_events SET rowid = ? WHERE rowid = ?", (new, old))
    return one, one + 1


@edit
def move_a_row(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    rows = victim.rows(raw)
    one, another = two(luck, rows)
    if luck.random() < 0.5:
        rows.insert(another, rows.pop(one))
    else:
        rows.insert(one, rows.pop(another))
    put(raw, rows)
    return exactly(one + 1)


@edit
def drop_one(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    number = luck.randrange(1, EVENTS)
    raw.execute(f"DELETE FROM stored_events {victim.AT}", (GAME, number))
    return exactly(number)


@edit
def drop_one_and_close_up(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    rows = victim.rows(raw)
    at = luck.randrange(EVENTS - 1)
    del rows[at]
    put(raw, rows)
    return exactly(at + 1)


@edit
def drop_the_tail(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    number = luck.randrange(2, EVENTS + 1)
    raw.execute("DELETE FROM stored_events WHERE originator_id = ? AND originator_version >= ?", (GAME, number))
    return exactly(number)


@edit
def drop_the_tail_without_trace(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    """Drop the last events and every row that mentions them: only a noted code reveals this."""
    number = luck.randrange(2, EVENTS + 1)
    raw.execute("DELETE FROM stored_events WHERE originator_id = ? AND originator_version >= ?", (GAME, number))
    raw.execute("DELETE FROM snapshots WHERE game = ? AND event >= ?", (GAME, number))
    raw.execute("DELETE FROM heads WHERE game = ? AND event >= ?", (GAME, number))
    raw.execute("DELETE FROM commands WHERE game = ? AND last_event >= ?", (GAME, number))
    return exactly(number)


@edit
def duplicate(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    rows = victim.rows(raw)
    at = luck.randrange(EVENTS)
    rows.insert(at, rows[at])
    put(raw, rows)
    # The first of the two is where it was before.
    return exactly(at + 2)


@edit
def insert(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    rows = victim.rows(raw)
    at = luck.randrange(EVENTS)
    before = rows[at - 1][4] if at else ORIGIN
    line = b'{"type":"spell-cast","player":"Ana"}'
    rows.insert(at, (GAME, 0, "spell-cast", line, digest(before, GAME, at + 1, "spell-cast", line)))
    put(raw, rows)
    # A cast fits at the end of a turn; then the event after it is the first with another digest.
    return at + 1, at + 2


@edit
def append_one_that_does_not_follow(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    rows = victim.rows(raw)
    put(raw, [*rows, luck.choice(rows)])
    return exactly(EVENTS + 1)


@edit
def transplant_a_row(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    """Replace an event by one of another game; its number fits, its digest does not."""
    rows, theirs = victim.rows(raw), victim.rows(raw, OTHER)
    at = luck.randrange(len(theirs))
    rows[at] = theirs[at]
    put(raw, rows)
    return exactly(at + 1)


@edit
def transplant_a_tail(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    """Replace the last events by those of another branch of the same game."""
    rows, theirs, parted = branched(raw, path)
    at = luck.randrange(parted, EVENTS)
    put(raw, rows[:at] + theirs[at:])
    return exactly(at + 1)


@edit
def take_another_branch(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    """Replace the game by another branch whose digests are right; the old signatures show where it was changed."""
    _rows, theirs, parted = branched(raw, path)
    put(raw, theirs)
    raw.execute("DELETE FROM snapshots WHERE game = ?", (GAME,))
    return parted - 9, parted


def branched(raw: Raw, path: Path) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], int]:
    """Return the rows of the game, those of a branch of it, and the number of the first event that differs."""
    with victim.laid_open(victim.copied(path, "Ponder")) as branch:
        theirs = victim.rows(branch)
    rows = victim.rows(raw)
    return rows, theirs, next(row[1] for row, other in zip(rows, theirs, strict=True) if row[3] != other[3])


@edit
def change_a_snapshot(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    event, state = luck.choice(raw.execute("SELECT event, state FROM snapshots WHERE game = ?", (GAME,)).fetchall())
    place = luck.randrange(len(b'{"rules":1'), len(state))
    altered = state[:place] + bytes([state[place] ^ 1 << luck.randrange(8)]) + state[place + 1 :]
    raw.execute("UPDATE snapshots SET state = ? WHERE game = ? AND event = ?", (altered, GAME, event))
    return exactly(event)


@edit
def take_the_snapshot_of_another_event(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    found = raw.execute("SELECT event, state FROM snapshots WHERE game = ?", (GAME,)).fetchall()
    (event, _own), (_there, state) = luck.sample(found, 2)
    raw.execute("UPDATE snapshots SET state = ? WHERE game = ? AND event = ?", (state, GAME, event))
    return exactly(event)


@edit
def take_the_snapshot_of_another_game(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    ((event, state),) = raw.execute("SELECT event, state FROM snapshots WHERE game = ?", (OTHER,)).fetchall()
    raw.execute("UPDATE snapshots SET state = ? WHERE game = ? AND event = ?", (state, GAME, event))
    return exactly(event)


@edit
def a_snapshot_of_nothing(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    (state,) = raw.execute("SELECT state FROM snapshots WHERE game = ?", (OTHER,)).fetchone()
    raw.execute("INSERT INTO snapshots VALUES (?, ?, ?)", (GAME, luck.choice([0, -1, EVENTS + 1, 2**62]), state))
    return exactly(EVENTS + 1)


@edit
def change_a_command(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    """Change a command: its id, its request, or its seal."""
    column = luck.choice(["command", "request", "seal"])
    found = raw.execute("SELECT command, first_event FROM commands WHERE game = ?", (GAME,)).fetchall()
    command, first = luck.choice(found)
    changed: object = f"{command}x" if column == "command" else luck.randbytes(32)
    raw.execute(f"UPDATE commands SET {column} = ? WHERE game = ? AND command = ?", (changed, GAME, command))
    return exactly(first)


@edit
def change_what_a_command_stored(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    found = raw.execute("SELECT command, first_event, last_event FROM commands WHERE game = ?", (GAME,)).fetchall()
    command, first, last = luck.choice(found)
    column, now = luck.choice([("first_event", first), ("last_event", last)])
    to = luck.choice([each for each in range(-2, EVENTS + 5) if each != now])
    raw.execute(f"UPDATE commands SET {column} = ? WHERE game = ? AND command = ?", (to, GAME, command))
    return 1, EVENTS + 1  # it says so itself of which event that is


@edit
def transplant_a_command(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    theirs = luck.choice(raw.execute("SELECT * FROM commands WHERE game = ?", (OTHER,)).fetchall())
    raw.execute("INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?)", (GAME, *theirs[1:]))
    return theirs[2] - 4, theirs[2]


def a_head(raw: Raw, luck: random.Random) -> tuple[int, int, bytes, bytes]:
    """Return a random signed head: the previous signed event or 0, the event, the signer and the signature."""
    found = raw.execute("SELECT event, signer, signature FROM heads WHERE game = ? ORDER BY event", (GAME,)).fetchall()
    at = luck.randrange(len(found))
    return (found[at - 1][0] if at else 0, *found[at])


@edit
def change_a_signature(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    before, event, signer, signature = a_head(raw, luck)
    column, value = luck.choice([("signer", signer), ("signature", signature)])
    place = luck.randrange(len(value))
    altered = value[:place] + bytes([value[place] ^ 1 << luck.randrange(8)]) + value[place + 1 :]
    raw.execute(f"UPDATE heads SET {column} = ? WHERE game = ? AND event = ?", (altered, GAME, event))
    return before + 1, event


@edit
def move_a_signature(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    before, event, *_rest = a_head(raw, luck)
    to = luck.choice([event + 1, before + 1, EVENTS + 7] if event > before + 1 else [event + 1, EVENTS + 7])
    raw.execute("UPDATE heads SET event = ? WHERE game = ? AND event = ?", (to, GAME, event))
    return before + 1, min(to, EVENTS + 1)


@edit
def transplant_a_signature(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    """Replace the signature of an event by one that the same key made for another game."""
    event, signature = luck.choice(raw.execute("SELECT event, signature FROM heads WHERE game = ?", [OTHER]).fetchall())
    raw.execute("UPDATE heads SET signature = ? WHERE game = ? AND event = ?", (signature, GAME, event))
    return max(event - 8, 1), event


@edit
def lengthen_a_signature(raw: Raw, luck: random.Random, path: Path) -> tuple[int, int]:
    before, event, signer, signature = a_head(raw, luck)
    changed = luck.choice([(signer, signature + b"\0"), (signer, b""), (b"", signature), (signer * 2, signature)])
    raw.execute("UPDATE heads SET signer = ?, signature = ? WHERE game = ? AND event = ?", (*changed, GAME, event))
    return before + 1, event
