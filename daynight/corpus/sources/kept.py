"""Records that are kept elsewhere: games of a store, of an archive, of another corpus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from daynight.corpus.manifest import Manifest, Part
from daynight.corpus.sources import addresses
from daynight.corpus.sources.listing import File, games_of
from daynight.corpus.trust import Damage, column, opened_table
from daynight.framework.language.errors import UnreadableError


def unpacked(file: File, folder: Path, number: int) -> Iterator[File]:
    """The games of an archive, taken into a store of their own in `folder`; the archive itself where that fails."""
    from daynight.framework.language.errors import DaynightError
    from daynight.store import Store, read_archive

    place = folder / f"archive-{number}.db"
    if not place.exists():
        half = folder / f"archive-{number}.half"
        for left in folder.glob(f"{half.name}*"):
            left.unlink()
        try:
            with addresses.opened(file.address) as stream, Store.open(str(half)) as store:
                read_archive(store, stream)
        except DaynightError:
            yield file
            return
        half.replace(place)
    yield from games_of(str(place), file.address)


def refusal(file: File) -> str:
    """Why an archive cannot be read, in a sentence."""
    from daynight.framework.language.errors import DaynightError
    from daynight.store import Store, read_archive

    try:
        with addresses.opened(file.address) as stream, Store.open("memory:") as store:
            read_archive(store, stream)
    except DaynightError as error:
        return str(error)
    return ""


@contextmanager
def _damaged(file: File) -> Iterator[None]:
    """Damage of a corpus that is a source is a refusal of it."""
    try:
        yield
    except Damage as error:
        raise UnreadableError(error.problem, file=addresses.joined(file.address, error.file)) from None


def _part(file: File) -> Part:
    number = int(file.inside)
    return next(part for part in Manifest.read(file.address).parts if part.part == number)


def rows(file: File) -> Iterator[tuple[str, int, int]]:
    """Of each game of a part of a corpus its source, its line there, and how many events it has.

    Raises:
        UnreadableError: where the part is damaged.
    """
    with _damaged(file):
        table = opened_table(file.address, _part(file), "games")
        for group in range(table.num_row_groups):
            found = table.read_row_group(group, columns=["source", "first_line", "events"])
            yield from zip(*(found.column(name).to_pylist() for name in found.column_names), strict=True)


def lines(file: File, skip: int, games: int) -> Iterator[tuple[str, int, bytes]]:
    """Some games of a part of a corpus, after the first `skip`: source, line, and the record's bytes."""
    with _damaged(file):
        part = _part(file)
        facts = opened_table(file.address, part, "games").read(
            columns=["source", "first_line", "events", "final_newline"]
        )
        wanted = facts.slice(skip, games).to_pylist()
        gone = sum(facts.slice(0, skip).column("events").to_pylist())
        stream = _lines(opened_table(file.address, part, "lines"))
        for _line in range(gone):
            next(stream)
        for row in wanted:
            data = "\n".join([next(stream) for _event in range(row["events"])]) + "\n" * row["final_newline"]
            yield row["source"], row["first_line"], data.encode()


def _lines(table: Any) -> Iterator[str]:
    for group in range(table.num_row_groups):
        yield from column(table.read_row_group(group, columns=["line"]), "line").to_pylist()
