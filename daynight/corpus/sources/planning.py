"""Plans which records go into which part, before any part is made; so parts can be made in parallel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from daynight.corpus.schema import LINES
from daynight.corpus.sources import addresses, kept
from daynight.corpus.sources.listing import File
from daynight.corpus.sources.splitting import split


class Segment(NamedTuple):
    """Consecutive records in one file; the first one has number `game`.

    The first one begins at `offset`, in line `line`. The offset is in unpacked bytes; in a part of a corpus it counts
    games.
    """

    file: File
    game: int
    records: int
    offset: int
    line: int


class Planned(NamedTuple):
    """The plan of part number `part`: number of its first record, how many records and lines, and where they are."""

    part: int
    first: int
    records: int
    lines: int
    segments: tuple[Segment, ...]


def planned(files: Iterable[File]) -> Iterator[Planned]:
    """Yield the parts, in order; each is filled with records up to `LINES` lines.

    Raises:
        NotFoundError, UnreadableError, OSError: where a file cannot be read.
    """
    segments: list[Segment] = []
    part = first = game = lines = 0
    for file in files:
        # Not a comparison with the last segment's file: the same file may be given twice.
        begun = False
        for offset, line, count in _places(file):
            if game > first and lines + count > LINES:
                yield Planned(part, first, game - first, lines, tuple(segments))
                part, first, lines = part + 1, game, 0
                segments.clear()
                begun = False
            if begun:
                segments[-1] = segments[-1]._replace(records=segments[-1].records + 1)
            else:
                segments.append(Segment(file, game, 1, offset, line))
                begun = True
            game += 1
            lines += count
    if game > first:
        yield Planned(part, first, game - first, lines, tuple(segments))


def _places(file: File) -> Iterator[tuple[int, int, int]]:
    """Yield for each record of a file its offset, first line and number of lines: 0 for a file that cannot be read."""
    if file.kind == "stored":
        yield 0, 1, file.size
    elif file.kind == "corpus":
        for row, (_source, _first_line, events) in enumerate(kept.rows(file)):
            yield row, 1, events
    elif file.kind == "words":
        with addresses.opened(file.address) as stream:
            yield 0, 1, sum(raw.lines for raw in split(stream, keep=False))
    elif file.kind in ("archive", "log", "foreign"):
        # Only what could not be read is listed as a file.
        yield 0, 1, 0
    else:
        with addresses.opened(file.address) as stream:
            for raw in split(stream, keep=False):
                yield raw.offset, raw.first_line, raw.lines
