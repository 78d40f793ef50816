"""`daynight serve`: serves the games of a store, and files, over HTTP."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from daynight.cli.terminal import options, stored
from daynight.cli.terminal.kinds import Hours, Whole
from daynight.cli.terminal.letters import shows
from daynight.cli.terminal.opening import games_of, of_logs
from daynight.cli.terminal.output import error_line, print_json
from daynight.framework.language.errors import AskedError, tame
from daynight.framework.language.grammar import also, commas
from daynight.framework.language.source import STORED
from daynight.framework.language.wording import _
from daynight.records import Record

if TYPE_CHECKING:
    from daynight.games import Store
    from daynight.web.serve import Served

PATIENCE = 5
"""Seconds that a server waits for its database before it reports that the database does not answer."""

_NEEDED = ("starlette", "uvicorn")


def serving(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of commands that serve games to several people."""
    for option in (
        click.option("--hours", type=Hours(8784), default=24, show_default=True,
                     help="How many hours a link is valid."),
        click.option("--plain", is_flag=True,
                     help="Serve HTTP instead of HTTPS: everybody in the network can read and change what is sent."),
        click.option("--allow-host", "allowed", metavar="NAME", multiple=True,
                     help="Another host name by which browsers may reach the server; may be given several times."),
        click.option("--port", type=Whole(0, 65535), default=8000, show_default=True,
                     help="The port; 0 is a free one."),
        click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True,
                     help="The address to listen on."),
    ):  # fmt: skip
        command = option(command)
    return command


@click.command(
    epilog="\b\ndaynight serve\ndaynight serve demo --port 0\ndaynight serve db:friday --db games.db"
    "\ndaynight serve db:friday --table --host 192.168.1.5"
)
@click.argument("names", metavar="[FILE]...", nargs=-1, shell_complete=options.a_game_or_file)
@of_logs
@options.db
@serving
@click.option("--private", is_flag=True, help="Reading needs a key too.")
@click.option("--table", is_flag=True, help="Print a link for the phone of each player of db:GAME.")
@options.key
@options.as_json
def serve(
    names: tuple[str, ...],
    host: str,
    port: int,
    allowed: tuple[str, ...],
    plain: bool,
    hours: float,
    private: bool,
    table: bool,
    key: Path | None,
    as_json: bool,
) -> int:
    """Serve games to browsers and programs, until Ctrl-C ends it.

    FILE is db:GAME, which can be written, or a record, or a log with all its games; these can only be read. Without
    FILE, all games of the store are served. The printed address contains the owner's key: anyone who has it may write.
    """
    check_installed()
    mechanic = click.get_current_context().find_root().obj
    records = [_record(name, plain=mechanic is not None) for name in names]
    games = [record for record in records if isinstance(record, stored.StoredRecord)]
    files = games_of([record for record in records if not isinstance(record, stored.StoredRecord)])
    with_store = not files or games or stored.is_named()
    check_address(host, port)
    store = stored.writing(key, begin=not games, adds=False, patience=PATIENCE) if with_store else None
    for game in games:
        assert store is not None
        store.head(game.game)
    return served_at(
        store, files, [game.game for game in games], host=host, port=port, allowed=allowed, private=private,
        plain=plain, hours=hours, table=table, as_json=as_json,
    )  # fmt: skip


def check_installed() -> None:
    """Check that the packages for serving are installed.

    Raises:
        AskedError: where one is missing, saying how to install it.
    """
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        from daynight.machine.installing import how_to_install

        sentence = _("this needs {packages}").format(packages=commas(missing))
        raise AskedError(also(sentence, how_to_install("web")))


def check_address(host: str, port: int) -> None:
    """Check that the server can listen at an address, before anything is stored.

    Raises:
        AskedError: where it cannot listen there.
    """
    from daynight.web.serve import bound

    bound(host, port).close()


def served_at(
    store: Store | None, files: Sequence[Record], games: Sequence[str], *, host: str, port: int,
    allowed: tuple[str, ...], plain: bool, hours: float, table: bool, as_json: bool, private: bool = False,
    friends: bool = False,
) -> int:  # fmt: skip
    """Print the address, and serve games until Ctrl-C; return the exit code 0.

    Served are `files` and, if there is a `store`, its `games`; if `games` is empty, all games of the store.
    """
    from daynight.web.door.grants import links_of
    from daynight.web.serve import Serving
    from daynight.web.serve import serve as served
    from daynight.web.shelf import Shelf

    def told(where: Served) -> None:
        for file in where.made:
            sentence = _("made {file}: the links that are given out, by their hashes")
            if file != links:
                sentence = _("made {file}: the certificate of this server, and its private key")
            error_line(sentence.format(file=file.absolute()))
        if where.connections is not None:
            sentence = _(
                "the system lets this program open few files: at most {many} connections at once; ulimit -n {files}"
                " before it starts allows more"
            )
            error_line(sentence.format(many=where.connections, files=where.files_wanted))
        if as_json:
            print_json(where.document())
        else:
            _tell(where, plain=plain)

    folder = _folder(store)
    shelf = Shelf(store, files, mechanic=click.get_current_context().find_root().obj, only=[*games] or None)
    links = None if store is None else links_of(store, folder)
    how = Serving(
        host=host, port=port, allowed=allowed, private=private, links=links,
        table=table, plain=plain, certificates=folder, seats=tuple(games) if table else (), hours=hours,
        friends=friends,
    )  # fmt: skip
    served(shelf, how, told)
    return 0


def _folder(store: Store | None) -> Path:
    """Return the folder for certificates and links: the user's own or, if that is not known, the folder of the key.

    Without a store, return the working folder.
    """
    if store is None:
        # Files are served without any of these.
        return Path()
    with suppress(AskedError):
        return stored.own_folder()
    signer = store.recorder.signer
    assert signer is not None
    return (signer.path or Path()).parent


def _tell(where: Served, *, plain: bool) -> None:
    """Print the addresses, that of each seat with a QR code; if `plain`, warn that others can read what is sent."""
    from daynight.web.serve import own_address

    for seat in where.seats:
        who = {
            "player": _("player {name}").format(name=seat.name), "judge": _("judge"), "spectator": _("spectator"),
        }[seat.role]  # fmt: skip
        picture = seat.picture()
        # Letters are no picture: without its blocks a code cannot be read.
        print(f"{tame(seat.game)} · {tame(who)}\n{picture if shows(sys.stdout, picture) else ''}{seat.url}\n")
    if where.table:
        print(_("the owner, who may do everything:"))
    print(where.url)
    if where.fingerprint is not None:
        told = _("Browsers do not know the certificate and will warn. Its SHA-256 fingerprint, to be compared there:")
        print(f"{told}\n{where.fingerprint}")
        print(_("For programs the certificate is in a file: curl --cacert {file}").format(file=where.certificate))
    elif not where.local and plain:
        print(_("Not safe: everybody in this network can read the keys, and change what is sent (--plain)."))
    elif where.table:
        told = _("Only this machine can open these links. For phones in the same network: --host {address}")
        print(told.format(address=own_address() or "192.168.1.5"))
    sys.stdout.flush()


def _record(name: str, *, plain: bool) -> Record:
    """Return the record of a FILE or `db:GAME`. `plain`: the command line is a mechanic's, and reads no logs."""
    if plain and not name.startswith(STORED):
        return Record(name)
    return options.RECORD.convert(name, None, click.get_current_context())
