"""The database cost of a command: it does not grow with events, games or files that do not concern it.

Times are noisy, so these tests count the steps of SQLite's virtual machine, which are the same in every run.

| promise | test |
| --- | --- |
| `why` and `forecast` read only events after the snapshot, however long the game is | test_from_the_snapshot_on |
| no command with `--at` reads later events | test_nothing_later |
| a whole game is read some thousands of rows at a time | test_in_bulk |
| importing one more file costs as much as those before | test_imports_are_linear |
| the cost of `new`, `branches` and completion does not grow with the events of other games | test_not_by_events |
| a follower catches up thousands of events at a time | test_following_in_bulk |
"""

import io
import re
import sqlite3
import sys
from contextlib import suppress

import pytest

from daynight.cli.commands import daynight as command
from daynight.framework.edits import insert
from daynight.framework.language.codec import encode_lines
from daynight.games import Store
from daynight.store.branches import keep
from daynight.store.database import mapper
from daynight.store.database.rows import BULK
from tests.bench.store_bench import record
from tests.commands.conftest import completed
from tests.sampling import sampled

SHORT, LONG = 1_000, 8_000
"""The number of events of a short game and of a long one."""

FEW, MANY = 4, 40
"""How many files are imported where few, and where many, are compared."""


class Cost:
    """The work of SQLite: `steps` counts tens of steps of its virtual machine, `statements` lists the statements."""

    def __init__(self):
        self.steps = 0
        self.statements = []

    def step(self):
        self.steps += 1

    def reading(self):
        """The statements that read events."""
        return [each for each in self.statements if re.match("SELECT .*state.* FROM .*stored_events", each, re.DOTALL)]

    def clear(self):
        """Set `steps` to 0, and empty `statements`."""
        self.steps = 0
        self.statements.clear()


@pytest.fixture
def cost(monkeypatch):
    """A `Cost` that counts the work of every connection that is opened from now on."""
    real, cost = sqlite3.connect, Cost()

    def connect(*arguments, **options):
        connection = real(*arguments, **options)
        connection.set_progress_handler(cost.step, 10)
        connection.set_trace_callback(cost.statements.append)
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect)
    return cost


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """A folder with two stores, `short.db` and `long.db`, each with one game `g`, and each game's `.jsonl` file."""
    folder = tmp_path_factory.mktemp("stores")
    for name, many in (("short", SHORT), ("long", LONG)):
        path = folder / f"{name}.jsonl"
        path.write_bytes(encode_lines(record(many)[0]))
        with Store.open(folder / f"{name}.db") as store:
            store.import_record(path, "g")
    return folder


def asked(daynight, cost, *arguments, code=(0, 1)):
    """Run a command line, and return its `cost.steps`; its exit code must be one of `code`."""
    cost.clear()
    assert daynight(*arguments).code in code
    assert cost.steps
    return cost.steps


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("name", ["why", "forecast"])
def test_from_the_snapshot_on(daynight, cost, stores, name, monkeypatch):
    """The command costs less than 1.3 times as much in the long game as at the end of the short one, both at the end
    and at event 1,000."""
    # Both games are longer than the part that `why` searches for unknown names.
    monkeypatch.setattr("daynight.projections.audit.doubts.LATEST", SHORT // 2)
    short = asked(daynight, cost, name, "db:g", "--db", stores / "short.db")
    long = asked(daynight, cost, name, "db:g", "--db", stores / "long.db")
    early = asked(daynight, cost, name, "db:g", "--db", stores / "long.db", "--at", SHORT)
    assert long < 1.3 * short
    assert early < 1.3 * short
    # Reading all lines of the game would have cost more.
    assert long < asked(daynight, cost, "audit", "db:g", "--db", stores / "long.db") / 2


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("line", ["why", "forecast", "show", "blame", "unknowns", "replay", "replay --json"])
def test_nothing_later(daynight, cost, stores, line):
    """For the same event, a game of eight thousand events costs less than 1.1 times as much as one of a thousand."""
    short, long = (
        asked(daynight, cost, *line.split(), "db:g", "--db", stores / f"{name}.db", "--at", SHORT - 100)
        for name in ("short", "long")
    )
    assert long < 1.1 * short


@pytest.mark.wide(but=1)
@pytest.mark.parametrize(
    "line",
    sampled([
        "why db:g --at turn:3", "audit db:g", "show db:g", "diff db:g db:g", "replay --json db:g", "blame db:g",
        "report db:g",
    ], 3),
)  # fmt: skip
def test_in_bulk(daynight, cost, stores, line):
    """A game of thousands of events takes few statements; no row is read by a statement of its own."""
    first, *others = line.split()
    asked(daynight, cost, first, *others, "--db", stores / "long.db")
    reading = cost.reading()
    games = line.count("db:g")
    # Some commands read a record more than once.
    assert 0 < len(reading) <= 3 * games * (LONG // BULK + 1)
    assert all("group_concat(state" in each for each in reading)


@pytest.mark.parametrize("many", [12, pytest.param(MANY, marks=pytest.mark.wide)])
def test_imports_are_linear(daynight, cost, folder, many):
    """The last of many files costs less than 1.2 times as much as the fourth; its import sends no GROUP BY query."""
    costs = []
    for number in range(many):
        path = folder / f"{number}.jsonl"
        path.write_bytes(encode_lines(record(60)[0]).replace(b'"long"', b'"g%02d"' % number))
        costs.append(asked(daynight, cost, "import", path))
    assert costs[many - 1] < 1.2 * costs[FEW - 1]
    assert not [each for each in cost.statements if "GROUP BY" in each]


def test_imports_in_one_call(daynight, cost, folder):
    """Ten times as many files in one call cost less than twelve times as many steps, and statements."""
    found = {}
    for many in (FEW, MANY):
        paths = []
        for number in range(many):
            path = folder / f"{many}-{number}.jsonl"
            path.write_bytes(encode_lines(record(60)[0]).replace(b'"long"', b'"g%02d-%02d"' % (many, number)))
            paths.append(path)
        found[many] = asked(daynight, cost, "import", *paths, "--db", f"{many}.db"), len(cost.statements)
    for few, many in zip(found[FEW], found[MANY], strict=True):
        assert many < 1.2 * few * MANY / FEW


def test_not_by_events(daynight, cost, folder, monkeypatch):
    """If another game in the store has 8,000 events in place of 100, `new`, `branches` and completion cost less than
    1.1 times as much."""
    found = {}
    for place, many in (("few.db", 100), ("many.db", LONG)):
        with Store.open(folder / place) as store:
            events = record(many)[0]
            store.append("other", events)
            store.append("friday", events[:60])
            keep(store, store.load("friday").branch(insert(40, "it becomes day"), name="b2"), "friday")
        found[place] = [
            asked(daynight, cost, "new", "another", "Ana", "Bo", "--db", place),
            asked(daynight, cost, "new", "another", "Ana", "Bo", "--db", place, code=(5,)),
            asked(daynight, cost, "branches", "db:friday", "--db", place),
        ]
        cost.clear()
        assert ["plain,db:friday", "plain,db:friday/b2"] == completed(monkeypatch, f"daynight why --db {place} db:fri")
        found[place].append(cost.steps)
    for few, many in zip(*found.values(), strict=True):
        assert many < 1.1 * few


class Pipe(io.RawIOBase):
    """A standard output that raises BrokenPipeError after `lines` lines; `writes` counts the writes."""

    def __init__(self, lines):
        self.left, self.writes = lines, 0

    def writable(self):
        return True

    def write(self, data):
        self.writes += 1
        self.left -= bytes(data).count(b"\n")
        if self.left <= 0:
            raise BrokenPipeError
        return len(data)


def test_following_in_bulk(cost, stores, monkeypatch):
    """`follow` reads 8,000 events with few statements, prints them with few writes, and decodes no event on its own."""
    by_itself = []
    monkeypatch.setattr(mapper, "event_of", lambda *row: by_itself.append(row))
    for game in ([], ["g"]):
        cost.clear()
        pipe = Pipe(LONG)
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BufferedWriter(pipe)))
        with suppress(BrokenPipeError):
            command.main(["follow", *game, "--after", "0", "--db", str(stores / "long.db")], standalone_mode=False)
            raise AssertionError
        assert pipe.left == 0
        reading = cost.reading()
        assert 0 < len(reading) <= LONG // BULK + 4
        assert pipe.writes <= LONG // BULK + 4
        assert by_itself == []
