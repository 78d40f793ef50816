"""`daynight new`: begins a game in a store."""

from __future__ import annotations

from pathlib import Path

import click

from daynight.cli.terminal import options, stored
from daynight.cli.typing.acknowledging import Acknowledger
from daynight.framework.language.errors import locating
from daynight.framework.language.source import STORED
from daynight.framework.language.wording import _
from daynight.game import Game


@click.command(epilog="\b\ndaynight new friday Ana Bo\ndaynight new giants Ana Bo Cy Di --team Ana,Bo --team Cy,Di")
@options.game
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
@click.option(
    "--team",
    "teams",
    metavar="A,B",
    multiple=True,
    help="The players of a team, who share their turns; once for each team.",
)
@options.edition_of_none
@options.command
@options.db
@options.key
@options.as_json
def new(
    game: str,
    players: tuple[str, ...],
    teams: tuple[str, ...],
    edition: str | None,
    command: str | None,
    key: Path | None,
    as_json: bool,
) -> int:
    """Begin a game in a store.

    The store is created if there is none.
    """
    from daynight.store import ConflictError

    shared = [[player.strip() for player in team.split(",")] for team in teams] or None
    with locating(file=f"{STORED}{game}"):
        # Check first: a game that cannot begin makes no store.
        Game.start(game, players, teams=shared, edition=edition)
    store = stored.writing(key, begin=True)
    if command is None and store.last(game):
        raise ConflictError(_("there is a game of that name already; give this one another"), game=game)
    appended = store.new(game, players, teams=shared, edition=edition, command=command)
    Acknowledger(store, game, as_json=as_json).tell(appended)
    return 0
