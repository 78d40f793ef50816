"""How a store in a file uses SQLite.

| promise | test |
| --- | --- |
| appending compiles each SQL statement once | test_statements_are_kept |
| a new file has small pages; a file with another page size works as well | test_pages |
| of the thread locks of games without a running append, only the last one is kept | test_locks |
| closing while other threads read and write gives them an error, and no crash | test_closed_meanwhile |
| an append interrupted at any step leaves no lock, and the next one works | test_interrupted |
"""

import sqlite3
import sys
from contextlib import closing

import pytest

from daynight.games import Store
from daynight.store import Key
from daynight.store.files import connections as sqlite_module
from daynight.store.proving.verify import verify_store
from tests import processes
from tests.behaviour.games import ROOT
from tests.sampling import sampled
from tests.store.playing import CAST, TURN, begun


def pages(path):
    with closing(sqlite3.connect(path)) as raw:
        (size,) = raw.execute("PRAGMA page_size").fetchone()
        return int(size)


@pytest.mark.parametrize("key", [None, Key.generate()], ids=["unsigned", "signed"])
def test_statements_are_kept(tmp_path, key):
    compiled = []

    def heard(what, *_which):
        # Python itself compiles COMMIT each time.
        if what != sqlite3.SQLITE_TRANSACTION:
            compiled.append(what)
        return sqlite3.SQLITE_OK

    with Store.open(tmp_path / "games.db", key=key) as store:
        begun(store)
        store.recorder.datastore._writer._sqlite_conn.set_authorizer(heard)  # type: ignore[attr-defined]
        store.append("g", [{**TURN, "turn": 2}, CAST], command="c2")
        assert compiled, "what was compiled before somebody listened is compiled anew"
        compiled.clear()
        store.append("g", [{**TURN, "turn": 3}, CAST], command="c3")
        assert not compiled


def test_pages(tmp_path):
    path = tmp_path / "games.db"
    with Store.open(path) as store:
        begun(store)
    assert pages(path) == 2048
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("PRAGMA journal_mode = DELETE")
        raw.execute("PRAGMA page_size = 4096")
        raw.execute("VACUUM")
    assert pages(path) == 4096
    with Store.open(path) as store:
        assert store.append("g", [CAST]).last == 3
        assert [found.fault for found in verify_store(store)] == [None]
    assert pages(path) == 4096


def test_locks():
    with Store.open("memory:") as store:
        for number in range(5):
            store.new(f"g{number}", ["Ana"])
        assert 1 == len(store.application.writer.locks)


BUSY = """
import sys, threading, time
from daynight.framework.language.errors import DaynightError
from daynight.games import Store

store = Store.open(sys.argv[1])
store.new("g", ["Ana"])
store.append("g", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
told = []

def go(work):
    try:
        while True:
            work()
    except DaynightError as error:
        told.append(str(error))

works = [lambda: store.append("g", [{"type": "spell-cast", "player": "Ana"}] * 20), lambda: store.load("g")]
threads = [threading.Thread(target=go, args=(work,)) for work in (works[0], works[1], works[1])]
for thread in threads:
    thread.start()
time.sleep(0.3)
store.close()
for thread in threads:
    thread.join()
print(told)
"""


@pytest.mark.parametrize("where", sampled(["games.db", "memory:"], 2))
def test_closed_meanwhile(tmp_path, where):
    ran = processes.run(
        [sys.executable, "-c", BUSY, where], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.count("the store is closed") == 3


@pytest.mark.parametrize("at", ["begun", "inserted", "to commit"])
def test_interrupted(tmp_path, monkeypatch, at):
    path = tmp_path / "games.db"

    def interrupted(real, *, after):
        def call(*given):
            if after:
                real(*given)
            raise KeyboardInterrupt

        return call

    with Store.open(path) as store:
        begun(store)
        datastore = store.recorder.datastore  # type: ignore[attr-defined]
        with monkeypatch.context() as patch:
            if at == "begun":
                patch.setattr(sqlite_module, "_take_turn", interrupted(sqlite_module._take_turn, after=True))
            elif at == "inserted":
                patch.setattr(store.recorder, "add_events", interrupted(store.recorder.add_events, after=True))
            else:
                patch.setattr(datastore._writer, "commit", interrupted(datastore._writer.commit, after=False))
            with pytest.raises(KeyboardInterrupt):
                store.append("g", [CAST], command="c1")
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
        assert [store.append("g", [CAST], command=f"c{number}").last for number in (1, 2)] == [3, 4]
        assert [found.fault for found in verify_store(store)] == [None]
