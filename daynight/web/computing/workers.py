"""Worker processes: unlike a thread, a process can be killed when its time is over, or when no caller waits for it."""

from __future__ import annotations

import multiprocessing
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from typing import Any

from daynight.framework.language.wording import _
from daynight.web.computing.work import Answered, SentVisit, ShelfPlan, received, work
from daynight.web.errors import AGAIN, Problem, busy

READY = 60.0
"""The most seconds that a worker process may take to start."""

_TRIES = 2
"""The number of attempts for a request: a dead worker is replaced once."""

_PRELOADED = ["daynight.web.routes.table"]
"""The modules loaded in the process from which workers are forked, so that a worker starts fast."""


class Task:
    """A computation: its question, and the worker that computes it now. Another thread can give it up."""

    def __init__(self, asked: SentVisit) -> None:
        self.asked = asked
        self._worker: Worker | None = None
        self._lock = threading.Lock()
        self.given_up = False

    def give_up(self) -> None:
        """Abandon the task, and kill its worker."""
        with self._lock:
            self.given_up = True
            worker = self._worker
        if worker is not None:
            worker.kill()

    def taken(self, worker: Worker | None) -> bool:
        """Note the worker that computes the task now, or None; return False if the task was given up."""
        with self._lock:
            self._worker = worker
            return not self.given_up


class Workers:
    """The worker processes of a shelf; each starts when it is first needed."""

    def __init__(self, plan: ShelfPlan, seconds: float) -> None:
        self._plan = plan
        self.seconds = seconds
        self._idle: deque[Worker] = deque()
        self._all: set[Worker] = set()
        self._lock = threading.RLock()
        self._closed = False
        self._forking = 0

    @property
    def starting(self) -> bool:
        """Whether a worker starts just now."""
        with self._lock:
            return self._forking > 0 or not all(worker.ready for worker in self._all)

    @property
    def all(self) -> frozenset[Worker]:
        """The existing workers."""
        with self._lock:
            return frozenset(self._all)

    def compute(self, task: Task) -> Answered:
        """Return a worker's answer. It blocks, so call it in a thread.

        Raises:
            Problem: where it takes too long, each worker dies before it answers, or the task or the server is stopped.
        """
        for _try in range(_TRIES):
            try:
                worker = self._free()
            except EOFError:
                # Somebody killed the process from which workers are forked: the next attempt starts another one.
                continue
            except OSError:
                # The system has no room for another process just now.
                raise busy() from None
            try:
                found = worker.ask(task.asked, self.seconds) if task.taken(worker) else None
            except (EOFError, OSError):
                # Somebody killed it, or the system did, for want of memory.
                self._gone(worker)
                if self._closed or task.given_up:
                    raise stopping() from None
                continue
            except BaseException:
                self._gone(worker)
                raise
            finally:
                task.taken(None)
            if found is None:
                late = stopping() if task.given_up else self._too_long(worker)
                self._gone(worker)
                raise late
            with self._lock:
                self._idle.append(worker)
            return found
        raise busy()

    def close(self) -> None:
        """Stop all workers."""
        with self._lock:
            self._closed = True
            workers = [*self._all]
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.end()

    def _free(self) -> Worker:
        """Return a living worker: an idle one, preferably the last that computed, or a new one.

        Raises:
            Problem: where the server stops.
            EOFError, OSError: where no process can be started.
        """
        with self._lock:
            if self._closed:
                raise stopping()
            while self._idle and not self._idle[-1].alive:
                self._gone(self._idle.pop())
            if self._idle:
                return self._idle.pop()
        return self._started()

    def _started(self) -> Worker:
        """Return a new worker; raises as `_free`."""
        # Without the lock, for which `close` waits: on a busy machine a process takes long to start.
        with self._lock:
            self._forking += 1
        try:
            worker = Worker(self._plan)
        finally:
            with self._lock:
                self._forking -= 1
        with self._lock:
            if not self._closed:
                self._all.add(worker)
                return worker
        worker.end()
        raise stopping()

    def _too_long(self, worker: Worker) -> Problem:
        """Return the problem of a worker that did not answer in time: it computed too long, or was delayed."""
        return too_costly(self.seconds) if worker.spent() > self.seconds / 2 else busy()

    def _gone(self, worker: Worker) -> None:
        worker.end()
        with self._lock:
            self._all.discard(worker)


class Worker:
    """A worker process and the pipe to it; `ready` once it has started."""

    def __init__(self, plan: ShelfPlan) -> None:
        method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
        try:
            self._begin(method, plan)
        except OSError:
            if method == "spawn":
                raise
            # A folder for its socket cannot be made on a full disk.
            self._begin("spawn", plan)
        self.ready = False
        self._ending = threading.Lock()
        self._before = 0.0

    def _begin(self, method: str, plan: ShelfPlan) -> None:
        context: Any = multiprocessing.get_context(method)
        if method == "forkserver":
            context.set_forkserver_preload(_PRELOADED)
        self._pipe, other = context.Pipe()
        try:
            self._process = context.Process(target=work, args=(other, plan), name="daynight-computing", daemon=True)
            self._process.start()
        except BaseException:
            self._pipe.close()
            raise
        finally:
            other.close()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return int(self._process.pid or 0)

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return bool(self._process.is_alive())

    def ask(self, asked: SentVisit, seconds: float) -> Answered | None:
        """Return the worker's answer; None if it does not come in time. A starting worker gets `READY` seconds more.

        Raises:
            EOFError, OSError: where the process has ended.
        """
        if not self.ready:
            if not self._pipe.poll(READY):
                return None
            self._pipe.recv()
            self.ready = True
        self._before = self._clock()
        self._pipe.send(asked)
        if not self._pipe.poll(seconds):
            return None
        return received(self._pipe)

    def spent(self) -> float:
        """Return the CPU seconds that the worker used since it was last asked; elapsed time if CPU time is unknown."""
        return self._clock() - self._before

    def _clock(self) -> float:
        if sys.platform == "linux":
            with suppress(OSError):
                # The clock of another process, as `clock_getcpuclockid` numbers it.
                return time.clock_gettime((~self.pid << 3) | 2)
        return time.monotonic()

    def kill(self) -> None:
        """Kill the process; callers that wait for its answer get an error."""
        with suppress(ValueError, OSError):
            self._process.kill()

    def end(self) -> None:
        """Stop the process, and close the pipe."""
        # Whoever waits for the answer ends the worker too, where the server stops: the pipe would be closed twice.
        with self._ending:
            self.kill()
            self._process.join()
            self._pipe.close()


def stopping() -> Problem:
    """Return the problem for a request that is interrupted: the server stops, or the task was given up."""
    return Problem(503, "busy", _("the server stops"), headers={"Retry-After": AGAIN})


def too_costly(seconds: float) -> Problem:
    """Return the problem for a computation that hit its time limit, and would again."""
    sentence = _("this takes more than {seconds} seconds to compute; ask for less of the game")
    return Problem(422, "too-costly", sentence.format(seconds=f"{seconds:g}"))
