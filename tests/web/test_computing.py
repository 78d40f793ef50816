"""Expensive answers are computed in worker processes: fairly, once for each question, and with a time limit.

| promise | test |
| --- | --- |
| the answer is that of the server itself, in the client's language | test_computed |
| equal questions of any clients are computed once; different ones separately | test_once |
| a killed worker is replaced, and the request retried once | test_killed |
| a question that takes too long gets `too-costly`, and the next one is answered | test_too_long |
| if a worker is paused by the system, its question gets `busy` instead | test_held_up |
| of seventeen waiting questions of one key, one gets `busy`; another key is answered in between | test_crowd |
| a question is dropped when its client disconnects | test_gone, test_who_goes |
| the workers end with the server | test_end |
| an answer that was computed twice counts once in the cache | test_kept_twice |
| an answer's memory is freed after its last client, without the garbage collector | test_freed |
| workers compute every route whose cost grows with the record | test_what_is_computed, test_named_positions |
| workers compute pages of over a hundred moments; for a cached page 304 is sent without one | test_many_moments |
| the answers for a what-if are computed once, and then cached | test_walked |
| the server itself writes; a worker drafts the events of corrections | test_what_is_computed |

The server makes the events of a command under the lock of its game, just after the last stored event. A
worker has no lock and no key to sign with. Drafts have tests of their own, `test_drafts`.
"""

import asyncio
import gc
import os
import signal
import socket
import sys
import threading
from time import monotonic

import pytest

from daynight.games import Store
from daynight.records import Record
from daynight.web.computing.computing import Computing, _Job
from daynight.web.computing.work import Answered
from daynight.web.computing.workers import Worker
from daynight.web.errors import Problem
from daynight.web.limits import Limits
from daynight.web.queries import Cited, CitedAt, Query
from daynight.web.routes.places import is_searched
from daynight.web.routes.reading import MomentsQuery
from daynight.web.routes.table import ROUTES
from daynight.web.shelf import Shelf
from daynight.web.visit import House, Visit
from tests.web.serving import serving, until

AUDIT, PAGE = [
    next(place for place, route in enumerate(ROUTES) if route.path.endswith(name)) for name in ("/audit", "/page.html")
]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


def visit(house, lang="en", query=None, who="ana", asked=b""):
    """Return the `Visit` of the client `who`, who requests an audit."""
    return Visit(
        house=house, scope={"query_string": asked}, method="GET", path="/v1/games/wagic-G1/audit", headers={},
        language=lang, route=ROUTES[AUDIT], game=house.shelf.find("wagic-G1"), query=query or Cited(), who=who,
    )  # fmt: skip


async def answered(computing, asked, route=AUDIT):
    """The answer to the client, or the problem."""
    try:
        return await computing.answer(computing.question(asked, route), asked, route)
    except Problem as problem:
        return problem


@pytest.fixture
def house():
    """The `House` of a server with one file."""
    return House(shelf=Shelf(None, [Record("demo")]))


@pytest.fixture
def computing(house):
    """The workers of the house, one at a time."""
    found = Computing(house.shelf, Limits(computations=1))
    yield found
    found.close()


def started(computing, house):
    """Start the only worker with one request, so that its startup is not measured; return it."""
    assert asyncio.run(answered(computing, visit(house, asked=b"begin"))).status_code == 200
    computing._lines = computing._threads = None
    (worker,) = computing.workers.all
    return worker


def test_computed(house, computing):
    async def several():
        found = await asyncio.gather(*(answered(computing, visit(house, lang)) for lang in ("en", "fr")))
        return [*found, await answered(computing, visit(house, query=Cited(edition="1999"), asked=b"x"))]

    first, second, problem = asyncio.run(several())
    assert b'"verdict":"disputed"' in first.body
    assert b"by the rules" in first.body
    assert "d’après les règles".encode() in second.body
    assert (problem.status, problem.code, problem.exit) == (400, "bad-parameter", 2)


def test_once(house, computing, monkeypatch):
    computed = []
    compute = computing.workers.compute

    def noted(task):
        computed.append(task.asked.language)
        return compute(task)

    monkeypatch.setattr(computing.workers, "compute", noted)

    async def crowd():
        # Sixty questions of one key would not even fit in its queue.
        found = [answered(computing, visit(house, who=who)) for who in ("ana", "bo") for _time in range(60)]
        found += [answered(computing, visit(house, "fr"))]
        bodies = {one.body for one in await asyncio.gather(*found)}
        assert len(bodies) == 2
        assert (await answered(computing, visit(house, who="cy"))).body in bodies

    asyncio.run(crowd())
    assert sorted(computed) == ["en", "fr"]


def test_kept_twice(house, computing):
    """An answer that two jobs made counts once, so that the cache is not emptied too early."""
    first, second = (Answered(200, [], b"x" * 1000) for _job in range(2))
    computing._keep("question", first)
    computing._keep("question", second)
    assert computing._size == 1000
    assert computing.had("question").body == second.body


def test_freed(house, computing):
    async def ask():
        return await asyncio.gather(*(answered(computing, visit(house, who=who)) for who in ("ana", "bo")))

    gc.collect()
    gc.disable()
    try:
        assert {one.status_code for one in asyncio.run(ask())} == {200}
        assert not [one for one in gc.get_objects() if isinstance(one, _Job)]
    finally:
        gc.enable()


@POSIX
@pytest.mark.slow
def test_killed(house, computing, monkeypatch):
    """If the worker of a request is killed, the request is retried once; if that worker is killed too: 503 `busy`."""

    worker, ask, kills = started(computing, house), Worker.ask, [1]

    def killed(worker, *asked):
        # Before it is asked, so that no worker answers first.
        if kills[0] > 0:
            kills[0] -= 1
            os.kill(worker.pid, signal.SIGKILL)
        return ask(worker, *asked)

    monkeypatch.setattr(Worker, "ask", killed)
    assert asyncio.run(answered(computing, visit(house, asked=b"1"))).status_code == 200
    assert worker not in computing.workers.all
    kills[0], computing._lines, computing._threads = 2, None, None
    refused = asyncio.run(answered(computing, visit(house, asked=b"2")))
    assert (refused.status, refused.code, refused.headers["Retry-After"]) == (503, "busy", "1")


def test_too_long(house, computing, monkeypatch):
    started(computing, house)
    computing.workers.seconds = 0.01
    # If other processes use the CPU, it would get almost no time.
    monkeypatch.setattr(Worker, "spent", lambda worker: 0.01)
    refused = asyncio.run(answered(computing, visit(house, query=Query()), PAGE))
    assert (refused.status, refused.code, refused.headers) == (422, "too-costly", {})
    computing.workers.seconds, computing._lines, computing._threads = 10, None, None
    assert asyncio.run(answered(computing, visit(house, asked=b"1"))).status_code == 200


@POSIX
def test_held_up(house, computing):
    worker = started(computing, house)
    os.kill(worker.pid, signal.SIGSTOP)
    computing.workers.seconds = 0.5
    began = monotonic()
    refused = asyncio.run(answered(computing, visit(house, asked=b"1")))
    assert (refused.status, refused.code) == (503, "busy")
    assert 0.4 < monotonic() - began < 5
    assert worker not in computing.workers.all


@POSIX
def test_crowd(house, computing):
    worker = started(computing, house)
    os.kill(worker.pid, signal.SIGSTOP)
    ended = []

    async def crowd():
        async def asked(number, who="ana"):
            found = await answered(computing, visit(house, who=who, asked=b"%d" % number))
            ended.append(who)
            return found

        crowd = [asyncio.create_task(asked(number)) for number in range(18)]
        await asyncio.sleep(0.1)
        # One is computed, sixteen wait.
        assert [one.result().code for one in crowd if one.done()] == ["busy"]
        del ended[:]
        bo = asyncio.create_task(asked(0, "bo"))
        other = asyncio.create_task(asked(99, "bo"))
        await asyncio.sleep(0)
        os.kill(worker.pid, signal.SIGCONT)
        found = await asyncio.gather(*crowd, bo, other)
        assert [getattr(one, "status_code", 503) for one in found].count(200) == 19

    asyncio.run(crowd())
    # A client does not wait for another's queue: its next question is the next one to be computed.
    assert ended.index("bo") <= 1
    assert [place for place, who in enumerate(ended) if who == "bo"][1] <= 3


@POSIX
def test_gone(house, computing):
    """A running computation is killed when its last client disconnects; a waiting one leaves the queue."""
    worker = started(computing, house)
    os.kill(worker.pid, signal.SIGSTOP)

    async def leaving():
        both = [asyncio.create_task(answered(computing, visit(house, asked=b"1"))) for _time in range(2)]
        waiting = asyncio.create_task(answered(computing, visit(house, asked=b"2")))
        await asyncio.sleep(0.1)
        both[0].cancel()
        waiting.cancel()
        await asyncio.sleep(0.1)
        assert worker.alive, "somebody else waits for it"
        both[1].cancel()
        return await answered(computing, visit(house, asked=b"3"))

    assert asyncio.run(leaving()).status_code == 200
    assert not worker.alive
    assert not computing._jobs


@POSIX
@pytest.mark.slow
def test_who_goes(tmp_path):
    """Over a real connection: when the client disconnects, its computation is stopped at once."""
    files = [Record("demo")]
    computing = Computing(Shelf(None, files), Limits(computations=1))
    with serving(None, files, computing=computing) as served, served.client() as client:
        assert client.get("/v1/games/wagic-G1/audit").status_code == 200
        (worker,) = computing.workers.all
        os.kill(worker.pid, signal.SIGSTOP)
        port = int(served.address.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"GET /v1/games/wagic-G1/repair HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
            until(lambda: computing._jobs)
        until(lambda: not computing._jobs and not worker.alive)
        assert client.get("/v1/games/wagic-G1/repair").status_code == 200


@POSIX
def test_end():
    files = [Record("demo")]
    computing = Computing(Shelf(None, files), Limits())
    with serving(None, files, computing=computing) as served, served.client() as client:
        assert client.get("/v1/games/wagic-G1/audit").status_code == 200
        (worker,) = computing.workers.all
        assert worker.alive
        os.kill(worker.pid, signal.SIGSTOP)
        waiting = threading.Thread(target=lambda: found.append(client.get("/v1/games/wagic-G1/repair")))
        found = []
        waiting.start()
        until(lambda: computing._jobs)
        served.stop()
        waiting.join()
        # The server answers instead of closing the connection.
        assert (found[0].status_code, found[0].json()["type"]) == (503, "urn:daynight:busy")
    assert not worker.alive


def test_what_is_computed():
    """Workers compute all routes that read a whole record; for undo and corrections they draft the events."""

    def named(routes):
        return {route.path.removeprefix("/v1/games/{id}/") for route in routes}

    assert named(route for route in ROUTES if route.computed is True) == {
        "what-if", "what-if/moments", "what-if/state", "what-if/why", "what-if/audit", "what-if/marks",
        "diff", "bisect", "repair", "audit", "search", "marks", "blame", "why", "disputes", "backup-plan",
        "unknowns", "record.jsonl", "record.dn", "timeline.svg", "board.svg", "report.html", "report.json", "page.html",
    }  # fmt: skip
    assert named(route for route in ROUTES if callable(route.computed)) == {"state", "moments", "forecast"}
    assert named(route for route in ROUTES if route.takes == "application/json" and not route.computed) == {
        "/v1/session", "/v1/links", "/v1/games", "commands", "undo", "corrections", "notes", "disputes",
        "disputes/{d}/claims", "disputes/{d}/rulings", "disputes/{d}/appeals", "disputes/{d}/close",
    }  # fmt: skip
    assert named(route for route in ROUTES if route.draft is not None) == {"undo", "corrections"}


@pytest.mark.wide
def test_walked(tmp_path):
    """A worker computes the answers for a what-if, a repeated request gets them cached; the server loads no game."""
    with Store.open(tmp_path / "games.db") as store:
        store.import_record("demo")
        shelf = Shelf(store)
        computing = Computing(shelf, Limits())
        with serving(store, computing=computing) as served, served.client() as client:
            for route in ("moments", "state", "why", "audit", "marks"):
                asked = {"edits": [{"at": 18, "drop": True}]}
                found = client.post(f"/v1/games/wagic-G1/what-if/{route}", json=asked)
                assert found.status_code == 200, found.text
                (worker,) = computing.workers.all
                compute, computing.workers.compute = computing.workers.compute, None
                again = client.post(f"/v1/games/wagic-G1/what-if/{route}", json=asked)
                assert (again.status_code, again.content) == (200, found.content)
                computing.workers.compute = compute
            assert not served.house.shelf._kept._games.items()
            refused = client.post("/v1/games/wagic-G1/what-if/state", json={"edits": [{"at": 18, "insert": ["blah"]}]})
            assert (refused.status_code, refused.json()["type"]) == (422, "urn:daynight:unreadable")
            assert computing.workers.all == {worker}


def test_named_positions(house):
    """`is_searched` is true for a position that names a turn or a branch, and false for an event number or none."""
    for searched, query in (
        (False, CitedAt()), (False, CitedAt(at="18")), (False, CitedAt(at="e18")), (True, CitedAt(at="turn:4")),
        (False, MomentsQuery(start="3")), (True, MomentsQuery(start="turn:4")), (True, CitedAt(at="branch:b/e3")),
    ):  # fmt: skip
        assert is_searched(visit(house, query=query)) == searched, query


@pytest.mark.parametrize(
    "asked, by_workers", [("limit=500", 1), ("from=2&limit=101", 1), ("limit=100", 0), ("from=61&limit=500", 0)]
)
def test_many_moments(asked, by_workers, tmp_path):
    """A page of over 100 moments is computed by a worker, a shorter one by the server; its ETag, if any, gets 304."""
    with Store.open(tmp_path / "games.db") as store:
        store.import_record("demo")
        computing = Computing(Shelf(store), Limits())
        with serving(store, computing=computing) as served, served.client() as client:
            found = client.get(f"/v1/games/wagic-G1/moments?{asked}")
            assert (found.status_code, len(computing.workers.all)) == (200, by_workers)
            computing.workers.compute = None
            if "etag" in found.headers:
                copy = {"If-None-Match": found.headers["etag"]}
                again = client.get(f"/v1/games/wagic-G1/moments?{asked}", headers=copy)
                assert (again.status_code, again.headers["etag"]) == (304, copy["If-None-Match"])
            assert ("etag" in found.headers) == (asked in ("from=2&limit=101", "limit=100"))


def test_a_copy_is_still_right(tmp_path):
    """A client with the ETag of a `why` gets 304, even if no worker can compute."""
    with Store.open(tmp_path / "games.db") as store:
        store.import_record("demo")
        shelf = Shelf(store)
        computing = Computing(shelf, Limits())
        with serving(store, computing=computing) as served, served.client() as client:
            asked = "/v1/games/wagic-G1/why?at=e18"
            found = client.get(asked)
            assert (found.status_code, len(computing.workers.all)) == (200, 1)
            computing.workers.compute = None
            for tag, status in ((found.headers["etag"], 304), (f'"x", W/{found.headers["etag"]}', 304)):
                again = client.get(asked, headers={"If-None-Match": tag})
                assert (again.status_code, again.content) == (status, b"")
                assert again.headers["etag"] == found.headers["etag"]
            assert client.get(asked, headers={"If-None-Match": '"x"'}).content == found.content
            assert client.get(asked, headers={"If-None-Match": "*"}).status_code == 304
