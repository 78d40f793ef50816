"""Worker processes that start at a bad moment.

| promise | test |
| --- | --- |
| if the store's file is missing or replaced, a worker makes none, and answers 503 until it is back | test_store_away |
| if the process from which workers are forked is killed, another one is started | test_forking_killed |
| the server's end does not wait for a worker that is starting | test_ended_at_once |
"""

import os
import signal
import sys
import threading
import time
from multiprocessing import forkserver

import pytest

from daynight.games import Store
from daynight.records import Record
from daynight.web.computing import workers as there
from daynight.web.computing.work import SentVisit, plan_of
from daynight.web.computing.workers import Task, Workers
from daynight.web.errors import Problem
from daynight.web.limits import Limits
from daynight.web.queries import Cited
from daynight.web.routes.table import ROUTES
from daynight.web.shelf import Shelf
from tests.web.serving import until
from tests.web.test_away import removed, replaced

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows forks no process, and moves no open file")


def audit(game):
    """A request for the audit of a game, as a worker gets it."""
    route = next(place for place, one in enumerate(ROUTES) if one.path.endswith("/audit"))
    return Task(SentVisit(route, game, None, "en", f"/v1/games/{game}/audit", b"", {}, Cited(), b""))


@POSIX
@pytest.mark.wide(but=1)
@pytest.mark.parametrize("done", [removed, replaced])
def test_store_away(tmp_path, done):
    path, aside = tmp_path / "games.db", tmp_path / "aside.db"
    with Store.open(path) as store:
        store.new("friday", ["Ana", "Bo"])
        workers = Workers(plan_of(Shelf(store), None, Limits()), 10)
        done(path, aside)
        kept = sorted(tmp_path.iterdir())
        try:
            for _time in range(2):
                told = workers.compute(audit("friday")).problem
                assert (told["status"], told["code"]) == (503, "store-unavailable")
                assert sorted(tmp_path.iterdir()) == kept
            if done is removed:
                aside.rename(path)
                assert workers.compute(audit("friday")).status == 200
        finally:
            workers.close()


@POSIX
@pytest.mark.slow
def test_forking_killed():
    shelf = Shelf(None, [Record("demo")])
    workers = Workers(plan_of(shelf, None, Limits()), 10)
    try:
        assert workers.compute(audit("wagic-G1")).status == 200
        killed, start = [], there.Worker._begin

        def begin(worker, method, plan):
            # A stopped process forks nothing; killed, it leaves those waiting who asked it to.
            forking = forkserver._forkserver._forkserver_pid
            if method == "forkserver" and not killed:
                killed.append(forking)
                os.kill(forking, signal.SIGSTOP)
                threading.Timer(0.2, os.kill, (forking, signal.SIGKILL)).start()
            start(worker, method, plan)

        (worker,) = workers.all
        os.kill(worker.pid, signal.SIGKILL)
        until(lambda: not worker.alive)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(there.Worker, "_begin", begin)
            assert workers.compute(audit("wagic-G1")).status == 200
        assert killed
    finally:
        workers.close()


def test_ended_at_once(monkeypatch):
    goes_on, ended, found = threading.Event(), [], []

    class Slow:
        """A worker whose process starts slowly."""

        def __init__(self, plan):
            assert goes_on.wait(10)

        def end(self):
            ended.append(self)

    monkeypatch.setattr(there, "Worker", Slow)
    workers = Workers(plan_of(Shelf(None, [Record("demo")]), None, Limits()), 10)

    def compute():
        with pytest.raises(Problem) as late:
            workers.compute(audit("wagic-G1"))
        found.append(late.value)

    waiting = threading.Thread(target=compute)
    waiting.start()
    try:
        time.sleep(0.05)
        began = time.monotonic()
        workers.close()
        assert time.monotonic() - began < 1
    finally:
        goes_on.set()
        waiting.join()
    assert [(one.status, one.code) for one in found] == [(503, "busy")]
    assert len(ended) == 1
    assert not workers.all
