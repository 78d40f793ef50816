"""`daynight blame`: which event and which rule set each part of the state."""

from __future__ import annotations

import click
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.output import console, print_json, to_its_end
from daynight.framework.language.errors import tame
from daynight.framework.positions import Position
from daynight.questions.blame import blamed
from daynight.records import Record
from daynight.rules.citations import with_number


@click.command(epilog="\b\ndaynight blame demo --at 122")
@options.file
@options.at
@options.cited
@to_its_end
def blame(record: Record, at: Position | None, edition: str | None, catalogue: Catalogue, as_json: bool) -> int:
    """Name the event and the rule behind each part of the state.

    The parts are the designation, the faces of permanents, the spells cast, and what stops permanents from
    transforming.
    """
    game, number = options.moment(record, at, catalogue)
    edition = edition or game.edition
    lines = blamed(game, number)
    if as_json:
        print_json({"event": number, "parts": [line.document(edition) for line in lines]})
        return 0
    out = console()
    width = len(str(number)) + 1
    for line in lines:
        label = ("?" if line.event is None else f"e{line.event}").rjust(width)
        sentence = tame(with_number(line.sentence, line.rule, edition))
        out.print(Text(f"{label}  ", style="dim").append(sentence, style=""))
    return 0
