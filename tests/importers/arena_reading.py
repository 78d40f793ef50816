"""What the tests of Arena's logs share: logs that begin alike, and what is looked for in what was read."""

from typing import Any

from tests.importers.arena_logs import Game, Log, day_and_night


def of_type(events: list[dict[str, Any]], *tags: str) -> list[dict[str, Any]]:
    """The events with these tags."""
    return [event for event in events if event["type"] in tags]


def casts(events: list[dict[str, Any]]) -> list[str]:
    """The spells that were cast."""
    return [event["spell"] for event in of_type(events, "spell-cast")]


def uncertain(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Whose spells are uncertain, and in which turn."""
    return of_type(events, "spells-uncertain")


def states(log: Log) -> list[int]:
    """Where the messages with states are: all but the first of the log's, which only greets."""
    return [at for at, line in enumerate(log.lines) if "gameStateMessage" in line]


def played(**how: Any) -> Log:
    """A log with a game of day and night."""
    log = Log(**how)
    day_and_night(Game(log))
    return log


def begun(**how: Any) -> Game:
    """A game in its first turn, in a log of its own."""
    game = Game(Log(**how))
    game.begin()
    return game
