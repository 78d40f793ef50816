"""`daynight live`: shows day and night beside a running game of Magic Arena, as its log grows."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from daynight.cards import Catalogue
from daynight.cli.share.serve import check_address, check_installed
from daynight.cli.terminal import options
from daynight.cli.terminal.kinds import Whole
from daynight.cli.terminal.opening import found_logs
from daynight.cli.terminal.output import error_line, print_json, say
from daynight.framework.language.errors import AskedError, NotFoundError, tame
from daynight.framework.language.wording import _
from daynight.records import Record

ARENA = "arena"
"""The only importer whose logs are written during the game."""

LOOPBACK = "127.0.0.1"
"""The address of the page: it is reachable from this machine only."""


@click.command(epilog="\b\ndaynight live\ndaynight live Player.log --port 0")
@click.argument("log", metavar="[LOG]", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--port", type=Whole(0, 65535), default=8000, show_default=True, help="The port; 0 is a free one.")
@options.a_file("--cards", help="A file with the names of the log's card numbers, as for daynight import.")
@options.told
def live(log: Path | None, port: int, cards: Path | None, catalogue: Catalogue, as_json: bool) -> int:
    """Show whether it is day or night while you play Magic Arena.

    LOG is the log file of Magic Arena, Player.log; without it, live looks for that file. live reads each new line, also
    after Arena begins a new file, and shows the games on a web page. Only this machine can open the page. Nothing is
    kept after Ctrl-C ends live.
    """
    check_installed()
    from daynight.games import Store
    from daynight.importers.registry import importer
    from daynight.keeping.destinations import Stores
    from daynight.keeping.imported import ImportRun, found_table
    from daynight.keeping.watching import Watching
    from daynight.logs import known_of
    from daynight.web.serve import Served, Serving, serve
    from daynight.web.shelf import Shelf, id_of

    if log is None:
        log = found_logs()[-1]
        error_line(_("this is the log: {file}").format(file=log))
    _check(log)
    check_address(LOOPBACK, port)
    arena, watching = importer(ARENA), list[Watching]()
    table = found_table(arena, Record(log)) if cards is None else None
    known = known_of(catalogue, cards if table is None else table.table)

    def told(where: Served) -> None:
        def tell(name: str) -> None:
            url = f"{where.address}/g/{id_of(name)}"
            if as_json:
                print_json({"game": name, "url": url})
            else:
                say(f"{tame(name)}: {url}")

        if as_json:
            print_json({"address": where.address, "log": str(log)})
        else:
            say(_("all games of {file}: {address}").format(file=log, address=where.address))
        watching.append(Watching(log, arena, run, tell=tell, failed=_failed))
        watching[0].start()

    # Workers of the server are processes of their own, so the store is a file.
    with (
        TemporaryDirectory(prefix="daynight-live-") as folder,
        Store.open(Path(folder) / "live.db", catalogue=catalogue) as store,
    ):
        run = ImportRun(known, catalogue, Stores(lambda: store, ARENA), table)
        try:
            serve(Shelf(store, ()), Serving(host=LOOPBACK, port=port), told)
        finally:
            for each in watching:
                each.end()
    return 0


def _failed(error: Exception) -> None:
    error_line(_("the log is not read any more: {reason}").format(reason=tame(str(error))))


def _check(log: Path) -> None:
    """Check that the log exists, and is neither a record of JSON Lines nor a log that another importer recognises.

    Raises:
        NotFoundError: where there is no such file.
        AskedError: where it is such a record or log.
    """
    from daynight.importers.registry import detected
    from daynight.importers.sources import Source

    if not log.is_file():
        raise NotFoundError(_("{file}: no such file").format(file=log), file=str(log))
    with log.open("rb") as stream:
        head = Source(str(log), stream).head
    found = detected(head)
    if (found is not None and found.name != ARENA) or head.lstrip().startswith(b'{"type"'):
        raise AskedError(_("{file}: only the log of Magic Arena tells a game while it is played").format(file=log))
