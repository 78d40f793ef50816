"""Events as bytes: one line of JSON an event, the same bytes every time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

import msgspec

from daynight.events.vocabulary import Event
from daynight.framework.language.strict import read_line

__all__ = ["decode", "encode", "encode_lines", "write"]

_ENCODER = msgspec.json.Encoder()


def encode(event: Event) -> bytes:
    """The line of an event, without its line feed; fields that have their default are left out."""
    return _ENCODER.encode(event)


def encode_lines(events: Iterable[Event]) -> bytes:
    """The lines of many events, each with its line feed."""
    return _ENCODER.encode_lines(events)


def decode(line: bytes | str) -> Event:
    """The event of a line.

    Raises:
        UnreadableError: naming the path, where the line is not an event of the language.
    """
    return read_line(line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line)


def write(events: Iterable[Event], stream: BinaryIO) -> int:
    """Write events as JSON Lines; answers how many there were. What is read again is equal, byte for byte."""
    written = 0
    for event in events:
        stream.write(_ENCODER.encode(event) + b"\n")
        written += 1
    return written
