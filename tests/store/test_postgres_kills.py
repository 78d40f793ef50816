"""Kills of a writer, of the server, and of the server process (backend) that serves the writer.

A writer sends commands with ids one after the other, and logs each acknowledgement to the disk. After a kill a writer
continues with the first unacknowledged command, under its id. At the end no acknowledged command is lost, none is
stored twice, and there is no gap.
"""

import multiprocessing
import os
import signal
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from random import Random

import pytest

from tests.store.server import unavailable
from tests.store.writing import GAME, Acknowledged, begin, check, write

if reason := unavailable():
    pytest.skip(reason, allow_module_level=True)

import psycopg

PATIENCE = 60
"""Seconds within which a writer must make progress again."""

# Writers are forked from a process that has imported everything and has no threads.
_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["tests.store.writing", "daynight.store.database.postgres"])


@pytest.fixture
def writing(schema, tmp_path):
    settings = replace(schema, snapshots=50, timeout=2)
    begin(settings, tmp_path / "acknowledged")
    return settings, tmp_path / "acknowledged"


@contextmanager
def writer(settings, path):
    process = _forks.Process(target=write, args=(settings, path))
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()
        process.close()


def wait(path, beyond):
    """Wait until more than this many commands are acknowledged; return their number."""
    until = time.monotonic() + PATIENCE
    while (last := Acknowledged(path).last) <= beyond:
        assert time.monotonic() < until, f"nothing was acknowledged after command {last}"
        time.sleep(0.002)
    return last


def kill_writers(settings, path, kills):
    random = Random(kills)
    for kill in range(kills):
        before = Acknowledged(path).last
        with writer(settings, path) as process:
            # Every fifth is killed after a random time, perhaps before it has opened the store; the others after some
            # commands.
            if kill % 5:
                wait(path, before + random.randrange(14))
            time.sleep(random.uniform(0, 0.08))
            assert process.is_alive()
    return check(settings, path)


def kill_others(settings, path, kills, how):
    random = Random(kills)
    with writer(settings, path) as process:
        last = wait(path, 0)
        for kill in range(kills):
            time.sleep(random.uniform(0, 0.08))
            how(kill)
            last = wait(path, last + 2)
        assert process.is_alive()
    return check(settings, path)


def kill_server(server):
    def kill(number):
        server.kill(signal.SIGKILL if number % 2 else signal.SIGQUIT)
        server.start()

    return kill


def kill_backend(settings):
    backends = "SELECT pid FROM pg_stat_activity WHERE application_name = 'daynight'"

    def kill(number):
        with connected(settings) as connection:
            if number % 3:
                connection.execute(f"SELECT pg_terminate_backend(pid) FROM ({backends}) AS found")
                return
            # The server treats this as a crash: it ends all other connections, and recovers.
            for (pid,) in connection.execute(backends).fetchall():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        connected(settings).close()

    return kill


def connected(settings):
    """Connect as soon as the server accepts connections; return the connection."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return psycopg.connect(host=settings.host, user="postgres", autocommit=True)
        except psycopg.OperationalError:
            assert time.monotonic() < until
            time.sleep(0.02)


@pytest.mark.slow
def test_killed_writers_in_small(writing):
    assert kill_writers(*writing, 6).last > 6


@pytest.mark.wide
def test_killed_backends_in_small(writing):
    kill = kill_backend(writing[0])
    assert kill_others(*writing, 2, lambda number: kill(number + 1)).last > 6


@pytest.mark.slow
def test_killed_writers(writing):
    """After 100 SIGKILLs of the writer, some between a commit and its acknowledgement, nothing is lost or doubled."""
    acknowledged = kill_writers(*writing, 100)
    print(f"{acknowledged.last} commands, {acknowledged.repeated} repeated, {acknowledged.waited} unanswered")
    assert acknowledged.last > 500
    assert acknowledged.repeated > 0


@pytest.mark.slow
def test_killed_server(writing, server):
    """After 30 kills and restarts of the server, nothing is lost or doubled; the writer keeps running."""
    acknowledged = kill_others(*writing, 30, kill_server(server))
    print(f"{acknowledged.last} commands, {acknowledged.repeated} repeated, {acknowledged.waited} unanswered")
    assert acknowledged.waited >= 5


@pytest.mark.slow
def test_killed_backends(writing):
    """After 30 kills of the backend that serves the writer, nothing is lost or doubled; the writer keeps running."""
    acknowledged = kill_others(*writing, 30, kill_backend(writing[0]))
    print(f"{acknowledged.last} commands, {acknowledged.repeated} repeated, {acknowledged.waited} unanswered")
    assert acknowledged.waited >= 5


@pytest.mark.wide
def test_a_command_stored_twice_would_be_noticed(writing):
    """The control: the check finds a command that was stored twice, and one that was lost."""
    from daynight.games import Store
    from tests.store.writing import _events

    settings, path = writing
    with Store(settings) as store:
        for number in (1, 2):
            store.append(GAME, _events(number))
    path.write_text("1 False 0\n2 False 0\n")
    check(settings, path)
    path.write_text("1 False 0\n2 False 0\n3 False 0\n")
    with pytest.raises(AssertionError):
        check(settings, path)
    with Store(settings) as store:
        store.append(GAME, _events(2))
    path.write_text("1 False 0\n2 False 0\n")
    with pytest.raises(AssertionError):
        check(settings, path)
