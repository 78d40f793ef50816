"""A writer that is killed many times: `python -m tests.store.killing FOLDER KILLS SEED [early]` prints JSON figures.

Each run of the writer is a fork of this process, which has already imported everything, so it takes milliseconds. It
opens the store, retries the last unacknowledged command, and continues; sometimes it closes and reopens the store.
`early` is the control: the writer acknowledges before it stores.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

from daynight.games import Store
from daynight.store.database.settings import Settings
from daynight.store.proving.keys import Key

from .acknowledged import Json, Told, began, found, intact, noted

GAME = "friday"
SNAPSHOTS = 50
LONGEST = 0.015
"""Half of the runs are killed at most this many seconds after their first answer."""

PATIENCE = 10
"""How many seconds are waited for the first answer."""


def command(number: int) -> list[Json]:
    """Return the events of the command with this number: permanents, spells, and a new turn every ten commands."""
    events: list[Json] = [{"type": "spell-cast", "player": "Ana"}] * (number % 4)
    if number % 10 == 0:
        events = [{"type": "turn-began", "turn": number // 10 + 2, "active": ["Bo"]}, *events]
    elif number % 3 == 0:
        permanent = {"id": f"w{number}", "card": "Tavern Ruffian", "controller": "Ana"}
        events = [{"type": "permanents-entered", "permanents": [permanent]}, *events]
        if number > 30:
            left = {"type": "permanents-left", "permanents": [f"w{number - number % 3 - 30}"], "to": "graveyard"}
            events += [left] if (number - 30) % 10 else []
    return noted(f"c-{number}", events or [{"type": "step-began", "step": "upkeep"}])


def acknowledged(path: Path) -> list[Told]:
    """The acknowledgements in order; a last line without a line end was never finished and does not count."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [Told(GAME, name, int(first), int(last)) for name, first, last in map(str.split, map(bytes.decode, lines))]


def live(database: Path, heard: Path, resent: Path, key: Key, start: int, early: bool) -> None:
    """Append commands from number `start` on until killed: acknowledgements go to `heard`, a dot for each repeat to
    `resent`."""
    settings = replace(Settings.parse(database), snapshots=SNAPSHOTS)
    random = Random(start)
    acknowledge = os.open(heard, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    store = Store(settings, key=key)
    for number in count(start):
        events = command(number)
        if early:
            first = store.head(GAME).number + 1
            os.write(acknowledge, b"c-%d %d %d\n" % (number, first, first + len(events) - 1))
        stored = store.append(GAME, events, command=f"c-{number}")
        if stored.repeated:
            with resent.open("ab") as stream:
                stream.write(b".")
        if not early:
            os.write(acknowledge, b"c-%d %d %d\n" % (number, stored.first, stored.last))
        if random.random() < 0.03:
            store.close()
            store = Store(settings, key=key)


def forked(work: Callable[[], None]) -> int:
    """Run a function in a forked process, which ends when the function returns or fails; return its process id."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    except BaseException as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


def until_longer(path: Path, size: int) -> float:
    """Wait until a file is longer than `size`, at most PATIENCE seconds; return the seconds that it took."""
    began = time.perf_counter()
    while path.stat().st_size <= size and time.perf_counter() - began < PATIENCE:
        time.sleep(0.0005)
    return time.perf_counter() - began


def main(folder: Path, kills: int, seed: int, early: bool) -> Json:
    """Kill a writer this many times; return the figures."""
    database, heard, resent = folder / "kills.db", folder / "heard", folder / "resent"
    random, key = Random(seed), Key.generate()
    with Store.open(database) as store:
        began(store, GAME)
    silent = failed = 0
    youth = LONGEST
    heard.touch()
    for _kill in range(kills):
        before = len(acknowledged(heard))
        child = forked(partial(live, database, heard, resent, key, before + 1, early))
        # Half of them are killed early: while they open the store, recover, and load the game from its snapshot. The
        # others are killed some time after their first answer, and show how long opening takes.
        if random.random() < 0.5:
            time.sleep(random.uniform(0, youth * 1.2))
        else:
            youth += (until_longer(heard, heard.stat().st_size) - youth) / 4
            time.sleep(random.uniform(0, LONGEST))
        os.kill(child, signal.SIGKILL)
        _pid, status = os.waitpid(child, 0)
        failed += not os.WIFSIGNALED(status)
        silent += len(acknowledged(heard)) == before
    heard_of = acknowledged(heard)
    seen = found(database, heard_of)
    with Store.open(database) as store:
        whole = intact(store)
        snapshots = len(store.recorder.snapshot_numbers(GAME))
    return {
        "kills": kills, "failed": failed, "acknowledged": len(heard_of), "silent": silent,
        "resent": resent.stat().st_size if resent.exists() else 0, "snapshots": snapshots, "intact": whole,
        **seen._asdict(),
    }  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), "early" in sys.argv)))
