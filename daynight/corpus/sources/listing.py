"""Lists the files in the sources, and finds out what kind each of them is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from daynight.corpus.manifest import MANIFEST, Manifest
from daynight.corpus.sources import addresses
from daynight.framework.language.errors import DaynightError, NotFoundError, UnreadableError
from daynight.framework.language.grammar import also, commas, semicolons
from daynight.framework.language.source import STORED
from daynight.framework.language.wording import _, counted
from daynight.machine.program import program
from daynight.machine.shells import likely, quoted
from daynight.records import CORPUS

Kind: TypeAlias = Literal["lines", "words", "stored", "corpus", "archive", "log", "foreign", "passed", "nested"]

PASSED = ("passed", "nested")
"""The kinds of skipped files in a folder: files that are neither records nor logs, and corpora."""

_IN_WORDS = (".dn", ".dn.gz")
RECORDS = (".jsonl", ".jsonl.gz", *_IN_WORDS)
"""The endings of file names that mean a record, whatever the content; except an archive that is named `.jsonl`."""

_ARCHIVE = b'{"type":"archive"'


class File(NamedTuple):
    """A file that holds records, at `address`, a game of a store, or a part of a corpus.

    `kind`: `lines` is JSON Lines, `words` the notation, `archive` an archive, `log` a log, `stored` a game of a store,
    `corpus` a part of a corpus. A `foreign` file is none of these, and is refused; in a folder such a file is `passed`
    and a whole corpus is `nested`: both are skipped. `inside` names the game in the store at `where`, the number of the
    part, or the importer of a log. `size` is in bytes; for `stored` it counts events, for `corpus` lines.
    """

    kind: Kind
    address: str
    size: int
    inside: str = ""
    where: str = ""


def listed(sources: Iterable[str], place: str) -> Iterator[File]:
    """Yield the files of all sources, in order; `place` is the store that `db:` means.

    For a folder these are the records and the logs below it, and the skipped files unless they are hidden.

    Raises:
        NotFoundError, StoreError, UnreadableError, OSError: where a source does not exist, or cannot be read.
        AskedError: where a corpus is not finished.
    """
    for source in sources:
        if source.startswith(STORED):
            yield from _stored(place, source.removeprefix(STORED))
        elif source.startswith(CORPUS):
            yield from _corpus(source.removeprefix(CORPUS))
        elif not source.endswith(RECORDS) and addresses.exists(addresses.joined(source, MANIFEST)):
            yield from _corpus(source)
        elif not addresses.is_folder(source):
            yield _file(source)
        else:
            yield from _below(source)


def digest(files: Iterable[File]) -> str:
    """Return the SHA-256 of the facts about the files, such as addresses and sizes, without their content."""
    found = sha256()
    for file in files:
        told = file._replace(address=addresses.shown(file.address), where=addresses.shown(file.where))
        found.update(msgspec.json.encode(told) + b"\n")
    return found.hexdigest()


def _below(folder: str) -> Iterator[File]:
    names = addresses.below(folder)
    corpora = {name.removesuffix(MANIFEST) for name in names if name.rpartition("/")[2] == MANIFEST}
    yield from (File("nested", addresses.joined(folder, corpus.rstrip("/")), 0) for corpus in sorted(corpora))
    for name in names:
        steps = name.split("/")
        if corpora and not corpora.isdisjoint("/".join([*steps[:depth], ""]) for depth in range(len(steps))):
            continue
        address = addresses.joined(folder, name)
        if addresses.is_broken_link(address):
            yield File("passed", address, 0)
        elif name.endswith(RECORDS):
            yield _file(address)
        elif not any(step.startswith(".") for step in steps):
            kind, inside = _recognised(address)
            yield File(kind if kind == "log" else "passed", address, addresses.size(address), inside)


def _file(address: str) -> File:
    if address.endswith(_IN_WORDS):
        return File("words", address, addresses.size(address))
    with addresses.opened(address) as stream:
        archive = stream.read(len(_ARCHIVE)) == _ARCHIVE
    if archive:
        return File("archive", address, addresses.size(address))
    if address.endswith(RECORDS):
        return File("lines", address, addresses.size(address))
    kind, inside = _recognised(address)
    return File(kind, address, addresses.size(address), inside)


def _recognised(address: str) -> tuple[Kind, str]:
    """Return the kind of a file by its first bytes, and the name of the importer; "" unless it is a log."""
    from daynight.recognising import NOTATION

    try:
        found = _importer(address)
    except UnreadableError:
        return "foreign", ""
    if found is None:
        return "lines", ""
    return ("words", "") if found == NOTATION else ("log", found)


def _importer(address: str) -> str | None:
    from daynight.importers.sources import Source
    from daynight.recognising import importer_of

    with addresses.opened(address) as stream:
        found = importer_of(Source(address, stream).head, addresses.shown(address))
    return None if found is None else found.name


def refusal(file: File) -> DaynightError:
    """Return the error about a foreign file; it says what the file looks like, and what to type instead."""
    try:
        _importer(file.address)
    except UnreadableError as error:
        return error
    return UnreadableError(_("neither a record nor a log"))


def games_of(place: str, address: str = "", one: str = "") -> Iterator[File]:
    """Yield the games of the store at `place`, or game `one` alone, as files.

    Their address is `address` (the archive from which the store was unpacked), or if that is empty `db:GAME`.

    Raises:
        NotFoundError: where there is no such store or game.
        StoreError: where it cannot be read.
    """
    from daynight.games import Store

    with Store.open(place) as store:
        games = [(one, store.head(one).number)] if one else store.games()
    for game, events in games:
        yield File("stored", address or f"{STORED}{game}", events, game, place)


def nothing_in(sources: Sequence[str], passed: Sequence[File]) -> NotFoundError:
    """Return the error for sources without any record; `passed` are the skipped files in them."""
    named = commas([addresses.shown(source) for source in sources])
    if not passed:
        return NotFoundError(_("{sources}: no records and no logs there").format(sources=named), file=sources[0])
    return NotFoundError(also(_("{sources}: no records there").format(sources=named), told(passed)), file=sources[0])


def told(passed: Sequence[File]) -> str:
    """Return text that counts the skipped corpora and files, with the command that says why a file was skipped."""
    corpora, others = ([file.address for file in passed if file.kind == kind] for kind in ("nested", "passed"))
    sentences = []
    if corpora:
        sentence = counted(
            "{n} corpus lies there, and is a source only by its own name: {file}",
            "{n} corpora lie there, and are sources only by their own names: {file} and so on",
            len(corpora),
        )
        sentences.append(sentence.format(file=addresses.shown(corpora[0])))
    if others:
        sentence = counted(
            "{n} file is neither a record nor a log: {file}",
            "{n} files are neither records nor logs, such as {file}",
            len(others),
        )
        sentences.append(sentence.format(file=addresses.shown(others[0])))
        if not addresses.is_remote(others[0]):
            file = quoted(addresses.shown(others[0]), likely())
            sentences.append(_("{program} audit {file} says why").format(program=program(), file=file))
    return semicolons(sentences)


def _stored(place: str, game: str) -> Iterator[File]:
    if "://" not in place and not Path(place).is_file():
        sentence = _("{place}: no store there; {program} new begins a game and its store, --db names another")
        raise NotFoundError(sentence.format(place=place, program=program()), file=place)
    yield from games_of(place, one=game)


def _corpus(folder: str) -> Iterator[File]:
    manifest = Manifest.read(folder)
    manifest.check_complete(folder)
    for part in [part for part in manifest.parts if part.games]:
        yield File("corpus", folder, part.lines, str(part.part))
