"""The answer of a worker: its result, or the error that the work raised, in a form that every process can unpickle."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, TypeVar

from daynight.framework.language.errors import DaynightError
from daynight.framework.language.wording import _

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class Failed(NamedTuple):
    """The answer to a task whose work raised `error`."""

    error: Exception


class WorkerError(DaynightError):
    """Replaces an error that only the worker can unpickle, such as a library's; it keeps the type's name and text."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(_("a worker failed: {kind}: {reason}").format(kind=kind, reason=reason))
        self.kind = kind
        self.reason = reason

    def __reduce__(self) -> tuple[type[WorkerError], tuple[str, str]]:
        return WorkerError, (self.kind, self.reason)


def answered(work: Callable[[Task], Answer], task: Task) -> Answer | Failed:
    """Return the result of the work, or `Failed` if it raised an error or the result cannot be pickled."""
    try:
        answer = work(task)
        pickle.dumps(answer)
    except Exception as error:
        return Failed(portable(error))
    return answer


def portable(error: Exception) -> Exception:
    """Return `error` if it is Python's or daynight's and survives pickling, else a `WorkerError` in its place.

    >>> portable(KeyError("a"))
    KeyError('a')
    """
    if type(error).__module__.partition(".")[0] in _EVERYWHERE:
        # Many errors can be sent, but not received: their class wants other arguments than it keeps.
        with suppress(Exception):
            again = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own bytes of a moment ago
            if type(again) is type(error) and str(again) == str(error):
                return error
    return WorkerError(type(error).__name__, _text(error))


_EVERYWHERE = frozenset({"builtins", "daynight"})


def _text(error: Exception) -> str:
    try:
        return " ".join(str(error).split())[:_LONGEST]
    except Exception:  # its own code failed
        return "?"


_LONGEST = 500
