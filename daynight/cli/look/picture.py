"""`daynight picture`: the timeline of a game, or the battlefield at a moment, as SVG."""

from __future__ import annotations

from pathlib import Path

import click

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.kinds import Whole
from daynight.cli.terminal.output import answer, print_bytes, print_json
from daynight.framework.language.wording import _
from daynight.framework.positions import Position
from daynight.pictures import board_svg, timeline_svg
from daynight.records import Record


@click.command(
    epilog="\b\ndaynight picture demo --at 122 -o night.svg\ndaynight picture demo --at 122 --board -o board.svg"
)
@options.file
@options.at
@click.option("--board", is_flag=True, help="Draw the battlefield at a moment instead of the timeline.")
@click.option(
    "--width",
    type=Whole(360, 10_000),
    default=960,
    show_default=True,
    help="The width in pixels; the height follows.",
)
@options.a_drawing("-o", "--output", help="The file to write.")
@options.cited
def picture(
    record: Record,
    at: Position | None,
    board: bool,
    width: int,
    output: Path | None,
    edition: str | None,
    catalogue: Catalogue,
    as_json: bool,
) -> int:
    """Draw the timeline of a game as an SVG picture.

    --at marks a moment in the timeline; --board draws the battlefield at that moment instead. The picture is written to
    standard output, or to the file of -o. It loads nothing from a network, follows the dark mode of the viewer, and
    contains a description in words.
    """
    record, at = options.on_branch(record, at)
    options.spared(output, (record,))
    game = options.loaded(record, catalogue)
    number = None if at is None else options.numbered(game, record, at)
    if board:
        svg = board_svg(game, number, edition=edition, width=width)
    else:
        svg = timeline_svg(game, at=number, edition=edition, width=width)
    document = {"game": game.state.game, "picture": "board" if board else "timeline", "event": number or len(game)}
    if output is not None:
        options.write_whole(output, svg.encode())
        sentence = _("{file}: the battlefield of {game}") if board else _("{file}: the timeline of {game}")
        sentence = sentence.format(file=output, game=game.state.game)
        return answer({"file": str(output)} | document, sentence, as_json=as_json)
    if as_json:
        print_json(document | {"svg": svg})
    else:
        print_bytes(svg.encode())
    return 0
