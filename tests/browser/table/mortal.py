"""Browsers that are killed and restarted with the same profile, and servers, restarted at the same address."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.served.conftest import Site, started
from tests.browser.table.conftest import SETTINGS, Phone, Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@contextmanager
def forgiven() -> Iterator[None]:
    """Ignore browser errors that are expected while the server is down or the browser was killed."""
    from playwright.sync_api import Error

    with suppress(Error):
        yield


def process_of(folder: Path) -> int:
    """Return the process id of the browser with its profile in `folder`; raises ProcessLookupError if none runs."""
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = place.read_bytes().split(b"\0")
            if f"--user-data-dir={folder}".encode() in words and not any(word.startswith(b"--type=") for word in words):
                return int(place.parent.name)
    raise ProcessLookupError(folder)


class Lone(Phone):
    """A phone whose browser is a separate process with a profile on disk."""

    folder: Path
    browser: Browser

    @staticmethod
    def of(table: Table, folder: Path, name: str) -> Lone:
        """Start a browser with its profile in `folder`, open the link of player `name`, and return the phone."""
        made = Lone(None, None, table.link("player", name), [], [])  # type: ignore[arg-type]
        made.folder, made.browser = folder, table.browser
        made.start()
        made.open()
        table.phones.append(made)
        return made

    def start(self) -> None:
        """Start the browser, with the profile in `folder`."""
        self.context = self.browser.browser_type.launch_persistent_context(
            self.folder, executable_path=CHROMIUM, args=ARGUMENTS, **SETTINGS
        )
        self.context.set_default_timeout(15_000)
        self.page = self.context.pages[0]
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def kill(self) -> None:
        """Kill the browser and start it again; then open the link again."""
        process = process_of(self.folder)
        os.kill(process, signal.SIGKILL)
        while Path(f"/proc/{process}").exists():
            time.sleep(0.02)
        with forgiven():
            self.context.close()
        self.start()
        # If neither server nor cached page is available, the link is opened again later.
        with forgiven():
            self.open()

    @property
    def shown(self) -> bool:
        """Return whether the page is loaded."""
        return self.page.locator(".hand").count() > 0


class Mortal(Table):
    """A table whose server is killed at any time, and restarted at the same address."""

    def __init__(self, browser: Browser, folder: Path, place: Path) -> None:
        self.folder, self.place = folder, place
        self.process: Any = None
        super().__init__(Site("", ""), browser, "mortal", [])
        self.rise()

    def fall(self) -> None:
        """Kill the server, if it runs."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(timeout=10)
            self.process.stdout.close()
            self.process = None

    def rise(self) -> None:
        """Start the server at the same address, if it does not run."""
        if self.process is None:
            port = int(self.site.address.rpartition(":")[2] or 0)
            self.site, self.process = started("--db", str(self.place), cwd=self.folder, port=port)
