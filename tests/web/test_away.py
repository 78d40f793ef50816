"""Unavailable things: a database that is down or hangs, a missing store file, a full disk, a revoked key.

| promise | test |
| --- | --- |
| a database that is down: 503 without a path, later ones at once; the server recovers by itself | test_database_down |
| a database that hangs: 503 after five seconds; Ctrl-C ends within 3 s even then | test_database_hangs |
| the server waits for blocked threads, then refuses new work; it recovers by itself | test_held_up |
| a store file that was removed or replaced: 503, and it recovers when the file is put back | test_store_gone |
| a full disk: 503 for writing; reading works, and writing again once there is room | test_disk_full |
| a full disk: 503 for uploads | test_no_room_for_uploads |
| a key revoked while a body is sent: 401, nothing is stored | test_key_ends |
| a key revoked while an answer is computed: 401 | test_key_ends_while_it_is_computed |
| an unavailable database is no bug, and nothing is logged | test_database_down, test_database_hangs |
| a full disk is no bug, and nothing is logged | test_disk_full, test_no_room_for_uploads |
"""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress

import httpx
import pytest

from daynight.games import Store
from daynight.store.database.server import migrate
from daynight.web.computing.computing import Computing
from daynight.web.computing.threads import MOST, Threads
from daynight.web.errors import Problem
from daynight.web.limits import Limits
from daynight.web.shelf import Shelf
from tests.commands.conftest import complaints
from tests.store.server import Server as Database
from tests.store.server import unavailable
from tests.store.test_disk_full import disk  # noqa: F401
from tests.web.running import serving as running
from tests.web.sending import cast, refused
from tests.web.serving import serving, until

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals, and removes no open file")
DATABASE = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "there is one")


@pytest.fixture
def database():
    """A PostgreSQL server for one test, with a store that has a game."""
    with Database() as found:
        migrate(found.settings)
        with Store.open(found.url) as store:
            store.new("friday", ["Ana", "Bo"])
        yield found


def asked(server, method="GET", path="games/friday/state", body=None):
    """Return the answer to a request of the owner, and the seconds that it took."""
    began = time.monotonic()
    answer = httpx.request(
        method, f"{server.printed['address']}/v1/{path}", json=body, timeout=60,
        headers={"Authorization": f"Bearer {server.printed['owner']}"},
    )  # fmt: skip
    return answer, time.monotonic() - began


def is_away(found, seconds):
    answer, took = found
    told = refused(answer, 503, "store-unavailable")
    assert int(answer.headers["retry-after"]) > 0
    assert "does not answer" in told["detail"]
    assert "\n" not in told["detail"]
    # Neither the socket's folder nor another path.
    assert "/" not in told["detail"]
    assert took < seconds


@DATABASE
@pytest.mark.server
@pytest.mark.slow
def test_database_down(tmp_path, database):
    with running(tmp_path, "--db", database.url, start=subprocess.Popen) as server:
        assert asked(server)[0].status_code == 200
        database.kill(signal.SIGQUIT)
        is_away(asked(server), 8)
        times = []
        for _time in range(5):
            for found in (asked(server), asked(server, "POST", "games/friday/commands", cast(1))):
                is_away(found, 2)
                times.append(found[1])
        is_away(asked(server, path="games/friday/audit"), 2)
        is_away(asked(server, path="games"), 2)
        assert server.get("/")[0] == server.get("/v1")[0] == 200
        print("down", max(times))
        database.start()
        began = time.monotonic()
        until(lambda: asked(server)[0].status_code == 200)
        assert time.monotonic() - began < 5
        turn = {"command": "t", "seen": 1, "do": "pass-turn"}
        assert asked(server, "POST", "games/friday/commands", turn)[0].status_code == 201
        server.process.terminate()
        assert complaints(server.process.communicate(timeout=10)[1].decode()) == ""


def unanswered(server):
    """Send a request, and ignore the answer."""
    with suppress(httpx.HTTPError):
        asked(server)


def of_the_database(database):
    """Return the ids of the database server's process and of its children."""
    listed = subprocess.run(["pgrep", "-P", str(database.pid)], capture_output=True, text=True, check=False)
    return [database.pid, *map(int, listed.stdout.split())]


@DATABASE
@pytest.mark.server
@pytest.mark.slow
def test_database_hangs(tmp_path, database):
    with running(tmp_path, "--db", database.url, start=subprocess.Popen) as server:
        assert asked(server)[0].status_code == 200
        stopped = of_the_database(database)
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            is_away(asked(server), 8)
            is_away(asked(server, "POST", "games/friday/commands", {"command": "t", "seen": 1, "do": "pass-turn"}), 8)
            assert server.get("/v1")[0] == 200
        finally:
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)
        until(lambda: asked(server)[0].status_code == 200)
        # The first attempt may have been stored; after the retry it is stored exactly once.
        turn = {"command": "t", "seen": 1, "do": "pass-turn"}
        assert asked(server, "POST", "games/friday/commands", turn)[0].json()["last"] == 4
        for pid in of_the_database(database):
            os.kill(pid, signal.SIGSTOP)
        try:
            waiting = threading.Thread(target=unanswered, args=(server,))
            waiting.start()
            time.sleep(0.5)
            began = time.monotonic()
            server.process.send_signal(signal.SIGINT)
            assert server.process.wait(10) == 0
            assert time.monotonic() - began < 3
            waiting.join()
        finally:
            for pid in of_the_database(database):
                os.kill(pid, signal.SIGCONT)
        assert complaints(server.process.communicate()[1].decode()) == ""


def test_held_up():
    """If all worker threads are blocked, new work gets 503 at once; when they go on, work is done again."""
    goes_on = threading.Event()

    async def crowd():
        threads = Threads(0.05)
        for _time in range(MOST):
            with pytest.raises(Problem) as late:
                await threads.run(goes_on.wait)
            assert (late.value.status, late.value.code) == (503, "store-unavailable")
        began = time.monotonic()
        with pytest.raises(Problem):
            await threads.run(lambda: "at once")
        assert time.monotonic() - began < 0.04
        goes_on.set()
        await asyncio.sleep(0.2)
        assert await threads.run(lambda: "again") == "again"
        with pytest.raises(KeyError):
            await threads.run({}.__getitem__, 1)
        assert not threads._held_up

    asyncio.run(crowd())


# ---------------------------------------------------------------------------------------------------------- the store


def removed(path, aside):
    path.rename(aside)


def replaced(path, aside):
    path.rename(aside)
    with Store.open(path) as other:
        other.new("friday", ["Ana", "Bo"])


@POSIX
@pytest.mark.wide(but=1)
@pytest.mark.parametrize("done", [removed, replaced])
def test_store_gone(tmp_path, done):
    path, aside = tmp_path / "games.db", tmp_path / "aside.db"
    with Store.open(path) as store:
        store.new("friday", ["Ana", "Bo"])
        shelf = Shelf(store)
        with serving(store, computing=Computing(shelf, Limits())) as served, served.client(served.owner) as client:
            turn = {"command": "t", "seen": 1, "do": "pass-turn"}
            assert client.post("/v1/games/friday/commands", json=turn).status_code == 201
            done(path, aside)
            statuses = {}
            for method, target, body in (
                ("POST", "games/friday/commands", cast(4)), ("POST", "games/friday/commands", turn),
                ("POST", "games", {"command": "n", "game": "new", "players": ["Ana"]}),
                ("POST", "games/friday/notes", {"command": "o", "about": 1, "says": "hm"}),
                ("POST", "games/friday/what-if", {"edits": [{"at": 4, "drop": True}], "keep": "b"}),
                ("GET", "games/friday", None), ("GET", "games/friday/state", None), ("GET", "games/friday/audit", None),
                ("GET", "games", None), ("GET", "games/friday/moments", None),
            ):  # fmt: skip
                statuses[target, body and body.get("command")] = refused(
                    client.request(method, f"/v1/{target}", json=body), 503, "store-unavailable"
                )["detail"]
            assert not [said for said in statuses.values() if str(tmp_path) in said]
            if done is replaced:
                return
            aside.rename(path)
            assert client.get("/v1/games/friday/state").status_code == 200
            assert client.post("/v1/games/friday/commands", json=cast(4)).status_code == 201


def fill(room):
    """Write into the file `room` until no space is left on the disk."""
    with room.open("wb", buffering=0) as stream, suppress(OSError):
        while stream.write(bytes(4096)):
            pass


@POSIX
@pytest.mark.slow
def test_disk_full(disk):  # noqa: F811
    """On a full disk writing gets 503, and reading works; once there is space again, writing works."""
    room = disk / "room"
    with running(disk, "--db", "games.db", start=subprocess.Popen) as server:
        new = {"command": "n", "game": "friday", "players": ["Ana", "Bo"]}
        assert asked(server, "POST", "games", new)[0].status_code == 201
        link = asked(server, "POST", "links", {"game": "friday", "role": "spectator"})[0].json()
        fill(room)
        turn = {"command": "t", "seen": 1, "do": "pass-turn"}
        big = {"command": "b", "seen": 1, "events": [{"type": "note-added", "by": "owner", "about": 1,
                                                      "says": "x" * 900, "meta": {"x": "y" * 40_000}}]}  # fmt: skip
        for path, body in (
            ("games/friday/commands", big), ("links", {"game": "friday", "role": "judge", "name": "Jo"}),
            ("session", {"key": link["key"]}),
        ):  # fmt: skip
            answer, _took = asked(server, "POST", path, body)
            told = refused(answer, 503, "store-unavailable")
            assert answer.headers["retry-after"]
            assert str(disk) not in told["detail"]
        for path in ("games/friday/state", "games/friday/audit", "games", "games/friday/moments", "links"):
            assert asked(server, path=path)[0].status_code == 200, path
        room.unlink()
        assert asked(server, "POST", "games/friday/commands", turn)[0].status_code == 201
        assert asked(server, "POST", "links", {"game": "friday", "role": "spectator"})[0].status_code == 201
        assert len(asked(server, path="links")[0].json()["links"]) == 2
        server.process.terminate()
        assert complaints(server.process.communicate(timeout=10)[1].decode()) == ""


@POSIX
@pytest.mark.slow
def test_no_room_for_uploads(tmp_path, disk, monkeypatch):  # noqa: F811
    monkeypatch.setenv("TMPDIR", str(disk))
    with running(tmp_path, start=subprocess.Popen) as server:
        record = b'{"type":"game-started","format":1,"game":"half","players":["Ana","Bo"]}\n'
        headers = {
            "Authorization": f"Bearer {server.printed['owner']}", "Content-Type": "application/octet-stream"
        }  # fmt: skip
        url = f"{server.printed['address']}/v1/imports"
        too_much = record + b'{"type":"note-added","by":"Ana","says":"x"}\n' * 100_000
        answer = httpx.post(url, content=too_much, headers=headers, timeout=30)
        assert shutil.disk_usage(disk).total < len(too_much)
        refused(answer, 503, "store-unavailable")
        assert httpx.post(url, content=record, headers=headers, timeout=30).status_code == 201
        assert json.loads(server.get("/v1/games")[1])["games"][0]["game"] == "half"
        server.process.terminate()
        assert complaints(server.process.communicate(timeout=10)[1].decode()) == ""


# ---------------------------------------------------------------------------------------------------------- the key


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("role, name", [("player", "Ana"), ("judge", "Jo")])
def test_key_ends(role, name):
    """If a link is revoked after half of its command was sent, the command gets 401 and is not stored."""
    with Store.open("memory:") as store, serving(store) as served:
        store.new("friday", ["Ana", "Bo"])
        link, key = served.house.keys.add("friday", role, name, 24)
        body = json.dumps({"command": "t", "seen": 1, "do": "pass-turn"}).encode()
        host = served.address.rpartition("/")[2]
        with socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2])), timeout=10) as connection:
            connection.sendall(
                f"POST /v1/games/friday/commands HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                "Expect: 100-continue\r\nConnection: close\r\n\r\n".encode()
            )
            assert connection.recv(100).startswith(b"HTTP/1.1 100")
            connection.sendall(body[:10])
            time.sleep(0.05)
            served.house.keys.revoke(link.link)
            connection.sendall(body[10:])
            answer = b"".join(iter(lambda: connection.recv(2**16), b""))
        assert answer.startswith(b"HTTP/1.1 401"), answer
        assert b"urn:daynight:key-ended" in answer
        assert store.last("friday") == 1


@POSIX
@pytest.mark.wide
def test_key_ends_while_it_is_computed(tmp_path):
    with Store.open(tmp_path / "games.db") as store:
        store.import_record("demo")
        computing = Computing(Shelf(store), Limits(computations=1))
        with serving(store, computing=computing) as served:
            link, key = served.house.keys.add("wagic-G1", "spectator", None, 24)
            with served.client(key) as client:
                assert client.get("/v1/games/wagic-G1/audit").status_code == 200
                (worker,) = computing.workers.all
                os.kill(worker.pid, signal.SIGSTOP)
                found = []
                waiting = threading.Thread(target=lambda: found.append(client.get("/v1/games/wagic-G1/repair")))
                waiting.start()
                until(lambda: computing._jobs)
                served.house.keys.revoke(link.link)
                os.kill(worker.pid, signal.SIGCONT)
                waiting.join()
            refused(found[0], 401, "key-ended")
