"""`daynight replay`: prints all events up to a position, and the state there."""

from __future__ import annotations

import click

from daynight.cards import Catalogue
from daynight.cli.look.telling import tell_game, tell_state
from daynight.cli.terminal import options, stored
from daynight.cli.terminal.exits import each
from daynight.cli.terminal.output import console, print_json, waiting
from daynight.framework.positions import Position
from daynight.records import Record
from daynight.referee.documents import state_document
from daynight.replay import replay as replayed
from daynight.rules.citations import DEFAULT_EDITION


@click.command(epilog="\b\ndaynight replay demo\ndaynight replay demo --at turn:19/untap")
@options.files
@options.at
@options.cited
def replay(
    records: tuple[Record, ...], at: Position | None, edition: str | None, catalogue: Catalogue, as_json: bool
) -> int:
    """Print a game event by event, and the state it ends in.

    --at ends it at a position, and prints the state there.
    """

    def one(record: Record) -> int:
        if as_json:
            record, there = options.on_branch(record, at)
            if isinstance(record, stored.StoredRecord):
                record, number = options.cut(record, there, catalogue)
                until: int | None = number
            else:
                until = options.located(record, there, catalogue)
            with waiting() as progress:
                state = replayed(record, until=until, catalogue=catalogue, progress=progress)
            print_json(state_document(state, edition or state.edition or DEFAULT_EDITION))
            return 0
        game, number = options.moment(record, at, catalogue)
        out = console()
        tell_game(out, game, number, edition or game.edition)
        out.print()
        tell_state(out, game.at(number), edition or game.edition)
        return 0

    return each(records, one)
