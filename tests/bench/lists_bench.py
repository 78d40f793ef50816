"""Lists of many games, and questions about long games without changes: ratios within one run.

`make bench` prints it with the others, `python tests/bench/lists_bench.py` alone. Measured in CPU time of this process,
which runs the command lines itself; so startup time is not included.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from daynight.games import Library, Store
from daynight.records import Record
from daynight.web.shelf import Shelf
from tests.bench.commands_bench import command
from tests.bench.store_bench import row, scratch
from tests.bench.timing import best
from tests.web.asking import Asking, asking

GAMES = (100, 100_000)
EVENTS = (10_000, 300_000)
TOGETHER = 1_000
"""How many games are stored in one transaction."""

PAGES = (
    "limit=100", "limit=2", "limit=2&verdict=disputed", "limit=100&player=Ana", "limit=2&player=p7",
    "limit=2&player=Ana&verdict=disputed",
)  # fmt: skip
"""The queries of the lists; their limits are so small that a store of a hundred games fills each page."""


def fill(store: Store, games: int) -> None:
    """Store games of Ana against one of ten others, one in fifty disputed, and bring the list of games up to date."""
    claimed = {"type": "designation-claimed", "designation": "night", "by": "Ana"}
    for first in range(0, games, TOGETHER):
        with store.recorder.transaction(write=True):
            for number in range(first, min(first + TOGETHER, games)):
                name = f"game {number:06}"
                store.new(name, ["Ana", f"p{number % 10}"])
                if number % 50 == 49:
                    store.append(name, [claimed])
    Library(store).catch_up()


def lists(folder: Path) -> None:
    """Measure the first page of a list of many games, by request and by command, compared with few."""
    asked: list[Asking] = []
    for games in GAMES:
        store = Store.open(folder / f"{games}.db")
        fill(store, games)
        asked.append(asking(Shelf(store)))
    few, many = GAMES
    print(f"the first page of a list of {many:,} games, against that of {few}, times as long (bar 3)")
    row("", f"{few}", f"{many:,}", "ratio")
    for page in PAGES:
        took = best(*[lambda ask=ask, page=page: ask.document(f"/v1/games?{page}") for ask in asked])
        row(f"GET /v1/games?{page}", *[f"{one * 1000:.1f} ms" for one in took], f"{took[1] / took[0]:.2f}")
    for page in PAGES:
        options = [word for part in page.split("&") for word in f"--{part}".split("=")]
        took = [command("list", *options, "--db", folder / f"{games}.db", rounds=5) for games in GAMES]
        title = " ".join(["daynight list", *options])
        row(title, *[f"{one * 1000:.1f} ms" for one in took], f"{took[1] / took[0]:.2f}")


def quiet(events: int) -> Iterator[dict[str, Any]]:
    """Yield `events` events of a game in which it becomes day in the first turn, and stays day."""
    yield {"type": "game-started", "format": 1, "game": "long", "players": ["Ana", "Bo"]}
    arrival = {"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}
    written, turn = 1, 0
    while True:
        turn += 1
        player = ("Ana", "Bo")[turn % 2]
        happenings: list[dict[str, Any]] = [
            {"type": "turn-began", "turn": turn, "active": [player]}, {"type": "step-began", "step": "untap"},
            {"type": "spell-cast", "player": player},
        ]  # fmt: skip
        if turn == 1:
            happenings.append({"type": "permanents-entered", "permanents": [arrival]})
        for happening in happenings:
            if written == events:
                return
            yield happening
            written += 1


def questions(folder: Path) -> None:
    """`why` and `forecast` at the end of a long game without changes, compared with a shorter one."""
    for events in EVENTS:
        path = folder / f"{events}.jsonl"
        path.write_text("".join(json.dumps(event) + "\n" for event in quiet(events)))
        with Store.open(folder / f"long-{events}.db") as store:
            store.import_record(Record(path), "long")
    few, many = EVENTS
    print(f"a stored game in which nothing changes, of {many:,} events against {few:,}, times as long (bar 2)")
    row("", f"{few:,}", f"{many:,}", "ratio")
    for line in ("why", "why --at -1", "forecast"):
        name, *options = line.split()
        took = []
        for events in EVENTS:
            at = [str(events - 1) if one == "-1" else one for one in options]
            took.append(command(name, "db:long", *at, "--db", folder / f"long-{events}.db", rounds=5))
        title = line.replace("-1", "the last but one")
        row(title, *[f"{one * 1000:.1f} ms" for one in took], f"{took[1] / took[0]:.2f}")


def main() -> None:
    """Measure everything and print it."""
    with scratch() as folder:
        questions(folder)
        lists(folder)


if __name__ == "__main__":
    main()
