"""Eight concurrent writers lose nothing, get no errors, and all make progress.

| promise | test |
| --- | --- |
| 8 writers on one game and on eight, threads and processes, 30 s: 0 lost, 0 errors, p99 under 250 ms | test_writers |
| the same with fewer appends, without time limits | test_writers_in_small |
| with two stores of one process on one file, another process does not delete the file's log | test_two_stores |
"""

import json
import os
import sys
from pathlib import Path

import pytest

from daynight.games import Store
from tests import processes

from .acknowledged import Told, began, found, noted
from .contending import begin, outcome, threads

ROOT = Path(__file__).resolve().parents[2]
WRITERS = 8
SLOWEST = 250
"""The 99th percentile of the answer times, in milliseconds, that no writer may exceed."""

each_way = pytest.mark.parametrize("games", [1, WRITERS], ids=["one game", "a game each"])
FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="the writers are forks, which Windows does not have")
by_both = pytest.mark.parametrize("processes", [False, pytest.param(True, marks=FORKS)], ids=["threads", "processes"])


def python(*arguments):
    return processes.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def written(folder, games, seconds, processes):
    if processes:
        told = json.loads(python("-m", "tests.store.contending", str(folder), str(games), str(WRITERS), str(seconds)))
    else:
        database = begin(folder, games)
        told = outcome(database, games, threads(database, games, WRITERS, seconds), seconds)
    print(told)
    return told


def nothing_lost(told):
    assert (0, 0, 0) == (told["lost"], told["twice"], told["gaps"])
    assert ([], 0) == (told["errors"], told["unanswered"])
    assert told["intact"]
    assert told["writers"] == WRITERS
    assert told["fewest"] > 0


@pytest.mark.alone
@pytest.mark.slow
@each_way
@by_both
def test_writers(tmp_path, games, processes):
    told = written(tmp_path, games, 30, processes)
    nothing_lost(told)
    assert told["p99"] < SLOWEST
    # With SQLite's own way of waiting, some writers wrote fifty times as much as others.
    assert told["most"] < 4 * told["fewest"]


@pytest.mark.wide(but=1)
@pytest.mark.parametrize(
    "games, processes",
    [(1, False), pytest.param(1, True, marks=FORKS), pytest.param(WRITERS, False, marks=pytest.mark.slow)],
    ids=["one game-threads", "one game-processes", "a game each-threads"],
)
def test_writers_in_small(tmp_path, games, processes):
    nothing_lost(written(tmp_path, games, 0.25, processes))


@pytest.mark.wide
def test_answers_under_switching_threads(tmp_path):
    """Each answer names the events of its own command, even if threads switch in the middle of it."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        nothing_lost(written(tmp_path, 1, 0.4, processes=False))
    finally:
        sys.setswitchinterval(before)


OTHER = """
import sys
from daynight.games import Store
with Store.open(sys.argv[1]) as store:
    store.append("friday", [{"type": "spell-cast", "player": "Bo", "note": "theirs 1/1"}], command="theirs")
"""


def test_two_stores(tmp_path):
    """A second store on the same file, closed, leaves the first one's locks: another process keeps the log."""
    database = tmp_path / "two.db"
    with Store.open(database) as store:
        began(store, "friday")
        with Store.open(database) as second:
            assert second.games() == [("friday", 2)]
        python("-c", OTHER, str(database))
        stored = store.append("friday", noted("ours", [{"type": "spell-cast", "player": "Ana"}]), command="ours")
        assert stored.first == 4
        told = [Told("friday", "theirs", 3, 3), Told("friday", "ours", 4, 4)]
        assert (
            python(
                "-c",
                "import sys, sqlite3; print(sqlite3.connect(sys.argv[1]).execute("
                "'SELECT count(*) FROM stored_events').fetchone()[0])",
                str(database),
            ).strip()
            == "4"
        )
    assert found(database, told).faults == (0, 0, 0)
