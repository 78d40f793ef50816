"""`daynight forecast`: what the next untap step will do."""

from __future__ import annotations

import click

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.output import answer, to_its_end
from daynight.framework.positions import Position
from daynight.game import Game
from daynight.questions.forecast import Forecast
from daynight.questions.forecast import forecast as foretold
from daynight.records import Record


@click.command(epilog="\b\ndaynight forecast demo --at turn:18")
@options.file
@options.at
@options.cited
@to_its_end
def forecast(record: Record, at: Position | None, edition: str | None, catalogue: Catalogue, as_json: bool) -> int:
    """Say whether it becomes day or night in the next untap step.

    The answer depends on how many more spells the active player casts in this turn. forecast tries none, one, and two
    or more, and says what they lead to.
    """

    def ask(game: Game, number: int) -> tuple[Forecast, str]:
        return foretold(game, number), edition or game.edition

    found, cited = options.asked(record, at, catalogue, ask)
    return answer(found.document(cited), found.sentence, as_json=as_json)
