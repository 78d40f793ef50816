"""A hostile client: sixty of each expensive request with one key do not slow down others, and end at once.

| promise | test |
| --- | --- |
| while expensive requests wait, others and even the same key can read; too many get 503 | test_quick |
| requests of a disconnected client are dropped | test_who_is_gone |
| sixty of each from one key: another's `/state` stays quick, memory at most doubles, Ctrl-C within 3 s | test_heavy |
"""

import asyncio
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from daynight.games import Store
from daynight.web.computing.computing import Computing
from daynight.web.computing.turns import AT_ONCE
from daynight.web.limits import Limits
from daynight.web.routes.table import ROUTES
from daynight.web.shelf import Shelf
from tests.bench.records import lines
from tests.commands.conftest import complaints
from tests.web.running import serving as running
from tests.web.sending import refused
from tests.web.serving import serving, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


def test_quick(tmp_path):
    with Store.open(tmp_path / "games.db") as store:
        store.import_record("demo")
        store.new("friday", ["Ana", "Bo"])
        computing = Computing(Shelf(store), Limits(computations=1))
        with serving(store, computing=computing) as served:
            evil, good = served.link("spectator", None, "wagic-G1"), served.link("spectator", None, "friday")
            with served.client(evil) as client:
                assert client.get("/v1/games/wagic-G1/audit").status_code == 200
            (worker,) = computing.workers.all
            os.kill(worker.pid, signal.SIGSTOP)

            async def crowd():
                asking = {"base_url": served.address, "timeout": 30}
                async with (
                    httpx.AsyncClient(**asking, headers={"Authorization": f"Bearer {evil}"}) as guest,
                    httpx.AsyncClient(**asking, headers={"Authorization": f"Bearer {good}"}) as other,
                ):
                    heavy = [
                        asyncio.create_task(guest.get(f"/v1/games/wagic-G1/search?q=w{number}")) for number in range(60)
                    ]
                    done, waiting = set(), heavy
                    while len(done) < 60 - 1 - 16:
                        some, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED, timeout=20)
                        assert some, "of those that wait none is refused"
                        done |= some
                    await asyncio.sleep(0.2)
                    assert sum(one.done() for one in heavy) == len(done) == 60 - 1 - 16
                    for one in done:
                        refused(one.result(), 503, "busy")
                        assert one.result().headers["retry-after"] == "1"
                    began = time.monotonic()
                    for client, game in ((other, "friday"), (guest, "wagic-G1")):
                        for _time in range(5):
                            assert (await client.get(f"/v1/games/{game}/state")).status_code == 200
                    took = time.monotonic() - began
                    another = asyncio.create_task(other.get("/v1/games/friday/audit"))
                    await asyncio.sleep(0.1)
                    os.kill(worker.pid, signal.SIGCONT)
                    assert (await another).status_code == 200
                    # It was answered between those of the hostile client.
                    assert sum(not one.done() for one in heavy) > 8
                    assert {one.status_code for one in await asyncio.gather(*heavy)} == {200, 503}
                    return took

            assert asyncio.run(crowd()) < 10


def test_who_is_gone(monkeypatch):
    """A waiting request of a disconnected client is not computed when its turn comes."""
    with Store.open("memory:") as store, serving(store) as served:
        store.new("friday", ["Ana", "Bo"])
        asked, goes_on = [], threading.Event()
        head = served.house.shelf.find("friday").__class__.recalled

        def slowly(shelved, number):
            asked.append(number)
            assert goes_on.wait(20)
            return head(shelved, number)

        monkeypatch.setattr(served.house.shelf.find("friday").__class__, "recalled", slowly)
        host = served.address.rpartition("/")[2]
        with ExitStack() as crowd:
            for _connection in range(12):
                one = crowd.enter_context(socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2]))))
                one.sendall(f"GET /v1/games/friday/state HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            until(lambda: len(asked) == AT_ONCE)
            time.sleep(0.3)
        time.sleep(0.2)
        goes_on.set()
        with served.client() as client:
            assert client.get("/v1/games/friday/state").status_code == 200
        assert len(asked) == AT_ONCE + 1


# ------------------------------------------------------------------------------------------------ as it is in earnest

EVENTS = 40_000
AT = {
    "why": f"at={EVENTS - 3}", "blame": f"at={EVENTS - 3}", "state": "at=turn:900", "search": "q=nothing",
    "diff": f"a=5&b={EVENTS - 1000}", "backup-plan": f"from={EVENTS}&to=2",
    "moments": f"from={EVENTS - 1000}&limit=500",
}  # fmt: skip
HEAVY = sorted(
    route.path.rpartition("/")[2] for route in ROUTES
    if route.path.startswith("/v1/games/{id}/") and (route.computed or "moments" in route.path)
)  # fmt: skip


async def get(port, path, key, body=None):
    """The status of an answer and how long it took, over a new connection."""
    began = time.monotonic()
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        data = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
            f"Authorization: Bearer {key}\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        writer.write(head.encode() + data)
        status = int((await reader.readline() or b"x 0").split()[1])
        while await reader.read(2**20):
            pass
        writer.close()
        return status, time.monotonic() - began
    except OSError:
        return 0, time.monotonic() - began


def megabytes(pid):
    """The memory of a process and its children; shared memory counts once."""
    parents = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parents.setdefault(int((place / "stat").read_text().rpartition(")")[2].split()[1]), []).append(place.name)
        except OSError:
            continue
    found, every = 0, [str(pid)]
    for one in every:
        every += parents.get(int(one), [])
        try:
            text = Path(f"/proc/{one}/smaps_rollup").read_text()
        except OSError:
            continue
        found += int(next(line for line in text.splitlines() if line.startswith("Pss:")).split()[1])
    return found / 1024


@pytest.fixture(scope="module")
def long_store(tmp_path_factory):
    """A store with a long game and a short one."""
    folder = tmp_path_factory.mktemp("long")
    record = folder / "long.jsonl"
    record.write_bytes(lines(EVENTS))
    with Store.open(folder / "daynight.db") as store:
        store.import_record(record)
        store.new("friday", ["Ana", "Bo"])
    return folder


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.parametrize("name", HEAVY)
def test_heavy(long_store, name):
    with running(long_store, start=subprocess.Popen) as server:
        owner = {"Authorization": f"Bearer {server.printed['owner']}"}
        url = server.printed["address"]
        evil, good = [
            httpx.post(f"{url}/v1/links", json={"game": game, "role": "spectator"}, headers=owner).json()["key"]
            for game in ("long", "friday")
        ]
        path = f"/v1/games/long/{name}?{AT.get(name, '')}".removesuffix("?")
        body = {"edits": [{"at": 100, "drop": True}]} if name == "what-if" else None
        port, pid = server.port, server.process.pid

        async def states(seconds, until=None):
            found, end = [], time.monotonic() + seconds
            while time.monotonic() < end and (until is None or not until.done()):
                status, took = await get(port, "/v1/games/friday/state", good)
                assert status == 200
                found.append(took)
                await asyncio.sleep(0.03)
            return found

        async def sixty(number):
            languages = ("en", "fr", "ja")
            asked = [f"{path}{'&' if '?' in path else '?'}lang={languages[one % 3]}" for one in range(60)]
            found = await asyncio.gather(*[get(port, one, evil, body) for one in asked])
            assert {status for status, _took in found} <= {200, 422, 429, 503}, number

        async def attacked():
            await get(port, path, evil, body)
            calm, before = await states(2), megabytes(pid)
            attack = asyncio.create_task(sixty(1))
            most, found = before, []
            while not attack.done():
                found += await states(1, attack)
                most = max(most, megabytes(pid))
            await attack
            last = asyncio.create_task(sixty(2))
            await asyncio.sleep(0.7)
            began = time.monotonic()
            server.process.send_signal(signal.SIGINT)
            code = await asyncio.to_thread(server.process.wait, 20)
            ended = time.monotonic() - began
            last.cancel()
            return calm, found, before, most, code, ended

        calm, found, before, most, code, ended = asyncio.run(attacked())
        usual = statistics.median(calm)
        print(f"{name}: {usual:.4f} s, then {statistics.median(found):.4f} s, nine of ten in {nine(found):.4f} s, "
              f"at most {max(found):.3f} s; {before:.0f} to {most:.0f} MB; ended in {ended:.1f} s")  # fmt: skip
        assert complaints(server.process.communicate()[1].decode()) == ""
        assert (code, ended < 3) == (0, True)
        assert statistics.median(found) < 5 * usual
        assert nine(found) < 5 * nine(calm)
        assert most < 2 * before


def nine(times):
    """The 90th percentile of these times, in seconds."""
    return sorted(times)[len(times) * 9 // 10]
