"""`daynight read`: converts a record in any form to JSON Lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.output import answer, waiting
from daynight.events.language import read_blocks
from daynight.events.vocabulary import Event
from daynight.framework.language.codec import write
from daynight.framework.language.wording import counted
from daynight.keeping.files import written
from daynight.notation import read as read_words
from daynight.records import Record
from daynight.replay import replay


@click.command(epilog="\b\ndaynight read game.dn -o game.jsonl")
@options.file
@options.output
@options.told
def read(record: Record, output: Path | None, catalogue: Catalogue, as_json: bool) -> int:
    """Convert a game in the .dn notation to JSON Lines.

    Event n is line n. The catalogue completes each card that enters. The rules check the game first: an
    impossible event is refused, with its line and column in FILE. Any other record is read too, and written in
    daynight's own form.
    """
    options.spared(output, (record,))
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
    sentence = counted("{file}: {n} event", "{file}: {n} events", number).format(file=output)
    return answer({"record": record.shown, "events": number, "output": str(output)}, sentence, as_json=as_json)


def events_of(record: Record, catalogue: Catalogue) -> Iterator[Event]:
    """Yield the events of a record. The catalogue completes entering cards in the notation; JSON events stay unchanged.

    Raises:
        RecordError: at the first line that is refused.
        NotFoundError: where there is no such file.
    """
    with record.locating():
        with record.open() as stream:
            if not record.in_words:
                for events in read_blocks(stream):
                    yield from events
                return
        # Not `record.open`: the JSON that it gives does not say where nothing may be filled in.
        with record.raw() as source:
            yield from (placed.event for placed in read_words(source, catalogue))
