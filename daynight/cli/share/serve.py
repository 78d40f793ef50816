"""`daynight serve`: the games of a store, and files, over HTTP."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import click

from daynight.cli.terminal import options, stored
from daynight.cli.terminal.output import print_json
from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _
from daynight.records import STORED, Record

_NEEDED = ("fastapi", "uvicorn")


@click.command(epilog="\b\ndaynight serve\ndaynight serve demo --port 0\ndaynight serve db:friday --db games.db")
@click.argument("names", metavar="[FILE]...", nargs=-1, shell_complete=options.a_game_or_file)
@options.db
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port; 0 is a free one."
)
@click.option(
    "--allow-host",
    "allowed",
    metavar="NAME",
    multiple=True,
    help="Another name under which browsers may ask; may be given several times.",
)
@click.option("--private", is_flag=True, help="Reading needs a key too.")
@click.option(
    "--hours",
    type=click.FloatRange(0, 8784, min_open=True),
    default=24,
    show_default=True,
    help="How many hours a link lives.",
)
@options.key
@options.as_json
def serve(
    names: tuple[str, ...],
    host: str,
    port: int,
    allowed: tuple[str, ...],
    private: bool,
    hours: float,
    key: Path | None,
    as_json: bool,
) -> int:
    """Serve games to browsers and programs, until Ctrl-C ends it.

    FILE is a record, which can only be read, or db:GAME. Without any, all games of the store are served. The address
    that is printed has the owner's key: who has it may write.
    """
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        sentence = _("this needs {packages}; install them with pip install 'daynight[web]'")
        raise AskedError(sentence.format(packages=", ".join(missing)))
    from daynight.web.door.keys import links_of
    from daynight.web.serve import Served, Serving
    from daynight.web.serve import serve as served
    from daynight.web.shelf import Shelf

    def told(where: Served) -> None:
        if as_json:
            print_json(where.document())
        else:
            click.echo(where.url)
            sys.stdout.flush()

    mechanic = click.get_current_context().find_root().obj
    records = [_record(name, plain=mechanic is not None) for name in names]
    games = [record for record in records if isinstance(record, stored.Game)]
    files = [record for record in records if not isinstance(record, stored.Game)]
    with_store = not files or games or stored.is_named()
    store = stored.writing(key, begin=not games) if with_store else None
    for game in games:
        assert store is not None
        store.head(game.game)
    only = [game.game for game in games] if games else None
    shelf = Shelf(store, files, mechanic=mechanic, only=only)
    links = None if store is None else links_of(store, Path(click.get_app_dir("daynight")))
    served(shelf, Serving(host=host, port=port, allowed=allowed, private=private, links=links, hours=hours), told)
    return 0


def _record(name: str, *, plain: bool) -> Record:
    """The record of a name; `plain`: what is no game of a store is a file of that mechanic, and no log."""
    if plain and not name.startswith(STORED):
        return Record(name)
    return options.RECORD.convert(name, None, click.get_current_context())
