"""Connections: the server does not wait for ever for a client that sends half a request, or reads no answer."""

import asyncio
import gc
import socket
import ssl
import time

import pytest
import uvicorn

from daynight.web.computing.rounds import Rounds
from daynight.web.limits import Limits
from daynight.web.protocol import Connection, connections
from tests.sampling import sampled
from tests.web.serving import UNCHECKED

LIMITS = Limits(idle_seconds=0.3, stalled_seconds=0.3)


async def endless(scope, receive, send):
    """An application that reads the body and answers `done`: on /slow after a second, on /endless after 125 MiB."""
    if scope["type"] != "http":
        return
    more = True
    while more:
        message = await receive()
        more = message["type"] == "http.request" and message.get("more_body", False)
    if scope["path"] == "/slow":
        await asyncio.sleep(1)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _piece in range(2000 if scope["path"] == "/endless" else 0):
        await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b"x" * 65536, "more_body": True})
    await send({"type": "http.response.body", "body": b"done"})


def served(client, certificate):
    """Return what `client` got from a server with `LIMITS`, and the seconds that it took."""

    def asking(address):
        connection = socket.create_connection(address, timeout=10)
        with connection if certificate is None else UNCHECKED.wrap_socket(connection) as asked:
            return client(asked)

    async def serve():
        config = uvicorn.Config(endless, http=connections(LIMITS), ws="none", lifespan="off", log_config=None)
        config.ssl_certfile = certificate
        server = uvicorn.Server(config)
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            running = asyncio.create_task(server.serve(sockets=[listening]))
            while not server.started:
                await asyncio.sleep(0.01)
            began = asyncio.get_running_loop().time()
            heard = await asyncio.to_thread(asking, listening.getsockname())
            took = asyncio.get_running_loop().time() - began
            server.should_exit = server.force_exit = True
            await running
            return heard, took

    return asyncio.run(serve())


def sending(*pieces, reads=True):
    """Return a client that sends `pieces` and returns the answer, which ends with `cut` after a reset.

    Without `reads` it reads nothing, sends empty lines until it is cut off, and returns `cut`.
    """

    def client(connection):
        for piece in pieces:
            connection.sendall(piece)
        if not reads:
            while True:
                try:
                    connection.send(b"\r\n")
                except OSError:
                    return b"cut"
        heard = b""
        try:
            while piece := connection.recv(2**16):
                heard += piece
        except (ConnectionResetError, ssl.SSLEOFError):
            heard += b"cut"
        return heard

    return client


HEAD = b"GET %s HTTP/1.1\r\nHost: x\r\n"


@pytest.mark.parametrize(
    "pieces",
    sampled([(), (b"GET / HT",), (HEAD % b"/",), (HEAD % b"/" + b"Content-Length: 10\r\n\r\n12345",)], 4),
    ids=["nothing", "half a line", "half a head", "half a body"],
)
def test_half_a_request(pieces, certificate):
    """The connection of an incomplete request is closed without an answer after a time limit."""
    heard, took = served(sending(*pieces), certificate)
    assert b"done" not in heard
    assert 0.2 < took < 5


WHOLE = HEAD % b"/" + b"\r\n"
LONG = HEAD % b"/" + b"X: " + b"x" * 1100 + b"\r\nY: y\r\n\r\n"


@pytest.mark.parametrize(
    "head, places",
    [(WHOLE, range(1, len(WHOLE))), (LONG, (*range(1020, 1028), *range(len(LONG) - 14, len(LONG))))],
    ids=["short", "long"],
)
def test_head_in_two_pieces(head, places):
    """A request is answered wherever its head is cut into two pieces, also beyond the first `PIECE` bytes."""

    def client(connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        answered = 0
        for place in places:
            connection.sendall(head[:place])
            time.sleep(0.004)
            connection.sendall(head[place:])
            heard = b""
            while b"done" not in heard:
                heard += connection.recv(2**16)
            answered += 1
        return answered

    assert served(client, None)[0] == len(places)


def test_half_a_head_takes_no_turn(monkeypatch):
    """A request whose head comes in many pieces takes one step of `Rounds`, not one for each piece."""
    taken, take = [], Rounds.take

    def noted(rounds, who, step):
        taken.append(who)
        take(rounds, who, step)

    monkeypatch.setattr(Rounds, "take", noted)

    def client(connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for place in range(0, len(WHOLE), 6):
            connection.sendall(WHOLE[place : place + 6])
            time.sleep(0.02)
        return connection.recv(2**16)

    heard, _took = served(client, None)
    assert heard.startswith(b"HTTP/1.1 200 ")
    assert len(taken) == 1


@pytest.mark.slow
def test_a_slow_answer(certificate):
    """The server waits for a slow answer of the application, although no data flow meanwhile."""
    heard, took = served(sending(HEAD % b"/slow" + b"Connection: close\r\n\r\n"), certificate)
    assert b"done" in heard
    assert took > 0.9


@pytest.mark.slow
def test_who_does_not_read(certificate):
    """The connection of a client that does not read is closed, however much there is to send."""
    heard, took = served(sending(HEAD % b"/endless" + b"\r\n", reads=False), certificate)
    assert heard == b"cut"
    assert took < 8


def test_freed():
    """A closed connection and its last answer are freed without the garbage collector."""

    gc.collect()
    gc.disable()
    try:
        assert b"done" in served(sending(HEAD % b"/" + b"Connection: close\r\n\r\n"), None)[0]
        assert not [one for one in gc.get_objects() if isinstance(one, Connection)]
    finally:
        gc.enable()
