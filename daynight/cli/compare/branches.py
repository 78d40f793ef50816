"""`daynight branches`: the branches of a game, and those of its branches, with their verdicts."""

from __future__ import annotations

from typing import Any

import click
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.look.telling import designation_text, verdict_text
from daynight.cli.terminal import options, stored
from daynight.cli.terminal.grid import print_table
from daynight.cli.terminal.output import console, print_json, to_its_end
from daynight.compare.partings import games_apart
from daynight.events import Designation
from daynight.framework.branches import Origin, fits, origin_of
from daynight.framework.language.codec import document_of
from daynight.framework.language.errors import tame
from daynight.framework.language.wording import _
from daynight.game import Game
from daynight.records import Record
from daynight.titles import own_name


@click.command(epilog="\b\ndaynight branches db:friday\ndaynight branches demo branch.jsonl")
@options.file_alone
@click.argument("others", metavar="[FILE...]", nargs=-1, type=options.RECORD)
@options.told
@to_its_end
def branches(record: Record, others: tuple[Record, ...], catalogue: Catalogue, as_json: bool) -> int:
    """List the branches of a game: the copies that what-if changed.

    These are the branches that what-if --keep stored beside db:GAME, and each further FILE that what-if -o wrote. The
    list shows the game that a branch is a copy of, the last event that both share, the first turn that differs, day or
    night at the end, and the verdict of its audit. Exit code 1 if a branch does not fit the game, or the branch, that
    it is a copy of.
    """
    game = options.loaded(record, catalogue)
    kept = [(branch, options.loaded(branch, catalogue), origin, intact) for branch, origin, intact in _kept(record)]
    found = [_described(game, *each) for each in kept]
    given = [(other, options.loaded(other, catalogue)) for other in others]
    parents = [(record, game), *given, *((branch, branched) for branch, branched, *_rest in kept)]
    found += [_given(game, other, branch, parents) for other, branch in given]
    if as_json:
        print_json({"game": game.state.game, "record": record.shown, "branches": found})
    else:
        _tell(record, found)
    return int(not all(one["intact"] for one in found))


def _kept(record: Record) -> list[tuple[Record, Origin, bool]]:
    if not isinstance(record, stored.StoredRecord):
        return []
    from daynight.store.branches import branches as kept

    store = stored.reading(record.where)
    return [(stored.StoredRecord(one.game, record.where), one.origin, one.intact) for one in kept(store, record.game)]


def _given(game: Game, other: Record, branch: Game, parents: list[tuple[Record, Game]]) -> dict[str, Any]:
    """Return the entry of a file; `intact`: it is a branch of one of `parents`, by its first line and by its events."""
    origin = origin_of(branch.events[0])
    if origin is None:
        return {"record": other.shown, "name": None, "parent": None, "parted": None, "intact": False}
    intact = any(
        origin.game in _names(record, parent) and fits(origin, branch.events, parent.events)
        for record, parent in parents
        if parent is not branch
    )
    return _described(game, other, branch, origin, intact)


def _names(record: Record, game: Game) -> set[str]:
    """Return the names that a branch may use for this game: its own name, and its name in the store."""
    own = own_name(game.events[0])
    return {own, record.game} if isinstance(record, stored.StoredRecord) else {own}


def _described(game: Game, record: Record, branch: Game, origin: Origin, intact: bool) -> dict[str, Any]:
    apart = next(iter(games_apart(game, branch)), None)
    names = "record name parent parted intact events designation possible verdict differs"
    own = {"record": record.shown, "parent": origin.game, "parted": origin.event, "intact": intact}
    own |= {"name": origin.name, "events": len(branch), "verdict": branch.audit().verdict, "differs": apart}
    return document_of(branch.state, names, **own)


def _tell(record: Record, found: list[dict[str, Any]]) -> None:
    out = console()
    if not found:
        out.print(Text(tame(_("{record} has no branches here").format(record=record.shown))))
        return
    rows: list[tuple[str | Text, ...]] = []
    for one in found:
        if one["name"] is None:
            rows.append((one["record"], Text(_("says no origin"), "red"), "", "", "", ""))
            continue
        name, parent = f"{one['name']}  {one['record']}", Text(tame(one["parent"]))
        if not one["intact"]:
            parent.append(" " + _("(not as it is now)"), style="red")
        designation = designation_text(None if one["designation"] is None else Designation(one["designation"]))
        apart = "-" if one["differs"] is None else _("turn {turn}").format(turn=one["differs"]["turn"])
        rows.append((name, parent, f"e{one['parted']}", apart, designation, verdict_text(one["verdict"])))
    headings = (_("branch"), _("parts from"), _("after"), _("differs in"), _("at the end"), _("verdict"))
    print_table(out, headings, rows)
