"""`corpus.json` names the sources of a corpus, the versions that made it, and its complete parts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from daynight import __version__
from daynight.corpus.schema import EARLIER, EARLIER_TABLES, FORMAT, TABLES, part_name
from daynight.corpus.sources import addresses
from daynight.framework.language.errors import AskedError, NotFoundError, UnreadableError
from daynight.framework.language.wording import _
from daynight.rules import RULES

MANIFEST = "corpus.json"
"""The name of the file."""

_LONGEST = 2**26
_ENDING = ".parquet"

Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]


class WholePart(Struct, frozen=True, kw_only=True):
    """A complete part, and the digests of its files.

    `first` is the number of its first record, `records` counts all its source records, and `refused` those that were
    refused. `events`, `turns` and `lines` count the rows of these tables.
    """

    part: Number
    first: Number
    records: Number
    refused: Number
    games: Number
    events: Number
    turns: Number = 0
    lines: Number
    sha256: dict[str, Digest]

    def __post_init__(self) -> None:
        """Raise `ValueError` unless `sha256` has the tables of this format or the earlier one; `read` then refuses."""
        if set(self.sha256) not in (set(TABLES), set(EARLIER_TABLES)):
            raise ValueError("a part has games, events, turns and lines")

    @property
    def tables(self) -> dict[str, Any]:
        """The schema of each of the part's tables, by the name of the table."""
        return TABLES if set(self.sha256) == set(TABLES) else EARLIER_TABLES

    @property
    def rows(self) -> dict[str, int]:
        """The number of rows in each table."""
        return {"games": self.games, "events": self.events, "turns": self.turns, "lines": self.lines}


class Manifest(Struct, frozen=True, kw_only=True):
    """The content of `corpus.json`.

    `inputs` is a digest of the source files' addresses and sizes. `licence` is the licence of the data, in the words of
    the person who built the corpus.
    """

    format: int
    daynight: str
    pyarrow: str
    rules: int
    catalogue: Digest
    sources: list[str]
    inputs: Digest
    licence: str | None = None
    complete: bool
    parts: list[WholePart]

    def __post_init__(self) -> None:
        """Raise `ValueError` if a part has the tables of another format than `format`; `read` then refuses the file."""
        tables = TABLES if self.format == FORMAT else EARLIER_TABLES
        if any(part.tables is not tables for part in self.parts):
            raise ValueError("a part of another format")

    @classmethod
    def read(cls, folder: str) -> Manifest:
        """Read the manifest of a corpus, of this format or of the earlier one.

        Raises:
            NotFoundError: where there is no corpus.
            UnreadableError: where the file is not valid, or has an unknown format.
        """
        address = addresses.joined(folder, MANIFEST)
        try:
            with addresses.opened(address) as stream:
                data = stream.read(_LONGEST + 1)
        except (FileNotFoundError, NotADirectoryError, NotFoundError):
            sentence = _("{folder}: no corpus there; daynight corpus build makes one")
            raise NotFoundError(sentence.format(folder=folder), file=folder) from None
        try:
            if len(data) > _LONGEST:
                raise UnreadableError(_("too long for {file}").format(file=MANIFEST), file=address)
            found = msgspec.json.decode(data, type=_Versioned)
            if found.format not in (EARLIER, FORMAT):
                sentence = _("a corpus of format {found}; this daynight reads format {ours}: build it anew")
                there = msgspec.json.encode(found.format).decode()
                raise UnreadableError(sentence.format(found=there, ours=FORMAT), path="$.format", file=address)
            manifest = msgspec.json.decode(data, type=cls)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            sentence, _at, path = str(error).partition(" - at `")
            raise UnreadableError(sentence, path=path.rstrip("`") or "$", file=address) from None
        manifest._check_parts(address)
        return manifest

    def _check_parts(self, address: str) -> None:
        """Raise `UnreadableError` unless the parts are 0 to n-1, each once, and game numbers continue between parts.

        In a corpus that is not finished, parts may be missing. The counts of each part must agree, too.
        """
        number = first = 0
        for place, part in enumerate(self.parts):
            follows = (part.part, part.first) == (number, first)
            if not follows and (self.complete or part.part < number or part.first < first):
                sentence = _("expected part {part}, from game {first} on: each part once, without a gap or an overlap")
                problem = sentence.format(part=number, first=first)
                raise UnreadableError(problem, path=f"$.parts[{place}]", file=address)
            if part.games + part.refused != part.records or part.lines != part.events or part.events < part.games:
                problem = _("the counts of a part do not go together")
                raise UnreadableError(problem, path=f"$.parts[{place}]", file=address)
            number, first = part.part + 1, part.first + part.records

    def check(self, folder: str) -> None:
        """Refuse a corpus that cannot be used: of the earlier format, made by other rules, or not finished.

        Raises:
            UnreadableError: where it has the earlier format, was made by other rules or with another catalogue, has no
                parts, or has a file of an unlisted part.
            AskedError: where it is not finished.
        """
        if self.format != FORMAT:
            sentence = _("a corpus of format {found}; build it anew from itself: daynight corpus build")
            file = addresses.joined(folder, MANIFEST)
            raise UnreadableError(sentence.format(found=self.format), path="$.format", file=file)
        for path, made, ours in (("$.rules", self.rules, RULES), ("$.catalogue", self.catalogue, catalogue_digest())):
            if made != ours:
                sentence = _("made by another version of daynight; build it anew from itself: daynight corpus build")
                raise UnreadableError(sentence, path=path, file=addresses.joined(folder, MANIFEST))
        self.check_complete(folder)
        if not self.parts:
            raise UnreadableError(_("no parts"), path="$.parts", file=addresses.joined(folder, MANIFEST))
        listed = {part_name(part.part) for part in self.parts}
        for table in TABLES:
            for name in addresses.names(addresses.joined(folder, table)):
                if name.endswith(_ENDING) and not name.startswith(".") and name not in listed:
                    sentence = _("{table}/{name} lies there and is not listed; build the corpus anew")
                    problem = sentence.format(table=table, name=addresses.shown(name))
                    raise UnreadableError(problem, path="$.parts", file=addresses.joined(folder, MANIFEST))

    def check_complete(self, folder: str) -> None:
        """Refuse a corpus that is not finished.

        Raises:
            AskedError: where it is not finished.
        """
        if not self.complete:
            sentence = _("{folder}: not finished; give the same daynight corpus build again")
            raise AskedError(sentence.format(folder=folder))

    def write(self, folder: Path) -> None:
        """Write the manifest into the folder of the corpus, whole or not at all."""
        from daynight.keeping.files import written

        with written(folder / MANIFEST) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")


def checked(folders: Sequence[str]) -> list[Manifest]:
    """Read the manifests of corpora that are used together; refuse a corpus that cannot be used.

    Raises:
        NotFoundError, UnreadableError: as `Manifest.read` and `Manifest.check`.
        AskedError: where a corpus is not finished, or is given twice: its games would count twice.
    """
    found: list[Manifest] = []
    places: set[object] = set()
    for folder in folders:
        manifest = Manifest.read(folder)
        manifest.check(folder)
        places.add(addresses.identity(folder))
        found.append(manifest)
        if len(places) < len(found):
            sentence = _("{folder} is given twice; give each corpus once")
            raise AskedError(sentence.format(folder=addresses.shown(folder)))
    return found


class _Versioned(Struct):
    format: Any


@cache
def catalogue_digest() -> str:
    """Return the SHA-256 of the bundled catalogue of cards."""
    return sha256(files("daynight.cards").joinpath("cards.json").read_bytes()).hexdigest()


def begun(sources: list[str], inputs: str, licence: str | None = None) -> Manifest:
    """Return the manifest of a corpus without parts, made by the installed versions."""
    import pyarrow as pa

    return Manifest(
        format=FORMAT,
        daynight=__version__,
        pyarrow=pa.__version__,
        rules=RULES,
        catalogue=catalogue_digest(),
        sources=sources,
        inputs=inputs,
        licence=licence,
        complete=False,
        parts=[],
    )
