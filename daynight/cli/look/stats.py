"""`daynight stats`: counts how many turns ended by day and by night, or would have under an assumption."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.exits import each
from daynight.cli.terminal.grid import print_table
from daynight.cli.terminal.output import SIGNS, STYLES, console, print_json, say, to_its_end, waiting
from daynight.events.terms import Designation
from daynight.framework.language.errors import tame
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _, counted
from daynight.projections.statistics import Counting, Statistics, together
from daynight.records import Record
from daynight.speech.sentences import designation_word


@click.command(epilog="\b\ndaynight stats demo\ndaynight stats demo --assume day -o shares.svg")
@options.files
@options.assume
@options.a_drawing("-o", "--output", help="The file to write.")
@options.told
@to_its_end
def stats(
    records: tuple[Record, ...], assume: Designation | None, output: Path | None, catalogue: Catalogue, as_json: bool
) -> int:
    """Count turns, changes and spells by day and by night.

    A turn counts as day, night or neither by its designation at its end. Only spells of the active player count. In an
    uncertain game, a change counts if it may have happened, even if it excludes another one that counts. With --assume,
    the counts are those under the assumption. -o FILE.svg also draws the shares of the turns.
    """
    options.spared(output, records)
    found: list[Statistics] = []
    counting = Counting(assume=assume, catalogue=catalogue)

    def one(record: Record) -> int:
        with waiting() as progress:
            found.append(counting.record(record, progress=progress))
        return 0

    code = each(records, one)
    if not found:
        return code
    sums = together(found)
    document = {"games": [each.document() for each in found], "together": sums.document()}
    if output is not None:
        from daynight.pictures import shares_svg

        # Before anything is printed, so that no partial answer is printed.
        options.write_whole(output, shares_svg(found).encode())
        document |= {"file": str(output)}
    if as_json:
        print_json(document)
    else:
        out = console()
        tell_statistics(out, found, sums)
        if sums.assumed is not None:
            assumed = _("assumed from the beginning of each game; the records do not say so")
            out.print(Text(assumed, style="dim"))
        if output is not None:
            say(_("written: {file}").format(file=output))
    return code


def summary(found: Statistics) -> str:
    """Return a sentence: how many turns and changes, how many turns ended by day and by night, and what is assumed."""
    turns = counted("{n} turn", "{n} turns", found.turns)
    flips = counted("{n} change", "{n} changes", found.flips)
    day, night = (found.shares[designation] for designation in (Designation.DAY, Designation.NIGHT))
    if found.assumed is None:
        sentence = _("{turns}, {flips} between day and night; {day} ended by day, {night} by night")
        return sentence.format(turns=turns, flips=flips, day=day, night=night)
    return _(
        "assumed to be {assumed} from the beginning: {turns}, {flips} between day and night; {day} ended by day,"
        " {night} by night"
    ).format(assumed=designation_word(found.assumed), turns=turns, flips=flips, day=day, night=night)


def tell_statistics(
    out: Console, several: Sequence[Statistics], sums: Statistics, *, heading: str | None = None
) -> None:
    """Print a table: a row for each game and, for several games, a row of sums; then each designation's share.

    A row has the turns by their designation at the end, the changes, and the turns with 0, 1 and 2 or more casts, and,
    if there are any, the turns in which that is uncertain. `heading` is the heading of the first column, where the rows
    are not games.
    """
    counts = (0, 1, 2, None) if sums.casts[None] else (0, 1, 2)
    shown = [designation for designation in (*Designation, None) if sums.shares[designation]]
    words = {Designation.NEITHER: _("neither"), None: _("uncertain")}
    headings = [Text(_("game") if heading is None else tame(heading)), Text(_("turns"))]
    headings += [
        Text(f"{SIGNS[designation]} {words.get(designation) or designation_word(designation)}", STYLES[designation])
        for designation in shown
    ]
    headings += [Text(_("changes")), Text(_("casts 0/1/2+/?") if sums.casts[None] else _("casts 0/1/2+"))]
    rows = [(Text(tame(one.game)), one) for one in several]
    if len(rows) > 1:
        rows.append((Text(counted("{n} game", "{n} games", sums.games), "bold"), sums))
    cells: list[tuple[str | Text, ...]] = [
        (
            name,
            str(one.turns),
            *(str(one.shares[designation] or "-") for designation in shown),
            str(one.flips),
            "/".join(str(one.casts[count]) for count in counts),
        )
        for name, one in rows
    ]
    print_table(out, headings, cells, numbers=range(1, len(headings)))
    shares = [
        _("{share} % {designation}").format(
            share=round(100 * sums.share(one)), designation=words.get(one) or designation_word(one)
        )
        for one in shown
    ]
    if shares:
        out.print(Text(_("of all turns: {shares}").format(shares=commas(shares)), style="dim"))
    if sums.casts[None]:
        told = _("casts: the last number is of turns in which it is uncertain how many the active player cast")
        out.print(Text(told, style="dim"))
    if None in shown and sums.flips:
        told = _("changes: each one that may have happened counts, even if it excludes another")
        out.print(Text(told, style="dim"))
