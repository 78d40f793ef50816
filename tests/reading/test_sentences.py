"""The exact sentences of refusals: what was expected, and what to try.

`malformed` has many more lines, each with a part of its sentence; here each sentence is tested once completely.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from daynight.events.language import LANGUAGE, read_line
from daynight.framework.language.errors import UnreadableError

EMPTY = "an empty line; expected one event, and no blank lines between events"
DEEP = "nested more than 64 deep"
TAG = "expected a tag such as spell-cast, found {}"
OBJECT = "expected an object with a type, found {}"
TAGS = ", ".join(LANGUAGE.tags)


def entered(**fields: Any) -> bytes:
    return json.dumps(
        {"type": "permanents-entered", "permanents": [{"id": "w1", "card": "Opt", "controller": "Ana"}, fields]}
    ).encode()


def cast(**fields: Any) -> bytes:
    return json.dumps({"type": "spell-cast", "player": "Ana", **fields}).encode()


def noted(by: str, says: str) -> bytes:
    return json.dumps({"type": "note-added", "by": by, "says": says}).encode()


def meta(text: bytes) -> bytes:
    return b'{"type":"spell-cast","player":"Ana","meta":{"n":%s}}' % text


REFUSED: list[tuple[bytes, str, str]] = [
    # Bytes that are not a JSON object.
    (b"x" * (2**20 + 1), "$", "a line may have 1048576 bytes, this one has 1048577"),
    (b'\xef\xbb\xbf{"type":"game-restarted"}', "$", "a byte order mark; save the file as UTF-8 without one"),
    (b'{"type":"spell-cast","player":"\xff"}', "$", "not UTF-8 at byte 32; save the file as UTF-8"),
    (b"\xff", "$", "not UTF-8 at byte 1; save the file as UTF-8"),
    (b"", "$", EMPTY),
    (b" \t\r", "$", EMPTY),
    ("\u00a0".encode(), "$", "not JSON at column 1; expected one event as one object"),
    (b"{" * 65, "$", DEEP),
    (b"[" * 65, "$", DEEP),
    (b"[{" * 33, "$", DEEP),
    (meta(b"[" * 63 + b"]" * 63), "$", DEEP),
    (b'{"type":"a"', "$", "not JSON at column 12; expected one event as one object"),
    (b'{"type" "a"}', "$", "not JSON at column 9; expected one event as one object"),
    (b'{"type":"spell-cast","player":"\\ud800"}', "$", "half a surrogate pair, which is no character"),
    (meta(b"1" * 4301), "$", "a number of more than 4300 digits"),
    (meta(b"-" + b"1" * 4300), "$", "a number of more than 4299 digits"),
    (meta(b"1e999"), "$", "a number out of range: 1e999"),
    (meta(b"-1" + b"2" * 60 + b"e999"), "$", "a number out of range: -1" + "2" * 38),
    (meta(b"NaN"), "$", "NaN is not JSON; expected a number"),
    (meta(b"-Infinity"), "$", "-Infinity is not JSON; expected a number"),
    (b'{"type":"a","player":"Ana","player":"Bo"}', "$", "the key 'player' stands twice in one object"),
    (b'{"a":{"b":1,"c":1,"c":2}}', "$", "the key 'c' stands twice in one object"),
    (b"[1]", "$", OBJECT.format("array")),
    (b'"a"', "$", OBJECT.format("string")),
    (b"7", "$", OBJECT.format("number")),
    (b"1.5", "$", OBJECT.format("number")),
    (b"true", "$", OBJECT.format("bool")),
    (b"null", "$", OBJECT.format("null")),
    # Tags.
    (b'{"player":"Ana"}', "$", "missing field type; expected an event with its tag, such as spell-cast"),
    (b'{"type":7}', "$.type", TAG.format("number")),
    (b'{"type":null}', "$.type", TAG.format("null")),
    (b'{"type":[]}', "$.type", TAG.format("array")),
    (b'{"type":{}}', "$.type", TAG.format("object")),
    (b'{"type":false}', "$.type", TAG.format("bool")),
    (b'{"type":"spell-csat"}', "$.type", "unknown tag 'spell-csat': it looks foreign; did you mean spell-cast?"),
    (b'{"type":"spell-cast.1"}', "$.type", "unknown tag 'spell-cast.1': it looks foreign; did you mean spell-cast?"),
    (b'{"type":"spell-cast.x"}', "$.type", "unknown tag 'spell-cast.x': it looks foreign; did you mean spell-cast?"),
    (
        b'{"type":"spell-cast.3"}',
        "$.type",
        "unknown tag 'spell-cast.3': it looks newer than this version of daynight; try a newer daynight",
    ),
    (b'{"type":"foo.2"}', "$.type", f"unknown tag 'foo.2': it looks foreign; the tags are {TAGS}"),
    (b'{"type":"zzzzz"}', "$.type", f"unknown tag 'zzzzz': it looks foreign; the tags are {TAGS}"),
    # Fields.
    (b'{"type":"spell-cast"}', "$.player", "missing field player"),
    (cast(playr="Bo"), "$.playr", "unknown field 'playr'; did you mean player?"),
    (cast(zz=1), "$.zz", "unknown field 'zz'; spell-cast has type, player, card, spell, at, note, meta"),
    (
        entered(id="w2", card="Opt", controler="Ana"),
        "$.permanents[1].controler",
        "unknown field 'controler'; did you mean controller?",
    ),
    (entered(id="w2", card="Opt", controller="Ana", zz="Ana"), "$.permanents[1].zz", "unknown field 'zz'"),
    (entered(card="Opt", controller="Ana"), "$.permanents[1].id", "missing field id"),
    # Values.
    (cast(card=None), "$.card", "null; expected a value, or no such field"),
    (cast(meta=None), "$.meta", "null; expected a value, or no such field"),
    (entered(id="w2", card=None), "$.permanents[1].card", "null; expected a value, or no such field"),
    (cast(player=7), "$.player", "expected str, found int"),
    (cast(card=[]), "$.card", "expected str, found array"),
    (b'{"type":"permanents-entered","permanents":{}}', "$.permanents", "expected array, found object"),
    (b'{"type":"step-began","step":"upkep"}', "$.step", "no such value: 'upkep'; did you mean upkeep?"),
    (b'{"type":"step-began","step":"up\\nkeep"}', "$.step", "no such value: 'up\\nkeep'; did you mean upkeep?"),
    (b'{"type":"step-began","step":"UPKEEP"}', "$.step", "no such value: 'UPKEEP'; did you mean upkeep?"),
    (
        b'{"type":"step-began","step":"zz"}',
        "$.step",
        (
            "no such value: 'zz'; expected untap, upkeep, draw, precombat-main, beginning-of-combat, declare-attackers,"
            " declare-blockers, combat-damage, end-of-combat, postcombat-main, end, cleanup"
        ),
    ),
    (
        entered(id="w2", card="Opt", controller="Ana", face="bcak"),
        "$.permanents[1].face",
        "no such value: 'bcak'; did you mean back?",
    ),
    (cast(player=""), "$.player", "an empty name; expected 1 to 200 characters"),
    (cast(player="a" * 201), "$.player", "a name may have 200 characters"),
    (cast(at="yesterday"), "$.at", "no RFC 3339 time; expected one like 2024-06-07T19:30:00Z"),
    (b'{"type":"turn-began","turn":-1,"active":["Ana"]}', "$.turn", "a negative number; expected 0 or more"),
    (b'{"type":"turn-began","turn":1.5,"active":["Ana"]}', "$.turn", "expected int, found float"),
    # Claims.
    (noted("Ana", ""), "$.says", "nothing is said; expected 1 to 2000 characters"),
    (noted("", "looked"), "$.by", "an empty name; expected 1 to 200 characters"),
    (noted("Ana", "a" * 2001), "$.says", "what somebody says may have 2000 characters"),
    (noted("Ana", "a\nb"), "$.says", "the character U+000A may not stand in what somebody says; put it on one line"),
    (noted("A\x07", "looked"), "$.by", "the character U+0007 may not stand in a name"),
]


@pytest.mark.parametrize(
    "line, path, sentence", REFUSED, ids=[f"{sentence[:40]} {n}" for n, (_, _, sentence) in enumerate(REFUSED)]
)
def test_refused(line: bytes, path: str, sentence: str) -> None:
    """`read_line` raises UnreadableError with exactly this path and sentence."""
    with pytest.raises(UnreadableError) as refusal:
        read_line(line)
    assert (path, sentence) == (refusal.value.path, refusal.value.sentence)


@pytest.mark.parametrize("line", [
    meta(b"[" * 62 + b"]" * 62), meta(b"[" + b",".join([b"[{}]"] * 100) + b"]"), meta(b'"' + b"{[" * 100 + b'"'),
    meta(b"1" * 4300), meta(b"-" + b"1" * 4299), meta(b"1e300"), meta(b"null"), meta(b'"\\ud83d\\ude00"'),
    b" \t" + cast() + b" \r", cast(player="a" * 200), noted("A", "a" * 2000),
])  # fmt: skip
def test_just_not(line: bytes) -> None:
    """A line just within a limit is read, with its meta unchanged."""
    assert read_line(line).meta == json.loads(line).get("meta")
