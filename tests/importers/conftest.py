"""Reading Arena's logs in tests: the functions return games and report, and check each game with the referee."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from daynight.cards import bundled
from daynight.events.language import decode
from daynight.events.vocabulary import Event
from daynight.framework.language.codec import encode
from daynight.framework.language.happening import tag_of
from daynight.game import Game
from daynight.importers.arena.log import IMPORTER
from daynight.importers.frame import Options
from daynight.importers.import_report import ImportReport
from daynight.importers.importing import Import, ImportedGame
from daynight.importers.sources import Source
from daynight.logs import known_of
from tests.importers.arena_logs import Game as Played
from tests.importers.arena_logs import csv_table
from tests.importers.arena_reading import begun

_ABOVE = [folder / "shared" / "arena-logs" for folder in Path(__file__).resolve().parents[3:]]
SESSIONS = next((folder for folder in _ABOVE if folder.is_dir()), _ABOVE[0])
"""The folder of the real sessions, beside this project or beside a folder above it; they are not part of it."""

needs_sessions = pytest.mark.skipif(not SESSIONS.is_dir(), reason="the Arena sessions belong into ../shared/arena-logs")


class Read(NamedTuple):
    """The result of reading logs: the games, and the import's report."""

    games: list[ImportedGame]
    report: ImportReport

    @property
    def kinds(self) -> dict[str, int]:
        """How many warnings and notes of each kind there are."""
        groups = [*self.report.warnings.values(), *self.report.notes.values()]
        return {group.kind: group.count for group in groups}

    def events(self, number: int = 0) -> list[dict[str, object]]:
        """Return the events of the game with this index, as dictionaries without `meta`."""
        return list(plain(self.games[number].events))

    def tags(self, number: int = 0) -> list[str]:
        """Return the tags of the events of the game with this index."""
        return [tag_of(type(event)) for event in self.games[number].events]

    def game(self, number: int = 0) -> Game:
        """Return the game as the referee replays it; a refused event raises an error."""
        return Game(self.games[number].events)


def plain(events: list[Event]) -> Iterator[dict[str, object]]:
    """Yield events as dictionaries without `meta`."""
    import json

    for event in events:
        fields = json.loads(encode(event))
        fields.pop("meta", None)
        yield fields


def read_logs(
    *logs: bytes, cards: bool | Options = True, strict: bool = False, tmp: Path | None = None, check: bool = True
) -> Read:
    """Import logs as Arena's; unless `check=False`, strict reader and referee must accept every game. `cards=True`
    writes a table of the made-up cards into `tmp`, `cards=False` uses none; `Options` are used as they are."""
    if isinstance(cards, Options):
        options = cards
    else:
        table = None
        if cards:
            assert tmp is not None
            table = tmp / "cards.csv"
            table.write_bytes(csv_table())
        options = known_of(bundled(), table)
    running = Import(IMPORTER, options, strict=strict)
    sources = (Source(f"log-{number}", io.BytesIO(log), number=number) for number, log in enumerate(logs, 1))
    games = list(running.games(sources))
    if check:
        for game in games:
            again = [decode(encode(event)) for event in game.events]
            assert game.events == again
            assert Game(again).events[0] == game.events[0]
    return Read(games, running.report)


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Read]:
    """Return a function that reads logs, with names for the made-up cards unless `cards=False`."""

    def reading(*logs: bytes, **how: Any) -> Read:
        return read_logs(*logs, tmp=tmp_path, **how)

    return reading


@pytest.fixture
def game() -> Played:
    """Return a game of Arena in its first turn; `game.log` is its own log."""
    return begun()
