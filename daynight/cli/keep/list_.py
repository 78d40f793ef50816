"""`daynight list`: the games of a store, with their states and verdicts."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click
from rich.console import Console
from rich.text import Text

from daynight.cli.look.telling import designation_text, verdict_text
from daynight.cli.terminal import options, stored
from daynight.cli.terminal.grid import print_table
from daynight.cli.terminal.kinds import Whole
from daynight.cli.terminal.opening import refuse_more
from daynight.cli.terminal.output import console, error_line, print_json, waiting
from daynight.framework.audit import Verdict
from daynight.framework.language.codec import document_of
from daynight.framework.language.wording import _, counted
from daynight.machine.program import program
from daynight.machine.shells import likely, quoted

if TYPE_CHECKING:
    from daynight.projections.library import Entry, Totals

VERDICTS = get_args(Verdict)


@click.command(
    "list",
    context_settings={"allow_extra_args": True},
    epilog="\b\ndaynight list\ndaynight list --player Ana --verdict disputed --limit 20",
)
@click.option("--verdict", type=click.Choice(VERDICTS), help="Only games of this verdict.")
@click.option("--player", metavar="NAME", help="Only games of this player.")
@click.option("--limit", metavar="N", type=Whole(min=1), help="At most N games: a page of them, by name.")
@click.option("--after", metavar="GAME", default="", help="Only games after this name; each page says where it ends.")
@click.option("--rebuild", is_flag=True, help="Compute the list again from all events; this takes time.")
@options.db
@options.as_json
def list_(verdict: str | None, player: str | None, limit: int | None, after: str, rebuild: bool, as_json: bool) -> int:
    """List the stored games, each with its state and verdict.

    The state is day, night or neither; the verdict is that of daynight audit. A branch that what-if --keep stored is a
    game of its own, GAME/BRANCH. The sums count only the listed games.
    """
    _check_no_file(click.get_current_context())
    from daynight.projections.library import AT_ONCE, Library, Totals, entry_document
    from daynight.rules import RULES

    library = Library(stored.reading())
    with waiting() as progress:
        if rebuild:
            library.rebuild(progress)
        else:
            library.catch_up(progress)
    if library.replaced is not None:
        sentence = _("the list was made by other rules than those of today ({today}); it has been made anew")
        error_line(sentence.format(today=RULES))
    for error in library.unreadable.values():
        error_line(str(error))
    most = None if limit is None else limit + 1
    found = library.walk(after, verdict, player, at_once=min(most or AT_ONCE, AT_ONCE))
    entries = [*islice(found, most)]
    more = limit is not None and len(entries) > limit
    entries = entries[:limit]
    for game in library.mended:
        sentence = _("the list had no row of {game} with all its events; it has been made anew")
        error_line(sentence.format(game=repr(game)))
    totals = Totals.of(entries)
    following = entries[-1].game if more else None
    if as_json:
        rows = [entry_document(entry) for entry in entries]
        print_json({"games": rows, "totals": _sums(totals), "next": following})
    elif entries:
        _tell(console(), entries, totals)
        if following is not None:
            console().print(_("there are more: --after {game}").format(game=quoted(following, likely())))
    elif verdict or player or after:
        console().print(_("no such games"))
    else:
        console().print(_("no games yet; daynight new GAME PLAYER... begins one"))
    return 0


def _check_no_file(ctx: click.Context) -> None:
    """Refuse arguments: this command takes none. If the first one is a file, the error proposes `daynight audit FILE`.

    Raises:
        UsageError: where there is an argument.
    """
    if ctx.args and Path(ctx.args[0]).is_file():
        sentence = _("list is of stored games; {program} audit {file} lists the games of a log")
        raise click.UsageError(sentence.format(program=program(), file=quoted(ctx.args[0], likely())), ctx)
    if ctx.args:
        refuse_more(ctx.args, ctx)


def _sums(totals: Totals) -> dict[str, object]:
    now = {"uncertain" if one is None else one.value: games for one, games in totals.designations.items()}
    names = "games events turns spells changes differing over designations verdicts"
    return document_of(totals, names, differing=totals.disputes, designations=now)


def _tell(out: Console, entries: list[Entry], totals: Totals) -> None:
    rows = []
    for entry in entries:
        now = designation_text(entry.designation)
        if entry.over:
            now.append(" " + _("(over)"), style="dim")
        verdict = verdict_text(entry.verdict, entry.disputes)
        rows.append((entry.game, str(entry.events), str(entry.turns), now, verdict))
    print_table(out, (_("game"), _("events"), _("turns"), _("now"), _("verdict")), rows, numbers=(1, 2))
    sums = (
        counted("{n} game", "{n} games", totals.games),
        counted("{n} event", "{n} events", totals.events),
        counted("{n} turn", "{n} turns", totals.turns),
        counted("{n} spell", "{n} spells", totals.spells),
        counted("{n} claim or ruling differs", "{n} claims or rulings differ", totals.disputes),
    )
    out.print(Text(" · ".join(sums), style="dim"))
