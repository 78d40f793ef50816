"""Writers side by side: `python -m tests.store.contending FOLDER GAMES WRITERS SECONDS` prints the figures as JSON.

It forks WRITERS processes. Each appends to its game as fast as it can; with one game they all append to the same. They
report their acknowledgements and how long each answer took.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

from daynight.games import Store

from .acknowledged import Json, Told, began, found, intact, noted


class Writer(NamedTuple):
    """A writer's acknowledgements, the seconds that each answer took, and the errors that it got."""

    told: list[Told]
    seconds: list[float]
    errors: list[str]


def events(writer: int, number: int) -> list[Json]:
    """Return the events of a writer's command with this number; they are legal whatever the other writers append."""
    if number % 5:
        return [{"type": "spell-cast", "player": ("Ana", "Bo")[writer % 2]}]
    permanent = {"id": f"{writer}-{number}", "card": "Tavern Ruffian", "controller": "Ana"}
    return [
        {"type": "step-began", "step": "upkeep"},
        {"type": "permanents-entered", "permanents": [permanent]},
        {"type": "permanents-left", "permanents": [permanent["id"]], "to": "graveyard"},
    ]


def write(store: Store, game: str, writer: int, seconds: float) -> Writer:
    """Append command after command for this many seconds; return the answers, and go on after errors."""
    wrote = Writer([], [], [])
    until = time.perf_counter() + seconds
    number = 0
    while (start := time.perf_counter()) < until:
        number += 1
        command = f"w{writer}-{number}"
        try:
            stored = store.append(game, noted(command, events(writer, number)), command=command)
        except Exception as error:
            wrote.errors.append(f"{type(error).__name__}: {error}")
            continue
        wrote.seconds.append(time.perf_counter() - start)
        wrote.told.append(Told(game, command, stored.first, stored.last))
    return wrote


def threads(database: Path, games: int, writers: int, seconds: float) -> list[Writer]:
    """Run writers as threads of this process, on one store; return what each of them got."""
    wrote: list[Writer] = []
    with Store.open(database) as store:

        def work(writer: int) -> None:
            wrote.append(write(store, f"game-{writer % games}", writer, seconds))

        all_of_them = [threading.Thread(target=work, args=(writer,)) for writer in range(writers)]
        for each in all_of_them:
            each.start()
        for each in all_of_them:
            each.join()
    return wrote


def processes(database: Path, games: int, writers: int, seconds: float) -> list[Writer]:
    """Run writers as processes, each with its own store object; return what each of them got."""
    children = []
    for writer in range(writers):
        child = os.fork()
        if child:
            children.append(child)
            continue
        with Store.open(database) as store:
            wrote = write(store, f"game-{writer % games}", writer, seconds)
        database.with_name(f"{writer}.json").write_text(json.dumps(wrote))
        os._exit(0)
    for child in children:
        os.waitpid(child, 0)
    read = [json.loads(database.with_name(f"{writer}.json").read_bytes()) for writer in range(writers)]
    return [Writer([Told(*each) for each in told], took, errors) for told, took, errors in read]


def begin(folder: Path, games: int) -> Path:
    """Make a store with this many games in their first turn; return the path of its database."""
    database = folder / "writers.db"
    with Store.open(database) as store:
        for game in range(games):
            began(store, f"game-{game}")
    return database


def outcome(database: Path, games: int, wrote: list[Writer], seconds: float) -> Json:
    """Return the figures as JSON; `p99` is the highest 99th percentile of any writer, in milliseconds."""
    told = [each for writer in wrote for each in writer.told]
    seen = found(database, told)
    with Store.open(database) as store:
        whole = intact(store)
    return {
        "writers": len(wrote), "games": games, "appends a second": round(len(told) / seconds),
        "events a second": round(seen.events / seconds), "fewest": min(len(writer.told) for writer in wrote),
        "most": max(len(writer.told) for writer in wrote),
        "p50": round(percentile([each for writer in wrote for each in writer.seconds], 0.5), 2),
        "p99": round(max(percentile(writer.seconds, 0.99) for writer in wrote), 2),
        "longest": round(max(percentile(writer.seconds, 1) for writer in wrote), 2),
        "errors": [error for writer in wrote for error in writer.errors][:10],
        "unanswered": seen.commands - 2 * games - len(told), "intact": whole, **seen._asdict(),
    }  # fmt: skip


def percentile(seconds: list[float], part: float) -> float:
    """Return the percentile `part` (0.5 is the median) in milliseconds; infinite without any answer."""
    if not seconds:
        return float("inf")
    return sorted(seconds)[min(int(len(seconds) * part), len(seconds) - 1)] * 1000


if __name__ == "__main__":
    games, writers, lasting = int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    place = begin(Path(sys.argv[1]), games)
    print(json.dumps(outcome(place, games, processes(place, games, writers, lasting), lasting)))
