"""What goes to the terminal: JSON to standard output alone, words in the terminal's width, progress to stderr."""

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
"""A style for each designation that can be read on a black and on a white terminal.

The two colours are of the fixed part of the 256 colours, which no terminal's theme changes: of xterm's first sixteen,
blue has a contrast of 2.2 to black, and yellow 1.7 to white. A terminal of 16 colours shows bright blue and yellow.
"""

_PATIENCE = 1.0


def sign(designation: Designation | None) -> str:
    """The designation's sign, always beside its word or above a legend."""
    return either(*SIGNS[designation])


def either(picture: str, letter: str) -> str:
    """A sign; a letter where the output has no such sign."""
    try:
        picture.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return letter
    return picture


def print_json(*documents: Any) -> None:
    """JSON documents on standard output, each on a line; they are written together."""
    lines = [msgspec.json.format(msgspec.json.encode(document), indent=0) + b"\n" for document in documents]
    print_bytes(b"".join(lines))


def print_bytes(data: bytes) -> None:
    """Bytes as they are on standard output, behind what was printed before."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(*sentences: str) -> None:
    """Sentences for people on standard output, each on a line of its own."""
    from rich.text import Text

    for sentence in sentences:
        console().print(Text(tame(sentence)))


def answer(document: dict[str, Any], *sentences: str, as_json: bool) -> int:
    """Print the document where JSON is asked for, else the sentences; answers the exit code."""
    if as_json:
        print_json(document)
    else:
        say(*sentences)
    return 0


def error_line(sentence: str) -> None:
    """One line on standard error."""
    print(tame(sentence), file=sys.stderr)


def unheard() -> None:
    """Nobody reads standard output any more: what is still on its way there goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def console(*, stderr: bool = False) -> Console:
    """Where people read: as wide as the terminal, in colour only on one, and never where NO_COLOR is set."""
    from rich.console import Console

    class Listened(Console):
        """A console that leaves it to us what to do when nobody listens any more."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    stream = sys.stderr if stderr else sys.stdout
    return Listened(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=not stream.isatty())


def worded(sentence: str, **values: object) -> Text:
    """A sentence with its placeholders filled in, each a value or a text in a style of its own."""
    from rich.text import Text

    text = Text()
    for before, name, _spec, _conversion in Formatter().parse(sentence):
        text.append(before)
        value = "" if name is None else values[name]
        text.append_text(value if isinstance(value, Text) else Text(tame(str(value))))
    return text


@contextmanager
def waiting() -> Iterator[Callable[[int], None]]:
    """Tells how many events were read, on standard error, while somebody waits long at a terminal."""
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
