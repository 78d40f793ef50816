"""What a store in a file owes to how SQLite is used.

| promise | test |
| --- | --- |
| to append compiles no statement a second time | test_statements_are_kept |
| a file is made with small pages; one with others is read and appended to as well | test_pages |
| no lock is kept of a game that nobody appends to | test_locks |
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from daynight.store import Key, Store
from daynight.store.verify import verify_store
from tests.store.playing import CAST, TURN, begun


def pages(path: Path) -> int:
    with closing(sqlite3.connect(path)) as raw:
        (size,) = raw.execute("PRAGMA page_size").fetchone()
        return int(size)


@pytest.mark.parametrize("key", [None, Key.generate()], ids=["unsigned", "signed"])
def test_statements_are_kept(tmp_path: Path, key: Key | None) -> None:
    compiled: list[int] = []

    def heard(what: int, *_which: Any) -> int:
        # Python itself compiles COMMIT each time.
        if what != sqlite3.SQLITE_TRANSACTION:
            compiled.append(what)
        return sqlite3.SQLITE_OK

    with Store.open(tmp_path / "games.db", key=key) as store:
        begun(store)
        store.recorder.datastore._writers()._sqlite_conn.set_authorizer(heard)  # type: ignore[attr-defined]
        store.append("g", [{**TURN, "turn": 2}, CAST], command="c2")
        assert compiled, "what was compiled before somebody listened is compiled anew"
        compiled.clear()
        store.append("g", [{**TURN, "turn": 3}, CAST], command="c3")
        assert not compiled


def test_pages(tmp_path: Path) -> None:
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


def test_locks() -> None:
    with Store.open("memory:") as store:
        for number in range(5):
            store.new(f"g{number}", ["Ana"])
        assert not store._locks
