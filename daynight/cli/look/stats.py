"""`daynight stats`: how the turns of recorded games were shared by day and night, or would have been."""

from __future__ import annotations

from pathlib import Path

import click
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.look.counting import tell_statistics
from daynight.cli.terminal import options
from daynight.cli.terminal.output import console, print_json, waiting
from daynight.cli.terminal.outputs import spared, write_whole
from daynight.cli.terminal.together import each
from daynight.events.terms import Designation
from daynight.framework.language.wording import _
from daynight.questions.statistics import Statistics, statistics, together
from daynight.records import Record


@click.command(epilog="\b\ndaynight stats demo\ndaynight stats demo --assume day -o shares.svg")
@options.files
@options.from_store
@options.assume
@options.output
@options.catalogue
@options.as_json
def stats(
    records: tuple[Record, ...], assume: Designation | None, output: Path | None, catalogue: Catalogue, as_json: bool
) -> int:
    """Count turns, changes and spells by day and by night.

    A turn counts as what it was when it ended; spells are those of the active player. --assume counts what day and
    night would have been. -o FILE.svg also draws the shares.
    """
    spared(output, records)
    found: list[Statistics] = []

    def one(record: Record) -> int:
        with waiting() as progress:
            found.append(statistics(record, assume=assume, catalogue=catalogue, progress=progress))
        return 0

    code = each(records, one)
    sums = together(found)
    if as_json:
        print_json({"games": [each.document() for each in found], "together": sums.document()})
    elif found:
        out = console()
        tell_statistics(out, found, sums)
        if assume is not None:
            assumed = _("assumed from the beginning of each game; the records do not say so")
            out.print(Text(assumed, style="dim"))
    if output is not None and found:
        from daynight.pictures import shares_svg

        write_whole(output, shares_svg(found).encode())
    return code
