"""Shared by the tests of Arena's logs: logs with the same beginning, and questions about the result."""

from typing import Any

from tests.importers.arena_logs import Game, Log, day_and_night


def of_type(events: list[dict[str, Any]], *tags: str) -> list[dict[str, Any]]:
    """The events with these tags."""
    return [event for event in events if event["type"] in tags]


def casts(events: list[dict[str, Any]]) -> list[str]:
    """The spells that were cast."""
    return [event["spell"] for event in of_type(events, "spell-cast")]


def uncertain(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The players whose spells are uncertain, with the turn."""
    return of_type(events, "spells-uncertain")


def states(log: Log) -> list[int]:
    """The indices of messages with states, without the first one, which is only a greeting."""
    return [at for at, line in enumerate(log.lines) if "gameStateMessage" in line]


def played(**how: Any) -> Log:
    """A log of a game with day and night."""
    log = Log(**how)
    day_and_night(Game(log))
    return log


def begun(**how: Any) -> Game:
    """A game in its first turn, in its own log."""
    game = Game(Log(**how))
    game.begin()
    return game
