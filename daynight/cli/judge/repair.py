"""`daynight repair`: the smallest edits of a record that would make its claims right."""

from __future__ import annotations

import click
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.output import console, print_json, to_its_end
from daynight.cli.terminal.pasting import tell_what_if
from daynight.cli.terminal.stored import StoredRecord
from daynight.framework.language.errors import tame, whole
from daynight.framework.language.wording import _, counted
from daynight.questions.repairs import repairs
from daynight.records import Record

_SHOWN = 10


@click.command(epilog="\b\ndaynight repair demo")
@options.file
@options.cited
@to_its_end
def repair(record: Record, edition: str | None, catalogue: Catalogue, as_json: bool) -> int:
    """Find the single edits that make every claim right.

    The edits that assume least come first. Below each edit stands the command that tries it. Exit code 1 if the record
    is disputed. No record can say what really happened.
    """
    game = options.loaded(record, catalogue)
    found = repairs(game)
    if as_json:
        print_json(found.document(edition or game.edition))
        return int(found.finding is not None)
    out = console()
    if found.finding is None:
        out.print(Text(_("nothing is disputed"), style="green"))
        return 0
    out.print(Text(whole(f"✗ {found.finding.sentence}")))
    for hint in found.hints[:_SHOWN]:
        out.print(Text(tame(f"  {hint.sentence}")))
        tell_what_if(out, record, hint.edits)
    if found.hints and isinstance(record, StoredRecord):
        out.print(Text("  " + _("with --apply such a command puts it right in the game itself"), style="dim"))
    if len(found.hints) > _SHOWN:
        more = len(found.hints) - _SHOWN
        out.print(Text(counted("  and {n} more", "  and {n} more", more), style="dim"))
    if not found.hints:
        out.print(Text("  " + _("no single edit would make every claim right")))
    if not found.all_tried:
        tried = counted("{n} edit was tried", "{n} edits were tried", found.tried)
        out.print(Text("  " + _("{tried}; the record is too long to try them all").format(tried=tried), style="dim"))
    out.print(Text(_("Derived from the log as recorded; the Head Judge decides."), style="dim"))
    return 1
