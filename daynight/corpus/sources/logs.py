"""Reads logs of other programs as records: their games, and those of logs that go on in one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path

import msgspec

from daynight.corpus.sources import addresses
from daynight.corpus.sources.listing import File, games_of
from daynight.framework.language.errors import DaynightError
from daynight.games import Store
from daynight.importers.importing import Import
from daynight.importers.registry import importer
from daynight.importers.sources import Source
from daynight.keeping.destinations import Stores
from daynight.keeping.imported import ImportRun, Keeper
from daynight.logs import known_of


def together(files: Sequence[File]) -> Iterator[list[File]]:
    """Yield the files, and logs that stand one after another and may go on in one another together.

    Every other file is alone.
    """
    for _kind, group in groupby(enumerate(files), _key):
        yield [file for _number, file in group]


def _key(numbered: tuple[int, File]) -> tuple[int, str]:
    number, file = numbered
    return (-1, file.inside) if file.kind == "log" and importer(file.inside).continues else (number, "")


def retold(files: Sequence[File], folder: Path, number: int) -> Iterator[File]:
    """Import logs into a store in `folder`; yield its games, and the logs of which nothing can be read."""
    place, without = folder / f"log-{number}.db", folder / f"log-{number}.json"
    if not place.exists():
        half = folder / f"log-{number}.half"
        for left in folder.glob(f"{half.name}*"):
            left.unlink()
        try:
            with Store.open(str(half)) as store:
                empty = _imported(files, store)
        except DaynightError:
            yield from files
            return
        without.write_bytes(msgspec.json.encode(empty))
        half.replace(place)
    yield from games_of(str(place), addresses.shown(files[0].address))
    yield from (files[each] for each in msgspec.json.decode(without.read_bytes(), type=list[int]))


def refusal(file: File) -> str:
    """Return why nothing can be read of a log, in a sentence."""
    try:
        with Store.open("memory:") as store:
            _imported([file], store)
    except DaynightError as error:
        return str(error)
    return ""


def _imported(files: Sequence[File], store: Store) -> list[int]:
    """Import logs; return which of them, from 0, have no game."""
    known = importer(files[0].inside)
    run = ImportRun(known_of(store.catalogue, None), store.catalogue, Stores(lambda: store, known.name))
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
    return [at for at, file in enumerate(files) if file.address in names]
