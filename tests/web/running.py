"""A server in a process of its own, on a free port: forked from the test server process, or a new interpreter."""

import http.client
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.commands.conftest import environ
from tests.processes import Popen


@dataclass
class Server:
    """A running server: its process, and the line of JSON that it printed."""

    process: subprocess.Popen[bytes]
    printed: dict[str, str]

    @property
    def port(self) -> int:
        """The port on which it listens."""
        return int(self.printed["address"].rpartition(":")[2])

    def get(self, target: str, **headers: str) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", target, headers={name.replace("_", "-"): headers[name] for name in headers})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def document(self, target: str, **headers: str) -> Any:
        """Return the answer to a GET of `target` as JSON; its status must be 200."""
        status, body = self.get(target, **headers)
        assert status == 200, (target, body)
        return json.loads(body)


@contextmanager
def serving(
    folder: Path, *arguments: object, program: tuple[object, ...] = ("-m", "daynight"), verb: str = "serve",
    start: type[subprocess.Popen[bytes]] = Popen,
) -> Iterator[Server]:  # fmt: skip
    """Start a server, and yield it after it has printed its address; SIGTERM ends it after the block."""
    command = [sys.executable, *map(str, (*program, verb, *arguments, "--port", "0", "--json"))]
    home = {"XDG_CONFIG_HOME": str(folder / "home"), "APPDATA": str(folder / "home")}
    process = start(
        command, cwd=folder, env=environ(**home), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )  # fmt: skip
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line, process.communicate()[1].decode()
        yield Server(process, json.loads(line))
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
