"""What a worker process does: it answers visits by the same route functions as the server.

A worker only reads the store, and has no key to sign with.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daynight.framework.mechanic import Mechanic
from daynight.game import played
from daynight.games import Store
from daynight.languages.speaking import speaking
from daynight.machine.memory import return_large_blocks
from daynight.store.database.settings import Settings
from daynight.store.files.connections import check_which, gone
from daynight.web.door.grants import Grant
from daynight.web.errors import problem_of
from daynight.web.file_game import FileGame
from daynight.web.limits import Limits
from daynight.web.shelf import Shelf
from daynight.web.visit import House, Visit

NICE = 5
"""The nice value of workers: where CPUs are scarce, the server goes first and answers quick requests."""


class ShelfPlan(Struct, frozen=True):
    """The data from which a worker builds the same shelf as the server.

    `which` identifies the file of the store, None if it has none. `files` has the name, label and bytes of each file.
    `mechanic` is a module and a name in it, None for day and night.
    """

    settings: Settings | None
    which: tuple[int, int] | None
    files: tuple[tuple[str, str, bytes], ...]
    mechanic: tuple[str, str] | None
    limits: Limits


class SentVisit(Struct, frozen=True):
    """A visit as the server sends it to a worker; `route` is the index of its route in `ROUTES`.

    `grant` is the caller's grant without its key, if the route has a `draft`, which makes events.
    """

    route: int
    game: str | None
    other: str | None
    language: str
    path: str
    query_string: bytes
    params: dict[str, str]
    query: Any
    body: bytes
    grant: Grant | None = None


class Answered(Struct, frozen=True):
    """A worker's response to a visit, or the problem that the route raised."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    problem: dict[str, Any] | None = None


def plan_of(shelf: Shelf, mechanic: tuple[str, str] | None, limits: Limits) -> ShelfPlan:
    """Return the data from which a worker builds this shelf."""
    return ShelfPlan(
        None if shelf.store is None else shelf.store.settings,
        None if shelf.store is None else shelf.store.recorder.which,
        tuple([(name, game.label, game.data) for name, game in shelf.files.items()]),
        mechanic,
        limits,
    )


def sent_of(visit: Visit, route: int) -> SentVisit:
    """Return a visit in the form that is sent to a worker."""
    grant = None
    if visit.route is not None and visit.route.draft is not None:
        grant = Grant(visit.granted.role, visit.granted.name, rules=visit.granted.rules)
    return SentVisit(
        route=route,
        game=None if visit.game is None else visit.game.name,
        other=None if visit.other is None else visit.other.name,
        language=visit.language,
        path=visit.path,
        query_string=visit.scope["query_string"],
        params=dict(visit.params),
        query=visit.query,
        body=visit.body,
        grant=grant,
    )


def work(pipe: Connection, plan: ShelfPlan) -> None:
    """Answer visits in the worker process, until the server closes the pipe."""
    # Ctrl-C at a terminal reaches the workers too. They ignore it: the server ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stand_back()
    return_large_blocks()
    from daynight.web.routes.table import ROUTES

    house: House | None = None
    with suppress(Exception):
        # A store that does not answer now may answer later.
        house = _house(plan)
    pipe.send(None)
    with suppress(EOFError):
        while True:
            asked: SentVisit = pipe.recv()
            with speaking(asked.language):
                try:
                    house = house or _house(plan)
                    found = _answered(house, asked, ROUTES[asked.route])
                except Exception as error:
                    found = Answered(0, [], b"", problem_of(error).given())
            _send(pipe, found)


def _send(pipe: Connection, found: Answered) -> None:
    # The body is sent by itself: pickled, it would be in memory twice, here and in the server.
    pipe.send((replace(found, body=b""), bool(found.body)))
    if found.body:
        pipe.send_bytes(found.body)


def received(pipe: Connection) -> Answered:
    """Return the next answer of a worker.

    Raises:
        EOFError, OSError: where the process has ended.
    """
    found: Answered
    found, has_body = pipe.recv()
    return replace(found, body=pipe.recv_bytes()) if has_body else found


def _stand_back() -> None:
    """Leave one CPU, if there are several, to the server and its clients; lower the priority of this process."""
    with suppress(AttributeError, OSError):
        os.nice(NICE)
    with suppress(AttributeError, OSError):
        first, *others = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, others or [first])


def _answered(house: House, asked: SentVisit, route: Any) -> Answered:
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
        grant=asked.grant,
    )
    response = (route.draft or route.answer)(visit)
    return Answered(response.status_code, response.raw_headers, response.body)


def _house(plan: ShelfPlan) -> House:
    """Return a `House` with the shelf of `plan`. It serves every game: the server has checked which ones are served.

    Raises:
        StoreError: where the store cannot be opened.
    """
    mechanic: Mechanic[Any, Any, Any] = played()
    if plan.mechanic is not None:
        mechanic = getattr(import_module(plan.mechanic[0]), plan.mechanic[1])
    shelf = Shelf(_store(plan, mechanic), mechanic=mechanic)
    for name, label, data in plan.files:
        shelf.files[name] = FileGame(label, data, mechanic)
        shelf.files[name].name = name
    return House(shelf=shelf, limits=plan.limits)


def _store(plan: ShelfPlan, mechanic: Mechanic[Any, Any, Any]) -> Store | None:
    """Open and return the store that the server has open; return None if it has none.

    Raises:
        UnavailableError: where its file was removed or replaced; no other file is made.
        StoreError: where it cannot be opened for another reason.
    """
    if plan.settings is None:
        return None
    if plan.which is not None:
        check_which(plan.settings.path, plan.which)
    store = Store(plan.settings, mechanic=mechanic)
    if plan.which is not None and store.recorder.which != plan.which:
        # It was replaced between the check and the opening.
        store.close()
        raise gone(plan.settings.path)
    return store
