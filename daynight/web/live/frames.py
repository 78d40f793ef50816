"""Frames: the messages of a live stream, as bytes."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

_ENCODER = msgspec.json.Encoder()

OPENING = b"retry: 1000\n\n"
"""The first frame: it tells browsers to reconnect 1000 milliseconds after a lost connection."""

COMMENT = b":\n\n"
"""A comment, which shows that the stream is alive."""


class Frame(NamedTuple):
    """A frame about event `number` of a game; `number` is 0 if it is about none."""

    number: int
    data: bytes


def moment(number: int, document: Any) -> Frame:
    """Return the frame with the `document` of the moment after event `number`."""
    return Frame(number, b"event: moment\nid: %d\ndata: %b\n\n" % (number, _ENCODER.encode(document)))


def grown(id: str, game: str, last: int) -> Frame:
    """Return the frame that reports that `game`, with this `id` in addresses, has grown to event `last`."""
    document = {"id": id, "game": game, "last": last}
    return Frame(0, b"event: game\ndata: %b\n\n" % _ENCODER.encode(document))


def reset(last: int, identity: str | None = None) -> bytes:
    """Return the frame that ends a stream which cannot continue: the client must read `/moments` and start again.

    `last` is the last event of the game; `identity` its identity, if the client knows another one, or another digest.
    """
    more = {} if identity is None else {"identity": identity}
    return b"event: reset\ndata: %b\n\n" % _ENCODER.encode({"last": last, **more})


def closing() -> bytes:
    """Return the frame that ends a stream because the server stops, or the link has ended."""
    return b"event: closing\ndata: {}\n\n"
