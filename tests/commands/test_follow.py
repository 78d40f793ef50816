"""`daynight follow`: prints events as they are stored, until it is interrupted or its reader goes away."""

import json
import os
import signal
import sqlite3
import sys
from contextlib import contextmanager
from time import monotonic

import pytest

from daynight.games import Store
from tests import processes
from tests.commands.conftest import environ
from tests.rules.words import cast, started, turn


@pytest.fixture
def store(folder):
    """A store with two games, in the working folder."""
    with Store.open("daynight.db") as store:
        store.append("g1", [started(), turn(1)])
        store.append("g2", [started()])
        yield store


@contextmanager
def following(*arguments, stdout=-1):
    """Run `follow` in a process; yield the process, and kill it after the block."""
    command = [sys.executable, "-m", "daynight", "follow", *arguments]
    with processes.Popen(command, env=environ(), stdout=stdout, stderr=-1) as child:
        try:
            yield child
        finally:
            child.kill()


def test_follow(store):
    """`follow --after 1` prints every event of the store, of any game, but the first one, and new events within five
    seconds; SIGINT ends it with exit code 130."""
    with following("--after", "1") as child:
        first = [json.loads(child.stdout.readline()) for _ in range(2)]
        assert [(2, "g1", 2), (3, "g2", 1)] == [(line["place"], line["game"], line["event"]) for line in first]
        assert turn(1) == first[0]["line"]
        began = monotonic()
        store.append("g1", [cast()])
        assert (4, "g1", 3, cast()) == tuple(json.loads(child.stdout.readline()).values())
        assert monotonic() - began < 5
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
    assert (130, b"", b"") == (child.returncode, out, err.strip())


def test_follow_a_game(store):
    """With a game, --after is an event number, and `follow` prints only later events of that game."""
    with following("g1", "--after", "1", "--json") as child:
        store.append("g2", [turn(1)])
        store.append("g1", [cast()])
        lines = [json.loads(child.stdout.readline()) for _ in range(2)]
    assert [("g1", 2), ("g1", 3)] == [(line["game"], line["event"]) for line in lines]


@pytest.mark.slow
def test_nobody_reads(store):
    """When its reader closes the pipe, `follow` ends with exit code 0, even if no event comes."""
    reading, writing = os.pipe()
    with following("--after", "0", stdout=writing) as child:
        os.close(writing)
        assert os.read(reading, 10_000)
        os.close(reading)
        _out, err = child.communicate(timeout=30)
    assert (0, b"") == (child.returncode, err)


def test_no_such_game(daynight, store):
    """A missing game gives exit code 4 at once: `follow` does not wait until somebody creates the game."""
    ran = daynight("follow", "g3")
    assert (4, "no game 'g3' in daynight.db") == (ran.code, ran.error)


def test_wrong_usage(daynight, store):
    """A negative --after is wrong usage: exit code 2."""
    assert 2 == daynight("follow", "--after", "-1").code


def test_damaged(daynight, store):
    """`follow` prints the events before an invalid one; then it exits with 5, and one line names the event."""
    connection = sqlite3.connect("daynight.db")
    with connection:
        connection.execute("UPDATE stored_events SET state = x'7b' WHERE originator_version = 2")
    connection.close()
    ran = daynight("follow", "--after", "0", "--json")
    assert (5, [1]) == (ran.code, [document["event"] for document in ran.documents])
    assert ran.error.startswith("g1:2: $: not JSON")
