"""Lists the files that sources consist of, and tells what each of them holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from daynight.corpus.manifest import MANIFEST, Manifest
from daynight.corpus.sources import addresses
from daynight.framework.language.errors import NotFoundError, UnreadableError
from daynight.framework.language.source import STORED
from daynight.framework.language.wording import _
from daynight.machine.program import program
from daynight.records import CORPUS

Kind: TypeAlias = Literal["lines", "words", "stored", "corpus", "archive", "log"]

_IN_WORDS = (".dn", ".dn.gz")
_RECORDS = (".jsonl", ".jsonl.gz", *_IN_WORDS)
_ARCHIVE = b'{"type":"archive"'


class File(NamedTuple):
    """A file that holds records, at `address`.

    `inside` names a game of the store at `where`, a part of a corpus, or the importer of a log. `size` is in bytes; for
    a game of a store it counts events, for a part of a corpus lines.
    """

    kind: Kind
    address: str
    size: int
    inside: str = ""
    where: str = ""


def listed(sources: Iterable[str], place: str) -> Iterator[File]:
    """Yield the files of all sources, in order; `place` is the store that `db:` means.

    Raises:
        NotFoundError: where a source is not there.
        OSError: where it cannot be looked at.
    """
    for source in sources:
        if source.startswith(STORED):
            yield from _stored(place, source.removeprefix(STORED))
        elif source.startswith(CORPUS):
            yield from _corpus(source.removeprefix(CORPUS))
        elif not source.endswith(_RECORDS) and addresses.exists(addresses.joined(source, MANIFEST)):
            yield from _corpus(source)
        elif not addresses.is_folder(source):
            yield _file(source)
        else:
            for name in addresses.below(source):
                if name.endswith(_RECORDS):
                    yield _file(addresses.joined(source, name))


def digest(files: Iterable[File]) -> str:
    """Return a digest of the files' addresses and sizes."""
    found = sha256()
    for file in files:
        told = file._replace(address=addresses.shown(file.address), where=addresses.shown(file.where))
        found.update(msgspec.json.encode(told) + b"\n")
    return found.hexdigest()


def _file(address: str) -> File:
    if address.endswith(_IN_WORDS):
        return File("words", address, addresses.size(address))
    with addresses.opened(address) as stream:
        archive = stream.read(len(_ARCHIVE)) == _ARCHIVE
    if not archive and not address.endswith(_RECORDS) and (importer := _importer(address)):
        return File("log", address, addresses.size(address), importer)
    return File("archive" if archive else "lines", address, addresses.size(address))


def _importer(address: str) -> str:
    """Return the name of the importer that knows a file; empty for a record, and for what is neither."""
    from daynight.importers.registry import importer
    from daynight.importers.sources import Source
    from daynight.recognising import NOTATION, importer_of

    try:
        with addresses.opened(address) as stream:
            found = importer_of(Source(address, stream).head, addresses.shown(address))
    except UnreadableError:
        return ""
    return "" if found is None or found is importer(NOTATION) else found.name


def games_of(place: str, address: str = "", one: str = "") -> Iterator[File]:
    """Yield the games of a store, or game `one` alone; `address` is the archive that was unpacked into it, if any.

    Raises:
        NotFoundError: where there is no such store or game.
        StoreError: where it cannot be read.
    """
    from daynight.games import Store

    with Store.open(place) as store:
        games = [(one, store.head(one).number)] if one else store.games()
    for game, events in games:
        yield File("stored", address or f"{STORED}{game}", events, game, place)


def _stored(place: str, game: str) -> Iterator[File]:
    if "://" not in place and not Path(place).is_file():
        sentence = _("{place}: no store there; {program} new begins a game and its store, --db names another")
        raise NotFoundError(sentence.format(place=place, program=program()), file=place)
    yield from games_of(place, one=game)


def _corpus(folder: str) -> Iterator[File]:
    manifest = Manifest.read(folder)
    for part in manifest.parts:
        yield File("corpus", folder, part.lines, str(part.part))
