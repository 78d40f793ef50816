"""`daynight write`: converts a record to the notation for people."""

from __future__ import annotations

import io
from pathlib import Path

import click

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.output import answer, print_bytes, print_json
from daynight.cli.words.read import events_of
from daynight.framework.language.wording import counted
from daynight.languages.speaking import LANGUAGES
from daynight.notation import write as in_words
from daynight.records import Record


@click.command(epilog="\b\ndaynight write demo -o demo.dn")
@options.file
@options.output
@click.option("--lang", "language", type=click.Choice(LANGUAGES), default="en",
              help="The language of the text and of the lines; without it the lines are in English.")  # fmt: skip
@options.told
def write(record: Record, output: Path | None, language: str, catalogue: Catalogue, as_json: bool) -> int:
    """Convert a record to the .dn notation.

    The notation has one short line for each thing that happened. Nothing is lost: daynight read gives the same events
    back, whatever language the lines are in. With --json, the document contains the text.
    """
    options.spared(output, (record,))
    # Convert all before writing: a record that is refused at its end leaves no half output.
    text = io.StringIO()
    number = in_words(events_of(record, catalogue), text, catalogue, language=language)
    data = text.getvalue().encode()
    document = {"record": record.shown, "events": number}
    if output is not None:
        options.write_whole(output, data)
        sentence = counted("{file}: {n} event", "{file}: {n} events", number).format(file=output)
        return answer(document | {"output": str(output)}, sentence, as_json=as_json)
    if as_json:
        print_json(document | {"text": text.getvalue()})
    else:
        print_bytes(data)
    return 0
