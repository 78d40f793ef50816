"""`daynight import`: whole records and archives into a store; logs and notes, by importers, to where one wants them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from daynight.cards import Catalogue
from daynight.cli.terminal import options, stored
from daynight.cli.terminal.exits import told, worst
from daynight.cli.terminal.output import console, print_json, waiting
from daynight.cli.terminal.together import each
from daynight.events.actions import GameStarted
from daynight.events.language import read
from daynight.framework.language.errors import DaynightError, RecordError, tame
from daynight.framework.language.wording import _, counted
from daynight.keeping.files import check_target
from daynight.origins import own_name
from daynight.records import Record

if TYPE_CHECKING:
    from daynight.importers.frame import Importer
    from daynight.store import Store

RECORD = "record"
"""What --from calls records and archives: ours, and no importer's."""


def _formats(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from daynight.importers.registry import names

    return [name for name in (RECORD, *names()) if name.startswith(incomplete)]


def _reported(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value not in (None, "-"):
        check_target(Path(value))
    return value


@click.command("import", epilog="\b\ndaynight import game.jsonl\ndaynight import Player.log -o games")
@options.plain_files
@click.option(
    "--from",
    "format",
    metavar="FORMAT",
    shell_complete=_formats,
    help="What the files are: record, arena, or the name of another importer; by default their content decides.",
)
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder for the games of logs. Each is written to DIR/GAME.jsonl, whole or not at all.",
)
@click.option(
    "--into",
    metavar="PLACE",
    shell_complete=options.a_place,
    help="The store to import into; records go by default to that of --db.",
)
@click.option("--game", "wanted", metavar="GAME", help="The game of a log to print, by name or number.")
@click.option(
    "--cards",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file with the names of a log's card numbers: Arena's card database (found where Arena is installed),"
    " Scryfall's JSON, or 17Lands' CSV.",
)
@click.option("--follow", "following", is_flag=True, help="Go on as the log grows, until interrupted.")
@click.option("--strict", is_flag=True, help="Stop at the first warning, with exit code 3; nothing more is imported.")
@click.option(
    "--report",
    metavar="FILE",
    callback=_reported,
    help="Write what was read, skipped and warned of, as JSON; - is standard output.",
)
@click.option("--as", "name", metavar="NAME", help="The name to store the only FILE under; by default its own.")
@options.from_store
@options.key
@options.catalogue
@options.as_json
@click.pass_context
def import_(
    ctx: click.Context,
    records: tuple[Record, ...],
    format: str | None,
    folder: Path | None,
    into: str | None,
    wanted: str | None,
    cards: Path | None,
    following: bool,
    strict: bool,
    report: str | None,
    name: str | None,
    key: Path | None,
    catalogue: Catalogue,
    as_json: bool,
) -> int:
    """Store records as games, or turn logs into records.

    A FILE is imported whole or not at all, and never twice. The store is created if there is none. An archive of
    daynight export --all needs an empty store.

    A log of Magic Arena, or of another program that an importer knows, becomes one record a game: in a folder (-o), in
    a store (--into), or on standard output if the log has only one game. If a log has grown, import it again: only what
    is new is added. Give logs that continue one another from the oldest to the newest.
    """
    if name is not None and len(records) > 1:
        raise click.UsageError(_("--as names one game, and there are {n} files").format(n=len(records)))

    def store() -> Store:
        # Not before there is something to store: what cannot be read makes no store.
        found = stored.writing(key, into, begin=True)
        found.catalogue = catalogue
        return found

    for_logs = (folder, wanted, cards, report, following or None, strict or None)
    failures: list[int] = []
    ours: list[Record] = []
    logs: dict[str, tuple[Importer, list[Record]]] = {}
    for record in records:
        try:
            importer = _importer(record, format, any(option is not None for option in for_logs))
        except (DaynightError, OSError) as error:
            failures.append(told(error))
            continue
        if importer is None:
            ours.append(record)
        else:
            logs.setdefault(importer.name, (importer, []))[1].append(record)
    if ours and any(option is not None for option in for_logs):
        sentence = _("{file} is a record already: -o, --game, --cards, --follow, --strict and --report are for logs")
        raise click.UsageError(sentence.format(file=ours[0].shown))
    to_store = into is not None or ctx.get_parameter_source("db") is ParameterSource.COMMANDLINE
    codes = [each(ours, lambda record: _whole(record, store, name, as_json))] if ours else [0]
    if logs:
        _check(logs, folder, to_store, wanted, following, report, name, as_json)
        for importer, found in logs.values():
            try:
                codes.append(
                    _logs(importer, found, folder, store if to_store else None, wanted, cards, following, strict,
                          report, catalogue, as_json)
                )  # fmt: skip
            except BrokenPipeError:
                raise
            except (DaynightError, OSError) as error:
                failures.append(told(error))
    failures += [code for code in codes if code > 1]
    return worst(failures) if failures else max(codes)


# ----------------------------------------------------------------------------------------------------------------- logs


def _importer(record: Record, format: str | None, as_log: bool) -> Importer | None:
    """The importer that reads this, or None for a record or an archive; the notation for people can be either."""
    if format == RECORD or isinstance(record, stored.Game):
        return None
    from daynight.importers.registry import importer
    from daynight.importers.sources import Source
    from daynight.logs import importer_of

    if format is not None:
        found = importer(format)
        with record.raw():
            return found
    with record.raw() as stream:
        head = Source(record.shown, stream).head
    return None if record.in_words and not as_log else importer_of(head, record.name)


def _check(
    logs: dict[str, tuple[Importer, list[Record]]],
    folder: Path | None,
    to_store: bool,
    wanted: str | None,
    following: bool,
    report: str | None,
    name: str | None,
    as_json: bool,
) -> None:
    if folder is not None and to_store:
        raise click.UsageError(_("-o and --into are two places; give one of them"))
    if name is not None:
        raise click.UsageError(_("--as names a record; the games of a log have names of their own"))
    if wanted is not None and (folder is not None or to_store):
        raise click.UsageError(_("--game is for standard output; -o and --into take all games"))
    if report == "-" and folder is None and not to_store and not as_json:
        raise click.UsageError(_("--report - and the game can't both have standard output; give -o DIR, or --json"))
    files = [record for _importer, records in logs.values() for record in records]
    if following and (len(files) != 1 or files[0].name == "-" or (folder is None and not to_store)):
        raise click.UsageError(_("--follow takes one file that grows, and -o DIR or --into PLACE to keep its games in"))


def _logs(
    importer: Importer,
    records: list[Record],
    folder: Path | None,
    store: Callable[[], Store] | None,
    wanted: str | None,
    cards: Path | None,
    following: bool,
    strict: bool,
    report: str | None,
    catalogue: Catalogue,
    as_json: bool,
) -> int:
    from daynight.cli.keep.logs import Lines, Run, found_table, import_logs
    from daynight.keeping.destinations import Destination, Files, Stores
    from daynight.logs import known_of

    destination: Destination
    if folder is not None:
        destination = Files(folder)
    elif store is not None:
        destination = Stores(store, importer.name)
    else:
        destination = Lines(wanted, silent=as_json)
    table = found_table(importer, records[0]) if cards is None else None
    options = known_of(catalogue, cards if table is None else table.table)
    run = Run(options, catalogue, destination, table, strict=strict, report=report, as_json=as_json)
    return import_logs(importer, records, run, following=following)


# -------------------------------------------------------------------------------------------------------------- records


def _whole(record: Record, store: Callable[[], Store], name: str | None, as_json: bool) -> int:
    try:
        if _is_archive(record):
            if name is not None:
                raise click.UsageError(_("--as names one game, and an archive has many"))
            document = _archive(store(), record)
        else:
            document = _game(store, record, name)
    except RecordError as error:
        raise record.located(error) from None
    if as_json:
        print_json(document)
    else:
        console().print(tame(_told(document)))
    return 0


def _is_archive(record: Record) -> bool:
    from daynight.store.proving.archive import is_archive

    with record.open() as stream:
        return is_archive(stream.read(2**10))


def _archive(store: Store, record: Record) -> dict[str, object]:
    from daynight.store.proving.archive import read_archive

    with record.open() as stream, waiting() as progress:
        games, events = read_archive(store, stream, progress=progress)
    return {"archive": record.shown, "games": games, "events": events}


def _game(opened: Callable[[], Store], record: Record, name: str | None) -> dict[str, object]:
    from daynight.store.proving.chain import code_of

    own = _own_name(record)
    game = own if name is None else name
    store = opened()
    repeated = bool(game) and store.last(game) > 0
    with waiting() as progress:
        head = store.import_record(record, name, progress=progress)
    return {
        "record": record.shown,
        "game": game,
        "events": head.number,
        "code": code_of(head.number, head.digest),
        "repeated": repeated,
    }


def _own_name(record: Record) -> str:
    """The name in a record's first line; what is wrong with that line is left to those who read all of it."""
    with record.open() as stream:
        first = next(read(stream))
    return own_name(first) if isinstance(first, GameStarted) else ""


def _told(document: dict[str, object]) -> str:
    number = document["events"]
    assert isinstance(number, int)
    events = counted("{n} event", "{n} events", number).format(n=number)
    if "archive" in document:
        games = document["games"]
        assert isinstance(games, int)
        many = counted("{n} game", "{n} games", games).format(n=games)
        return _("{file}: {games} with {events} stored").format(file=document["archive"], games=many, events=events)
    sentence = (
        _("{game}: stored before, {events}, {code}") if document["repeated"] else _("{game}: stored, {events}, {code}")
    )
    return sentence.format(game=document["game"], events=events, code=document["code"])
