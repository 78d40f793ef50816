"""The cost of commands on a stored game, as ratios within one run: to the command on a file, and to older code.

`make bench` prints it with the others, `python tests/bench/commands_bench.py` alone. Measured in CPU time of this
process, which runs the command lines itself; so startup time is not included.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from msgspec import Raw

from daynight.cli.commands import run
from daynight.cli.terminal.output import print_json
from daynight.events.language import LANGUAGE
from daynight.framework.edits import insert
from daynight.framework.language.codec import encode_lines
from daynight.game import Game
from daynight.games import Store
from daynight.records import Record
from daynight.store.branches import keep
from daynight.store.database.mapper import check_events, event_of
from daynight.store.feed import Feed
from daynight.store.records import chained_rows
from tests.bench.store_bench import fastest, record, row, scratch

EVENTS = 100_000
GAME = "long"
FILES = (25, 100)
ALL_NAMES = "SELECT originator_id, max(originator_version) FROM stored_events GROUP BY originator_id"
"""The former way to list the names of games: through all events."""


@contextmanager
def silent() -> Iterator[None]:
    """Discard standard output."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
        yield


def command(*arguments: object, rounds: int = 3) -> float:
    """Run a command line `rounds` times without its output; return the least time in seconds."""

    def once() -> None:
        assert run([*map(str, arguments)]) in (0, 1, 5)

    with silent():
        return fastest(once, rounds)


def reading(folder: Path) -> None:
    """Measure commands on a stored game, compared with its file; `why` also with its former code."""
    path, place = folder / "long.jsonl", folder / "long.db"
    path.write_bytes(encode_lines(record(EVENTS)[0]))
    with Store.open(place) as store:
        store.import_record(Record(path), GAME)

        def as_it_was() -> None:
            for _rows in chained_rows(store.recorder, GAME):
                pass
            Game.load(path).why(EVENTS - 10)

        before = fastest(as_it_was, 2)
    print(f"a stored game of {EVENTS:,} events, against the same command on its file (bar 1 with --at)")
    row("", "file", "stored", "ratio")
    for line in (
        f"why --at {EVENTS - 10}", "why --at 1000", "why", f"forecast --at {EVENTS - 10}",
        f"replay --json --at {EVENTS // 2}", "replay --json", "audit", "show --at 1000", "blame",
    ):  # fmt: skip
        name, *options = line.split()
        file = command(name, path, *options)
        stored = command(name, f"db:{GAME}", "--db", place, *options)
        row(line, f"{file * 1000:.0f} ms", f"{stored * 1000:.0f} ms", f"{stored / file:.2f}")
    now = command("why", f"db:{GAME}", "--db", place, "--at", EVENTS - 10)
    line = "why --at the end, as it was: all rows held against the chain first"
    row(line, f"{before * 1000:.0f} ms", f"x {before / now:.1f}")


def importing(folder: Path) -> None:
    """Import a hundred files in one call, compared with twenty-five; list all names, compared with `ALL_NAMES`."""
    took = {}
    for many in FILES:
        files = []
        for number in range(many):
            file = folder / f"{many}-{number}.jsonl"
            file.write_bytes(encode_lines(record(1_000)[0]).replace(b'"long"', b'"g%d"' % number, 1))
            files.append(file)
        place = folder / f"{many}-files.db"
        took[many] = command("import", *files, "--db", place, "--key", folder / "key.pem", rounds=1)
    few, many = FILES
    print(f"importing {many} files of 1,000 events in one call, against {few} (linear: {many / few:.0f})")
    row("files, times as long", f"{took[many] / took[few]:.2f}")
    with Store.open(folder / f"{many}-files.db") as store:
        asked = fastest(lambda: store.recorder.select(ALL_NAMES))
        named = fastest(store.games)
        row("all games by way of their events, as it was for each file; a file took", f"{asked * 1000:.1f} ms",
            f"{took[many] / many * 1000:.1f} ms")  # fmt: skip
        row("the names of all games, times as fast as by way of their events", f"{asked / named:.0f}")


def beginning(folder: Path) -> None:
    """Measure `new`, `branches` and completing a name in a store of long games, compared with games a fiftieth."""
    took: dict[str, list[float]] = {}
    for place, many in (("few.db", 100), ("many.db", 5_000)):
        events = record(many)[0]
        with Store.open(folder / place) as store:
            for number in range(20):
                store.append(f"g{number}", events)
            store.append("friday", events[:60])
            keep(store, store.load("friday").branch(insert(40, "it becomes day"), name="b2"), "friday")
        took[place] = [
            command("new", "friday", "Ana", "Bo", "--db", folder / place, "--key", folder / "key.pem"),
            command("branches", "db:friday", "--db", folder / place),
        ]
        with Store.open(folder / place) as store:
            took[place].append(fastest(lambda: store.games("g1"), 9))
    print("a store with fifty times as many events in as many games, times as long (bar 1)")
    for title, few, many_ in zip(("new", "branches", "completing a name"), *took.values(), strict=True):
        row(title, f"{many_ / few:.2f}")


def following(folder: Path) -> None:
    """Catching up with a stored game as `follow` does, compared with one event at a time."""

    def follow(at_a_time: Callable[[Feed], None]) -> Callable[[], None]:
        def go() -> None:
            with Store.open(folder / "long.db") as store, Feed(store) as feed:
                at_a_time(feed)

        return go

    def together(feed: Feed) -> None:
        left = EVENTS
        with feed.subscribe(after=0) as subscription:
            while left:
                found = subscription.take(1)
                assert check_events(LANGUAGE, [(one.tag, one.line) for one in found]) == len(found)
                print_json(
                    *(
                        {"place": one.place, "game": one.game, "event": one.number, "line": Raw(one.line)}
                        for one in found
                    )
                )
                left -= len(found)

    def singly(feed: Feed) -> None:
        with feed.subscribe(after=0) as subscription:
            for _event in range(EVENTS):
                found = subscription.wait(1)
                assert found is not None
                event_of(LANGUAGE, found.tag, found.line)
                print_json({"place": found.place, "game": found.game, "event": found.number, "line": Raw(found.line)})

    clock = time.process_time
    with silent():
        now, before = fastest(follow(together), 3, clock), fastest(follow(singly), 2, clock)
    print(f"follow, catching up with {EVENTS:,} events")
    row("times as fast as one event at a time, as it was (bar 5)", f"{before / now:.1f}", f"{EVENTS / now:.0f}/s")


def main() -> None:
    """Measure and print."""
    with scratch() as folder:
        reading(folder)
        importing(folder)
        beginning(folder)
        following(folder)


if __name__ == "__main__":
    main()
