"""Events as bytes: one line of JSON an event, the same bytes every time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, BinaryIO

import msgspec

_ENCODER = msgspec.json.Encoder()


def encode(event: Any) -> bytes:
    """The line of an event, without its line feed; fields that have their default are left out."""
    return _ENCODER.encode(event)


def encode_lines(events: Iterable[Any]) -> bytes:
    """The lines of many events, each with its line feed."""
    return _ENCODER.encode_lines(events)


def write(events: Iterable[Any], stream: BinaryIO) -> int:
    """Write events as JSON Lines; answers how many there were. What is read again is equal, byte for byte."""
    written = 0
    for event in events:
        stream.write(_ENCODER.encode(event) + b"\n")
        written += 1
    return written
