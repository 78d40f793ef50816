"""Shared by the tests of Arena's logs: logs that begin alike, and functions that select events of the result."""

from typing import Any

from tests.importers.arena_logs import Game, Log, day_and_night


def of_type(events: list[dict[str, Any]], *tags: str) -> list[dict[str, Any]]:
    """Return the events with these tags."""
    return [event for event in events if event["type"] in tags]


def casts(events: list[dict[str, Any]]) -> list[str]:
    """Return the ids of the spells that were cast, in their order."""
    return [event["spell"] for event in of_type(events, "spell-cast")]


def uncertain(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the events `spells-uncertain`: each says how many unseen spells a player may have cast."""
    return of_type(events, "spells-uncertain")


def states(log: Log) -> list[int]:
    """Return the indices of the lines with a state; the greeting when the client connects has no state."""
    return [at for at, line in enumerate(log.lines) if "gameStateMessage" in line]


def played(**how: Any) -> Log:
    """Return a log with the game of `day_and_night`; `how` goes to `Log`."""
    log = Log(**how)
    day_and_night(Game(log))
    return log


def begun(**how: Any) -> Game:
    """Return a game in its first turn, in a log of its own; `how` goes to `Log`."""
    game = Game(Log(**how))
    game.begin()
    return game
