"""Rounds: a burst of requests with one key does not delay another key.

| promise | test |
| --- | --- |
| a caller's first step runs at once, then one in each round; no caller waits for another's queue | test_one_a_round |
| a caller with more than six steps waiting takes one in three rounds; no other is slowed down | test_slowed |
| two requests of a caller are answered at once, those of a crowd of them one by one | test_turns |
| a step that fails or is cancelled delays no other step | test_a_failure |
| a caller without further steps is removed from memory | test_nothing_is_kept |
| requests that come at once are read in turn by key, whole or in pieces, and all are answered | test_a_burst |
"""

import asyncio
import socket

import pytest

from daynight.games import Store
from daynight.web.computing.rounds import FEW, Rounds
from daynight.web.computing.turns import AT_ONCE, Turns
from daynight.web.door.door import Door
from tests.web.serving import serving


def run(play):
    """Run a coroutine with new rounds and a list; return the steps that it has appended to the list."""

    async def running():
        rounds, taken = Rounds(), []
        await play(rounds, taken)
        return taken

    return asyncio.run(running())


def test_one_a_round():
    async def play(rounds, taken):
        for number in range(3):
            rounds.take("ana", lambda number=number: taken.append(f"ana {number}"))
        rounds.take("bo", lambda: taken.append("bo"))
        for _round in range(4):
            taken.append("|")
            await asyncio.sleep(0)

    assert run(play) == ["ana 0", "bo", "|", "ana 1", "|", "ana 2", "|", "|"]


def test_slowed():
    async def play():
        rounds, taken = Rounds(0.0001), []

        def mark():
            taken.append("|")
            if len(taken) < 40:
                rounds.take("clock", mark)

        for number in range(11):
            rounds.take("ana", lambda number=number: taken.append(number))
        for number in range(7):
            rounds.take("bo", lambda number=number: taken.append(f"bo {number}"))
        rounds.take("clock", mark)
        while len(taken) < 40:
            await asyncio.sleep(0.001)
        return taken

    taken = asyncio.run(play())
    ana = "".join(str(one) for one in taken if not str(one).startswith("bo"))
    assert ana.startswith("0|||1|||2|||3|||4|5|6|7|8|9|10|")
    bo = "".join(str(one) for one in taken if not isinstance(one, int))
    assert bo.startswith("bo 0|bo 1|bo 2|bo 3|bo 4|bo 5|bo 6|")


def test_turns():
    async def play():
        turns, inside, most = Turns(), set(), {}

        async def ask(number):
            async with turns.of("ana"):
                inside.add(number)
                await asyncio.sleep(0.001)
                most[number] = len(inside)
                inside.remove(number)

        for crowd in (FEW, 2 * FEW):
            await asyncio.gather(*map(ask, range(crowd)))
            yield [most[number] for number in range(crowd)]
        assert turns._stiles == {}

    async def played():
        return [one async for one in play()]

    few, many = asyncio.run(played())
    assert max(few) == max(many) == AT_ONCE
    assert {*many[FEW + 1 :]} == {1}


def test_a_failure():
    def fail():
        raise ValueError

    async def play(rounds, taken):
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
        rounds.take("ana", lambda: None)
        rounds.take("ana", fail)
        given_up = asyncio.ensure_future(rounds.turn("ana"))
        last = asyncio.ensure_future(rounds.turn("ana"))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.wait_for(last, 5)
        taken.append(given_up.cancelled())

    assert run(play) == [True]


def test_nothing_is_kept():
    async def play(rounds, taken):
        for number in range(5):
            await rounds.turn(number)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        taken.append(rounds._waiting)

    assert run(play) == [{}]


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "in pieces"])
def test_a_burst(whole, monkeypatch):
    came, call = [], Door.__call__

    async def noted(door, scope, receive, send):
        came.append(dict(scope["headers"])[b"authorization"])
        await call(door, scope, receive, send)

    monkeypatch.setattr(Door, "__call__", noted)
    with Store.open("memory:") as store, serving(store) as served:
        store.new("friday", ["Ana", "Bo"])
        served.server.config.http.rounds._pause = 0.1
        evil, good = served.link("spectator", None, "friday"), served.link("spectator", None, "friday")
        host = served.address.rpartition("/")[2]

        def asked(key):
            connection = socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2])), timeout=20)
            head = f"GET /v1/games/friday/state HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n"
            connection.sendall(head.encode() + (b"Connection: close\r\n\r\n" if whole else b""))
            return connection

        crowd = [asked(evil) for _request in range(8)]
        crowd.append(asked(good))
        for connection in crowd:
            with connection:
                if not whole:
                    connection.sendall(b"Connection: close\r\n\r\n")
                assert connection.recv(2**16).startswith(b"HTTP/1.1 200 ")
        assert len(came) == 9
        if whole:
            assert came.index(f"Bearer {good}".encode()) < 7
