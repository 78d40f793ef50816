"""Which records make which part: known before any of them is read, so that parts can be made side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from daynight.corpus.schema import LINES
from daynight.corpus.sources import addresses, kept
from daynight.corpus.sources.listing import File
from daynight.corpus.sources.splitting import split


class Segment(NamedTuple):
    """Records of one file, one after another: the first has the number `game`, and begins at `offset` in `line`."""

    file: File
    game: int
    records: int
    offset: int
    line: int


class Planned(NamedTuple):
    """A part that is to be made."""

    part: int
    first: int
    records: int
    lines: int
    segments: tuple[Segment, ...]


def planned(files: Iterable[File]) -> Iterator[Planned]:
    """The parts, in order: each has the next records, as long as they have no more than `LINES` lines together.

    Raises:
        OSError: where a file cannot be read.
    """
    segments: list[Segment] = []
    part = first = game = lines = 0
    for file in files:
        # The same file may be given twice.
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
    """Of each record of a file where it begins, in which line, and how many it has."""
    if file.kind == "stored":
        yield 0, 1, file.size
    elif file.kind == "corpus":
        for row, (_source, _first_line, events) in enumerate(kept.rows(file)):
            yield row, 1, events
    elif file.kind == "words":
        with addresses.opened(file.address) as stream:
            yield 0, 1, sum(raw.lines for raw in split(stream, keep=False))
    elif file.kind == "archive":
        # Nothing of it could be read.
        yield 0, 1, 0
    else:
        with addresses.opened(file.address) as stream:
            for raw in split(stream, keep=False):
                yield raw.offset, raw.first_line, raw.lines
