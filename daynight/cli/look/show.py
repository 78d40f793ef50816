"""`daynight show`: prints the timeline of a game, turn by turn, in the width of the terminal."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.exits import each
from daynight.cli.terminal.output import SIGNS, STYLES, console, print_json, to_its_end
from daynight.events.consequences import Changed
from daynight.framework.language.codec import document_of
from daynight.framework.language.errors import tame
from daynight.framework.language.grammar import labelled
from daynight.framework.language.wording import _
from daynight.framework.positions import Position
from daynight.game import Game
from daynight.projections.turns import Turn, stretches, turns
from daynight.records import Record
from daynight.referee.documents import change_document, count_document
from daynight.referee.due import due_sentence
from daynight.referee.state import State
from daynight.rules.citations import with_number
from daynight.speech.sentences import against, count_word, designation_word, numbers_line, reason
from daynight.titles import recorder_of


@click.command(epilog="\b\ndaynight show demo\ndaynight show demo --at turn:21")
@options.files
@options.at
@options.cited
@to_its_end
def show(
    records: tuple[Record, ...], at: Position | None, edition: str | None, catalogue: Catalogue, as_json: bool
) -> int:
    """Show turn by turn when it was day and when it was night.

    The timeline also counts the spells of each turn. --at ends it at a position.
    """

    def one(record: Record) -> int:
        game, number = options.moment(record, at, catalogue)
        if as_json:
            print_json(_document(game, number, edition or game.edition))
        else:
            show_game(console(), game, number, edition or game.edition)
        return 0

    return each(records, one)


def rows(game: Game, number: int) -> list[Turn]:
    """Return the turns up to event `number`, without undone ones, and without the time before turn 1."""
    upto = game if number == len(game) else game.what_if(number, ())
    return [turn for turn in turns(stretches(upto)) if turn.number]


def show_game(out: Console, game: Game, number: int, edition: str) -> None:
    """Print the timeline up to event `number` in signs with a legend, each change in words, and the state then."""
    state = game.at(number)
    played = rows(game, number)
    title = labelled(state.game, against(state))
    counts = numbers_line(len(played), number, edition)
    if (recorder := recorder_of(game.events[0])) is not None:
        counts += " · " + _("you are {player}").format(player=recorder)
    out.print(Text(tame(title), style="bold").append(f" · {tame(counts)}", style="dim"))
    _grid(out, played)
    legend = Text(" ")
    for designation in {turn.designation: None for turn in played}:
        legend.append(f"  {SIGNS[designation]} ", style=STYLES[designation]).append(designation_word(designation))
    out.print(legend)
    for change in state.timeline.changes:
        _change(out, change, edition)
    _now(out, state)


def _grid(out: Console, played: Sequence[Turn]) -> None:
    labels = (_("turn"), _("active"), _("state"), _("spells"), _("change"))
    margin = max(map(cell_len, labels)) + 2
    cells = [
        (str(turn.number), tame("/".join(turn.active)), turn.designation, _spells(turn), "^" if turn.changes else "")
        for turn in played
    ]
    width = max((min(cell_len(cell), 12) for row in cells for cell in (row[0], row[1], row[3])), default=1) + 2
    many = max((out.width - margin - 1) // width, 1) if not out.soft_wrap else 12
    for start in range(0, len(cells), many):
        piece = cells[start : start + many]
        for place, label in enumerate(labels):
            line = Text(" " + _padded(label, margin), style="dim")
            for cell in piece:
                if place == 2:
                    line.append(_padded(SIGNS[cell[2]], width), style=STYLES[cell[2]])
                else:
                    line.append(_padded(str(cell[place]), width))
            line.rstrip()
            if line.plain.strip() != label or start == 0:
                out.print(line)


def _padded(word: str, width: int) -> str:
    return set_cell_size(word, width - 1) + " "


def _spells(turn: Turn) -> str:
    counts = [turn.spells[player] for player in turn.active]
    return "/".join(f"{least}+" if most is None else count_word(least, most) for least, most in counts)


def _change(out: Console, change: Changed, edition: str) -> None:
    text = Text(f" e{change.event}", style="bold")
    text.append("  " + (_("turn {turn}").format(turn=change.turn) if change.turn else _("before turn 1")) + "  ")
    text.append(f"{SIGNS[change.was]} {designation_word(change.was)} -> ")
    text.append(f"{SIGNS[change.became]} {designation_word(change.became)}", style=STYLES[change.became])
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
    played = [_turn_document(turn) for turn in rows(game, number)]
    changes = [change_document(change, edition) for change in state.timeline.changes]
    return document_of(state, "game event turns changes", turns=played, changes=changes)


def _turn_document(turn: Turn) -> dict[str, object]:
    spells = {player: count_document(*turn.spells[player]) for player in turn.active}
    own = {"event": turn.first, "turn": turn.number, "spells": spells, "changed": bool(turn.changes)}
    return document_of(turn, "event turn active designation spells changed", **own)
