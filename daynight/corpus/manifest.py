"""`corpus.json`: what a corpus is made of, by which versions, and which of its parts are whole."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from daynight import __version__
from daynight.corpus.schema import FORMAT, TABLES
from daynight.corpus.sources import addresses
from daynight.framework.language.errors import AskedError, NotFoundError, UnreadableError
from daynight.framework.language.wording import _
from daynight.rules import RULES

MANIFEST = "corpus.json"
"""The name of the file."""

_LONGEST = 2**26

Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]


class Part(Struct, frozen=True, kw_only=True):
    """A part that is whole: how many records of the sources it took, and what is in its files.

    `records` are all that it is made of, `refused` those of them that are not in it.
    """

    part: Number
    first: Number
    records: Number
    refused: Number
    games: Number
    events: Number
    lines: Number
    sha256: dict[str, Digest]

    def __post_init__(self) -> None:
        """It has the three files."""
        if set(self.sha256) != set(TABLES):
            raise ValueError("a part has games, events and lines")


class Manifest(Struct, frozen=True, kw_only=True):
    """A corpus. `inputs` stands for the files that the sources were, and their sizes."""

    format: int
    daynight: str
    pyarrow: str
    rules: int
    catalogue: Digest
    sources: list[str]
    inputs: Digest
    complete: bool
    parts: list[Part]

    @classmethod
    def read(cls, folder: str) -> Manifest:
        """That of a corpus of this format.

        Raises:
            NotFoundError: where there is no corpus.
            UnreadableError: where it is of another format, or none.
        """
        address = addresses.joined(folder, MANIFEST)
        try:
            with addresses.opened(address) as stream:
                data = stream.read(_LONGEST + 1)
        except (FileNotFoundError, NotADirectoryError, NotFoundError):
            sentence = _("{folder}: no corpus there; daynight corpus build makes one")
            raise NotFoundError(sentence.format(folder=folder)) from None
        try:
            if len(data) > _LONGEST:
                raise UnreadableError(_("too long for {file}").format(file=MANIFEST), file=address)
            found = msgspec.json.decode(data, type=_Versioned)
            if found.format != FORMAT:
                sentence = _("a corpus of format {found}; this daynight reads format {ours}: build it anew")
                raise UnreadableError(sentence.format(found=found.format, ours=FORMAT), path="$.format", file=address)
            return msgspec.json.decode(data, type=cls)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            sentence, _at, path = str(error).partition(" - at `")
            raise UnreadableError(sentence, path=path.rstrip("`") or "$", file=address) from None

    def check(self, folder: str) -> None:
        """See that its columns were made by these rules and this catalogue, and that it is finished.

        Raises:
            UnreadableError: where they were not.
            AskedError: where it is still being built.
        """
        for path, made, ours in (("$.rules", self.rules, RULES), ("$.catalogue", self.catalogue, catalogue_digest())):
            if made != ours:
                sentence = _("made by another version of daynight; build it anew from itself: daynight corpus build")
                raise UnreadableError(sentence, path=path, file=addresses.joined(folder, MANIFEST))
        if not self.complete:
            sentence = _("{folder}: not finished; give the same daynight corpus build again")
            raise AskedError(sentence.format(folder=folder))

    def write(self, folder: Path) -> None:
        """Put it into its folder, whole."""
        from daynight.keeping.files import written

        with written(folder / MANIFEST) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")


class _Versioned(Struct):
    format: Any


@cache
def catalogue_digest() -> str:
    """The SHA-256 of the catalogue of this package."""
    return sha256(files("daynight.cards").joinpath("cards.json").read_bytes()).hexdigest()


def begun(sources: list[str], inputs: str) -> Manifest:
    """A corpus without parts, by the versions that are here."""
    import pyarrow as pa

    return Manifest(
        format=FORMAT,
        daynight=__version__,
        pyarrow=pa.__version__,
        rules=RULES,
        catalogue=catalogue_digest(),
        sources=sources,
        inputs=inputs,
        complete=False,
        parts=[],
    )
