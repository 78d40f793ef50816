"""Worker processes for answers that may take long: a process can be killed when its time is over, a thread cannot.

A worker calls the same route functions as the server, for one visit after another. It only reads the store, and has no
key to sign with.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import sys
import threading
from collections import deque
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from anyio import CapacityLimiter, to_thread
from msgspec import Struct
from starlette.responses import Response

from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.game import played
from daynight.games import Store
from daynight.languages.speaking import speaking
from daynight.store.database.settings import Settings
from daynight.web.errors import AGAIN, Problem, problem_of
from daynight.web.limits import Limits
from daynight.web.shelf import FileGame, Shelf
from daynight.web.visit import House, Visit

_TRIES = 2
"""How often a request is tried: a worker that dies is replaced once."""

READY = 60.0
"""How many seconds a worker process may take to start."""


class ShelfPlan(Struct, frozen=True):
    """What a worker needs to build the same shelf as the server.

    `files` has the name, label and bytes of each file. `mechanic` is a module and a name in it, None for day and night.
    """

    settings: Settings | None
    files: tuple[tuple[str, str, bytes], ...]
    mechanic: tuple[str, str] | None
    only: tuple[str, ...] | None
    limits: Limits


class SentVisit(Struct, frozen=True):
    """A visit as the server sends it to a worker; `route` is the index of its route in `ROUTES`."""

    route: int
    game: str | None
    other: str | None
    language: str
    path: str
    query_string: bytes
    params: dict[str, str]
    query: Any
    body: bytes


class Answered(Struct, frozen=True):
    """A worker's response to a visit, or the problem that the route raised."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    problem: dict[str, Any] | None = None


def found_at(mechanic: Mechanic[Any, Any, Any]) -> tuple[str, str] | None:
    """Return the module and the name under which a mechanic is found; None if no loaded module has it."""
    for module in (sys.modules["__main__"], *sys.modules.copy().values()):
        for name, value in [*getattr(module, "__dict__", {}).items()]:
            if value is mechanic:
                return getattr(module, "__name__", ""), name
    return None


class Computing:
    """The worker processes of a shelf. At most `limits.computations` compute at once; each starts when first needed."""

    def __init__(self, shelf: Shelf, limits: Limits) -> None:
        self._served = ShelfPlan(
            None if shelf.store is None else shelf.store.settings,
            tuple([(name, game.label, game.data) for name, game in shelf.files.items()]),
            None if shelf.is_of_games else found_at(shelf.mechanic),
            shelf.only,
            limits,
        )
        self._limits = limits
        self._idle: deque[_Worker] = deque()
        self._all: set[_Worker] = set()
        self._lock = threading.RLock()
        self._closed = False
        self._turns: asyncio.Semaphore | None = None
        self._threads: CapacityLimiter | None = None

    async def answer(self, visit: Visit, route: int) -> Response:
        """Return the response of a route to a visit, computed by a worker; `route` is the index of the route.

        Raises:
            Problem: the route's own; or `busy` where no worker is free in time, or this visit takes too long.
        """
        if self._turns is None or self._threads is None:
            self._turns = asyncio.Semaphore(self._limits.computations)
            self._threads = CapacityLimiter(self._limits.computations + 1)
        try:
            await asyncio.wait_for(self._turns.acquire(), self._limits.computation_seconds)
        except TimeoutError:
            raise _busy() from None
        try:
            asked = SentVisit(
                route=route,
                game=None if visit.game is None else visit.game.name,
                other=None if visit.other is None else visit.other.name,
                language=visit.language,
                path=visit.path,
                query_string=visit.scope["query_string"],
                params=dict(visit.params),
                query=visit.query,
                body=visit.body,
            )
            found = await to_thread.run_sync(self._computed, asked, limiter=self._threads)
        finally:
            self._turns.release()
        if found.problem is not None:
            raise Problem(**found.problem)
        response = Response(found.body, found.status)
        response.raw_headers = found.headers
        return response

    def close(self) -> None:
        """End all workers."""
        with self._lock:
            self._closed = True
            workers = [*self._all]
        for worker in workers:
            worker.end()

    def _computed(self, asked: SentVisit) -> Answered:
        for _try in range(_TRIES):
            worker = self._free()
            try:
                found = worker.ask(asked, self._limits.computation_seconds)
            except (EOFError, OSError):
                # Somebody killed it, or the system did, for want of memory.
                self._gone(worker)
                if self._closed:
                    raise _stopping() from None
                continue
            except BaseException:
                self._gone(worker)
                raise
            if found is None:
                self._gone(worker)
                raise _too_long(self._limits.computation_seconds)
            self._idle.append(worker)
            return found
        raise _busy()

    def _free(self) -> _Worker:
        """Return a worker that lives: an idle one, or a new one."""
        with self._lock:
            while self._idle and not self._idle[0].alive:
                self._gone(self._idle.popleft())
            return self._idle.popleft() if self._idle else self._begun()

    def _begun(self) -> _Worker:
        worker = _Worker(self._served)
        self._all.add(worker)
        return worker

    def _gone(self, worker: _Worker) -> None:
        worker.end()
        with self._lock:
            self._all.discard(worker)


class _Worker:
    """A worker process and the pipe to it."""

    def __init__(self, served: ShelfPlan) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_work, args=(other, served), name="daynight-computing", daemon=True)
        self._process.start()
        other.close()
        self._ready = False

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def ask(self, asked: SentVisit, seconds: float) -> Answered | None:
        """Return the worker's answer; None if it does not come in time. A worker that starts has `READY` seconds more.

        Raises:
            EOFError, OSError: where the process has ended.
        """
        if not self._ready:
            if not self._pipe.poll(READY):
                return None
            self._pipe.recv()
            self._ready = True
        self._pipe.send(asked)
        if not self._pipe.poll(seconds):
            return None
        found: Answered = self._pipe.recv()
        return found

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _work(pipe: Connection, served: ShelfPlan) -> None:
    """Answer visits in the worker process, until the server closes the pipe."""
    # Ctrl-C at a terminal reaches the workers too. They ignore it: the server ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from daynight.web.routes.table import ROUTES

    house = House(shelf=_shelf(served), limits=served.limits)
    pipe.send(None)
    with suppress(EOFError):
        while True:
            asked: SentVisit = pipe.recv()
            pipe.send(_answered(house, asked, ROUTES[asked.route]))


def _answered(house: House, asked: SentVisit, route: Any) -> Answered:
    with speaking(asked.language):
        try:
            visit = Visit(
                house=house,
                scope={"query_string": asked.query_string},
                method=route.method,
                path=asked.path,
                headers={},
                language=asked.language,
                route=route,
                params=asked.params,
                game=None if asked.game is None else house.shelf.find(asked.game),
                other=None if asked.other is None else house.shelf.find(asked.other),
                query=asked.query,
                body=asked.body,
            )
            response = route.answer(visit)
            return Answered(response.status_code, response.raw_headers, response.body)
        except Exception as error:
            return Answered(0, [], b"", problem_of(error).given())


def _shelf(served: ShelfPlan) -> Shelf:
    mechanic = played() if served.mechanic is None else getattr(import_module(served.mechanic[0]), served.mechanic[1])
    store = None if served.settings is None else Store(served.settings, mechanic=mechanic)
    shelf = Shelf(store, mechanic=mechanic, only=served.only)
    for name, label, data in served.files:
        shelf.files[name] = FileGame(label, data, mechanic)
        shelf.files[name].name = name
    return shelf


def _busy() -> Problem:
    return Problem(503, "busy", _("others are computing; ask again"), headers={"Retry-After": AGAIN})


def _stopping() -> Problem:
    return Problem(503, "busy", _("the server stops"), headers={"Retry-After": AGAIN})


def _too_long(seconds: float) -> Problem:
    sentence = _("this takes more than {seconds} seconds to compute")
    return Problem(503, "busy", sentence.format(seconds=f"{seconds:g}"), headers={"Retry-After": AGAIN})
