"""`daynight diff`: compares two records, moments, editions of the rules or catalogues, in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

import click
from rich.console import Console
from rich.text import Text

from daynight.cards import Catalogue, bundled
from daynight.cli.terminal import options
from daynight.cli.terminal.kinds import EDITION
from daynight.cli.terminal.output import console, print_json, to_its_end
from daynight.cli.terminal.positions import a_mark
from daynight.compare.differences import catalogues_apart, differences, editions_apart
from daynight.compare.partings import Parting, SharedPlace, events_word, games_apart, place_words
from daynight.framework.language.errors import tame
from daynight.framework.language.grammar import labelled
from daynight.framework.language.wording import _
from daynight.framework.positions import Position
from daynight.game import Game
from daynight.records import Record
from daynight.referee.places import MARKS

_PAIR = 2


def _positions(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[Position, ...]:
    return tuple(Position.parse(text, MARKS) for text in value)


def _catalogues(ctx: click.Context, param: click.Parameter, value: tuple[Path, ...]) -> tuple[Catalogue, ...]:
    return tuple(Catalogue.read(path) for path in value)


@click.command(epilog="\b\ndaynight diff mine.jsonl theirs.jsonl --first\ndaynight diff demo --at turn:17 --at turn:19")
@click.argument("records", metavar="[FILE [FILE]]", nargs=-1, type=options.RECORD)
@options.from_store
@click.option(
    "--at",
    "positions",
    metavar="POSITION",
    multiple=True,
    callback=_positions,
    shell_complete=a_mark,
    help="Compare the states at these positions: give it twice, or once for both records.",
)
@click.option(
    "--editions",
    nargs=2,
    metavar="DATE DATE",
    type=EDITION,
    help="Compare what two editions of the rules cite for one record.",
)
@options.a_file(
    "--catalogue",
    "catalogues",
    metavar="CARDS.json",
    multiple=True,
    callback=_catalogues,
    help="Given twice, compare two catalogues: by their effect on one record or, without a record, by their cards."
    " Given once, use it for all records.",
)
@click.option("--first", is_flag=True, help="Show only the first difference.")
@options.as_json
@to_its_end
def diff(
    records: tuple[Record, ...],
    positions: tuple[Position, ...],
    editions: tuple[str, str] | None,
    catalogues: tuple[Catalogue, ...],
    first: bool,
    as_json: bool,
) -> int:
    """Compare two records, moments, editions or card catalogues.

    Two FILEs are compared at the end of every step and turn. One FILE is compared with itself: at two positions (--at
    twice), under two editions (--editions), or with two catalogues (--catalogue twice). Exit code 1 if anything
    differs.
    """
    _check_usage(records, positions, editions, catalogues)
    most = 1 if first else None
    if not records:
        return _tell_cards(catalogues_apart(*catalogues)[:most], as_json)
    records, places = _on_branches(records, positions)
    used = catalogues or (bundled(),)
    sides = ((records[0], used[0]), (records[-1], used[-1]))
    if editions is not None:
        game = options.loaded(*sides[0])
        return _tell_citations(editions_apart(game, *editions)[:most], *editions, as_json)
    left, right = options.loaded(*sides[0]), options.loaded(*sides[1])
    where: Where = "moments" if places else "steps"
    if places:
        partings = [one for one in [_moments(left, right, records, places)] if one.differences]
    else:
        partings = [*islice(games_apart(left, right), most)]
    if as_json:
        print_json({"left": _label(records, places, 0), "right": _label(records, places, -1), "compared": where,
                    "differences": [parting.document() for parting in partings]})  # fmt: skip
    else:
        tell_differences(console(), partings, _label(records, places, 0), _label(records, places, -1), where)
    return int(bool(partings))


def _check_usage(
    records: tuple[Record, ...],
    positions: tuple[Position, ...],
    editions: tuple[str, str] | None,
    catalogues: tuple[Catalogue, ...],
) -> None:
    ways = sum((len(records) == _PAIR, len(positions) == _PAIR, editions is not None, len(catalogues) == _PAIR))
    if len(records) > _PAIR or len(positions) > _PAIR or len(catalogues) > _PAIR:
        raise click.UsageError(_("two are compared, not more"))
    if ways == 0:
        raise click.UsageError(_("give two records, or one with two of --at, --editions or --catalogue"))
    if not records and (positions or editions is not None):
        raise click.UsageError(_("give a record"))
    if editions is not None and (len(records) > 1 or positions or len(catalogues) > 1):
        raise click.UsageError(_("--editions compares one record with itself, and nothing else"))


def _on_branches(
    records: tuple[Record, ...], positions: tuple[Position, ...]
) -> tuple[tuple[Record, ...], tuple[Position | None, ...]]:
    """Return the records, or branches, that the positions are in, and the positions there; None is the last event."""
    if not any(position.branch is not None for position in positions):
        return records, positions
    left, right = records[0], records[-1]
    (mine, here), (other, there) = options.on_branch(left, positions[0]), options.on_branch(right, positions[-1])
    return (mine, other), (here, there)


def _moments(left: Game, right: Game, records: tuple[Record, ...], positions: tuple[Position | None, ...]) -> Parting:
    mine, other = records[0], records[-1]
    numbers = options.numbered(left, mine, positions[0]), options.numbered(right, other, positions[-1])
    states = left.at(numbers[0]), right.at(numbers[1])
    place = SharedPlace(states[0].turn, states[0].step, *numbers)
    return Parting(place, place, differences(*states))


def _label(records: tuple[Record, ...], positions: tuple[Position | None, ...], place: int) -> str:
    return " ".join([records[place].shown, *(str(position) for position in positions[place:][:1] if position)])


def _tell_citations(rows: list[dict[str, Any]], left: str, right: str, as_json: bool) -> int:
    head = _("what is cited otherwise, {left} / {right}:").format(left=left, right=right)
    lines = [
        f"e{row['event']}  " + labelled(row["rule"], f"{row['left'] or '-'} / {row['right'] or '-'}") for row in rows
    ]
    return _tell_lines({"left": left, "right": right, "citations": rows}, head, lines, as_json)


def _tell_cards(rows: list[dict[str, Any]], as_json: bool) -> int:
    lines: list[str] = []
    for row in rows:
        if row["left"] is None or row["right"] is None:
            lines.append(
                labelled(row["card"], _("only in the second") if row["left"] is None else _("only in the first"))
            )
        else:
            for name in row["left"]:
                lines.append(labelled(f"{row['card']}, {name}", f"{row['left'][name]} / {row['right'][name]}"))
    return _tell_lines({"cards": rows}, None, lines, as_json)


def _tell_lines(document: dict[str, Any], head: str | None, lines: list[str], as_json: bool) -> int:
    if as_json:
        print_json(document)
        return int(bool(lines))
    out = console()
    if head is not None:
        out.print(Text(head, style="dim"))
    for line in lines:
        out.print(Text(tame(f"  {line}")))
    if not lines:
        out.print(Text(_("nothing differs"), style="green"))
    return int(bool(lines))


Where: TypeAlias = Literal["turns", "steps", "events", "moments"]
"""The points of comparison: the end of each turn, of each step and turn, the state after each event, or two moments."""


def tell_differences(out: Console, partings: Sequence[Parting], left: str, right: str, where: Where) -> None:
    """Print for each parting a line, from where to where it lasts, and below it what differs there."""
    if not partings:
        nothing = {
            "turns": _("nothing differs at the end of any turn"),
            "steps": _("nothing differs at the end of any step or turn that both have"),
            "events": _("nothing that follows differs"),
            "moments": _("nothing differs"),
        }[where]
        out.print(Text(nothing, style="green"))
        return
    heading = {
        "turns": _("what differs at the end of a turn, {left} / {right}:"),
        "steps": _("what differs at the end of a step or turn, {left} / {right}:"),
        "events": _("what differs after an event, {left} / {right}:"),
        "moments": _("what differs, {left} / {right}:"),
    }[where]
    out.print(Text(tame(heading.format(left=left, right=right)), style="dim"))
    for parting in partings:
        out.print(_stretch(parting))
        for difference in parting.differences:
            out.print(Text("    " + tame(difference.sentence)))


def _stretch(parting: Parting) -> Text:
    text = Text("  ").append(place_words(parting.first), style="bold")
    text.append("  " + events_word(parting.first), style="dim")
    if parting.last != parting.first:
        last = events_word(parting.last)
        if place_words(parting.last) != place_words(parting.first):
            last = f"{place_words(parting.last)}  {last}"
        text.append("  " + _("and on, to {place}").format(place=last), style="dim")
    return text
