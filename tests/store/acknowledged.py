"""Compares the acknowledgements that clients got with what is stored, read by plain SQL without the store's code.

The note of every event names its command: `c-7 2/3` is the second of the three events of command c-7.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from daynight.games import Store
from daynight.store.proving.verify import verify_store

Json = dict[str, Any]


class Told(NamedTuple):
    """An acknowledgement: a client was told that the events `first` to `last` of the game belong to this command."""

    game: str
    command: str
    first: int
    last: int


class Found(NamedTuple):
    """How many events and commands are stored, and three counts of faults.

    Lost: acknowledged events that are not there. Twice: events stored twice. Gaps: missing numbers, or a command whose
    events do not follow each other.
    """

    events: int
    commands: int
    lost: int
    twice: int
    gaps: int

    @property
    def faults(self) -> tuple[int, int, int]:
        """The numbers of lost events, of events stored twice, and of gaps."""
        return self.lost, self.twice, self.gaps


def noted(command: str, events: list[Json]) -> list[Json]:
    """Return the events, each with a note that names the command, the event's place and how many there are."""
    return [event | {"note": f"{command} {place}/{len(events)}"} for place, event in enumerate(events, 1)]


def began(store: Store, game: str, players: tuple[str, ...] = ("Ana", "Bo")) -> None:
    """Store a new game, and the beginning of its first turn."""
    store.new(game, players)
    store.append(game, [{"type": "turn-began", "turn": 1, "active": [players[0]]}])


def found(database: Path, acknowledged: Iterable[Told]) -> Found:
    """Read everything from a SQLite file, which must be intact, and compare it with the acknowledgements."""
    with closing(sqlite3.connect(database)) as connection:
        assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
        order = "SELECT originator_id, originator_version, state FROM stored_events ORDER BY rowid"
        rows = connection.execute(order).fetchall()
        commands = connection.execute("SELECT game, command, first_event, last_event FROM commands").fetchall()
    notes = {(game, number): json.loads(line).get("note", "") for game, number, line in rows}
    counted = Counter((game, note) for (game, _number), note in notes.items() if note)
    lost = sum(
        notes.get((game, number), "").partition(" ")[0] != command
        for game, command, first, last in acknowledged
        for number in range(first, last + 1)
    )
    last_of = Counter(game for game, _number in notes)
    gaps = sum((game, number) not in notes for game, last in last_of.items() for number in range(1, last + 1))
    for game, command, first, last in commands:
        wanted = [f"{command} {place}/{last - first + 1}" for place in range(1, last - first + 2)]
        there = [notes.get((game, number), "") for number in range(first, last + 1)]
        gaps += any(there) and there != wanted
    return Found(len(rows), len(commands), lost, sum(counted.values()) - len(counted), gaps)


def intact(store: Store) -> bool:
    """Assert that `verify` finds no fault in rows, chain, rules, snapshots and commands; return whether there are
    games."""
    verified = list(verify_store(store))
    assert [] == [each.fault for each in verified if each.fault is not None]
    return bool(verified)
