"""`daynight import`: stores whole records and archives; turns logs and notes into records, by importers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from daynight.cards import Catalogue
from daynight.cli.terminal import options, stored
from daynight.cli.terminal.exits import each, worst
from daynight.cli.terminal.output import answer, waiting
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _, counted
from daynight.keeping.files import check_target
from daynight.records import Record

if TYPE_CHECKING:
    from daynight.games import Store
    from daynight.importers.frame import Importer

RECORD = "record"
"""The value of --from for records and archives, which need no importer."""


def _formats(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from daynight.importers.registry import names

    return [name for name in (RECORD, *names()) if name.startswith(incomplete)]


def _reported(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value not in (None, "-"):
        check_target(Path(value))
    return value


def _check_name(name: str) -> None:
    """Check the name of --as before anything is opened; raise UsageError if no game may have this name."""
    from daynight.store.database.mapper import game_name

    try:
        game_name(name)
    except UnreadableError as error:
        raise click.UsageError(_("{option}: {reason}").format(option="--as", reason=error.sentence)) from None


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
@click.option(
    "--game",
    "wanted",
    metavar="GAME",
    help="The game of a log to print: its name, its number, last, -1 for the last one, or how its name begins.",
)
@options.a_file(
    "--cards",
    help="A file with the names of a log's card numbers: Arena's card database (found where Arena is installed),"
    " Scryfall's JSON, or 17Lands' CSV.",
)
@click.option("--follow", "following", is_flag=True, help="Go on as the log grows, until interrupted.")
@click.option("--strict", is_flag=True, help="Stop at a log's first warning, with exit code 3; import nothing more.")
@click.option(
    "--report",
    metavar="FILE",
    callback=_reported,
    help="Write what was read, skipped and warned of, as JSON; - is standard output.",
)
@click.option("--as", "name", metavar="NAME", help="The name to store the only FILE under; by default its own.")
@options.from_store
@options.key
@options.told
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
    """Store records as games, or convert logs to records.

    A FILE is imported whole or not at all, and never twice. The store is created if there is none. An archive of
    daynight export --all needs an empty store.

    A log of Magic Arena, or of another program that an importer knows, becomes one record per game: in a folder (-o),
    in a store (--into), or on standard output if the log has only one game. If a log has grown, import it again: only
    what is new is added. Give logs that continue one another from the oldest to the newest.
    """
    if name is not None and len(records) > 1:
        raise click.UsageError(_("--as names one game, and there are {n} files").format(n=len(records)))
    if name is not None:
        _check_name(name)

    def store() -> Store:
        # Open it only when there is something to store: an unreadable file makes no store.
        found = stored.writing(key, into, begin=True)
        found.catalogue = catalogue
        return found

    for_logs = _ForLogs(folder, wanted, cards, report, following, strict)
    as_logs = any(option not in (None, False) for option in for_logs)
    ours: list[Record] = []
    logs: dict[str, tuple[Importer, list[Record]]] = {}

    def sort(record: Record) -> int:
        importer = _importer(record, format, as_logs)
        if importer is None:
            ours.append(record)
        else:
            logs.setdefault(importer.name, (importer, []))[1].append(record)
        return 0

    codes = [each(records, sort)]
    if ours and as_logs:
        sentence = _("{file} is a record already: -o, --game, --cards, --follow, --strict and --report are for logs")
        raise click.UsageError(sentence.format(file=ours[0].shown))
    to_store = into is not None or ctx.get_parameter_source("db") is ParameterSource.COMMANDLINE
    codes.append(each(ours, lambda record: _whole(record, store, name, as_json)))
    if logs:
        _check([record for _importer, found in logs.values() for record in found], for_logs, to_store, name, as_json)
        destination = store if to_store else None
        codes.append(each([*logs.values()], lambda log: _logs(*log, for_logs, destination, catalogue, as_json)))
    return worst(codes)


# ----------------------------------------------------------------------------------------------------------------- logs


def _importer(record: Record, format: str | None, as_log: bool) -> Importer | None:
    """Return the importer of a log; None for a record or an archive.

    A file in the notation counts as a record; with `as_log`, an importer that recognises its content gets it.
    """
    if format == RECORD or isinstance(record, stored.StoredRecord):
        return None
    from daynight.importers.registry import importer
    from daynight.importers.sources import Source
    from daynight.recognising import importer_of

    if format is not None:
        found = importer(format)
        with record.raw():
            return found
    with record.raw() as stream:
        head = Source(record.shown, stream).head
    return None if record.in_words and not as_log else importer_of(head, record.name)


class _ForLogs(NamedTuple):
    """The options that only logs take; each is None or False if it was not given."""

    folder: Path | None
    wanted: str | None
    cards: Path | None
    report: str | None
    following: bool
    strict: bool


def _check(files: list[Record], asked: _ForLogs, to_store: bool, name: str | None, as_json: bool) -> None:
    kept = to_store or asked.folder is not None
    if to_store and asked.folder is not None:
        raise click.UsageError(_("-o and --into are two places; give one of them"))
    if name is not None:
        raise click.UsageError(_("--as names a record; the games of a log have names of their own"))
    if asked.wanted is not None and kept:
        raise click.UsageError(_("--game is for standard output; -o and --into take all games"))
    if asked.report == "-" and not kept and not as_json:
        raise click.UsageError(_("--report - and the game can't both have standard output; give -o DIR, or --json"))
    if asked.following and (len(files) != 1 or files[0].name == "-" or not kept):
        raise click.UsageError(_("--follow takes one file that grows, and -o DIR or --into PLACE to keep its games in"))


def _logs(
    importer: Importer,
    records: list[Record],
    asked: _ForLogs,
    store: Callable[[], Store] | None,
    catalogue: Catalogue,
    as_json: bool,
) -> int:
    from daynight.cli.keep.logs import Lines, Telling, import_logs
    from daynight.keeping.destinations import Destination, Files, Stores
    from daynight.keeping.imported import found_table
    from daynight.logs import known_of

    destination: Destination
    if asked.folder is not None:
        destination = Files(asked.folder)
    elif store is not None:
        destination = Stores(store, importer.name)
    else:
        destination = Lines(asked.wanted, silent=as_json)
    table = found_table(importer, records[0]) if asked.cards is None else None
    options = known_of(catalogue, asked.cards if table is None else table.table)
    run = Telling(options, catalogue, destination, table, strict=asked.strict, report=asked.report, as_json=as_json)
    return import_logs(importer, records, run, following=asked.following)


# -------------------------------------------------------------------------------------------------------------- records


def _whole(record: Record, store: Callable[[], Store], name: str | None, as_json: bool) -> int:
    from daynight.keeping.whole import is_archive, store_archive, store_record

    with record.locating(), waiting() as progress:
        if is_archive(record):
            if name is not None:
                raise click.UsageError(_("--as names one game, and an archive has many"))
            document = store_archive(store(), record, progress)
        else:
            document = store_record(store, record, name, progress)
    return answer(document, told(document), as_json=as_json)


def told(document: dict[str, Any]) -> str:
    """Return the line about a stored record, or about the games of an archive."""
    events = counted("{n} event", "{n} events", document["events"])
    if "archive" in document:
        many = counted("{n} game", "{n} games", document["games"])
        return _("{file}: {games} with {events} stored").format(file=document["archive"], games=many, events=events)
    sentence = _("{game}: stored, {events}, {code}")
    if document["repeated"]:
        sentence = _("{game}: stored before, {events}, {code}")
    return sentence.format(game=document["game"], events=events, code=document["code"])
