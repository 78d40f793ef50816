"""`daynight write`: a record in the notation for people."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import click
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.output import console, print_json
from daynight.cli.terminal.outputs import spared
from daynight.cli.words.worded import events_of
from daynight.framework.language.errors import tame
from daynight.framework.language.wording import counted
from daynight.keeping.files import written
from daynight.notation import write as in_words
from daynight.records import Record


@click.command(epilog="\b\ndaynight write demo -o demo.dn")
@options.file
@options.from_store
@options.output
@options.catalogue
@options.as_json
def write(record: Record, output: Path | None, catalogue: Catalogue, as_json: bool) -> int:
    """Convert a record to the .dn notation.

    The notation has one short line for each thing that happened. Nothing is lost: daynight read gives the same events
    back. With --json, the document contains the text.
    """
    spared(output, (record,))
    # All of it, or nothing: a record that is refused at its end is not half on the screen.
    text = io.StringIO()
    number = in_words(events_of(record, catalogue), text, catalogue)
    data = text.getvalue().encode()
    if output is not None:
        with written(output) as stream:
            stream.write(data)
    elif not as_json:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    if as_json:
        where = {"text": text.getvalue()} if output is None else {"output": str(output)}
        print_json({"record": record.shown, "events": number} | where)
    elif output is not None:
        sentence = counted("{file}: {n} event", "{file}: {n} events", number)
        console().print(Text(tame(sentence.format(file=output, n=number))))
    return 0
