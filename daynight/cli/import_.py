"""`daynight import`: whole records, and archives, into a store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daynight.cards import Catalogue
from daynight.cli import options, stored
from daynight.cli.output import console, print_json, waiting
from daynight.cli.together import each
from daynight.events.actions import GameStarted
from daynight.events.errors import RecordError, tame
from daynight.events.reader import read
from daynight.events.wording import _, counted
from daynight.records import Record

if TYPE_CHECKING:
    from daynight.store import Store

__all__ = ["import_"]


@click.command("import")
@options.files
@click.option(
    "--into",
    metavar="PLACE",
    shell_complete=options.a_place,
    help="The store to import into; that of --db if not given.",
)
@click.option("--as", "name", metavar="NAME", help="The name to store the only FILE under; its own if not given.")
@options.from_store
@options.key
@options.catalogue
@options.as_json
def import_(
    records: tuple[Record, ...],
    into: str | None,
    name: str | None,
    key: Path | None,
    catalogue: Catalogue,
    as_json: bool,
) -> int:
    """Store whole records as games, all of each or nothing; what is stored already is not stored twice.

    An archive (daynight export --all) goes into a store that is empty. The store is made where there is none.
    """
    if name is not None and len(records) > 1:
        raise click.UsageError(_("--as names one game, and there are {n} files").format(n=len(records)))

    def store() -> Store:
        # Not before there is something to store: what cannot be read makes no store.
        found = stored.writing(key, into, begin=True)
        found.catalogue = catalogue
        return found

    def one(record: Record) -> int:
        try:
            if _is_archive(record):
                if name is not None:
                    raise click.UsageError(_("--as names one game, and an archive has many"))
                document = _archive(store(), record)
            else:
                document = _game(store, record, name)
        except RecordError as error:
            raise error.located(file=record.name) from None
        if as_json:
            print_json(document)
        else:
            console().print(tame(_told(document)))
        return 0

    return each(records, one)


def _is_archive(record: Record) -> bool:
    from daynight.store.archive import is_archive

    with record.open() as stream:
        return is_archive(stream.read(2**10))


def _archive(store: Store, record: Record) -> dict[str, object]:
    from daynight.store.archive import read_archive

    with record.open() as stream, waiting() as progress:
        games, events = read_archive(store, stream, progress=progress)
    return {"archive": record.shown, "games": games, "events": events}


def _game(opened: Callable[[], Store], record: Record, name: str | None) -> dict[str, object]:
    from daynight.store.chain import code_of

    own = _own_name(record)
    game = own if name is None else name
    store = opened()
    before = dict(store.games())
    with waiting() as progress:
        head = store.import_record(record, name, progress=progress)
    return {
        "record": record.shown,
        "game": game,
        "events": head.number,
        "code": code_of(head.number, head.digest),
        "repeated": game in before,
    }


def _own_name(record: Record) -> str:
    """The name in a record's first line; what is wrong with that line is left to those who read all of it."""
    with record.open() as stream:
        first = next(read(stream))
    return first.game if isinstance(first, GameStarted) else ""


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
