"""Reads a record in two ways: in blocks, as daynight does, and line by line with every check."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, NamedTuple

from daynight.events.language import read_blocks, read_line
from daynight.events.vocabulary import Event
from daynight.framework.language.errors import RecordError
from daynight.records import Record

__all__ = ["Held", "Outcome", "by_blocks", "line_by_line"]


class Held(Record):
    """A `Record` whose bytes are in memory; its file name is held.jsonl."""

    def __init__(self, data: bytes) -> None:
        super().__init__("held.jsonl")
        self._data = data

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open a stream of the record's bytes."""
        yield io.BytesIO(self._data)


class Outcome(NamedTuple):
    """The events that were read, and the refusal after them (`path: sentence`) with its line, None if there is none."""

    events: list[Event]
    refused: str | None
    line: int | None


def by_blocks(data: bytes) -> Outcome:
    """Read a record by daynight's `read_blocks`, which checks blocks of lines at once where it can."""
    events: list[Event] = []
    try:
        for some in read_blocks(io.BytesIO(data)):
            events += some
    except RecordError as error:
        return Outcome(events, f"{error.path}: {error.sentence}", error.line)
    return Outcome(events, None, None)


def line_by_line(data: bytes) -> Outcome:
    """Read a record by `read_line` alone: event n is line n, and every line has the complete check."""
    events: list[Event] = []
    if not data:
        return Outcome(events, "$: an empty record; expected game-started on line 1", 1)
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        try:
            events.append(read_line(line))
        except RecordError as error:
            return Outcome(events, f"{error.path}: {error.sentence}", number)
    return Outcome(events, None, None)
