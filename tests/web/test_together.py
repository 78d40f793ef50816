"""Several servers of one store, and servers of other mechanics; the store is intact afterwards."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from daynight.games import Store
from daynight.store import verify_store
from daynight.store.database.settings import Settings
from daynight.web.door.grants import Keys
from daynight.web.writing.pen import Pen
from examples.monarch import MECHANIC as MONARCH
from tests.processes import Popen
from tests.web.sending import refused, send
from tests.web.serving import Frames, serving


def at_once(servers, bodies, key):
    """The statuses of commands sent at the same time, one to each server."""
    with ThreadPoolExecutor(len(servers)) as pool:
        answers = pool.map(lambda one: send(one[0], "friday", one[1], key), zip(servers, bodies, strict=True))
        return [answer.status_code for answer in answers]


@pytest.mark.slow
def test_two_servers_of_one_store_pass_a_turn_once_and_hear_one_another(tmp_path):
    place, file = tmp_path / "games.db", tmp_path / "games.db.links"
    with Store.open(place) as first, Store.open(place) as second:
        first.new("friday", ["Ana", "Bo"])
        with serving(first, keys=Keys(file)) as here, serving(second, keys=Keys(file)) as there:
            key = here.link("player", "Ana")
            with here.listening(key) as frames, there.listening(key) as others:
                for turn in range(5):
                    last = first.last("friday")
                    bodies = [{"command": f"{turn}-{n}", "seen": last, "do": "pass-turn"} for n in range(4)]
                    assert sorted(at_once((here, there, here, there), bodies, key)) == [201, 409, 409, 409]
                found = frames.take(15)
                assert [frame["data"]["event"] for frame in found] == [*range(2, 17)]
                assert others.take(15) == found
                with here.client(here.owner) as owner:
                    (link,) = owner.get("/v1/links").json()["links"]
                    assert owner.delete(f"/v1/links/{link['link']}").status_code == 204
                # The other server knows of it too.
                assert others.next()["event"] == "closing"
                with there.client(key) as client:
                    refused(client.get("/v1/games/friday"), 401, "key-ended")
        assert [found.fault for found in verify_store(first)] == [None]


def test_where_another_process_was_faster_a_command_is_made_again(tmp_path):
    place = tmp_path / "games.db"
    with Store.open(place) as first, Store.open(place) as second:
        first.new("friday", ["Ana", "Bo"])
        made_after = []

        def make(last):
            made_after.append(last)
            if last < 4:
                second.append("friday", [{"type": "turn-began", "turn": last, "active": ["Ana"]}])
            return [{"type": "turn-began", "turn": last, "active": ["Bo"]}]

        appended = Pen(first).write("friday", "c", {}, make)
        assert (made_after, appended.first, first.at("friday").turn) == ([1, 2, 3, 4], 5, 4)


def test_the_same_command_to_two_servers_is_stored_once(tmp_path):
    place = tmp_path / "games.db"
    with Store.open(place) as first, Store.open(place) as second:
        first.new("friday", ["Ana", "Bo"])
        with serving(first) as here, serving(second) as there:
            body = {"command": "c", "seen": 1, "do": "pass-turn"}
            answers = [send(one, "friday", body) for one in (here, there)]
            assert [answer.status_code for answer in answers] == [201, 200]
            assert answers[1].json() == answers[0].json() | {"repeated": True}
            refused(send(there, "friday", body | {"skips": ["untap"]}), 422, "command-reused")


@pytest.mark.slow
def test_where_the_store_does_not_answer_the_same_command_may_be_sent_again(tmp_path):
    with Store(replace(Settings.parse(tmp_path / "games.db"), timeout=1)) as store, serving(store) as served:
        store.new("friday", ["Ana", "Bo"])
        body = {"command": "c", "seen": 1, "do": "pass-turn"}
        with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as another:
            another.execute("BEGIN IMMEDIATE")
            answer = send(served, "friday", body)
            refused(answer, 503, "store-unavailable")
            assert answer.headers["retry-after"]
            assert str(tmp_path) not in answer.text
            another.execute("ROLLBACK")
        assert send(served, "friday", body).status_code == 201


def test_what_came_over_http_is_verified_and_archived_as_everything(tmp_path):
    from daynight.store import read_archive, write_archive

    archive = tmp_path / "all.jsonl"
    with Store.open(tmp_path / "one.db") as store, serving(store) as served:
        store.new("friday", ["Ana", "Bo"])
        send(served, "friday", {"command": "t", "seen": 1, "do": "pass-turn"})
        send(served, "friday", {"command": "c", "seen": 4, "words": ["Ana casts Opt"]})
        assert [found.fault for found in verify_store(store)] == [None]
        with archive.open("wb") as stream:
            write_archive(store, stream)
    with Store.open(tmp_path / "two.db") as store, serving(store) as served:
        with archive.open("rb") as stream:
            read_archive(store, stream)
        again = send(served, "friday", {"command": "c", "seen": 4, "words": ["Ana casts Opt"]})
        assert (again.status_code, again.json()["first"]) == (200, 5)


@pytest.mark.slow
def test_another_mechanic_is_written_to_by_its_own_events():
    with Store.open("memory:", mechanic=MONARCH) as store, serving(store) as served:
        store.append("crown", [{"type": "game-started", "game": "crown", "players": ["Ana", "Bo"]}])
        ana, judge = served.link("player", "Ana", "crown"), served.link("judge", "Jo", "crown")
        events = [
            {"type": "turn-began", "player": "Ana"}, {"type": "made-monarch", "player": "Ana"},
            {"type": "combat-damage-dealt", "player": "Ana", "by": "Bo"}, {"type": "monarch-claimed", "monarch": "Ana"},
        ]  # fmt: skip
        with served.listening(ana, path="/v1/games/crown/live") as frames:
            answer = send(served, "crown", {"command": "1", "seen": 1, "events": events}, ana)
            assert answer.status_code == 201, answer.text
            found = answer.json()
            told = [frame["data"] for frame in frames.take(4)]
            heads = [one.pop("before") for one in told]
            assert (told, [one["head"] for one in told[:3]]) == (found["moments"], heads[1:])
        records = [one["record"] for one in found["moments"]]
        # Who dealt the damage is part of the event; the author of a claim is the client.
        assert [one.get("by") for one in records] == [None, None, "Bo", "Ana"]
        assert {one["meta"]["by"] for one in records} == {"Ana"}
        assert found["moments"][3]["claim"]["verdict"] == "differs"
        assert found["forecast"] is None
        for_another = {"type": "monarch-claimed", "monarch": "Ana", "by": "Bo"}
        refused(send(served, "crown", {"command": "2", "seen": 5, "events": [for_another]}, ana), 403, "not-yours")
        unsaid = {"type": "combat-damage-dealt", "player": "Ana"}
        refused(send(served, "crown", {"command": "2", "seen": 5, "events": [unsaid]}, ana), 422, "unreadable")
        back = {"command": "3", "seen": 5, "events": [{"type": "backed-up", "to": 2}]}
        refused(send(served, "crown", back, ana), 403, "not-yours")
        assert send(served, "crown", back, judge).status_code == 201
        stale = refused(send(served, "crown", {"command": "4", "seen": 5, "events": events[:1]}, ana), 409, "stale")
        assert (stale["last"], len(stale["since"])) == (6, 1)
        for body in ({"do": "pass-turn"}, {"words": ["Ana is the monarch"]}):
            refused(send(served, "crown", {"command": "5", "seen": 6, **body}, ana), 404, "no-such-route")
        with served.client(served.owner) as owner:
            for path in ("undo", "notes", "disputes"):
                refused(owner.post(f"/v1/games/crown/{path}", json={}), 404, "no-such-route")
            edits = {"edits": [{"at": 3, "replace": [{"type": "made-monarch", "player": "Bo"}]}]}
            tried = owner.post("/v1/games/crown/what-if", json=edits)
            assert [*tried.json()] == ["version", "parted", "events", "impossible", "differences"]
            data = b'{"type":"game-started","game":"two","players":["Ana","Bo"]}\n'
            sent = owner.post("/v1/imports", content=data, headers={"Content-Type": "application/octet-stream"})
            assert sent.status_code in (201, 422), sent.text
            named = owner.post("/v1/imports?as=two", content=data, headers={"Content-Type": "application/octet-stream"})
            assert named.json()["games"][0]["game"] == "two"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_with_its_streams_and_links_go_on(tmp_path, number):
    def started():
        command = [sys.executable, "-m", "daynight", "serve", "--db", "games.db", "--port", "0", "--json"]
        env = {**os.environ, "HOME": str(tmp_path)}
        root = str(Path(__file__).parents[2])
        process = Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=env | {"PYTHONPATH": root})
        assert process.stdout is not None
        with process.stdout:
            found = json.loads(process.stdout.readline())
        return process, found

    with Store.open(tmp_path / "games.db") as store:
        store.new("friday", ["Ana", "Bo"])
    process, where = started()
    with httpx.Client(base_url=where["address"], headers={"Authorization": f"Bearer {where['owner']}"}) as owner:
        link = owner.post("/v1/links", json={"game": "friday", "role": "player", "name": "Ana"}).json()
        assert Path(tmp_path, "games.db.links").exists()
        with owner.stream("GET", "/v1/games/friday/live") as answer:
            frames = Frames(answer)
            began = time.monotonic()
            process.send_signal(number)
            assert frames.next() == {"event": "closing", "data": {}}
        assert process.wait(10) == 0
        assert time.monotonic() - began < 3
    process, where = started()
    try:
        with httpx.Client(base_url=where["address"], headers={"Authorization": f"Bearer {link['key']}"}) as player:
            assert player.get("/v1").json()["you"] == {"role": "player", "name": "Ana"}
    finally:
        process.send_signal(number)
        process.wait(10)
