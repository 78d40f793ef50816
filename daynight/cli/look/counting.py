"""Statistics in words, and as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from daynight.cli.terminal.output import STYLES, sign
from daynight.cli.terminal.tables import print_table
from daynight.events.terms import Designation
from daynight.framework.language.errors import tame
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _, counted
from daynight.projections.sentences import designation_word
from daynight.questions.statistics import Statistics


def summary(found: Statistics) -> str:
    """What a game's turns come to, in a sentence; an assumption is shown with it."""
    turns = counted("{n} turn", "{n} turns", found.turns).format(n=found.turns)
    flips = counted("{n} change", "{n} changes", found.flips).format(n=found.flips)
    day, night = (found.shares[designation] for designation in (Designation.DAY, Designation.NIGHT))
    if found.assumed is None:
        sentence = _("{turns}, {flips} between day and night; {day} ended by day, {night} by night")
        return sentence.format(turns=turns, flips=flips, day=day, night=night)
    return _(
        "assumed to be {assumed} from the beginning: {turns}, {flips} between day and night; {day} ended by day,"
        " {night} by night"
    ).format(assumed=designation_word(found.assumed), turns=turns, flips=flips, day=day, night=night)


def tell_statistics(out: Console, several: Sequence[Statistics], sums: Statistics) -> None:
    """A row for each game, and one for all of them: how many turns ended as what, and how often it changed."""
    shown = [designation for designation in (*Designation, None) if sums.shares[designation]]
    words = {Designation.NEITHER: _("neither"), None: _("uncertain")}
    headings = [Text(_("game")), Text(_("turns"))]
    headings += [
        Text(f"{sign(designation)} {words.get(designation) or designation_word(designation)}", STYLES[designation])
        for designation in shown
    ]
    headings += [Text(_("changes")), Text(_("casts 0/1/2+"))]
    rows = [(Text(tame(one.game)), one) for one in several]
    if len(rows) > 1:
        rows.append((Text(counted("{n} game", "{n} games", sums.games).format(n=sums.games), "bold"), sums))
    cells: list[tuple[str | Text, ...]] = [
        (
            name,
            str(one.turns),
            *(_share(one, designation) for designation in shown),
            str(one.flips),
            "/".join(str(one.casts[count]) for count in (0, 1, 2)),
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


def _share(found: Statistics, designation: Designation | None) -> str:
    turns = found.shares[designation]
    return str(turns) if turns else "-"
