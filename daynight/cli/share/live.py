"""`daynight live`: day and night beside the game that Magic Arena plays just now, as its log grows."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from daynight.cards import Catalogue
from daynight.cli.share.serve import check_address, check_installed
from daynight.cli.terminal import options
from daynight.cli.terminal.kinds import Whole
from daynight.cli.terminal.opening import found_logs
from daynight.cli.terminal.output import error_line, print_json, say
from daynight.framework.language.errors import AskedError, DaynightError, NotFoundError, tame
from daynight.framework.language.wording import _
from daynight.records import Record

if TYPE_CHECKING:
    from daynight.games import Store
    from daynight.importers.frame import Importer
    from daynight.keeping.imported import ImportRun

LOOPBACK = "127.0.0.1"
"""The address that the page is served at: nobody else's business."""


@click.command(epilog="\b\ndaynight live\ndaynight live Player.log --port 0")
@click.argument("log", metavar="[LOG]", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--port", type=Whole(0, 65535), default=8000, show_default=True, help="The port; 0 is a free one.")
@options.a_file("--cards", help="A file with the names of the log's card numbers, as for daynight import.")
@options.told
def live(log: Path | None, port: int, cards: Path | None, catalogue: Catalogue, as_json: bool) -> int:
    """Show day and night beside the game that Magic Arena plays just now, until Ctrl-C ends it.

    The page is served on this machine alone, and follows LOG as it grows, also when Arena begins it anew. Without LOG
    it is the log of Magic Arena, where that lies on this machine. Nothing is stored.
    """
    check_installed()
    from daynight.games import Store
    from daynight.keeping.destinations import Stores
    from daynight.keeping.imported import ImportRun, found_table
    from daynight.logs import known_of

    if log is None:
        log = found_logs()[-1]
        error_line(_("this is the log: {file}").format(file=log))
    if not log.is_file():
        raise NotFoundError(_("{file}: no such file").format(file=log), file=str(log))
    check_address(LOOPBACK, port)
    importer = _importer(log)
    table = found_table(importer, Record(log)) if cards is None else None
    known = known_of(catalogue, cards if table is None else table.table)
    # Workers of the server are processes of their own, so the store is a file.
    with (
        TemporaryDirectory(prefix="daynight-live-") as folder,
        Store.open(Path(folder) / "live.db", catalogue=catalogue) as store,
    ):
        run = ImportRun(known, catalogue, Stores(lambda: store, importer.name), table)
        _serve(store, importer, run, log, port, as_json=as_json)
    return 0


def _importer(log: Path) -> Importer:
    """Return Arena's importer.

    Raises:
        AskedError: where the log is one of another program, or a record.
    """
    from daynight.importers.registry import detected, importer
    from daynight.importers.sources import Source

    arena = importer("arena")
    with log.open("rb") as stream:
        head = Source(str(log), stream).head
    found = detected(head)
    if (found is not None and found.name != arena.name) or head.lstrip().startswith(b'{"type"'):
        raise AskedError(_("{file}: only the log of Magic Arena tells a game while it is played").format(file=log))
    return arena


class _Following:
    """Keeps the games of a log while it grows, in a thread of its own; `tell` is called with the name of each new one.

    Of those that are there already, with that of the last one alone.
    """

    def __init__(self, log: Path, importer: Importer, run: ImportRun, tell: Callable[[str], None]) -> None:
        from daynight.importers.importing import Import
        from daynight.keeping.imported import Keeper

        self.log = log
        self._running = Import(importer, run.options)
        self._keeper = Keeper(run, self._running)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="daynight-log", daemon=True)
        self._tell = tell
        self._last = ""

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def end(self) -> None:
        """Read no more."""
        self._ended.set()
        self._thread.join(_PATIENCE)

    def _follow(self) -> None:
        from daynight.importers.following import follow

        try:
            self._keeper.all(follow(self.log, self._is_wanted), str(self.log))
        except (DaynightError, OSError) as error:
            if not self._ended.is_set():
                error_line(_("the log is not read any more: {reason}").format(reason=tame(str(error))))

    def _is_wanted(self) -> bool:
        """Keep what was read, at the end of what there is; return whether more is wanted."""
        self._keeper.idle()
        name = next(
            reversed([str(one.found.get("stored_as", one.report.game)) for one in self._keeper.kept.values()]), ""
        )
        if name != self._last:
            self._last = name
            self._tell(name)
        return not self._ended.is_set()


_PATIENCE = 5.0


def _serve(store: Store, importer: Importer, run: ImportRun, log: Path, port: int, *, as_json: bool) -> None:
    """Serve the store, and follow the log as soon as the address is known."""
    from daynight.web.serve import Served, Serving, serve
    from daynight.web.shelf import Shelf, id_of

    following: list[_Following] = []

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
        following.append(_Following(log, importer, run, tell))
        following[0].start()

    try:
        serve(Shelf(store, ()), Serving(host=LOOPBACK, port=port), told)
    finally:
        for each in following:
            each.end()
