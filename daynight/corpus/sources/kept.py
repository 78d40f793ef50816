"""Reads the records in an archive, or in a part of another corpus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from daynight.corpus.lines import kept
from daynight.corpus.manifest import Manifest, WholePart
from daynight.corpus.sources import addresses
from daynight.corpus.sources.listing import File, games_of
from daynight.corpus.trust import Damage, file_of, opened_table, reading
from daynight.framework.language.errors import DaynightError, UnreadableError
from daynight.framework.language.wording import _


def unpacked(file: File, folder: Path, number: int) -> Iterator[File]:
    """Unpack the archive `file` into the store `archive-NUMBER.db` in `folder`; yield its games, or `file` on error."""
    from daynight.games import Store
    from daynight.store import read_archive

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


def refusal(file: File) -> DaynightError:
    """Return the error that says why an archive cannot be read."""
    from daynight.games import Store
    from daynight.store import read_archive

    try:
        with addresses.opened(file.address) as stream, Store.open("memory:") as store:
            read_archive(store, stream)
    except DaynightError as error:
        return error
    return UnreadableError(_("the archive changed while it was read"))


@contextmanager
def _damaged(file: File) -> Iterator[None]:
    """Translate damage of a source corpus into `UnreadableError`."""
    try:
        yield
    except Damage as error:
        raise UnreadableError(error.problem, file=addresses.joined(file.address, error.file)) from None


def _part(file: File) -> WholePart:
    number = int(file.inside)
    return next(part for part in Manifest.read(file.address).parts if part.part == number)


def rows(file: File) -> Iterator[tuple[str, int, int]]:
    """Yield for each game of a part its source, its first line there, and its number of events.

    Raises:
        UnreadableError: where the part is damaged.
    """
    part = _part(file)
    with _damaged(file), reading(file_of("games", part.part)):
        table = opened_table(file.address, part, "games")
        for group in range(table.num_row_groups):
            found = table.read_row_group(group, columns=["source", "first_line", "events"])
            yield from zip(*(found.column(name).to_pylist() for name in found.column_names), strict=True)


def lines(file: File, skip: int, games: int) -> Iterator[tuple[str, int, bytes]]:
    """Yield (source, first line there, bytes of the record) for `games` games of a part, after the first `skip`."""
    with _damaged(file):
        for game in islice(kept(file.address, _part(file)), skip, skip + games):
            yield game.source, game.first_line, game.data
