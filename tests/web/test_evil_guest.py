"""A hostile client: sixty of each expensive request with one key do not slow down others, and can be stopped at once.

| promise | test |
| --- | --- |
| while expensive requests wait, others and even the same key can read; too many get 503 | test_quick |
| requests of a disconnected client are dropped | test_who_is_gone |
| the test attacks each route whose answer grows with the record, and its what-ifs | test_which_are_heavy |
| sixty of each from one key: `/state` for others is quick, memory at most doubles, Ctrl-C ends in 3 s | test_heavy |
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
from contextlib import ExitStack, contextmanager, suppress
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
from tests.web.guest import get
from tests.web.running import serving as running
from tests.web.sending import refused
from tests.web.serving import serving, until

ROOT = Path(__file__).resolve().parents[2]

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
ROUNDS = 3
"""How many times each test attacks the server before it presses Ctrl-C during one more attack."""
CALM = 1.5
"""For how many seconds before each attack the undisturbed server is measured."""
AT = {
    "why": f"at={EVENTS - 3}", "blame": f"at={EVENTS - 3}", "state": "at=turn:900", "search": "q=nothing",
    "diff": f"a=5&b={EVENTS - 1000}", "backup-plan": f"from={EVENTS}&to=2",
    "moments": f"from={EVENTS - 1000}&limit=500",
}  # fmt: skip
TRIED = {
    "what-if": {}, "what-if/audit": {}, "what-if/marks": {}, "what-if/why": {"at": EVENTS - 3},
    "what-if/state": {"at": "turn:900"}, "what-if/moments": {"from": EVENTS - 1000, "limit": 500},
}  # fmt: skip
"""The routes of what-ifs, and what their bodies have beside the edits."""
GAME = "/v1/games/{id}/"
HEAVY = sorted(
    route.path.removeprefix(GAME) for route in ROUTES
    if route.path.startswith(GAME) and (route.computed or "moments" in route.path)
)  # fmt: skip


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
def stores(tmp_path_factory):
    """The folders of two stores: one with a long game and a short one, and one with the short one alone."""
    long, calm = tmp_path_factory.mktemp("long"), tmp_path_factory.mktemp("calm")
    record = long / "long.jsonl"
    record.write_bytes(lines(EVENTS))
    for folder in (long, calm):
        with Store.open(folder / "daynight.db") as store:
            if folder is long:
                store.import_record(record)
            store.new("friday", ["Ana", "Bo"])
    return long, calm


@contextmanager
def guest():
    """The process of the hostile client."""
    command = [sys.executable, "-m", "tests.web.guest"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process
        process.kill()


class Stage:
    """A server with the long game, the keys of its two clients, and another server that nobody attacks."""

    def __init__(self, server, beside, guest, name):
        self.server, self.beside, self.guest, self.name = server, beside, guest, name
        self.url, self.port = server.printed["address"], server.port
        self.owner = {"Authorization": f"Bearer {server.printed['owner']}"}
        self.evil, self.good = self.link("long"), self.link("friday")
        self.other = beside.printed["owner"]
        path = f"/v1/games/long/{name}?{AT[name]}&" if name in AT else f"/v1/games/long/{name}?"
        self.paths = [f"{path}lang={('en', 'fr', 'ja')[one % 3]}" for one in range(60)]
        self.body = {"edits": [{"at": 100, "drop": True}]} | TRIED[name] if name in TRIED else None

    def link(self, game):
        """The key of a spectator of a game."""
        asked = {"game": game, "role": "spectator"}
        return httpx.post(f"{self.url}/v1/links", json=asked, headers=self.owner).json()["key"]

    def attack(self, paths=None):
        """Send `paths`, or this test's sixty, at once; each answer must be 200, 422, 429 or 503."""
        asked = {"port": self.port, "key": self.evil, "paths": paths or self.paths, "body": self.body}
        self.guest.stdin.write(json.dumps(asked).encode() + b"\n")
        self.guest.stdin.flush()
        found = set(json.loads(self.guest.stdout.readline() or "[]"))
        assert found <= {200, 422, 429, 503}, found

    def changed(self, number):
        """Add a note to the long game, so that cached answers about it must be computed again."""
        note = {"command": f"{self.name} {number}", "about": 3, "says": "hm"}
        answer = httpx.post(f"{self.url}/v1/games/long/notes", json=note, headers=self.owner, timeout=30)
        assert answer.status_code == 201

    async def states(self, here, there, seconds, attack=None):
        """Measure `/state` on this server and on the other one in turn; append the times to `here` and `there`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and (attack is None or not attack.done()):
            for port, key, times in ((self.port, self.good, here), (self.beside.port, self.other, there)):
                status, took = await get(port, "/v1/games/friday/state", key)
                assert status == 200
                times.append(took)
            await asyncio.sleep(0.02)

    async def played(self):
        """Measure without and with attacks, and press Ctrl-C during a last attack.

        Return the seconds of `/state`: calm, attacked, and on the other server; the megabytes before and at most;
        the server's exit code, the seconds until it ended, and the seconds until the other one ended.
        """
        pid = self.server.process.pid
        await asyncio.to_thread(self.attack, self.paths[:1])
        calm, attacked, others, most, before = [], [], [], 0.0, 0.0
        for number in range(ROUNDS):
            await asyncio.to_thread(self.changed, number)
            await self.states(calm, [], CALM)
            before = before or megabytes(pid)
            attack = asyncio.create_task(asyncio.to_thread(self.attack))
            while not attack.done():
                await self.states(attacked, others, 1, attack)
                most = max(most, megabytes(pid))
            await attack
        await asyncio.to_thread(self.changed, ROUNDS)
        last = asyncio.create_task(asyncio.to_thread(self.attack))
        await asyncio.sleep(0.7)
        (code, ended), (_code, usual) = await asyncio.gather(
            asyncio.to_thread(end_of, self.server.process), asyncio.to_thread(end_of, self.beside.process)
        )
        self.guest.kill()
        with suppress(AssertionError):
            await last
        return calm, attacked, others, before, most, code, ended, usual


def test_which_are_heavy():
    """`HEAVY` has every route of a game that workers compute, and `moments`, once; `TRIED` has those of what-ifs."""
    assert len({*HEAVY}) == len(HEAVY)
    assert {"audit", "moments", *TRIED} <= {*HEAVY}
    assert {route.path for route in ROUTES if route.computed and GAME in route.path} <= {GAME + one for one in HEAVY}
    assert {name for name in HEAVY if name.startswith("what-if")} == {*TRIED}


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.parametrize("name", HEAVY)
def test_heavy(stores, name):
    """`/state` takes less than five times as long during attacks, memory less than doubles, Ctrl-C ends in 3 s.

    Measurements without and with attacks take turns, so that other load affects both.
    A second server that nobody attacks is measured at the same moments, and its times are printed: if another
    program uses the processors, the second server is slow as well.
    """
    long, calm_folder = stores
    with (
        running(long, start=subprocess.Popen) as server, running(calm_folder, start=subprocess.Popen) as beside,
        guest() as process,
    ):  # fmt: skip
        found = asyncio.run(Stage(server, beside, process, name).played())
        calm, attacked, others, before, most, code, ended, ended_beside = found
        usual = statistics.median(calm)
        print(f"{name}: {usual:.4f} s, then {statistics.median(attacked):.4f} s, "
              f"beside it {statistics.median(others):.4f} s; nine of ten in {nine(calm):.4f} s, "
              f"then {nine(attacked):.4f} s, beside it {nine(others):.4f} s; at most {max(attacked):.3f} s "
              f"of {len(attacked)}; {before:.0f} to {most:.0f} MB; ended in {ended:.1f} s, "
              f"beside it in {ended_beside:.1f} s")  # fmt: skip
        assert complaints(server.process.communicate()[1].decode()) == ""
        assert code == 0
        assert ended < 3
        assert statistics.median(attacked) < 5 * usual
        assert nine(attacked) < 5 * nine(calm)
        assert most < 2 * before


def end_of(process):
    """Press Ctrl-C; return the exit code of the server, and the seconds that its end took."""
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    return process.wait(30), time.monotonic() - began


def nine(times):
    """The 90th percentile of these times, in seconds."""
    return sorted(times)[len(times) * 9 // 10]
