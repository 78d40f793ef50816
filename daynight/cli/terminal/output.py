"""Prints to the terminal: only JSON on stdout if asked for, words in the terminal's width, progress on stderr."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from itertools import takewhile
from string import Formatter
from typing import TYPE_CHECKING, Any, ParamSpec, TextIO

import msgspec

from daynight.events.terms import Designation
from daynight.framework.language.codec import versioned
from daynight.framework.language.errors import tame
from daynight.framework.language.wording import _

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

Asked = ParamSpec("Asked")

SIGNS = {Designation.NEITHER: "·", Designation.DAY: "☀", Designation.NIGHT: "☾", None: "?"}
"""A sign for each designation; None: not certain. Its word or a legend always goes with it."""

STYLES = {
    Designation.NEITHER: "dim",
    Designation.DAY: "bold color(136)",
    Designation.NIGHT: "bold color(63)",
    None: "magenta",
}
"""A style for each designation that is readable on a black and on a white terminal.

Both colours are from the fixed part of the 256 colours, which no terminal's theme changes. In xterm's first sixteen
colours, blue has a contrast of 2.2 to black, and yellow 1.7 to white. A terminal of 16 colours shows bright blue and
yellow.
"""

_PATIENCE, _PACE = 1.0, 0.1
"""Seconds until progress is shown, and seconds between two updates."""


_as_json: ContextVar[bool] = ContextVar("daynight.as-json", default=False)


@contextmanager
def answering(arguments: Sequence[str]) -> Iterator[None]:
    """Note, for `as_document` in this context, whether the arguments contain `--json`.

    A command's own `--json` is not enough: click may refuse the command line before it reads that option.
    """
    before_names = takewhile(lambda argument: argument != "--", arguments)
    token = _as_json.set("--json" in before_names)
    try:
        yield
    finally:
        _as_json.reset(token)


def as_document() -> bool:
    """Return whether the command line asks for JSON, wherever it does so."""
    return _as_json.get()


def print_json(*documents: Mapping[str, Any]) -> None:
    """Print JSON documents to standard output, each on a line, in one write; the `version` of each comes first."""
    print_lines(*map(versioned, documents))


def print_lines(*lines: Any) -> None:
    """Print JSON without a `version`, each on a line, in one write: lines of a stream, or a JSON Schema."""
    encoded = [msgspec.json.format(msgspec.json.encode(line), indent=0) + b"\n" for line in lines]
    print_bytes(b"".join(encoded))


def print_error(sentence: str, **members: int | str | None) -> None:
    """Print an error to stderr in one line; if JSON is asked for, also to standard output as a document."""
    if as_document():
        told = {name: tame(value) if isinstance(value, str) else value for name, value in members.items()}
        try:
            print_json({"error": tame(sentence), **told})
        except OSError:
            # Nobody reads it any more, or the disk is full. The line and the exit code still say what is wrong.
            unheard()
    error_line(sentence)


def print_bytes(data: bytes) -> None:
    """Print bytes unchanged to standard output, after everything printed before."""
    with _while_read():
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def print_line(line: str) -> None:
    """Print a line of an answer."""
    with _while_read():
        print(tame(line))


def say(*sentences: str) -> None:
    """Print sentences for people to standard output, each on a line of its own."""
    from rich.text import Text

    for sentence in sentences:
        console().print(Text(tame(sentence)))


def answer(document: dict[str, Any], *sentences: str, as_json: bool) -> int:
    """Print the document if JSON is asked for, else the sentences; return the exit code 0."""
    if as_json:
        print_json(document)
    else:
        say(*sentences)
    return 0


def error_line(sentence: str) -> None:
    """Print one line to standard error."""
    print(tame(sentence), file=sys.stderr)


def unheard() -> None:
    """Redirect standard output to nowhere, because its reader closed it: further output is discarded."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_to_its_end: ContextVar[bool] = ContextVar("daynight.to-its-end", default=False)


def to_its_end(command: Callable[Asked, int]) -> Callable[Asked, int]:
    """Decorate a command whose exit code is part of its answer.

    Where the reader closes standard output early, the command goes on and prints nothing more. Do not decorate a
    command that prints endlessly, or only converts its input: without the decorator, the command stops there.
    """

    @wraps(command)
    def whole(*given: Asked.args, **named: Asked.kwargs) -> int:
        token = _to_its_end.set(True)
        try:
            return command(*given, **named)
        finally:
            _to_its_end.reset(token)

    return whole


@contextmanager
def _while_read() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        if not _to_its_end.get():
            raise
        unheard()


@contextmanager
def heard() -> Iterator[None]:
    """Print in this context an answer whose exit code is known: if standard output is closed, discard the rest."""
    try:
        yield
    except BrokenPipeError:
        unheard()


def console(*, stderr: bool = False) -> Console:
    """Return a console as wide as the terminal; it has colours only on a terminal, and never if NO_COLOR is set."""
    from rich.console import Console

    class Listened(Console):
        """A console for closed output: it raises BrokenPipeError or, in a command `to_its_end`, discards the rest."""

        def on_broken_pipe(self) -> None:
            with _while_read():
                raise BrokenPipeError

    stream = sys.stderr if stderr else sys.stdout
    return Listened(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=not stream.isatty())


def worded(sentence: str, **values: object) -> Text:
    """Fill in the placeholders of a sentence, each with a value or with a text in a style of its own."""
    from rich.text import Text

    text = Text()
    for before, name, _spec, _conversion in Formatter().parse(sentence):
        text.append(before)
        value = "" if name is None else values[name]
        text.append_text(value if isinstance(value, Text) else Text(tame(str(value))))
    return text


@contextmanager
def waiting(*, printing: bool = False) -> Iterator[Callable[[int], None]]:
    """Yield a function that takes the number of events read; at a terminal it prints that after one second.

    `printing`: the number counts printed events, and is shown only while standard output is a file. At a terminal the
    events themselves are visible, and the reader of a pipe, such as a pager, may use the same terminal.
    """
    if not sys.stderr.isatty() or (printing and not _is_file(sys.stdout)):
        yield lambda events: None
        return
    due = time.monotonic() + _PATIENCE
    sentence = _("{n} events printed") if printing else _("{n} events read")
    told = False

    def progress(events: int) -> None:
        nonlocal told, due
        if (now := time.monotonic()) > due:
            told, due = True, now + _PACE
            print("\r" + sentence.format(n=events), end="", file=sys.stderr, flush=True)

    try:
        yield progress
    finally:
        if told:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _is_file(stream: TextIO) -> bool:
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:
        # Not the original stream: a program that runs the command in its own process has replaced it.
        return False
