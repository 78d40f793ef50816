"""Many connections: idle or very slow ones do not block other clients.

| promise | test |
| --- | --- |
| connections above the limit are closed without an answer, unless they send a request immediately | test_bound |
| the limit for a single remote address is lower | test_of_one_address |
| a head or body that is sent too slowly is cut off; uploads have a longer limit | test_trickle, test_upload |
| the server raises its limit of open files, or prints a line that it could not | test_room, test_said |
| without free file descriptors, new connections are closed without an answer | test_no_file_left |
| with two thousand idle connections others are answered, nothing is logged, memory is bounded | test_idle |
"""

import asyncio
import http.client
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from daynight.games import Store
from daynight.web.limits import Limits
from daynight.web.listening import EXTRA, OTHERS, Admitted, Crowd, Listening, room_for
from tests.commands.conftest import complaints, environ
from tests.web.running import serving as running
from tests.web.serving import serving, until

resource = pytest.importorskip("resource", reason="Windows has no such limits")

HEAD = b"GET /v1 HTTP/1.1\r\nHost: %b\r\n\r\n"


def host_of(served):
    return served.address.rpartition("/")[2].encode()


def connected(served):
    found = socket.create_connection(("127.0.0.1", int(served.address.rpartition(":")[2])), timeout=10)
    found.sendall(b"GET /v1 HT")
    return found


def is_cut(connection):
    """Return whether a connection was closed without an answer."""
    try:
        return connection.recv(100) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


@pytest.fixture
def crowded():
    """A server with a limit of four connections."""
    with Store.open("memory:") as store:
        store.new("friday", ["Ana", "Bo"])
        with serving(store, limits=Limits(connections=4, idle_seconds=60)) as served:
            yield served


@pytest.mark.wide
def test_bound(crowded):
    with ExitStack() as open_ones:
        four = [open_ones.enter_context(connected(crowded)) for _connection in range(4)]
        with connected(crowded) as fifth:
            began = time.monotonic()
            assert is_cut(fifth)
            assert time.monotonic() - began < 5
        with connected(crowded) as asking:
            asking.sendall(HEAD[len(b"GET /v1 HT") :] % host_of(crowded))
            answer = b""
            while piece := asking.recv(2**16):
                answer += piece
            # The request is answered and the connection closed, which frees a place for the next one.
            assert answer.startswith(b"HTTP/1.1 200")
            assert b"connection: close" in answer.lower()
        for one in four:
            one.settimeout(0.05)
        assert not any(is_cut(one) for one in four)
        four[0].close()
        until(lambda: crowded.server._crowd._all < 4)
        with connected(crowded) as again:
            again.settimeout(1.5)
            assert not is_cut(again)
    until(lambda: crowded.server._crowd._all == 0)


def test_more_than_beyond(crowded):
    """Above the limit `EXTRA` more connections are accepted; the next one is closed without an answer."""
    with ExitStack() as open_ones:
        for _connection in range(4 + EXTRA):
            open_ones.enter_context(connected(crowded))
        until(lambda: crowded.server._crowd._all == 4 + EXTRA)
        with connected(crowded) as one_more:
            one_more.settimeout(0.5)
            assert is_cut(one_more)


def test_of_one_address():
    crowd = Crowd(Limits(connections=10, connections_address=2))
    with ExitStack() as open_ones:

        def come(host):
            found = open_ones.enter_context(Admitted())
            return found, crowd.admits(found, host)

        (first, admitted), (_second, too) = come("192.0.2.1"), come("192.0.2.1")
        assert admitted
        assert too
        assert not come("192.0.2.1")[1]
        assert come("192.0.2.2")[1]
        assert all([come(here)[1] for here in ("127.0.0.1", "::1", "127.0.0.1")])
        first.close()
        first.close()
        assert come("192.0.2.1")[1]
        assert not come("192.0.2.1")[1]
    assert (crowd._all, crowd._addresses, crowd._extra) == (0, {}, set())


@pytest.fixture
def hurried():
    """A server that waits half a second for a head or a body."""
    with Store.open("memory:") as store, serving(store, limits=Limits(head_seconds=0.5)) as served:
        yield served


def trickle(connection, data, pause=0.1):
    """Send `data` byte by byte; return the seconds until the end, and the answer, which is empty if it was cut off."""
    began = time.monotonic()
    try:
        for byte in data:
            connection.sendall(bytes([byte]))
            time.sleep(pause)
        connection.settimeout(1)
        return time.monotonic() - began, connection.recv(100)
    except OSError:
        return time.monotonic() - began, b""


BODY = (
    b"POST /v1/games HTTP/1.1\r\nHost: %b\r\nAuthorization: Bearer %b\r\nContent-Type: application/json\r\n"
    b"Content-Length: 90\r\n\r\n"
)


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("head", [b"", BODY], ids=["head", "body"])
def test_trickle(hurried, head):
    with socket.create_connection(("127.0.0.1", int(hurried.address.rpartition(":")[2])), timeout=10) as connection:
        if head:
            connection.sendall(head % (host_of(hurried), hurried.owner.encode()))
        took, answer = trickle(connection, b" " * 40 if head else HEAD % b"x" * 2)
        assert answer == b""
        assert 0.4 < took < 3


def test_quick_ones_may_follow_each_other(hurried):
    """The time limit is for a single request: several requests may use one connection for longer."""
    with closing(http.client.HTTPConnection(host_of(hurried).decode(), timeout=10)) as connection:
        connection.connect()
        opened = connection.sock
        for _time in range(8):
            connection.request("GET", "/v1")
            answer = connection.getresponse()
            assert (answer.status, len(answer.read()) > 100, connection.sock) == (200, True, opened)
            time.sleep(0.1)


@pytest.mark.wide
def test_upload(hurried):
    record = b'{"type":"game-started","format":1,"game":"half","players":["Ana","Bo"]}\n'
    head = (
        b"POST /v1/imports HTTP/1.1\r\nHost: %b\r\nAuthorization: Bearer %b\r\nContent-Type: application/octet-stream"
        b"\r\nContent-Length: %d\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", int(hurried.address.rpartition(":")[2])), timeout=10) as connection:
        connection.sendall(head % (host_of(hurried), hurried.owner.encode(), len(record)))
        took, answer = trickle(connection, record, 0.02)
        assert took > 1
        assert answer.startswith(b"HTTP/1.1 201")


# ------------------------------------------------------------------------------------------------------- open files

ROOM = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[2])))
from daynight.web.listening import room_for
print(room_for(2000), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.parametrize(
    "soft, hard, room", [(256, 4096, 2000), (1024, 1024, 1024 - EXTRA - OTHERS), (4000, 4000, 2000), (100, 100, 1)]
)
def test_room(soft, hard, room):
    told = subprocess.run(
        [sys.executable, "-c", ROOM, str(soft), str(hard)], env=environ(), capture_output=True, text=True, check=True
    )
    many, files = map(int, told.stdout.split())
    assert many == room
    assert files == max(soft, min(hard, 2000 + EXTRA + OTHERS))


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (600, 600))
from daynight.cli.commands import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.wide
def test_said(tmp_path):
    """One line says how to raise the limit of open files; the limit in force is listed among the limits."""
    with running(tmp_path, "demo", program=("-c", LIMITED), start=subprocess.Popen) as server:
        assert server.document("/v1")["limits"]["connections"] == 600 - EXTRA - OTHERS
        server.process.terminate()
        _out, err = server.process.communicate(timeout=10)
    said = complaints(err.decode()).strip()
    assert said == (
        f"the system lets this program open few files: at most {600 - EXTRA - OTHERS} connections at once;"
        f" ulimit -n {2000 + EXTRA + OTHERS} before it starts allows more"
    )


def test_no_file_left():
    """Without free file descriptors a waiting client is closed unanswered; with free ones the next is accepted."""
    with Listening() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        listening.setblocking(False)
        listening.crowd = Crowd(Limits())
        with pytest.raises(BlockingIOError):
            listening.accept()
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        with socket.create_connection(listening.getsockname()) as client, ExitStack() as files:
            # The limit is the number of open files, so no more can be opened.
            highest = max(int(one.name) for one in Path("/proc/self/fd").iterdir()) + 1
            resource.setrlimit(resource.RLIMIT_NOFILE, (highest, before[1]))
            try:
                while True:
                    try:
                        files.callback(os.close, os.dup(0))
                    except OSError:
                        break
                with pytest.raises(BlockingIOError):
                    listening.accept()
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, before)
            client.settimeout(5)
            assert is_cut(client)
        with socket.create_connection(listening.getsockname()):
            found, _address = listening.accept()
            found.close()
    assert room_for(1) == 1


# ------------------------------------------------------------------------------------------------------- idle ones

MANY = 2000


async def idle(port, many, ready, ended):
    """Open `many` connections, set `ready`, and send a byte to each every five seconds until `ended` is set."""
    writers = []
    for _connection in range(many):
        _reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writers.append(writer)
    ready.set()
    place = 0
    text = b"GET /v1/games HTTP/1.1\r\nX: " + b"x" * 1000
    while not ended.is_set():
        began = time.monotonic()
        for writer in writers:
            writer.write(text[place : place + 1])
        place += 1
        while not ended.is_set() and time.monotonic() - began < 5:
            await asyncio.sleep(0.1)
    for writer in writers:
        writer.transport.abort()


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [12])
def test_idle(tmp_path, seconds):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < MANY + 500:
        pytest.skip("the system allows too few open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, MANY + 500), hard))
    with Store.open(tmp_path / "daynight.db") as store:
        store.new("friday", ["Ana", "Bo"])
    with running(tmp_path, start=subprocess.Popen) as server:
        memory = Path(f"/proc/{server.process.pid}/status")

        def megabytes():
            line = next(line for line in memory.read_text().splitlines() if line.startswith("VmRSS"))
            return int(line.split()[1]) / 1024

        assert server.get("/v1/games/friday/state")[0] == 200
        calm, before = asked(server), megabytes()
        ready, ended = threading.Event(), threading.Event()
        crowd = threading.Thread(target=lambda: asyncio.run(idle(server.port, MANY, ready, ended)))
        crowd.start()
        try:
            assert ready.wait(60)
            until_then, times, most = time.monotonic() + seconds, [], 0.0
            while time.monotonic() < until_then:
                times += asked(server)
                most = max(most, megabytes())
        finally:
            ended.set()
            crowd.join(30)
        server.process.terminate()
        _out, err = server.process.communicate(timeout=10)
        print(f"calm {median(calm)}, then {median(times)}, at most {max(times)} of {len(times)}; {before} to {most} MB")
        assert complaints(err.decode()) == ""
        # No wave of bytes keeps a request waiting.
        assert len(times) > 5 * seconds
        assert median(times) < 5 * max(median(calm), 0.004)
        assert most < 2 * before


def median(times):
    return sorted(times)[len(times) // 2]


def asked(server):
    """Return the seconds that each of ten requests took."""
    found = []
    for _time in range(10):
        began = time.monotonic()
        assert server.get("/v1/games/friday/state")[0] == 200
        found.append(time.monotonic() - began)
        time.sleep(0.03)
    return found
