"""`daynight read`: a record as JSON Lines, whatever it was written in."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.output import console, print_json, waiting
from daynight.cli.terminal.outputs import spared
from daynight.cli.words.worded import events_of
from daynight.framework.language.codec import write
from daynight.framework.language.errors import tame
from daynight.framework.language.wording import counted
from daynight.keeping.files import written
from daynight.records import Record
from daynight.replay import replay


@click.command(epilog="\b\ndaynight read game.dn -o game.jsonl")
@options.file
@options.from_store
@options.output
@options.catalogue
@options.as_json
def read(record: Record, output: Path | None, catalogue: Catalogue, as_json: bool) -> int:
    """Convert a game in the .dn notation to JSON Lines.

    Event n is line n. The catalogue fills in what it knows of each card that enters. The rules check the game first: an
    impossible event is refused, with its line and column in FILE. Any other record is read too, and written in
    daynight's own form.
    """
    spared(output, (record,))
    with waiting() as progress:
        replay(record, catalogue=catalogue, remember=False, progress=progress)
    events = events_of(record, catalogue)
    if output is None:
        sys.stdout.flush()
        write(events, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return 0
    with written(output) as stream:
        number = write(events, stream)
    if as_json:
        print_json({"record": record.shown, "events": number, "output": str(output)})
    else:
        text = counted("{file}: {n} event", "{file}: {n} events", number)
        console().print(Text(tame(text.format(file=output, n=number))))
    return 0
