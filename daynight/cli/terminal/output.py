"""Prints to the terminal: JSON alone on standard output, words in the terminal's width, progress on stderr."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from string import Formatter
from typing import TYPE_CHECKING, Any

import msgspec

from daynight.events.terms import Designation
from daynight.framework.language.errors import tame
from daynight.framework.language.wording import _

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console
    from rich.text import Text

SIGNS = {Designation.NEITHER: ("·", "-"), Designation.DAY: ("☀", "D"), Designation.NIGHT: ("☾", "N"), None: ("?", "?")}
"""A sign for each designation, and a letter for terminals that have no such sign; None: not certain."""

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

_PATIENCE = 1.0


def sign(designation: Designation | None) -> str:
    """Return the designation's sign; its word or a legend always goes with it."""
    return either(*SIGNS[designation])


def either(picture: str, letter: str) -> str:
    """Return a sign, or a letter if the encoding of the output has no such sign."""
    try:
        picture.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return letter
    return picture


def print_json(*documents: Any) -> None:
    """Print JSON documents to standard output, each on a line, in one write."""
    lines = [msgspec.json.format(msgspec.json.encode(document), indent=0) + b"\n" for document in documents]
    print_bytes(b"".join(lines))


def print_bytes(data: bytes) -> None:
    """Print bytes unchanged to standard output, after everything printed before."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


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
    """Discard what is still to be written to standard output, because its reader closed it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def console(*, stderr: bool = False) -> Console:
    """Return a console as wide as the terminal; it has colours only on a terminal, and never if NO_COLOR is set."""
    from rich.console import Console

    class Listened(Console):
        """A console that raises an error if the reader closed the output, instead of exiting."""

        def on_broken_pipe(self) -> None:
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
def waiting() -> Iterator[Callable[[int], None]]:
    """Yield a function that takes the number of events read; at a terminal it prints that after one second."""
    if not sys.stderr.isatty():
        yield lambda events: None
        return
    began = time.monotonic()
    told = False

    def progress(events: int) -> None:
        nonlocal told
        if time.monotonic() - began > _PATIENCE:
            told = True
            print("\r" + _("{n} events read").format(n=events), end="", file=sys.stderr, flush=True)

    try:
        yield progress
    finally:
        if told:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
