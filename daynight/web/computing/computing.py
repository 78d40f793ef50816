"""Computing: workers compute expensive answers; callers take turns, and equal questions are computed once."""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from collections.abc import Hashable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from anyio import CapacityLimiter, to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from daynight.framework.mechanic import Mechanic
from daynight.store.branches import branches
from daynight.web.computing.lines import WAITING, FullError, Lines, Ticket
from daynight.web.computing.work import Answered, plan_of, sent_of
from daynight.web.computing.workers import Task, Workers
from daynight.web.errors import Problem, busy
from daynight.web.limits import MIB, Limits
from daynight.web.shelf import Shelf, Shelved
from daynight.web.visit import Visit

KEPT = 16 * MIB
"""The most bytes of answers in the cache."""


def found_at(mechanic: Mechanic[Any, Any, Any]) -> tuple[str, str] | None:
    """Return the module and the name under which a worker finds a mechanic; None if it cannot be imported.

    A worker also runs the main script. A script that does not check its `__name__` would start a second server there.
    """
    main = sys.modules["__main__"]
    for module in (*(one for one in sys.modules.copy().values() if one is not main), main):
        for name, value in [*getattr(module, "__dict__", {}).items()]:
            if value is mechanic and (module is not main or _is_guarded(main)):
                return getattr(module, "__name__", ""), name
    return None


def _is_guarded(main: Any) -> bool:
    """Return whether the main script has `__name__` in its text, so that it probably checks it."""
    file = getattr(main, "__file__", None)
    with suppress(OSError, UnicodeError):
        return file is not None and "__name__" in Path(file).read_text(encoding="utf-8")
    return False


class Computing:
    """The computations of a shelf. At most `limits.computations` run at once.

    The same question is computed once: callers that ask it meanwhile wait for the same answer, and up to `KEPT` bytes
    of answers are cached for later callers. A question is a route, its parameters and body, the language, and the
    digest of the game, with its stored branches.
    """

    def __init__(self, shelf: Shelf, limits: Limits) -> None:
        mechanic = None if shelf.is_of_games else found_at(shelf.mechanic)
        self.workers = Workers(plan_of(shelf, mechanic, limits), limits.computation_seconds)
        self._shelf = shelf
        self._limits = limits
        self._jobs: dict[Hashable, _Job] = {}
        self._kept: OrderedDict[Hashable, Answered] = OrderedDict()
        self._size = 0
        self._lines: Lines | None = None
        self._threads: CapacityLimiter | None = None

    async def answer(self, question: Hashable, visit: Visit, route: int) -> Response:
        """Return the response of a route to a visit, computed by a worker; `route` is the index of the route.

        `question` is everything that the response depends on, as the method `question` returns it.

        Raises:
            Problem: the route's own; `busy` where too many computations wait, or others take too long; `too-costly`
                where this one takes too long.
        """
        return self.had(question) or _response(await self._computed(question, visit, route))

    def had(self, question: Hashable) -> Response | None:
        """Return the answer to a question if it is cached; else None."""
        found = self._kept.get(question)
        if found is None:
            return None
        self._kept.move_to_end(question)
        return _response(found)

    async def attended(self, question: Hashable, visit: Visit, route: int) -> Response:
        """Return the result of `answer`; give it up when the client disconnects.

        Raises:
            ClientDisconnect: where it disconnects.
            Problem: as `answer`.
        """
        answer = asyncio.ensure_future(self.answer(question, visit, route))
        gone = asyncio.ensure_future(_gone(visit.request))
        try:
            await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                raise ClientDisconnect
            return answer.result()
        finally:
            for task in (answer, gone):
                task.cancel()
            await asyncio.wait((answer, gone))

    def close(self) -> None:
        """Stop all workers."""
        self.workers.close()

    def question(self, visit: Visit, route: int) -> Hashable:
        """Return everything that the answer depends on. It reads the store, so call it in a thread."""
        asked = parse_qsl(visit.scope["query_string"].decode("latin-1"), keep_blank_values=True)
        games = [_now(self._shelf, game) for game in (visit.game, visit.other) if game is not None]
        return route, visit.path, visit.language, tuple(sorted(asked)), visit.body, tuple(games)

    async def _computed(self, question: Hashable, visit: Visit, route: int) -> Answered:
        if self._lines is None:
            limits = self._limits
            self._lines = Lines(limits.computations, WAITING, limits.computation_seconds, lambda: self.workers.starting)
            self._threads = CapacityLimiter(limits.computations + 1)
        job = self._jobs.get(question)
        if job is None:
            job = self._jobs[question] = _Job(Task(sent_of(visit, route)))
        expired = self._joined(question, job, visit.who)
        job.waiting += 1
        try:
            await asyncio.wait((job.done, expired), return_when=asyncio.FIRST_COMPLETED)
            return (job.done if job.done.done() else expired).result()
        finally:
            job.waiting -= 1
            if not job.waiting and not job.done.done():
                self._give_up(question, job)

    def _joined(self, question: Hashable, job: _Job, who: str) -> asyncio.Future[Answered]:
        """Put a job that does not run yet into the queue of `who` too; return a future to wait for, beside the job.

        The future fails with `busy` when the job was first in that queue for too long; while a worker starts, it waits
        on, as that takes a busy machine longer than most computations. A full queue raises `busy`.
        """
        assert self._lines is not None
        lines = self._lines
        if job.running is not None:
            return job.done
        if who not in job.tickets:
            expired: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()

            def begin() -> None:
                self._begin(question, job, who)

            def expire() -> None:
                del job.tickets[who]
                if not expired.done():
                    expired.set_exception(busy())
                    # Nobody may wait for it any more.
                    expired.exception()

            job.tickets[who] = (Ticket(who, begin, expire), expired)
            try:
                lines.join(job.tickets[who][0])
            except FullError:
                del job.tickets[who]
                if not job.waiting:
                    self._jobs.pop(question, None)
                raise busy() from None
            return expired
        return job.tickets[who][1]

    def _begin(self, question: Hashable, job: _Job, who: str) -> None:
        assert self._lines is not None
        job.running = job.tickets.pop(who)[0]
        for other, _expired in job.tickets.values():
            self._lines.leave(other)
        job.tickets.clear()
        job.work = asyncio.ensure_future(self._run(question, job))

    async def _run(self, question: Hashable, job: _Job) -> None:
        """Compute a job whose turn has come, and pass its answer to all waiting callers."""
        assert self._lines is not None
        ticket = job.running
        assert ticket is not None
        try:
            found = await to_thread.run_sync(self.workers.compute, job.task, limiter=self._threads)
        except BaseException as error:
            if not job.done.done():
                job.done.set_exception(error if isinstance(error, Exception) else busy())
                # Nobody may wait for it any more.
                job.done.exception()
            if not isinstance(error, Exception):
                raise
        else:
            if not job.done.done():
                job.done.set_result(found)
            self._keep(question, found)
        finally:
            if self._jobs.get(question) is job:
                del self._jobs[question]
            # What refers to the job: with it, its answer would stay in memory until Python looks for cycles.
            job.running = job.work = None
            self._lines.leave(ticket)

    def _give_up(self, question: Hashable, job: _Job) -> None:
        """Stop a computation that no caller waits for."""
        assert self._lines is not None
        if self._jobs.get(question) is job:
            del self._jobs[question]
        for ticket, _expired in job.tickets.values():
            self._lines.leave(ticket)
        job.tickets.clear()
        job.task.give_up()

    def _keep(self, question: Hashable, found: Answered) -> None:
        if found.problem is not None or found.status != 200 or len(found.body) > KEPT // 4:
            return
        # A job that was given up may have ended all the same, beside the one that was asked again.
        earlier = self._kept.pop(question, None)
        self._size += len(found.body) - (0 if earlier is None else len(earlier.body))
        self._kept[question] = found
        while self._size > KEPT:
            self._size -= len(self._kept.popitem(last=False)[1].body)


class _Job:
    """A question to be computed: its waiting callers, and its places in their queues."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.done: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self.tickets: dict[str, tuple[Ticket, asyncio.Future[Answered]]] = {}
        self.running: Ticket | None = None
        self.waiting = 0
        self.work: asyncio.Future[None] | None = None


def _response(found: Answered) -> Response:
    """Return the response of a worker.

    Raises:
        Problem: the worker's problem.
    """
    if found.problem is not None:
        raise Problem(**found.problem)
    response = Response(found.body, found.status)
    response.raw_headers = [*found.headers]
    return response


async def _gone(request: Request) -> None:
    """Wait until the client of a request has disconnected."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _now(shelf: Shelf, game: Shelved) -> Hashable:
    """Return what an answer about a game depends on: its lines, and its stored branches."""
    last = game.last
    kept: tuple[Hashable, ...] = ()
    if game.kind == "stored" and shelf.store is not None and shelf.is_of_games:
        kept = tuple((one.game, one.events, one.intact) for one in branches(shelf.store, game.name))
    return game.name, last, game.digest(last), kept
