"""Makes lines, and bad records with the line, the path and a part of the sentence of their refusal."""

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
    """The bytes of a bad record, and its refusal: the line, the JSON path, and a part (`fragment`) of the sentence."""

    data: bytes
    line: int
    path: str
    fragment: str


MIB = 2**20
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
WILD = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories: control characters, surrogates, separators of lines and paragraphs."""

OPENING: Mapping[str, Any] = {"type": "game-started", "format": 1, "game": "g", "players": ["Ana", "Bo"]}
TURN: Mapping[str, Any] = {"type": "turn-began", "turn": 1, "active": ["Ana"]}
RESTART = b'{"type":"game-restarted"}'
BEARS = {"id": "b", "card": "Grizzly Bears", "controller": "Ana"}
WOLF = {"id": "w", "card": "Tavern Ruffian", "controller": "Ana"}
TEAMS = [["Ana", "Bo"], ["Cy", "Di"]]


def data(*lines: Line) -> bytes:
    """Return the bytes of a record with these lines; a mapping becomes JSON."""
    return b"".join((row if isinstance(row, bytes) else json.dumps(dict(row)).encode()) + b"\n" for row in lines)


def bad(path: str, fragment: str, *lines: Line, line: int = 0) -> Malformed:
    """Return a record that is refused at `line`; 0 means its last line."""
    return Malformed(data(*lines), line or len(lines), path, fragment)


def second(path: str, fragment: str, row: Line) -> Malformed:
    """Return a record of game-started and this line, which is refused at line 2."""
    return bad(path, fragment, OPENING, row)


def played(path: str, fragment: str, *lines: Line) -> Malformed:
    """Return a record of game-started, turn 1 and these lines, which is refused at the last one."""
    return bad(path, fragment, OPENING, TURN, *lines)


def event(tag: str, **fields: Any) -> dict[str, Any]:
    """Return the fields of an event as a dict, with its type."""
    return {"type": tag, **fields}


def entered(*permanents: dict[str, Any]) -> dict[str, Any]:
    """Return permanents-entered with these permanents."""
    return event("permanents-entered", permanents=list(permanents))


def meta(value: bytes) -> bytes:
    """Return the line of game-restarted, with `{"a": value}` as its meta, where `value` is raw JSON."""
    return b'{"type":"game-restarted","meta":{"a":' + value + b"}}"


def at(text: Any) -> dict[str, Any]:
    """Return game-restarted with this value as its `at`."""
    return event("game-restarted", at=text)


def cast(name: bytes) -> bytes:
    """Return the line of spell-cast by this player; `name` is the inside of a JSON string, with escapes."""
    return b'{"type":"spell-cast","player":"' + name + b'"}'


def started(**fields: Any) -> dict[str, Any]:
    """Return game-started with these fields added or replaced."""
    return {**OPENING, **fields}


def turn(number: Any, *active: Any) -> dict[str, Any]:
    """Return turn-began with this number; Ana is active by default."""
    return event("turn-began", turn=number, active=list(active or ("Ana",)))


def stretched(length: int) -> bytes:
    """Return a line of this many bytes, with a long string in its meta; only its length may be wrong."""
    return meta(b'"' + b"x" * (length - len(meta(b'""'))) + b'"')


def is_tame(message: str) -> bool:
    """Return whether a message is one line without control or bidi characters, so that it is safe to print."""
    return not any(unicodedata.category(one) in WILD or one in BIDI for one in message)
