"""A projector that is killed many times: `python -m tests.store.projecting SETTINGS FOLDER KILLS SEED [careless]`.

The projector is `Library`, the list of games. Each run of it, and the writer, is a fork of this process, which has
already imported everything, so a run takes milliseconds. Some runs begin with a rebuild. After each run the rows are
compared with the games in memory up to the projector's position. `careless` is the control: it stores the position
first and the rows in a second transaction.
"""

import json
import os
import signal
import sys
import time
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from eventsourcing.persistence import Tracking

from daynight.game import Game
from daynight.games import Store
from daynight.projections.library import NAME, Entry, Library
from daynight.rules import RULES
from daynight.store.database.settings import Settings
from daynight.store.records import StoredRecord

from .killing import forked
from .rows_of_games import BACKED_UP, expected

BATCH = 7
"""How many events a projector reads in one batch."""

LONGEST = {"sqlite": 0.03, "postgresql": 0.06}
"""Half of the runs are killed at most this many seconds after they stored their first position, by kind of store."""

TRACKED = f"{NAME}:{RULES}"
"""The name under which `Library` stores its position: it contains the version of the rules."""

PATIENCE = 10
"""How many seconds are waited for the first position of a run."""

PAUSE = 0.002
"""Seconds between two appends."""


class Careless(Library):
    """A wrong projector: it stores the position first, and the rows in a second transaction."""

    def _take(self, position: int, found: list[Any], *, strict: bool = False) -> None:
        last = {str(game): number for game, number, *_rest in found}
        with self._recorder.transaction(write=True) as cursor:
            self._recorder.track(cursor, Tracking(TRACKED, found[-1][4]))
        time.sleep(PAUSE)
        with self._recorder.transaction(write=True) as cursor:
            self._put(cursor, [self._row_of(self._past(game).live(last[game])) for game in last])


def write(settings: Settings, enough: Path, seed: int) -> None:
    """Append to up to four games at a time, a few events each, until the file `enough` exists."""
    random = Random(seed)
    with Store(settings) as store:
        left: dict[str, list[Any]] = {}
        for number in count():
            if enough.exists():
                return
            if len(left) < 4:
                left[f"g{number}"] = list(BACKED_UP)
            game = random.choice(sorted(left))
            many = random.randint(1, 5)
            store.append(game, left[game][:many])
            left[game] = left[game][many:]
            if not left[game]:
                del left[game]
            time.sleep(PAUSE)


def project(settings: Settings, rebuild: bool, careless: bool) -> None:
    """If `rebuild`, rebuild the list of games; then add new events to it again and again until killed."""
    with Store(settings) as store:
        library = (Careless if careless else Library)(store)
        if rebuild:
            library.rebuild(batch=BATCH)
        while True:
            library.catch_up(batch=BATCH)


def wanted(store: Store, position: int) -> list[Entry]:
    """Return the rows that `Library` must have after the event at `position`, computed from games in memory."""
    recorder = store.recorder
    found = recorder.select(
        "SELECT originator_id, max(originator_version) FROM stored_events"
        f" WHERE {recorder.place} <= ? GROUP BY originator_id",
        position,
    )
    games = sorted((str(game), int(last)) for game, last in found)
    return [expected(game, Game.load(StoredRecord(recorder, game, last))) for game, last in games]


def until_noted(settings: Settings, before: set[int]) -> float:
    """Wait until the stored position is none of `before`, at most PATIENCE seconds; return the seconds that it took."""
    began = time.perf_counter()
    with Store(settings) as store:
        while (store.recorder.max_tracking_id(TRACKED) or 0) in before and time.perf_counter() - began < PATIENCE:
            time.sleep(0.0005)
    return time.perf_counter() - began


def main(settings: Settings, folder: Path, kills: int, seed: int, careless: bool) -> dict[str, int]:
    """Kill a projector this many times; return the figures."""
    random, enough = Random(seed), folder / "enough"
    writer = forked(partial(write, settings, enough, seed))
    wrong, youth = 0, LONGEST[settings.kind]
    positions: set[int] = {0}
    try:
        for _kill in range(kills):
            child = forked(partial(project, settings, random.random() < 0.2, careless))
            # Half of them are killed early, while they open the store. The others show how long that takes.
            if random.random() < 0.5:
                time.sleep(random.uniform(0, youth * 1.2))
            else:
                youth += (until_noted(settings, positions) - youth) / 4
                time.sleep(random.uniform(0, LONGEST[settings.kind]))
            os.kill(child, signal.SIGKILL)
            _pid, status = os.waitpid(child, 0)
            if not os.WIFSIGNALED(status):
                raise SystemExit("a projector ended by itself")
            with Store(settings) as store:
                position = store.recorder.max_tracking_id(TRACKED) or 0
                positions.add(position)
                library = Library(store)
                rows = library.rows()
                # Reading repairs a row that is short, so count the repairs.
                wrong += rows != wanted(store, position) or library.mended != []
    finally:
        enough.touch()
        _pid, status = os.waitpid(writer, 0)
    if status:
        raise SystemExit("the writer failed")
    with Store(settings) as store:
        library, last = Library(store), store.recorder.max_notification_id() or 0
        library.catch_up()
        return {
            "kills": kills, "events": last, "games": len(library.rows()), "positions": len(positions) - 1,
            "wrong": wrong, "wrong in the end": int(library.rows() != wanted(store, last)),
            "not tracked": last - (store.recorder.max_tracking_id(TRACKED) or 0),
        }  # fmt: skip


if __name__ == "__main__":
    place, folder, kills, seed, *careless = sys.argv[1:]
    print(json.dumps(main(Settings(**json.loads(place)), Path(folder), int(kills), int(seed), bool(careless))))
