"""Events as bytes: one line of JSON for each event, always the same bytes; and answers as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


VERSION = 1
"""The version of the documents that commands print. Within a version members are added, never renamed or removed."""


def versioned(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document as it is printed: its `version` comes first.

    >>> versioned({"bad": 5})
    {'version': 1, 'bad': 5}
    """
    return {"version": VERSION, **document}


def document_of(one: object, names: str, **other: Any) -> dict[str, Any]:
    """The attributes of an answer as a JSON object, in the order of their `names` (one string, spaces between).

    `other` gives the values of names that are no attributes, or that are something else in JSON. What has a
    `document()` of its own is that; enumerations are their values.

    >>> from daynight.framework.bisect import Bisected
    >>> document_of(Bisected(5, 4, (2, 3)), "bad untested tests", tests=7)
    {'bad': 5, 'untested': [2, 3], 'tests': 7}
    """
    document = {}
    for name in names.split():
        value = other[name] if name in other else getattr(one, name)
        document[name] = value if type(value) in _PLAIN else _plain(value)
    return document


_PLAIN = frozenset({str, int, bool, type(None)})
"""The types that JSON has itself."""


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [each if type(each) in _PLAIN else _plain(each) for each in value]
    own = getattr(value, "document", None)
    return msgspec.to_builtins(value) if own is None else own()
