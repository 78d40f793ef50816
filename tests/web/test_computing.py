"""What may take long is computed in a process, which is stopped after its time; others wait, or are told to."""

import asyncio
import os
import signal
from time import monotonic

import pytest

from daynight.records import Record
from daynight.web.computing.computing import Computing
from daynight.web.errors import Problem
from daynight.web.limits import Limits
from daynight.web.queries import Cited
from daynight.web.routes.table import ROUTES
from daynight.web.shelf import Shelf
from daynight.web.visit import House, Visit
from tests.web.serving import serving

AUDIT = next(place for place, route in enumerate(ROUTES) if route.path.endswith("/audit"))


def visit(house, lang="en", query=None):
    """Somebody who asks for an audit."""
    return Visit(
        house=house, scope={"query_string": b""}, method="GET", path="/v1/games/wagic-G1/audit", headers={},
        language=lang, route=ROUTES[AUDIT], game=house.shelf.find("wagic-G1"), query=query or Cited(),
    )  # fmt: skip


@pytest.fixture
def house():
    """A file, and nothing else."""
    return House(shelf=Shelf(None, [Record("demo")]))


def test_computed(house):
    """As it would be here, in the language of who asks; and what is refused is refused."""
    computing = Computing(house.shelf, Limits())

    async def several():
        first, second = await asyncio.gather(*(computing.answer(visit(house, lang), AUDIT) for lang in ("en", "fr")))
        with pytest.raises(Problem) as refused:
            await computing.answer(visit(house, query=Cited(edition="1999")), AUDIT)
        return first, second, refused.value

    try:
        first, second, problem = asyncio.run(several())
        assert b'"verdict":"disputed"' in first.body
        assert b"by the rules" in first.body
        assert "d’après les règles".encode() in second.body
        assert (problem.status, problem.code, problem.exit) == (400, "bad-parameter", 2)
    finally:
        computing.close()


@pytest.mark.slow
def test_killed(house):
    """A worker that is killed over a request is replaced, and the request answered; where each is, it is 503."""
    computing = Computing(house.shelf, Limits(computations=1))

    async def asked(kills):
        task = asyncio.create_task(computing.answer(visit(house), AUDIT))
        killed = set()
        while not task.done() and len(killed) < kills:
            for worker in {*computing._all} - killed:
                killed.add(worker)
                os.kill(worker._process.pid, signal.SIGKILL)
            await asyncio.sleep(0.01)
        return await task

    try:
        assert asyncio.run(asked(0)).status_code == 200
        (worker,) = computing._all
        os.kill(worker._process.pid, signal.SIGSTOP)
        computing._turns = computing._threads = None
        assert asyncio.run(asked(1)).status_code == 200
        assert worker not in computing._all
        os.kill(next(iter(computing._all))._process.pid, signal.SIGSTOP)
        computing._turns = computing._threads = None
        with pytest.raises(Problem) as refused:
            asyncio.run(asked(2))
        assert (refused.value.status, refused.value.code) == (503, "busy")
        assert refused.value.headers["Retry-After"] == "1"
    finally:
        computing.close()


@pytest.mark.slow
def test_too_long(house):
    """Ends the process, and the next one is answered by another."""
    computing = Computing(house.shelf, Limits(computations=1))

    async def asked(seconds):
        computing._limits = Limits(computations=1, computation_seconds=seconds)
        began = monotonic()
        try:
            return (await computing.answer(visit(house), AUDIT)).status_code, {}, monotonic() - began
        except Problem as problem:
            return problem.code, problem.headers, monotonic() - began

    async def in_turn():
        # The first waits for the process to begin, which is not counted.
        first = await asked(10)
        (worker,) = computing._all
        os.kill(worker._process.pid, signal.SIGSTOP)
        return [first, await asked(0.2), await asked(10)]

    try:
        found = asyncio.run(in_turn())
        assert [code for code, _headers, _took in found] == [200, "busy", 200]
        assert "Retry-After" in found[1][1]
    finally:
        computing.close()
    assert not computing._all or all(not worker.alive for worker in computing._all)


def test_busy(house):
    """Who waits too long for others is told so."""
    computing = Computing(house.shelf, Limits(computations=1, computation_seconds=0.05))

    async def crowd():
        computing._turns = asyncio.Semaphore(0)
        from anyio import CapacityLimiter

        computing._threads = CapacityLimiter(1)
        await computing.answer(visit(house), AUDIT)

    try:
        with pytest.raises(Problem) as busy:
            asyncio.run(crowd())
        assert (busy.value.status, busy.value.code) == (503, "busy")
    finally:
        computing.close()


def test_end():
    """The workers end with the server."""
    files = [Record("demo")]
    computing = Computing(Shelf(None, files), Limits())
    with serving(None, files, computing=computing) as served, served.client() as client:
        assert 200 == client.get("/v1/games/wagic-G1/audit").status_code
        (worker,) = computing._all
        assert worker.alive
    assert not worker.alive


def test_what_is_computed():
    """Everything that the limits name."""
    computed = {route.path.rpartition("/")[2] for route in ROUTES if route.computed}
    assert {"diff", "bisect", "repair", "audit", "search", "report.html", "report.json", "timeline.svg",
            "board.svg"} <= computed  # fmt: skip
