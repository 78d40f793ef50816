"""A proxy between a store and its server that forwards everything, and cuts the connection at the worst moments."""

import select
import shutil
import socket
import tempfile
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal, Self

from daynight.store.database.settings import Settings

__all__ = ["Proxy"]

_SOCKET = ".s.PGSQL.{port}"
_WRITES, _COMMITS = b"LOCK TABLE", b"COMMIT\0"


class Proxy:
    """A proxy between clients and the server of a store; clients use `settings` to reach the store through it.

    `cut` cuts the connection once, when a writing transaction commits: `before` the server receives the commit, or
    `after` it has answered, so that the answer is lost.
    """

    def __init__(self, settings: Settings) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="daynight-"))
        self._server = str(Path(settings.host) / _SOCKET.format(port=settings.port))
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self._folder / _SOCKET.format(port=settings.port)))
        self._listening.listen()
        self._threads: list[threading.Thread] = []
        self._lines: list[socket.socket] = []
        self.settings = replace(settings, host=str(self._folder))
        self.cut: Literal["before", "after"] | None = None
        self.cuts = 0
        self._start(self._accept)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        for line in (self._listening, *self._lines):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for thread in self._threads:
            thread.join()
        shutil.rmtree(self._folder)

    def _start(self, target: object, *arguments: object) -> None:
        thread = threading.Thread(target=target, args=arguments)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _address = self._listening.accept()
            except OSError:
                return
            self._lines.append(client)
            self._start(self._relay, client)

    def _relay(self, client: socket.socket) -> None:
        writes = False
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(self._server)
            while True:
                readable, _, _ = select.select([client, server], [], [])
                for one, other in ((client, server), (server, client)):
                    if one not in readable:
                        continue
                    data = one.recv(2**16)
                    if not data:
                        return
                    if one is client:
                        writes = writes or _WRITES in data
                        if writes and _COMMITS in data:
                            writes, cut, self.cut = False, self.cut, None
                            if cut is not None:
                                self.cuts += 1
                                if cut == "after":
                                    server.sendall(data)
                                    server.recv(2**16)
                                return
                    other.sendall(data)
