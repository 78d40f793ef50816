"""`daynight table`: serves a game that several people record, each with a phone."""

from __future__ import annotations

from pathlib import Path

import click

from daynight.cli.share.serve import PATIENCE, check_address, check_installed, served_at, serving
from daynight.cli.terminal import options, stored
from daynight.framework.language.errors import locating
from daynight.framework.language.source import STORED
from daynight.framework.language.wording import _

TABLE = "table"
"""The default name of a game."""


@click.command(
    epilog="\b\ndaynight table friday Ana Bo\ndaynight table friday Ana Bo --host 192.168.1.5\ndaynight table friday"
)
@click.argument("game", metavar="[GAME]", default=TABLE, type=options.GAME)
@click.argument("players", metavar="[PLAYER]...", nargs=-1)
@serving
@click.option("--friends", is_flag=True, help="No judge: each player may rule that it is day or night.")
@options.db
@options.key
@options.as_json
def table(
    game: str, players: tuple[str, ...], host: str, port: int, allowed: tuple[str, ...], plain: bool, hours: float,
    friends: bool, key: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Serve a game to the phones at a table.

    table prints a link for each player, with a QR code that a phone's camera reads. The link opens a page with two
    large buttons. If GAME is not in the store, it begins with these PLAYERs; without GAME, its name is table. --host is
    the address at which phones reach this machine; without it, only this machine can open the links. With --friends
    there is no judge: each player may rule, and all see the ruling.
    """
    from daynight.game import Game
    from daynight.store import ConflictError

    check_installed()
    check_address(host, port)
    if players:
        with locating(file=f"{STORED}{game}"):
            # Check first: a game that cannot begin makes no store.
            Game.start(game, players)
    store = stored.writing(key, begin=bool(players), adds=bool(players), patience=PATIENCE)
    if not store.last(game):
        if not players:
            raise click.UsageError(_("who plays? daynight table GAME PLAYER PLAYER begins a game"))
        store.new(game, players)
    elif players and list(players) != list(getattr(next(store.events(game, 0, 1)), "players", ())):
        raise ConflictError(_("there is a game of that name already, with other players"), game=game)
    return served_at(
        store, [], [game], host=host, port=port, allowed=allowed, plain=plain, hours=hours, table=True, as_json=as_json,
        friends=friends,
    )  # fmt: skip
