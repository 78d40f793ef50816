"""Events as bytes: one line of JSON for each event, always the same bytes; and answers as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO

import msgspec

_ENCODER = msgspec.json.Encoder()


def encode(event: Any) -> bytes:
    """Return the line of an event, without its line feed; fields with their default value are left out."""
    return _ENCODER.encode(event)


def encode_lines(events: Iterable[Any]) -> bytes:
    """Return the lines of many events, each with its line feed."""
    return _ENCODER.encode_lines(events)


def write(events: Iterable[Any], stream: BinaryIO) -> int:
    """Write events as JSON Lines; return how many. Reading and writing them again gives the same bytes."""
    written = 0
    for event in events:
        stream.write(_ENCODER.encode(event) + b"\n")
        written += 1
    return written


VERSION = 1
"""The version of the documents that commands print. Within a version members are added, never renamed or removed."""


def versioned(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document as commands print it: with the member `version` (`VERSION`) first.

    >>> versioned({"bad": 5})
    {'version': 1, 'bad': 5}
    """
    return {"version": VERSION, **document}


def document_of(one: object, names: str, **other: Any) -> dict[str, Any]:
    """Return the attributes `names` of `one` as a JSON object, in this order (`names`: one string with spaces between).

    `other` gives the values for names that are not attributes, or that need another form in JSON. A value with a method
    `document()` is replaced by the method's result, an enumeration member by its value.

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
"""The types of values that `document_of` puts into a document unchanged."""


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [each if type(each) in _PLAIN else _plain(each) for each in value]
    own = getattr(value, "document", None)
    return msgspec.to_builtins(value) if own is None else own()
