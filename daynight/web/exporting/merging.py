"""Merging: combines documents in several languages into one, which has each common value only once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

MARK = "~"
"""The only key of the object that replaces values which differ by language: `{"~": [...]}`, one value per language."""


def merged(told: Sequence[Any]) -> Any:
    """Merge the versions of a document, one per language, into one document; keep a value once if all have it.

    >>> merged([{"event": 1, "sentence": "day"}, {"event": 1, "sentence": "jour"}])
    {'event': 1, 'sentence': {'~': ['day', 'jour']}}
    >>> merged([{"~": 1}, {"~": 1}])
    {'~': [{'~': 1}, {'~': 1}]}
    """
    first, *others = told
    if isinstance(first, dict) and MARK not in first:
        if all(isinstance(other, dict) and other.keys() == first.keys() for other in others):
            return {name: merged([one[name] for one in told]) for name in first}
    elif isinstance(first, list):
        if all(isinstance(other, list) and len(other) == len(first) for other in others):
            return [merged(items) for items in zip(*told, strict=True)]
    elif not isinstance(first, dict) and all(type(other) is type(first) and other == first for other in others):
        return first
    return {MARK: list(told)}


def once(rows: list[list[Any]]) -> tuple[list[Any], list[int]]:
    """Return the distinct rows, each merged into one document without `event`, and for each row its document's index.

    A row has the documents of one event, one per language; `event` is removed from them.
    """
    different: dict[bytes, int] = {}
    found: list[Any] = []
    places: list[int] = []
    for row in rows:
        for one in row:
            one.pop("event", None)
        key = msgspec.json.encode(row)
        if key not in different:
            different[key] = len(found)
            found.append(merged(row))
        places.append(different[key])
    return found, places


def plain(value: Any) -> Any:
    """Return a document as it is after it was written as JSON and read back: only plain objects are in it."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=str))
