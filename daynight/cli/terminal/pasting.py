"""Writes a command line to paste: `daynight what-if` with the edits of a hint."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click
from rich.console import Console
from rich.text import Text

from daynight.cli.terminal import options, stored
from daynight.cli.terminal.opening import CARDS
from daynight.compare.pasting import options as pasted
from daynight.framework.edits import Edit
from daynight.framework.language.errors import tame
from daynight.machine.shells import joined, likely
from daynight.records import Record

_PASSWORD = re.compile(r"(^postgres(?:ql)?://[^:/@]*):[^@]*@")


def what_if_line(record: Record, edits: Sequence[Edit]) -> str:
    """Return the command line that makes these edits of this record, with its store, catalogue and card table.

    It is quoted for the likely shell, and leaves out the password of a store. If the record came from standard input,
    the user must supply it again.
    """
    names: Sequence[str] = getattr(record, "words", (record.name,))
    first = names[0]
    words = ["daynight", "what-if", f"./{first}" if first.startswith("-") and first != "-" else first, *names[1:]]
    if isinstance(record, stored.StoredRecord):
        from daynight.store.database.settings import DEFAULT

        words += [] if record.where == DEFAULT else ["--db", _without_password(record.where)]
    given = click.get_current_context().meta
    for option, key in (("--catalogue", options.CATALOGUE), ("--cards", CARDS)):
        if (file := given.get(key)) is not None:
            words += [option, str(file)]
    return joined([*words, *pasted(edits)], likely())


def _without_password(where: str) -> str:
    settings = stored.settings_of(where)
    bare = _PASSWORD.sub(r"\1@", where)
    return settings.shown if settings.password and settings.password in bare else bare


def tell_what_if(out: Console, record: Record, edits: Sequence[Edit]) -> None:
    """Print the command line of `what_if_line` without line breaks, to be copied."""
    out.print(Text(f"    {tame(what_if_line(record, edits))}", style="dim"), soft_wrap=True)
