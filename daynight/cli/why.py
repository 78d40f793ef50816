"""`daynight why`: what it is, since when, and by which rule."""

from __future__ import annotations

import click
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli import options
from daynight.cli.output import console, print_json
from daynight.cli.pasting import tell_what_if
from daynight.cli.telling import designation_text
from daynight.events.errors import tame
from daynight.events.grammar import commas, labelled
from daynight.events.wording import _
from daynight.positions import Position
from daynight.records import Record

__all__ = ["why"]


@click.command()
@options.file
@options.from_store
@options.at
@options.edition
@options.catalogue
@options.as_json
def why(record: Record, at: Position | None, edition: str | None, catalogue: Catalogue, as_json: bool) -> int:
    """Why it is day, night or neither at a position: since when, by which rule, because of which events.

    `because of` lists the events that the rule looked at, which need not be those that would change the answer: two
    casts too many are all listed, and without any one of them it is the same. What would change the answer is `almost`:
    the least edit of the record with another one, and below it the command that tries it.
    """
    record, at = options.on_branch(record, at)
    game, number = options.moment(record, at, catalogue)
    answer = game.why(number, edition=edition)
    if as_json:
        print_json(answer.document())
        return 0
    out = console()
    out.print(Text(f"e{answer.event}  ").append_text(designation_text(answer.designation)))
    out.print(Text(tame(answer.sentence)))
    events = commas([f"e{number}" for number in answer.because])
    out.print(Text(_("because of: {events}").format(events=events)))
    if answer.almost is not None:
        out.print(Text(_("almost: {almost}").format(almost=tame(answer.almost))))
    if answer.almost_edit is not None:
        tell_what_if(out, record, answer.almost_edit.edits)
    for source in answer.sources:
        mark = _("agrees") if source.agrees else _("CONFLICTS")
        date = f" ({source.date})" if source.date and source.date not in source.source else ""
        text = labelled(f"[{mark}] {source.named}{date}", source.says)
        out.print(Text("  " + text, style="dim" if source.agrees else "yellow"))
    return 0
