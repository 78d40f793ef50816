"""Refusals: no sentence contains a path of the server."""

import json
import signal
import sqlite3
import sys
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest

from daynight.games import Store
from daynight.store import Key
from daynight.store.database.settings import Settings
from daynight.store.errors import UnavailableError
from daynight.web.door.denials import refusal
from daynight.web.door.grants import Keys
from daynight.web.errors import problem_of
from daynight.web.shelf import Shelf
from daynight.web.visit import House, Visit
from tests.web.sending import refused, send
from tests.web.serving import serving


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("key", ["keys/key.pem", "its key's/key.pem"])
def test_no_place_of_the_key_that_signs(tmp_path, key):
    """If the signing key has signed another game of this name, a command gets `store-damaged`, without a path."""
    body = {"command": "c", "seen": 1, "do": "pass-turn"}
    kept = tmp_path / key
    kept.parent.mkdir()
    with Store.open(tmp_path / "one.db", key=Key.read(kept)) as store:
        store.new("friday", ["Ana", "Bo"])
        for turn in (1, 2, 3):
            store.append("friday", [{"type": "turn-began", "turn": turn, "active": ["Ana"]}])
    with Store.open(tmp_path / "two.db") as store:
        store.new("friday", ["Ana", "Bo"])
    with Store.open(tmp_path / "two.db", key=Key.read(kept)) as store, serving(store) as served:
        answer = send(served, "friday", body)
        refused(answer, 500, "store-damaged")
        assert "daynight key --forget friday" in answer.json()["detail"]
        assert str(tmp_path) not in answer.text
        assert kept.parent.name not in answer.text
        assert answer.json()["game"] == "friday"


def test_no_place_of_the_store_even_before_the_route(tmp_path):
    place = tmp_path / "games.db"
    with Store(replace(Settings.parse(place), timeout=1)) as store:
        store.new("friday", ["Ana", "Bo"])
        with serving(store) as served, closing(sqlite3.connect(place, isolation_level=None)) as another:
            for table in _tables(another):
                another.execute(f"ALTER TABLE {table} RENAME TO another_{table}")
            with served.client() as client:
                answer = client.get("/v1/games/friday/state")
            assert answer.status_code in (500, 503), answer.text
            assert str(tmp_path) not in json.dumps(answer.json())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody remove a file that is open")
def test_a_store_that_is_gone_acknowledges_nothing(tmp_path):
    """If the store's file is moved, the error says so without a path; after it is put back, a retry is stored once."""
    place, aside = tmp_path / "games.db", tmp_path / "aside.db"
    with Store.open(place) as store:
        store.new("friday", ["Ana", "Bo"])
        body = {"command": "c", "seen": 1, "do": "pass-turn"}
        with serving(store) as served:
            place.rename(aside)
            for _again in range(2):
                answer = send(served, "friday", body)
                assert answer.status_code == 503, answer.text
                assert "the store that was opened is not there any more" in answer.json()["detail"]
                assert str(tmp_path) not in answer.text
            aside.rename(place)
            found = send(served, "friday", body).json()
            assert (found["first"], found["last"]) == (2, store.last("friday"))


def _tables(database):
    rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {name for (name,) in rows if not name.startswith("sqlite_")}


def test_what_stands_for_the_store_is_its_game(tmp_path):
    with Store.open(tmp_path / "games.db") as store:
        visit = Visit(house=House(shelf=Shelf(store)), scope={}, method="GET", path="/", headers={})
        told = bytes(refusal(visit, UnavailableError(f"{store.settings.path}: closed")).body)
        assert json.loads(told)["detail"] == "db:: closed"


@contextmanager
def full():
    """No file of this process can grow: a write fails as on a full disk."""
    resource = pytest.importorskip("resource", reason="only POSIX bounds what a process may write")
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


def test_a_full_disk_takes_no_link_and_no_session_and_is_said_to_be_full(tmp_path):
    file = tmp_path / "games.db.links"
    with Store.open(tmp_path / "games.db") as store, serving(store, keys=Keys(file)) as served:
        store.new("friday", ["Ana", "Bo"])
        key = served.link("player", "Ana")
        before = file.read_bytes()

        with served.client(served.owner) as owner, full():
            for answer in (
                owner.post("/v1/links", json={"game": "friday", "role": "spectator"}),
                owner.post("/v1/session", json={"key": key}),
                owner.delete(f"/v1/links/{served.house.keys.links()[0].link}"),
            ):
                refused(answer, 503, "store-unavailable")
                assert answer.headers["Retry-After"] == "1"
                assert str(tmp_path) not in answer.text
        assert file.read_bytes() == before
        assert [one.name for one in tmp_path.iterdir() if "links." in one.name or "sessions" in one.name] == []
        assert len(served.house.keys.links()) == 1


def test_what_else_the_system_refuses_is_a_bug():
    """Any other system error is a bug (status 500), and is not reported as a full disk."""
    found = problem_of(PermissionError(13, "Permission denied", "x"))
    assert (found.status, found.code) == (500, "bug")
