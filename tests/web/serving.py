"""A server on a real socket, in a thread of the test process, with limits chosen by the test."""

import asyncio
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from daynight.games import Store
from daynight.web.door.hosts import hosts_of
from daynight.web.listening import Listening
from daynight.web.serve import Server
from daynight.web.shelf import Shelf
from daynight.web.visit import House

AS_ABROAD = (
    "import daynight.web.serve as serve; serve.is_loopback = lambda host: False; "
    "from daynight.cli.commands import run; import sys; sys.exit(run(sys.argv[1:]))"
)
"""A program that runs the command but treats every address as remote, so that a table is encrypted."""

UNCHECKED = ssl.create_default_context()
"""An SSL context that accepts any certificate."""
UNCHECKED.check_hostname, UNCHECKED.verify_mode = False, ssl.CERT_NONE


class Quick(Server):
    """A server that checks twenty times as often whether it should stop, because tests start and stop many."""

    async def main_loop(self) -> None:
        """Run until the server should stop."""
        while not await self.on_tick(0):
            await asyncio.sleep(0.005)


class Frames:
    """The frames of an event stream, one after another."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.iter_lines() if answer.status_code == 200 else iter(())

    def next(self) -> dict[str, Any]:
        """Return the next frame with an event: `event`, `data`, perhaps `id`; EOFError if the stream has ended."""
        found: dict[str, Any] = {}
        for line in self._lines:
            if line.startswith(":"):
                continue
            if not line:
                if "event" in found:
                    return found
                assert found in ({}, {"retry": "1000"})
                found = {}
                continue
            name, _colon, value = line.partition(": ")
            found[name] = json.loads(value) if name == "data" else value
        raise EOFError

    def take(self, many: int) -> list[dict[str, Any]]:
        """Return the next `many` frames with an event."""
        return [self.next() for _frame in range(many)]


@dataclass
class Served:
    """A running server, its address and thread, and its `House`: the store, the keys and the limits."""

    house: House
    address: str
    server: Server
    thread: threading.Thread

    def stop(self) -> None:
        """Stop the server as a signal would."""
        self.server.should_exit = True
        self.thread.join(10)
        assert not self.thread.is_alive()

    @property
    def store(self) -> Store:
        """The store that is served."""
        assert self.house.shelf.store is not None
        return self.house.shelf.store

    @property
    def owner(self) -> str:
        """The owner's key."""
        return self.house.keys.owner

    def link(self, role: Any, name: str | None = None, game: str = "friday", hours: float = 24) -> str:
        """Add a link for `game`, valid for `hours`, and return its key; `name` is that of the player or judge."""
        return self.house.keys.add(game, role, name, hours)[1]

    def client(self, key: str | None = None, **headers: str) -> httpx.Client:
        """Return an HTTP client that sends `key`, or no key if `key` is None."""
        given = {} if key is None else {"Authorization": f"Bearer {key}"}
        return httpx.Client(base_url=self.address, headers={**given, **headers}, timeout=20, verify=False)

    @contextmanager
    def listening(
        self, key: str | None = None, path: str = "/v1/games/friday/live", **headers: str
    ) -> Iterator[Frames]:
        """The frames of a live stream."""
        with self.client(key, **headers) as client, client.stream("GET", path) as answer:
            yield Frames(answer)


def until(is_so: Callable[[], object]) -> None:
    """Wait until another thread makes `is_so()` true; AssertionError after four seconds."""
    for _time in range(200):
        if is_so():
            return
        time.sleep(0.02)
    raise AssertionError("it did not come about")


@contextmanager
def serving(store: Store | None, files: Any = (), certificate: Path | None = None, **house: Any) -> Iterator[Served]:
    """Serve a store until the block ends, encrypted if there is a certificate."""
    scheme = "http" if certificate is None else "https"
    # Without TCP_NODELAY, a small packet would wait for the acknowledgement of the one before.
    with Listening(proto=socket.IPPROTO_TCP) as listening:
        # Small socket buffers, so that a client that does not read soon fills the server's own queue.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**14)
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        found = House(
            shelf=Shelf(store, files), hosts=hosts_of("127.0.0.1", port, scheme, (), local=True), **house
        )  # fmt: skip
        server = Quick(found, certificate=certificate)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        served = Served(found, f"{scheme}://127.0.0.1:{port}", server, thread)
        try:
            while not server.started:
                assert thread.is_alive()
                time.sleep(0.01)
            yield served
        finally:
            served.stop()


def deaf(house: Served) -> socket.socket:
    """Return a connection that requests the live stream of `friday` and never reads from it."""
    before = len(house.house.hub._listeners)
    address = httpx.URL(house.address)
    host, port = address.host, address.port
    assert port is not None
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    found.connect((host, port))
    if address.scheme == "https":
        found = UNCHECKED.wrap_socket(found)
    found.sendall(f"GET /v1/games/friday/live HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
    until(lambda: len(house.house.hub._listeners) > before)
    return found
