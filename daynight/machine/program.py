"""The program that a sentence proposes to run again: daynight, or the program of the user's own mechanic.

The command line sets it once with `running`; nothing here reads the arguments of the process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import PurePath

from daynight.machine.shells import joined, likely

DAYNIGHT = ("daynight",)

_running: ContextVar[tuple[str, ...]] = ContextVar("daynight.program", default=DAYNIGHT)


@contextmanager
def running(words: Sequence[str]) -> Iterator[None]:
    """Set the program inside the `with` block; `words` are those that a person would type."""
    token = _running.set(tuple(words))
    try:
        yield
    finally:
        _running.reset(token)


def program() -> str:
    """Return the program as a person types it, quoted for the likely shell."""
    return joined(_running.get(), likely())


def command(*words: str) -> str:
    """Return a command of the program, quoted for the likely shell.

    >>> with running(["python", "my desk.py"]):
    ...     command("key", "--forget", "friday")
    "python 'my desk.py' key --forget friday"
    """
    return joined([*_running.get(), *words], likely())


def words_of(started: str, module: str | None, python: str) -> tuple[str, ...]:
    """Return the words that would start the program of this process again; empty if it has no name.

    Args:
        started: the first of `sys.argv`.
        module: the full name of the main module where `python -m` found it, else None.
        python: `sys.executable`.

    >>> words_of("desk/mine.py", None, "/usr/bin/python3"), words_of("/opt/bin/lending", None, "/usr/bin/python3")
    (('python3', 'desk/mine.py'), ('lending',))
    >>> words_of("/home/ana/desk/__main__.py", "desk.__main__", "/usr/bin/python3")
    ('python3', '-m', 'desk')
    """
    interpreter = PurePath(python).name.removesuffix(".exe") or "python"
    if module is not None and module != "__main__":
        return interpreter, "-m", module.removesuffix(".__main__")
    if not started or started.startswith("-"):
        return ()
    if module is not None or started.endswith((".py", ".pyw")):
        return interpreter, started
    return (PurePath(started).name.removesuffix(".exe"),)
