"""Serves adopted records: until Ctrl-C, or in a background thread while a block runs."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Queue
from typing import Any

from daynight.adapters.eventsourcing import Adopted
from daynight.adapters.transitions import MachineRecord
from daynight.web import serve as server
from daynight.web.adopted.origin import origin_of
from daynight.web.adopted.routes import ROUTES
from daynight.web.adopted.shelf import AdoptedShelf
from daynight.web.serve import Served, Serving


def serve(
    adopted: Adopted | MachineRecord, *, host: str = "127.0.0.1", port: int = 8000,
    told: Callable[[Served], Any] | None = None, show: bool = False,
) -> None:  # fmt: skip
    """Serve an application or a machine until Ctrl-C ends it.

    Clients can change nothing; `told` is called when the server listens. An application that encrypts its events is
    served without their values, unless `show` is true.

    Raises:
        AskedError: where the server cannot listen there.
    """
    server.serve(_shelf(adopted, show=show), Serving(host=host, port=port), told or _print)


def _shelf(adopted: Adopted | MachineRecord, *, show: bool) -> AdoptedShelf:
    if isinstance(adopted, Adopted) and not show:
        adopted = adopted.veiled()
    shelf = AdoptedShelf(origin_of(adopted))
    shelf.routes = ROUTES
    return shelf


def _print(where: Served) -> None:
    sys.stdout.write(f"{where.address}\n")
    sys.stdout.flush()


@contextmanager
def serving(adopted: Adopted | MachineRecord, *, port: int = 0, show: bool = False) -> Iterator[str]:
    """Serve in a thread while the block runs, on this machine alone; the block gets the address. Port 0: a free one.

    `show` is as for `serve`.

    Raises:
        AskedError: where the server cannot listen there.
    """
    ready: Queue[Served | BaseException] = Queue()
    running: list[server.Server] = []

    def run() -> None:
        try:
            server.serve(_shelf(adopted, show=show), Serving(port=port), ready.put, began=running.append, leave=False)
        except BaseException as error:
            ready.put(error)

    thread = threading.Thread(target=run, name="daynight-serving", daemon=True)
    thread.start()
    found = ready.get()
    if isinstance(found, BaseException):
        raise found
    try:
        yield found.address
    finally:
        running[0].should_exit = True
        thread.join(10)
