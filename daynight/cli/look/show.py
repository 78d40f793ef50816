"""`daynight show`: the timeline of a game, turn by turn, in the width of the terminal."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import click
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.output import STYLES, console, print_json, sign
from daynight.events.actions import GameRestarted, TurnBegan
from daynight.events.terms import Designation
from daynight.framework.language.errors import tame
from daynight.framework.language.grammar import labelled
from daynight.framework.language.wording import _, counted
from daynight.framework.positions import Position
from daynight.game import Game
from daynight.origins import recorder_of
from daynight.projections.sentences import count_word, designation_word, listed, reason
from daynight.records import Record
from daynight.referee.documents import change_document, count_document
from daynight.referee.due import due_sentence
from daynight.referee.state import State
from daynight.rules.citations import with_number


@dataclass(frozen=True, slots=True)
class Row:
    """One turn: the designation it ended with, and how many spells its active players cast, each."""

    began: int
    turn: int
    active: tuple[str, ...]
    designation: Designation | None
    spells: tuple[tuple[int, int | None], ...]
    changed: bool


@click.command()
@options.files
@options.from_store
@options.at
@options.edition
@options.catalogue
@options.as_json
def show(
    records: tuple[Record, ...], at: Position | None, edition: str | None, catalogue: Catalogue, as_json: bool
) -> int:
    """Show the timeline and the spell tallies of a game up to a position."""
    from daynight.cli.terminal.together import each

    def one(record: Record) -> int:
        game, number = options.moment(record, at, catalogue)
        if as_json:
            print_json(_document(game, number, edition or game.edition))
        else:
            show_game(console(), game, number, edition or game.edition)
        return 0

    return each(records, one)


def rows(game: Game, number: int) -> Iterator[Row]:
    """The standing turns up to an event, each as it ended."""
    upto = game if number == len(game) else game.what_if(number, ())
    begun = [
        n for n, event in enumerate(upto.events, 1) if isinstance(event, (TurnBegan, GameRestarted)) and upto.stands(n)
    ]
    # An untap step that is not written down belongs to the turn before the event that shows it.
    changes = [change.event - change.implied for change in upto.state.timeline.changes]
    ends = {end - 1: began for began, end in pairwise([*begun, number + 1])}
    row: Row | None = None
    for moment, state in upto.walk():
        if row is not None:
            # The turn's own untap step may show only as the next turn begins.
            yield replace(row, designation=state.designation) if isinstance(moment.event, TurnBegan) else row
            row = None
        began = ends.get(moment.number)
        tally = state.tallies.current
        if began is None or tally is None:
            continue
        row = Row(
            began=began,
            turn=tally.turn,
            active=tally.active,
            designation=state.designation,
            spells=tuple(tally.range(player) for player in tally.active),
            changed=bisect_left(changes, began) < bisect_right(changes, moment.number),
        )
    if row is not None:
        yield row


def show_game(out: Console, game: Game, number: int, edition: str) -> None:
    """The timeline in signs with a legend, then each change in words."""
    state = game.at(number)
    turns = list(rows(game, number))
    sides = map(listed, state.teams or [(player,) for player in state.players])
    title = labelled(state.game, _(" against ").join(sides))
    counts = " · ".join(
        (
            counted("{n} turn", "{n} turns", len(turns)).format(n=len(turns)),
            counted("{n} event", "{n} events", number).format(n=number),
            _("rules: CR {edition}").format(edition=edition),
        )
    )
    if (recorder := recorder_of(game.events[0])) is not None:
        counts += " · " + _("you are {player}").format(player=recorder)
    out.print(Text(tame(title), style="bold").append(f" · {tame(counts)}", style="dim"))
    _grid(out, turns)
    legend = Text(" ")
    for designation in {row.designation: None for row in turns}:
        legend.append(f"  {sign(designation)} ", style=STYLES[designation]).append(designation_word(designation))
    out.print(legend)
    for change in state.timeline.changes:
        _change(out, change, edition)
    _now(out, state)


def _grid(out: Console, turns: Sequence[Row]) -> None:
    labels = (_("turn"), _("active"), _("state"), _("spells"), _("change"))
    margin = max(map(cell_len, labels)) + 2
    cells = [
        (str(row.turn), tame("/".join(row.active)), row.designation, _spells(row), "^" if row.changed else "")
        for row in turns
    ]
    width = max((min(cell_len(cell), 12) for row in cells for cell in (row[0], row[1], row[3])), default=1) + 2
    many = max((out.width - margin - 1) // width, 1) if not out.soft_wrap else 12
    for start in range(0, len(cells), many):
        piece = cells[start : start + many]
        for place, label in enumerate(labels):
            line = Text(" " + _padded(label, margin), style="dim")
            for cell in piece:
                if place == 2:
                    line.append(_padded(sign(cell[2]), width), style=STYLES[cell[2]])
                else:
                    line.append(_padded(str(cell[place]), width))
            line.rstrip()
            if line.plain.strip() != label or start == 0:
                out.print(line)


def _padded(word: str, width: int) -> str:
    from rich.cells import set_cell_size

    return set_cell_size(word, width - 1) + " "


def _spells(row: Row) -> str:
    return "/".join(count_word(*count) if count[1] is not None else f"{count[0]}+" for count in row.spells)


def _change(out: Console, change: object, edition: str) -> None:
    from daynight.events.consequences import Changed

    assert isinstance(change, Changed)
    text = Text(f" e{change.event}", style="bold")
    text.append("  " + (_("turn {turn}").format(turn=change.turn) if change.turn else _("before turn 1")) + "  ")
    text.append(f"{sign(change.was)} {designation_word(change.was)} -> ")
    text.append(f"{sign(change.became)} {designation_word(change.became)}", style=STYLES[change.became])
    sentence = with_number(reason(change), change.rule, edition)
    text.append("  " + tame(sentence) + ("" if change.certain else " " + _("[perhaps]")))
    out.print(text)


def _now(out: Console, state: State) -> None:
    text = Text(" " + _("now: "))
    for place, designation in enumerate(state.possible):
        text.append((_(" or ") if place else "") + designation_word(designation), style=STYLES[designation])
    out.print(text)
    if due := due_sentence(state):
        out.print(Text(" " + due))


def _document(game: Game, number: int, edition: str) -> dict[str, object]:
    state = game.at(number)
    return {
        "game": state.game,
        "event": number,
        "turns": [
            {
                "event": row.began,
                "turn": row.turn,
                "active": list(row.active),
                "designation": None if row.designation is None else row.designation.value,
                "spells": {p: count_document(*count) for p, count in zip(row.active, row.spells, strict=True)},
                "changed": row.changed,
            }
            for row in rows(game, number)
        ],
        "changes": [change_document(change, edition) for change in state.timeline.changes],
    }
