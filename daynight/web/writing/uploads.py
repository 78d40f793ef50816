"""Uploads: stores the games in a record, an archive or a log that a client sends."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from gzip import BadGzipFile, GzipFile
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

from daynight.framework.language.errors import RecordError, UnreadableError
from daynight.framework.language.wording import _
from daynight.games import Store
from daynight.importers.frame import Importer
from daynight.importers.importing import Import
from daynight.importers.sources import Source
from daynight.keeping.destinations import Stores
from daynight.keeping.imported import ImportRun, Keeper
from daynight.keeping.whole import is_archive, store_archive, store_record
from daynight.logs import known_of
from daynight.recognising import importer_of
from daynight.records import Record
from daynight.store import ConflictError
from daynight.web.errors import AGAIN, Problem
from daynight.web.limits import Limits
from daynight.web.shelf import Shelf, id_of

NAME = "upload"
"""The name of an upload in sentences in which a command would name a file."""

_NOTATION = "notation"
_PIECE = 2**20


class Sent(Record):
    """An upload in a temporary file, whose name no sentence shows."""

    def __init__(self, path: Path, ending: str = "") -> None:
        super().__init__(f"{NAME}{ending}")
        self._path = path

    @contextmanager
    def raw(self, buffering: int = -1) -> Iterator[BinaryIO]:
        """Open the file for a `with` statement, as a stream of its bytes."""
        with self._path.open("rb", buffering) as stream:
            yield stream


def store_upload(shelf: Shelf, store: Store, path: Path, name: str | None, limits: Limits) -> dict[str, Any]:
    """Store the games of an upload; return them and, for a log, the importer's `report`. `name` names a single record.

    Raises:
        Problem: where it is too large, takes too long, another game has its name, or a log or archive has a `name`.
        RecordError, AskedError, StoreError: where it cannot be read or stored.
    """
    _check_unpacked(path, limits.unpacked)
    progress = _until(monotonic() + limits.upload_seconds)
    sent = Sent(path)
    try:
        importer = _importer(sent) if shelf.is_of_games else None
        if importer is not None and importer.name == _NOTATION:
            importer, sent = None, Sent(path, ".dn")
        if importer is not None:
            _refuse_name(name)
            return _logs(shelf, store, importer, sent, progress)
        if is_archive(sent):
            _refuse_name(name)
            store_archive(store, sent, progress)
            return {"games": [_stored(shelf, store, game) for game, _last in store.games()], "report": None}
        if shelf.is_of_games:
            found = store_record(lambda: store, sent, name, progress)
            game, repeated = found["game"], found["repeated"]
        else:
            game, repeated = _other(store, sent, name, progress)
        return {"games": [_stored(shelf, store, game, repeated=repeated)], "report": None}
    except RecordError as error:
        raise sent.located(error) from None
    except ConflictError as error:
        raise Problem(409, "game-exists", str(error)) from None


def _check_unpacked(path: Path, most: int) -> None:
    """Raise a Problem if an upload has more than `most` bytes after unpacking."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        if stream.read(2) == b"\x1f\x8b":
            stream.seek(0)
            size = _unpacked(stream, most)
    if size > most:
        raise Problem(413, "too-large", _("what is sent here may have {most} bytes unpacked").format(most=most))


def _unpacked(stream: BinaryIO, most: int) -> int:
    size = 0
    try:
        with GzipFile(fileobj=stream) as unpacked:
            while size <= most and (piece := unpacked.read(_PIECE)):
                size += len(piece)
    except (EOFError, BadGzipFile, zlib.error):
        # It is damaged: the reader of the record says how.
        return size
    return size


def _until(end: float) -> Callable[[int], None]:
    def progress(events: int) -> None:
        if monotonic() > end:
            raise Problem(503, "busy", _("this takes too long to read"), headers={"Retry-After": AGAIN})

    return progress


def _importer(sent: Sent) -> Importer | None:
    with sent.raw() as stream:
        return importer_of(Source(NAME, stream).head, NAME)


def _refuse_name(name: str | None) -> None:
    if name is not None:
        sentence = _("only a record can be given a name; the games of logs and archives have names of their own")
        raise Problem(400, "bad-parameter", sentence)


def _logs(
    shelf: Shelf, store: Store, importer: Importer, sent: Sent, progress: Callable[[int], None]
) -> dict[str, Any]:
    options = known_of(store.catalogue, None)
    run = ImportRun(options, store.catalogue, Stores(lambda: store, importer.name))
    running = Import(importer, options, progress=progress)
    keeper = Keeper(run, running)
    with sent.raw() as stream:
        keeper.all([Source(NAME, stream)], NAME)
    games = []
    for kept in keeper.kept.values():
        name = str(kept.found.get("stored_as", kept.report.game))
        if "part" not in kept.found:
            games.append(_stored(shelf, store, name, repeated=not kept.found["appended"]))
    return {"games": games, "report": keeper.document()}


def _other(store: Store, sent: Sent, name: str | None, progress: Callable[[int], None]) -> tuple[str, bool]:
    """Store a record of a mechanic other than day and night; return its name, and whether the store had it before.

    Raises:
        UnreadableError: where neither `name` nor the record gives it a name.
    """
    mechanic = store.mechanic
    with sent.open() as stream:
        game = name or mechanic.title(next(mechanic.language.read(stream)))
    repeated = bool(game) and store.last(game) > 0
    if not game:
        raise UnreadableError(_("this record brings no name along; give one with as"))
    store.import_record(sent, game, progress=progress)
    return game, repeated


def _stored(shelf: Shelf, store: Store, game: str, *, repeated: bool = False) -> dict[str, Any]:
    shelf.add(game)
    events, code = store.last(game), store.code(game)
    return {"id": id_of(game), "game": game, "events": events, "code": code, "repeated": repeated}
