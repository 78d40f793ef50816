"""Helpers for bad records: lines, and the place and sentence of the refusal."""

import json
import unicodedata
from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = [
    "BEARS", "BIDI", "MIB", "OPENING", "RESTART", "TEAMS", "TURN", "WILD", "WOLF", "Line", "Malformed", "at", "bad",
    "cast", "data", "entered", "event", "is_tame", "meta", "played", "second", "started", "stretched", "turn",
]  # fmt: skip

Line = Mapping[str, Any] | bytes


class Malformed(NamedTuple):
    """The bytes of a record and its refusal."""

    data: bytes
    line: int
    path: str
    fragment: str


MIB = 2**20
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
WILD = ("Cc", "Cs", "Zl", "Zp")
"""Control characters, surrogates, separators of lines and paragraphs."""

OPENING: Mapping[str, Any] = {"type": "game-started", "format": 1, "game": "g", "players": ["Ana", "Bo"]}
TURN: Mapping[str, Any] = {"type": "turn-began", "turn": 1, "active": ["Ana"]}
RESTART = b'{"type":"game-restarted"}'
BEARS = {"id": "b", "card": "Grizzly Bears", "controller": "Ana"}
WOLF = {"id": "w", "card": "Tavern Ruffian", "controller": "Ana"}
TEAMS = [["Ana", "Bo"], ["Cy", "Di"]]


def data(*lines: Line) -> bytes:
    """The bytes of a record with these lines."""
    return b"".join((row if isinstance(row, bytes) else json.dumps(dict(row)).encode()) + b"\n" for row in lines)


def bad(path: str, fragment: str, *lines: Line, line: int = 0) -> Malformed:
    """A record whose last line, or the given one, is refused."""
    return Malformed(data(*lines), line or len(lines), path, fragment)


def second(path: str, fragment: str, row: Line) -> Malformed:
    """An opening and a line that is bad in itself."""
    return bad(path, fragment, OPENING, row)


def played(path: str, fragment: str, *lines: Line) -> Malformed:
    """An opening, the first turn, and lines of which the last is impossible."""
    return bad(path, fragment, OPENING, TURN, *lines)


def event(tag: str, **fields: Any) -> dict[str, Any]:
    """The object of an event."""
    return {"type": tag, **fields}


def entered(*permanents: dict[str, Any]) -> dict[str, Any]:
    """An arrival."""
    return event("permanents-entered", permanents=list(permanents))


def meta(value: bytes) -> bytes:
    """A line with this JSON as its meta."""
    return b'{"type":"game-restarted","meta":{"a":' + value + b"}}"


def at(text: Any) -> dict[str, Any]:
    """A line with this time."""
    return event("game-restarted", at=text)


def cast(name: bytes) -> bytes:
    """A cast by a player of this name, written as in JSON."""
    return b'{"type":"spell-cast","player":"' + name + b'"}'


def started(**fields: Any) -> dict[str, Any]:
    """An opening with other fields."""
    return {**OPENING, **fields}


def turn(number: Any, *active: Any) -> dict[str, Any]:
    """A turn began."""
    return event("turn-began", turn=number, active=list(active or ("Ana",)))


def stretched(length: int) -> bytes:
    """A line of this many bytes that is otherwise valid."""
    return meta(b'"' + b"x" * (length - len(meta(b'""'))) + b'"')


def is_tame(message: str) -> bool:
    """Return whether a message is one line without control characters, so that it is safe to print."""
    return not any(unicodedata.category(one) in WILD or one in BIDI for one in message)
