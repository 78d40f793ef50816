"""Imports the logs of other programs as games; neighbouring logs are imported together, as a game may continue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path

import msgspec

from daynight.corpus.sources import addresses
from daynight.corpus.sources.listing import File
from daynight.framework.language.errors import DaynightError, UnreadableError
from daynight.framework.language.wording import _
from daynight.games import Store
from daynight.importers.importing import Import
from daynight.importers.registry import importer
from daynight.importers.sources import Source
from daynight.keeping.destinations import Stores
from daynight.keeping.imported import ImportRun, Keeper
from daynight.logs import known_of


def together(files: Sequence[File]) -> Iterator[list[File]]:
    """Yield lists of files: neighbouring logs that may continue one another in one list, any other file alone."""
    for _kind, group in groupby(enumerate(files), _key):
        yield [file for _number, file in group]


def _key(numbered: tuple[int, File]) -> tuple[int, str]:
    number, file = numbered
    return (-1, file.inside) if file.kind == "log" and importer(file.inside).continues else (number, "")


class _Told(msgspec.Struct):
    """The result of importing logs: (name, address of its log) of each game, and the indices of logs without a game."""

    games: list[tuple[str, str]]
    empty: list[int]


def retold(files: Sequence[File], folder: Path, number: int) -> Iterator[File]:
    """Import logs into a store in `folder`, `log-NUMBER.db`; yield its games, then the logs without a readable game."""
    place, about = folder / f"log-{number}.db", folder / f"log-{number}.json"
    if not place.exists():
        half = folder / f"log-{number}.half"
        for left in folder.glob(f"{half.name}*"):
            left.unlink()
        try:
            with Store.open(str(half)) as store:
                found = _imported(files, store)
        except DaynightError:
            yield from files
            return
        about.write_bytes(msgspec.json.encode(found))
        half.replace(place)
    told = msgspec.json.decode(about.read_bytes(), type=_Told)
    with Store.open(str(place)) as store:
        events = dict(store.games())
    yield from (File("stored", source, events[game], game, str(place)) for game, source in told.games)
    yield from (files[each] for each in told.empty)


def refusal(file: File) -> DaynightError:
    """Return the error that says why a log cannot be read."""
    try:
        with Store.open("memory:") as store:
            _imported([file], store)
    except DaynightError as error:
        return error
    return UnreadableError(_("no game could be read in it; daynight import --json tells what was found"))


def _imported(files: Sequence[File], store: Store) -> _Told:
    """Import logs, all by the importer of the first, into a store; return their games, and the logs without one."""
    known = importer(files[0].inside)
    stored = Stores(lambda: store, known.name)
    run = ImportRun(known_of(store.catalogue, None), store.catalogue, stored)
    keeper = Keeper(run, Import(known, run.options))
    with ExitStack() as stack:
        keeper.all(
            (
                Source(file.address, stack.enter_context(addresses.opened(file.address)), number=number)
                for number, file in enumerate(files, 1)
            ),
            addresses.shown(files[-1].address),
        )
    empty = keeper.report.notes.get("empty")
    names = {source for source, _line in empty.places} if empty is not None else set()
    games = {stored.taken[key]: addresses.shown(game.report.source) for key, game in keeper.kept.items()}
    return _Told([*games.items()], [at for at, file in enumerate(files) if file.address in names])
