"""Work for the engines: some of it ends its worker."""

import os
import signal
from pathlib import Path
from typing import Any, NamedTuple

from pyarrow import ArrowInvalid


def double(number: int) -> int:
    """Twice as much."""
    return 2 * number


def once(place: str) -> str:
    """Ends its worker the first time."""
    path = Path(place)
    if not path.exists():
        path.write_text("", "utf-8")
        os.kill(os.getpid(), signal.SIGKILL)
    return path.name


def always(number: int) -> int:
    """Ends its worker where the number is 3."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def wrong(number: int) -> int:
    """Raises."""
    raise OSError(28, "No space left on device", f"file {number}")


class Task(NamedTuple):
    """A task that reads a corpus at `place` and writes into `work`."""

    place: str
    work: str


class UnsentError(Exception):
    """Cannot be pickled."""

    def __reduce__(self) -> Any:
        raise TypeError("not to be pickled")


class UnreceivedError(Exception):
    """Can be pickled, and not unpickled: its class wants more than the text."""

    def __init__(self, operation: str, answer: dict[str, str]) -> None:
        super().__init__(f"{operation}: {answer['code']}")


class SilentError(Exception):
    """Has no text."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


def foreign(kind: str) -> Any:
    """Raises an error that only this process can read; of the kind `answer`, answers what cannot be sent."""
    if kind == "unsent":
        raise UnsentError
    if kind == "unreceived":
        raise UnreceivedError("HeadObject", {"code": "403"})
    if kind == "silent":
        raise SilentError
    if kind == "library":
        raise ArrowInvalid("no such column")
    return lambda: kind
