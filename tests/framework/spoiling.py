"""More than fifty ways to spoil a line of any mechanic's record, each with the path of its refusal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

MIB = 2**20


def spoiled(line: bytes, name: str) -> Iterator[tuple[str, bytes, str]]:
    """Yield what was changed, in words; the spoiled line; the refusal's path. `name` is a field that holds a name."""
    for what, bad in _texts(line):
        yield what, bad, "$"
    event: dict[str, Any] = json.loads(line)
    tag = event["type"]
    for what, fields, path in (
        ("no type", {key: value for key, value in event.items() if key != "type"}, "$"),
        ("null for a tag", event | {"type": None}, "$.type"),
        ("a number for a tag", event | {"type": 1}, "$.type"),
        ("a list for a tag", event | {"type": [tag]}, "$.type"),
        ("a newer tag", event | {"type": f"{tag}.2"}, "$.type"),
        ("a foreign tag", event | {"type": "no-such-tag"}, "$.type"),
        ("a tag in capitals", event | {"type": tag.upper()}, "$.type"),
        ("an empty tag", event | {"type": ""}, "$.type"),
        ("an unknown field", event | {"colour": "red"}, "$.colour"),
        ("a field missing", {key: value for key, value in event.items() if key != name}, f"$.{name}"),
        ("null for a name", event | {name: None}, f"$.{name}"),
        ("an object for a name", event | {name: {}}, f"$.{name}"),
        ("a number for a name", event | {name: 7}, f"$.{name}"),
        ("an empty name", event | {name: ""}, f"$.{name}"),
        ("a name of 201 characters", event | {name: "n" * 201}, f"$.{name}"),
        ("a control character in a name", event | {name: "A\x1bna"}, f"$.{name}"),
        ("a bidi control in a name", event | {name: "A\u202ena"}, f"$.{name}"),
        ("no time", event | {"at": "yesterday"}, "$.at"),
        ("a number for a time", event | {"at": 7}, "$.at"),
        ("a number for a note", event | {"note": 7}, "$.note"),
        ("null for a note", event | {"note": None}, "$.note"),
        ("a list for meta", event | {"meta": []}, "$.meta"),
        ("a string for meta", event | {"meta": "m"}, "$.meta"),
    ):
        yield what, json.dumps(fields).encode(), path


def told_by_schema(what: str) -> bool:
    """Return whether a JSON Schema can refuse the change `what`: it cannot express which characters a name may have."""
    return what not in ("a control character in a name", "a bidi control in a name")


def _texts(line: bytes) -> Iterator[tuple[str, bytes]]:
    yield "an empty line", b""
    yield "a line of spaces", b" \t "
    yield "a byte order mark", b"\xef\xbb\xbf" + line
    yield "not UTF-8", line[:-1] + b"\xff}"
    yield "no JSON", b"it is night"
    yield "cut off", line[:-1]
    yield "a comma behind", line + b","
    yield "a trailing comma", line[:-1] + b",}"
    yield "a comment", line + b" // so it was"
    yield "single quotes", line.replace(b'"', b"'")
    yield "two events on one line", line + line
    yield "a form feed", b"\x0c" + line
    yield "a NUL behind", line + b"\0"
    yield "an array", b"[" + line + b"]"
    yield "a string", b'"night"'
    yield "a number", b"7"
    yield "null", b"null"
    yield "true", b"true"
    yield "an empty object", b"{}"
    yield "a key twice", line[:-1] + b',"type":"x"}'
    for what, value in (
        ("NaN", b"NaN"),
        ("Infinity", b"-Infinity"),
        ("a number out of range", b"1e999"),
        ("4301 digits", b"9" * 4301),
        ("a leading zero", b"01"),
        ("a key twice in meta", b'{"a":1,"a":1}'),
        ("nested 65 deep", b"[" * 63 + b"]" * 63),
        ("half a surrogate pair", b'"\\ud800"'),
        ("a raw tab", b'"a\tb"'),
        ("more than 1 MiB", b'"' + b"x" * MIB + b'"'),
    ):
        yield what, line[:-1] + b',"meta":{"x":' + value + b"}}"
