"""Helpers for all tests of stores: events of a small game, the game in a store, and what the tables hold."""

import io
from typing import Any

from daynight.games import Store
from daynight.store.database.recorder import GamesRecorder

__all__ = ["CAST", "TURN", "WEREWOLF", "Json", "begun", "everything", "lines"]

Json = dict[str, Any]

TURN: Json = {"type": "turn-began", "turn": 1, "active": ["Ana"]}
CAST: Json = {"type": "spell-cast", "player": "Ana"}
WEREWOLF: Json = {
    "type": "permanents-entered",
    "permanents": [{"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}],
}


def lines(store: Store, game: str = "g") -> bytes:
    stream = io.BytesIO()
    assert store.lines(game, stream) == len(stream.getvalue())
    return stream.getvalue()


def begun(store: Store, *events: Json) -> Store:
    store.new("g", ["Ana", "Bo"])
    store.append("g", [TURN, *events])
    return store


def everything(recorder: GamesRecorder) -> dict[str, list[Any]]:
    """Return the sorted rows of each table of events, commands, heads, snapshots, tracking and library, by table."""
    return {
        table: sorted(map(tuple, recorder.select(f"SELECT * FROM {table}")))
        for table in ("stored_events", "commands", "heads", "snapshots", "tracking", "library")
    }
