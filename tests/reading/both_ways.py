"""A record read in both ways: in blocks, and line by line by the reading that trusts nothing."""

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
    """A record held in memory."""

    def __init__(self, data: bytes) -> None:
        super().__init__("held.jsonl")
        self._data = data

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Its bytes."""
        yield io.BytesIO(self._data)


class Outcome(NamedTuple):
    """The events that were given, and how the line after them was refused, if it was."""

    events: list[Event]
    refused: str | None
    line: int | None


def by_blocks(data: bytes) -> Outcome:
    """A record read as records are."""
    events: list[Event] = []
    try:
        for some in read_blocks(io.BytesIO(data)):
            events += some
    except RecordError as error:
        return Outcome(events, f"{error.path}: {error.sentence}", error.line)
    return Outcome(events, None, None)


def line_by_line(data: bytes) -> Outcome:
    """The same by the contract's words alone: event n is line n, and every line is held to all."""
    events: list[Event] = []
    if not data:
        return Outcome(events, "$: an empty record; expected game-started on line 1", 1)
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        try:
            events.append(read_line(line))
        except RecordError as error:
            return Outcome(events, f"{error.path}: {error.sentence}", number)
    return Outcome(events, None, None)
