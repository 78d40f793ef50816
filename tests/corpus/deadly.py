"""Tasks for the processes that work on a corpus; some of them kill their process, others raise errors."""

import os
import signal
from pathlib import Path
from typing import Any, NamedTuple

from pyarrow import ArrowInvalid


def double(number: int) -> int:
    """Return twice the number."""
    return 2 * number


def once(place: str) -> str:
    """If the file `place` exists, return the file's name; otherwise create it and kill the process."""
    path = Path(place)
    if not path.exists():
        path.write_text("", "utf-8")
        os.kill(os.getpid(), signal.SIGKILL)
    return path.name


def always(number: int) -> int:
    """Kill the process if `number` is 3; otherwise return `number`."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def wrong(number: int) -> int:
    """Raise the OSError of a full disk, with `number` in its file name."""
    raise OSError(28, "No space left on device", f"file {number}")


class Task(NamedTuple):
    """A task that reads a corpus at `place`."""

    place: str


class UnsentError(Exception):
    """An error that cannot be pickled."""

    def __reduce__(self) -> Any:
        raise TypeError("not to be pickled")


class UnreceivedError(Exception):
    """An error that can be pickled but not unpickled: its class needs more arguments than the text."""

    def __init__(self, operation: str, answer: dict[str, str]) -> None:
        super().__init__(f"{operation}: {answer['code']}")


class SilentError(Exception):
    """An error whose text raises another error."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


def foreign(kind: str) -> Any:
    """Raise an error that other processes may fail to read; for the kind `answer`, return an unpicklable object."""
    if kind == "unsent":
        raise UnsentError
    if kind == "unreceived":
        raise UnreceivedError("HeadObject", {"code": "403"})
    if kind == "silent":
        raise SilentError
    if kind == "library":
        raise ArrowInvalid("no such column")
    return lambda: kind
