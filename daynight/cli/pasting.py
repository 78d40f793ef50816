"""A command line to paste: `daynight what-if` with the edits of a hint."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import click
from rich.console import Console
from rich.text import Text

from daynight.cli import options, stored
from daynight.edits import Edit
from daynight.events.errors import tame
from daynight.records import Record

__all__ = ["tell_what_if", "what_if_line"]


def what_if_line(record: Record, edits: Sequence[Edit]) -> str:
    """The command line that makes these edits of this record: same store, same catalogue, quoted for a POSIX shell.

    A password in the name of a store is left out.
    """
    words = ["daynight", "what-if", f"./{record.name}" if record.name.startswith("-") else record.name]
    if record.name == "-":
        words[-1] = "-"
    if isinstance(record, stored.Game) and record.where != stored.default():
        words += ["--db", stored.settings_of(record.where).shown]
    catalogue = click.get_current_context().meta.get(options.CATALOGUE)
    if catalogue is not None:
        words += ["--catalogue", catalogue]
    return shlex.join([*words, *[option for edit in edits for option in edit.options]])


def tell_what_if(out: Console, record: Record, edits: Sequence[Edit]) -> None:
    """Print that line, on one line however long it is: it is there to be copied."""
    out.print(Text(f"    {tame(what_if_line(record, edits))}", style="dim"), soft_wrap=True)
