"""The words that bad records are written in: lines, and where and how a record of them is refused."""

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
    """The bytes of a record and how they are refused."""

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
    """The bytes of a record of these lines."""
    return b"".join((row if isinstance(row, bytes) else json.dumps(dict(row)).encode()) + b"\n" for row in lines)


def bad(path: str, fragment: str, *lines: Line, line: int = 0) -> Malformed:
    """A record whose last line (if no other is named) is refused."""
    return Malformed(data(*lines), line or len(lines), path, fragment)


def second(path: str, fragment: str, row: Line) -> Malformed:
    """An opening and a bad line: as good as any line, on grounds of that line alone."""
    return bad(path, fragment, OPENING, row)


def played(path: str, fragment: str, *lines: Line) -> Malformed:
    """An opening, the first turn, and lines of which the last cannot happen."""
    return bad(path, fragment, OPENING, TURN, *lines)


def event(tag: str, **fields: Any) -> dict[str, Any]:
    """The object of an event."""
    return {"type": tag, **fields}


def entered(*permanents: dict[str, Any]) -> dict[str, Any]:
    """An arrival."""
    return event("permanents-entered", permanents=list(permanents))


def meta(value: bytes) -> bytes:
    """A line with this JSON in its meta."""
    return b'{"type":"game-restarted","meta":{"a":' + value + b"}}"


def at(text: Any) -> dict[str, Any]:
    """A line with this time."""
    return event("game-restarted", at=text)


def cast(name: bytes) -> bytes:
    """A cast by a player of this name, as it stands between the quotation marks."""
    return b'{"type":"spell-cast","player":"' + name + b'"}'


def started(**fields: Any) -> dict[str, Any]:
    """An opening of another kind."""
    return {**OPENING, **fields}


def turn(number: Any, *active: Any) -> dict[str, Any]:
    """A turn began."""
    return event("turn-began", turn=number, active=list(active or ("Ana",)))


def stretched(length: int) -> bytes:
    """A line of so many bytes, and nothing else the matter with it."""
    return meta(b'"' + b"x" * (length - len(meta(b'""'))) + b'"')


def is_tame(message: str) -> bool:
    """Whether a message is one line in which no character controls anything, as it may stand in a name."""
    return not any(unicodedata.category(one) in WILD or one in BIDI for one in message)
