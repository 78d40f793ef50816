"""Reading Forge's logs in tests: `read` returns games and report, and checks each game with the referee."""

import io
from typing import Any

from daynight.cards import bundled
from daynight.events.language import decode
from daynight.framework.language.codec import encode
from daynight.game import Game
from daynight.importers.forge.log import IMPORTER
from daynight.importers.importing import Import
from daynight.importers.sources import Source
from daynight.logs import known_of
from tests.importers.conftest import Read
from tests.importers.forge_logs import Log

Events = list[dict[str, Any]]


def read(*logs: Log | bytes, strict: bool = False) -> Read:
    """Import logs as Forge's; the strict reader and the referee must accept every game."""
    running = Import(IMPORTER, known_of(bundled(), None), strict=strict)
    data = [log if isinstance(log, bytes) else log.bytes() for log in logs]
    sources = (Source(f"logs/game-{number}.log", io.BytesIO(log), number=number) for number, log in enumerate(data, 1))
    games = list(running.games(sources))
    for game in games:
        again = [decode(encode(event)) for event in game.events]
        assert game.events == again
        Game(again)
    return Read(games, running.report)


def of(events: Events, *types: str) -> Events:
    """Return the events of these types."""
    return [event for event in events if event["type"] in types]


def casts(events: Events) -> list[tuple[str, str]]:
    """Return the player and the card of each cast."""
    return [(event["player"], event["card"]) for event in of(events, "spell-cast")]


def changes(game: Game) -> list[tuple[int, str]]:
    """Return the turn and the new designation of each change between neither, day and night."""
    return [(change["turn"], change["became"]) for change in game.document()["changes"]]
