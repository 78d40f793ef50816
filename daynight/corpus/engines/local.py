"""The local engine: processes on this machine, each started fresh, never forked.

If a worker dies, another one gets its task. A task that killed three workers is given up.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, TypeVar, cast

from daynight.corpus.engines.answering import Failed, answered

Task = TypeVar("Task")
Answer = TypeVar("Answer")

DEATHS = 3
"""The number of dead workers after which a task is given up."""

_SPAWN = multiprocessing.get_context("spawn")


class Deadly(NamedTuple):
    """The answer to a task that was given up because its workers died."""


def here(work: Callable[[Task], Answer], tasks: Sequence[Task]) -> Iterator[tuple[Task, Answer | Deadly]]:
    """Run the tasks in this process, and yield each with its answer; for addresses that no other process can open."""
    return ((task, work(task)) for task in tasks)


def spread(
    work: Callable[[Task], Answer], tasks: Sequence[Task], workers: int
) -> Iterator[tuple[Task, Answer | Deadly]]:
    """Run the tasks in `workers` processes; yield each with its answer when it ends.

    Errors of `work` are raised here; an error that cannot be pickled becomes a `WorkerError`. If three workers died
    while they did a task, its answer is `Deadly`.

    `work` must be a function of a module, and tasks and answers must be picklable.
    """
    waiting = deque((task, 0) for task in tasks)
    busy: dict[Connection, tuple[Any, Task, int]] = {}
    free: list[tuple[Any, Connection]] = []
    try:
        while waiting or busy:
            while waiting and len(busy) < workers:
                process, pipe = free.pop() if free else _started(work)
                task, deaths = waiting.popleft()
                try:
                    pipe.send(task)
                except OSError:
                    waiting.appendleft((task, deaths))
                    _ended(process, pipe)
                    continue
                busy[pipe] = process, task, deaths
            for ready in wait(list(busy)):
                pipe = cast(Connection, ready)
                process, task, deaths = busy.pop(pipe)
                try:
                    answer = pipe.recv()
                except (EOFError, OSError):
                    _ended(process, pipe)
                    if deaths + 1 < DEATHS:
                        waiting.appendleft((task, deaths + 1))
                    else:
                        yield task, Deadly()
                    continue
                free.append((process, pipe))
                if isinstance(answer, Failed):
                    raise answer.error
                yield task, answer
    finally:
        for process, pipe in [*free, *((process, pipe) for pipe, (process, _task, _deaths) in busy.items())]:
            _ended(process, pipe)


def _started(work: Callable[[Any], Any]) -> tuple[Any, Connection]:
    ours, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=_serve, args=(theirs, work), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def _ended(process: Any, pipe: Connection) -> None:
    pipe.close()
    process.terminate()
    process.join()


def _serve(pipe: Connection, work: Callable[[Any], Any]) -> None:
    """Run as a worker: do the tasks from the pipe until its other end is closed."""
    # Ctrl-C reaches the workers, too; the process that started them ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(answered(work, task))
        except BrokenPipeError:
            return
