"""Frames: what goes over a live stream, as bytes."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

_ENCODER = msgspec.json.Encoder()

OPENING = b"retry: 1000\n\n"
"""How long a browser waits, in milliseconds, before it asks again."""

COMMENT = b":\n\n"
"""Says that the stream is alive."""


class Frame(NamedTuple):
    """A frame of event `number` of a game; 0 where it is of none."""

    number: int
    data: bytes


def moment(number: int, document: Any) -> Frame:
    """The frame of a moment."""
    return Frame(number, b"event: moment\nid: %d\ndata: %b\n\n" % (number, _ENCODER.encode(document)))


def grown(id: str, game: str, last: int) -> Frame:
    """The frame that says that a game has grown."""
    document = {"id": id, "game": game, "last": last}
    return Frame(0, b"event: game\ndata: %b\n\n" % _ENCODER.encode(document))


def reset(last: int) -> bytes:
    """The frame that ends a stream which cannot go on: the listener has to read `/moments` and begin again."""
    return b"event: reset\ndata: %b\n\n" % _ENCODER.encode({"last": last})


def closing() -> bytes:
    """The frame that ends a stream where the server stops, or the link has ended."""
    return b"event: closing\ndata: {}\n\n"
