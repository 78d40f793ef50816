"""Records that must be refused, each with the line, the path and a part of the sentence.

These lines are invalid anywhere; `impossible` has valid lines that are impossible at their place.
"""

import gzip
import json

from .impossible import IMPOSSIBLE
from .lines import (
    BEARS,
    MIB,
    OPENING,
    RESTART,
    TURN,
    WOLF,
    Line,
    Malformed,
    at,
    bad,
    cast,
    data,
    entered,
    event,
    meta,
    played,
    second,
    started,
    stretched,
    turn,
)

__all__ = ["MALFORMED", "RUDE"]

BYTES = {
    "not UTF-8": second("$", "not UTF-8 at byte 32", cast(b"\xff")),
    "Latin-1": second("$", "not UTF-8", cast("Zoë".encode("latin-1"))),
    "overlong UTF-8": second("$", "not UTF-8", cast(b"\xc0\x80")),
    "a surrogate as UTF-8": second("$", "not UTF-8", cast(b"\xed\xa0\x80")),
    "beyond Unicode": second("$", "not UTF-8", cast(b"\xf4\x90\x80\x80")),
    "UTF-8 cut off": second("$", "not UTF-8", cast(b"\xe2\x82")),
    "UTF-8 cut off by the end of the file": Malformed(data(OPENING) + b"\xe2\x82", 2, "$", "not UTF-8"),
    "UTF-16": Malformed(data(OPENING).decode().encode("utf-16"), 1, "$", "not UTF-8"),
    "a byte order mark": Malformed(b"\xef\xbb\xbf" + data(OPENING), 1, "$", "byte order mark"),
    "a byte order mark on line 2": second("$", "byte order mark", b"\xef\xbb\xbf" + RESTART),
    "an empty file": Malformed(b"", 1, "$", "empty record"),
    "only a line feed": Malformed(b"\n", 1, "$", "empty line"),
    "only CRLF": Malformed(b"\r\n", 1, "$", "empty line"),
    "a blank line first": Malformed(b"\n" + data(OPENING), 1, "$", "empty line"),
    "a blank line between": bad("$", "empty line", OPENING, b"", TURN, line=2),
    "a blank line last": bad("$", "empty line", OPENING, TURN, b""),
    "a line of spaces": bad("$", "empty line", OPENING, b" \t ", TURN, line=2),
    "a line of spaces last, without line feed": Malformed(data(OPENING) + b"  ", 2, "$", "empty line"),
    "a blank line between, CRLF": bad("$", "empty line", OPENING, b"\r", TURN, line=2),
    "a form feed": second("$", "not JSON", b"\x0c"),
    "a no-break space before the event": second("$", "not JSON", "\u00a0".encode() + RESTART),
    "a NUL after the event": second("$", "not JSON", RESTART + b"\0"),
    "a line of 1 MiB and 1": second("$", "1048576 bytes", stretched(MIB + 1)),
    "a line of 3 MiB": second("$", "1048576 bytes", stretched(3 * MIB)),
    "a line of 3 MiB without line feed": Malformed(data(OPENING) + b"x" * 3 * MIB, 2, "$", "1048576 bytes"),
    "gzip cut off": Malformed(gzip.compress(data(OPENING, TURN), mtime=0)[:20], 1, "$", "damaged gzip"),
    "gzip, its head alone": Malformed(b"\x1f\x8b", 1, "$", "damaged gzip"),
    "gzip of another method": Malformed(b"\x1f\x8b\x07" + b"\0" * 20, 1, "$", "damaged gzip"),
    "gzip with a damaged block": Malformed(
        gzip.compress(data(OPENING), mtime=0)[:10] + b"\xff" * 30, 1, "$", "damaged gzip"
    ),
    "gzip inside gzip": Malformed(gzip.compress(gzip.compress(data(OPENING))), 1, "$", "not UTF-8"),
    "gzip of nothing": Malformed(gzip.compress(b""), 1, "$", "empty record"),
    "gzip of one huge line": Malformed(
        gzip.compress(data(OPENING) + b"[" * 32 * MIB, compresslevel=1), 2, "$", "1048576 bytes"
    ),
}

JSON = {
    "not JSON": second("$", "not JSON", b"it is night"),
    "a trailing comma": second("$", "not JSON", b'{"type":"game-restarted",}'),
    "a comment": second("$", "not JSON", RESTART + b" // again"),
    "single quotes": second("$", "not JSON", b"{'type':'game-restarted'}"),
    "an object cut off": second("$", "not JSON", b'{"type":"game-restarted"'),
    "a string cut off": second("$", "not JSON", b'{"type":"game-restarted'),
    "a raw tab in a name": second("$", "not JSON", cast(b"A\tna")),
    "a raw tab in a note": second("$", "not JSON", b'{"type":"game-restarted","note":"a\tb"}'),
    "a raw carriage return in a note": second("$", "not JSON", b'{"type":"game-restarted","note":"a\rb"}'),
    "an escape that is none": second("$", "not JSON", cast(b"\\x41")),
    "a number with a leading zero": second("$", "not JSON", meta(b"01")),
    "a number with a plus": second("$", "not JSON", meta(b"+1")),
    "a number without digits after the point": second("$", "not JSON", meta(b"1.")),
    "NaN": second("$", "NaN is not JSON", meta(b"NaN")),
    "Infinity": second("$", "Infinity is not JSON", meta(b"Infinity")),
    "minus Infinity": second("$", "-Infinity is not JSON", meta(b"-Infinity")),
    "NaN for a turn": second("$", "NaN is not JSON", b'{"type":"turn-began","turn":NaN,"active":["Ana"]}'),
    "1e999": second("$", "out of range", meta(b"1e999")), "-1e999": second("$", "out of range", meta(b"[-1e999]")),
    "a fraction of 400 digits before its point": second("$", "out of range", meta(b"9" * 400 + b".5")),
    "4301 digits": second("$", "4300 digits", meta(b"9" * 4301)),
    "minus and 5000 digits": second("$", "digits", meta(b"-" + b"9" * 5000)),
    "4301 digits among others": second("$", "4300 digits", meta(b"[1.5," + b"1" * 4301 + b"]")),
    "a million digits": second("$", "digits", meta(b"9" * 1_000_000)),
    "nesting 65, lists": second("$", "nested more than 64", meta(b"[" * 63 + b"]" * 63)),
    "nesting 65, objects": second("$", "nested more than 64", meta(b'{"a":' * 63 + b"1" + b"}" * 63)),
    "nesting 2000": second("$", "nested more than 64", meta(b"[" * 2000 + b"]" * 2000)),
    "nesting 100000": second("$", "nested more than 64", meta(b"[" * 100_000 + b"]" * 100_000)),
    "nesting 100000, left open": second("$", "nested more than 64", b"[" * 100_000),
    "a key twice": second("$", "'player' stands twice", b'{"type":"player-left","player":"Bo","player":"Bo"}'),
    "type twice": second("$", "'type' stands twice", b'{"type":"game-restarted","type":"game-restarted"}'),
    "a key twice, once as an escape": second(
        "$", "'type' stands twice", b'{"type":"game-restarted","\\u0074ype":"game-restarted"}',
    ),
    "a key twice in a permanent": second(
        "$", "'id' stands twice",
        b'{"type":"permanents-entered","permanents":[{"id":"a","id":"b","card":"c","controller":"Ana"}]}',
    ),
    "a key twice in a face": second(
        "$", "'watches' stands twice",
        b'{"type":"became-copy","permanents":[],"front":{"watches":true,"watches":false}}',
    ),
    "a key twice in meta": second("$", "'b' stands twice", meta(b'{"b":1,"b":1}')),
    "a key twice deep in meta": second("$", "'b' stands twice", meta(b'[[{"b":[],"b":[]}]]')),
    "a key twice in meta, once as an escape": second("$", "'b' stands twice", meta(b'{"b":1,"\\u0062":1}')),
    "two events on one line": second("$", "not JSON", RESTART + RESTART),
    "two events on one line, a space between": second("$", "not JSON", RESTART + b" " + RESTART),
    "two events on one line, a carriage return between": second("$", "not JSON", RESTART + b"\r" + RESTART),
    "one event over two lines": bad("$", "not JSON", OPENING, b'{"type":', b'"game-restarted"}', line=2),
    "one event over two lines, another joined": bad(
        "$", "not JSON", OPENING, RESTART + b'{"type":', b'"game-restarted"}', line=2,
    ),
    "an array": second("$", "found array", b"[" + RESTART + b"]"),
    "a string": second("$", "found string", b'"game-restarted"'), "a number": second("$", "found number", b"1"),
    "null": second("$", "found null", b"null"), "true": second("$", "found bool", b"true"),
}  # fmt: skip

TAGS = {
    "no type": second("$", "missing field type", {"player": "Ana"}),
    "an empty object": second("$", "missing field type", b"{}"),
    "a number for a tag": second("$.type", "found number", {"type": 1}),
    "null for a tag": second("$.type", "found null", {"type": None}),
    "a list for a tag": second("$.type", "found array", {"type": ["game-restarted"]}),
    "a newer tag": second("$.type", "newer", event("spell-cast.2", player="Ana")),
    "a much newer tag": second("$.type", "newer", event("game-started.17")),
    "a foreign tag": second("$.type", "foreign", event("life-changed", player="Ana")),
    "a foreign tag with a version": second("$.type", "foreign", event("life-changed.2")),
    "a tag in capitals": second("$.type", "foreign", event("Spell-Cast", player="Ana")),
    "an empty tag": second("$.type", "foreign", {"type": ""}),
    "a tag with a line feed": second("$.type", "foreign", event("spell\ncast")),
    "a tag with braces": second("$.type", "foreign", event("{tags}{0}{")),
    "the newer of a foreign opening": bad("$.type", "newer", {**OPENING, "type": "game-started.2"}),
}

FIELDS = {
    "an unknown field": second("$.life", "unknown field 'life'", event("player-left", player="Bo", life=1)),
    "an unknown field with braces": second("$.{0}", "unknown field", event("player-left", player="Bo", **{"{0}": 1})),
    "an unknown field in a permanent": second(
        "$.permanents[1].power", "unknown field 'power'", entered(BEARS, {**WOLF, "power": 2}),
    ),
    "an unknown field in a permanent, with braces": second("$.permanents[0].{0}", "{0}", entered({**WOLF, "{0}": 2})),
    "an unknown field in a face": second(
        "$.permanents[0].front.power", "'power'", entered({**BEARS, "front": {"power": 2}}),
    ),
    "a field of a face that is nearly one": second(
        "$.front.keyword", "did you mean keywords?", event("became-copy", permanents=[], front={"keyword": []}),
    ),
    "a missing field": second("$.player", "missing field player", event("spell-cast")),
    "a missing field in a permanent": second(
        "$.permanents[0].controller", "missing field controller", entered({"id": "b", "card": "c"}),
    ),
    "a string for a number": second("$.turn", "expected int, found str", turn("1")),
    "true for a number": second("$.turn", "expected int, found bool", turn(True)),
    "1.0 for a number": second("$.turn", "expected int, found float", turn(1.0)),
    "1e0 for a number": second(
        "$.turn", "expected int, found float", b'{"type":"turn-began","turn":1e0,"active":["Ana"]}',
    ),
    "1.0 for the format": bad("$.format", "expected int, found float", started(format=1.0)),
    "true for the format": bad("$.format", "expected int, found bool", started(format=True)),
    "another format": bad("$.format", "no such value: 2", started(format=2)),
    "a string for a list": second("$.active", "found str", event("turn-began", turn=1, active="Ana")),
    "a list for a string": second("$.player", "found array", event("player-left", player=["Bo"])),
    "an object for a string": second("$.player", "found object", event("player-left", player={})),
    "a number in a list of names": second("$.active[1]", "found int", turn(1, "Ana", 7)),
    "null in a list of names": second("$.active[1]", "null", turn(1, "Ana", None)),
    "a number for true": second("$.permanents[0].token", "expected bool", entered({**BEARS, "token": 1})),
    "a number for what takes abilities": second(
        "$.permanents[0].without_abilities", "expected bool | str", entered({**BEARS, "without_abilities": 1}),
    ),
    "a number for a note": second("$.note", "found int", event("game-restarted", note=1)),
    "a list for meta": second("$.meta", "found array", event("game-restarted", meta=[])),
    "null for meta": second("$.meta", "null", event("game-restarted", meta=None)),
    "null for a card": second("$.card", "null", event("spell-cast", player="Ana", card=None)),
    "null for a note": second("$.note", "null", event("game-restarted", note=None)),
    "null for a time": second("$.at", "null", at(None)), "null for teams": bad("$.teams", "null", started(teams=None)),
    "null for an edition": bad("$.edition", "null", started(edition=None)),
    "null for a front": second("$.permanents[1].front", "null", entered(BEARS, {**WOLF, "front": None})),
    "null for a face's name": second("$.permanents[0].front.name", "null", entered({**BEARS, "front": {"name": None}})),
    "null for what takes abilities": second(
        "$.permanents[0].without_abilities", "null", entered({**BEARS, "without_abilities": None}),
    ),
    "null for a number": second("$.turn", "null", turn(None)),
    "no such step": second("$.step", "'combat'", event("step-began", step="combat")),
    "a step that is nearly one": second(
        "$.step", "no such value: 'upkep'; did you mean upkeep?", event("step-began", step="upkep"),
    ),
    "no such step, with braces": second("$.step", "{0}", event("step-began", step="{0}")),
    "no such step, with a brace": second("$.step", "{", event("step-began", step="{")),
    "no such step, with a line feed": second("$.step", "no such value", event("step-began", step="end\n")),
    "no such keyword": second(
        "$.permanents[0].front.keywords[0]", "'flying'", entered({**BEARS, "front": {"keywords": ["flying"]}}),
    ),
    "a keyword that is nearly one": second(
        "$.permanents[0].front.keywords[0]", "no such value: 'dayboud'; did you mean daybound?",
        entered({**BEARS, "front": {"keywords": ["dayboud"]}}),
    ),
    "a hold that is nearly one": second(
        "$.front.holds", "'nigth'; did you mean night?", event("became-copy", permanents=[], front={"holds": "nigth"}),
    ),
    "a face that is nearly one": second(
        "$.permanents[0].face", "'bakc'; did you mean back?", entered({**BEARS, "face": "bakc"}),
    ),
    "a step in a list that is nearly one": second(
        "$.skips[1]", "'untapp'; did you mean untap?",
        event("turn-began", turn=1, active=["Ana"], skips=["draw", "untapp"]),
    ),
    "no such hold": second("$.front.holds", "'day'", event("became-copy", permanents=[], front={"holds": "day"})),
    "it becomes neither": second("$.becomes", "'neither'", event("effect-resolved", becomes="neither")),
    "a ruling for dusk": second("$.designation", "'dusk'", event("judge-ruled", designation="dusk", by="J")),
    "face down for a face": second("$.face", "'down'", event("face-claimed", permanent="b", face="down", by="Ana")),
    "a negative turn": second("$.turn", "negative", turn(-1)),
    "negative counts": played("$.spells", "negative", event("tally-claimed", player="Ana", spells=-1, by="Bo")),
    "a negative doubt": played("$.at_least", "negative", event("spells-uncertain", player="Ana", at_least=-1)),
    "2 ** 53": second("$.turn", "9007199254740991", turn(2**53)),
    "2 ** 64": second("$.turn", "9007199254740991", turn(2**64)),
    "a turn of 400 digits": second("$.turn", "9007199254740991", turn(int("9" * 400))),
    "no time": second("$.at", "no RFC 3339 time", at("yesterday")),
    "an empty time": second("$.at", "no RFC 3339 time", at("")),
    "a date": second("$.at", "no RFC 3339 time", at("2024-06-07")),
    "a time without its offset": second("$.at", "no RFC 3339 time", at("2024-06-07T19:30:00")),
    "30 February": second("$.at", "no RFC 3339 time", at("2024-02-30T00:00:00Z")),
    "24 o'clock": second("$.at", "no RFC 3339 time", at("2024-06-07T24:00:00Z")),
    "an offset of a whole day": second("$.at", "no RFC 3339 time", at("2024-06-07T19:30:00+24:00")),
    "an offset without its colon": second("$.at", "no RFC 3339 time", at("2024-06-07T19:30:00+0200")),
    "29 February of a year without one": second("$.at", "no RFC 3339 time", at("1900-02-29T00:00:00Z")),
    "a time and a line feed": second("$.at", "no RFC 3339 time", at("2024-06-07T19:30:00Z\n")),
    "a time in other digits": second("$.at", "no RFC 3339 time", at("２０２４-06-07T19:30:00Z")),
    "a number for a time": second("$.at", "found int", at(1717788600)),
    "a time with braces and a line feed": second("$.at", "no RFC 3339 time", at("{0}\n{")),
}  # fmt: skip

NAMES = {
    "an empty name": second("$.player", "empty name", cast(b"")),
    "an empty name in a list": second("$.active[0]", "empty name", turn(1, "")),
    "a name of 201": second("$.player", "200 characters", cast(b"x" * 201)),
    "a name of 201 letters of two bytes": second("$.player", "200 characters", cast("é".encode() * 201)),
    "a name of 201 escaped letters": second("$.player", "200 characters", cast(b"\\ud83c\\udf1a" * 201)),
    "a permanent's name of 201": second("$.permanents[0].id", "200", entered({**BEARS, "id": "b" * 201})),
    "a type's name of 201": second(
        "$.front.types[1]", "200", event("became-copy", permanents=[], front={"types": ["a", "x" * 201]})
    ),
    "DEL, raw": second("$.player", "U+007F", cast(b"A\x7f")),
    "DEL, escaped": second("$.player", "U+007F", cast(b"A\\u007f")),
    "NUL, escaped": second("$.player", "U+0000", cast(b"A\\u0000")),
    "a line feed, escaped": second("$.player", "U+000A", cast(b"A\\nB")),
    "an escape character": second("$.player", "U+001B", cast(b"\\u001b[31mA")),
    "a C1 control, raw": second("$.player", "U+0085", cast("\x85".encode())),
    "a bidi override, raw": second("$.player", "U+202E", cast("\u202eanA".encode())),
    "a bidi override, escaped": second("$.player", "U+202E", cast(b"\\u202eanA")),
    "a bidi isolate": second("$.player", "U+2066", cast("\u2066A\u2069".encode())),
    "a bidi mark": second("$.player", "U+200E", cast("\u200eA".encode())),
    "an Arabic letter mark": second("$.player", "U+061C", cast("\u061cA".encode())),
    "a line separator": second("$.player", "U+2028", cast("A\u2028B".encode())),
    "a high surrogate, escaped": second("$", "surrogate", cast(b"A\\ud800")),
    "a high surrogate, escaped, before a letter": second("$", "surrogate", cast(b"\\ud800 Ana Ana")),
    "a low surrogate, escaped": second("$", "surrogate", cast(b"A\\udc00 Ana")),
    "two high surrogates": second("$", "surrogate", cast(b"\\ud83c\\ud83c")),
    "a control in a permanent's name": second("$.permanents[0].id", "U+0009", entered({**BEARS, "id": "b\t"})),
    "a control in a card's name": second("$.permanents[0].card", "U+0007", entered({**BEARS, "card": "\a"})),
    "a control in what takes abilities": second(
        "$.permanents[0].without_abilities", "U+0007", entered({**BEARS, "without_abilities": "\a"})
    ),
    "a control in a face's name": second(
        "$.permanents[1].back.subtypes[0]", "U+0000", entered(BEARS, {**WOLF, "back": {"subtypes": ["\0"]}})
    ),
    "a control in a player's name": bad("$.players[1]", "U+000D", started(players=["Ana", "Bo\r"])),
    "a control in a team": bad("$.teams[1][0]", "U+000D", started(teams=[["Ana"], ["Bo\r"]])),
    "a control in the game's name": bad("$.game", "U+000A", started(game="g\n")),
    "a control in who claims": second("$.by", "U+202E", event("judge-ruled", designation="day", by="\u202e")),
    "a control in a source": second("$.source", "U+2029", event("transform-allowed", source="\u2029")),
}

BRACES = ("{", "}", "{}", "{0}", "{x}", "{0.__class__}", "{{", "%s", "`", " - at `$.x`", "\\")
CONTROLS = ("\n", "\r", "\x00", "\x1b[2J", "\x7f", "\x85", "\u2028", "\u202e", "x" * 100_000, "9" * 100_000)


def _rude(text: str) -> dict[str, Line]:
    return {
        "tag": {"type": text}, "newer tag": {"type": f"{text}.2"}, "version of a tag": {"type": f"spell-cast.{text}"},
        "field": event("player-left", player="Bo", **{text: 1}),
        "field that is null": event("player-left", player="Bo", **{text: None}),
        "field of a permanent": entered({**BEARS, text: 1}),
        "field of a permanent that is null": entered({**BEARS, text: None}),
        "field of a face": entered({**BEARS, "front": {text: []}}),
        "field of an object in the place of a string": event("player-left", player={text: {text: None}}),
        "field of an object in the place of a list": turn({text: None}), "step": event("step-began", step=text),
        "keyword": entered({**BEARS, "front": {"keywords": [text]}}), "player": event("player-left", player=text),
        "permanent": event("copy-ended", permanents=[text]), "edition": started(edition=text), "time": at(text),
        "format": started(format=text),
        "key that stands twice": b'{"type":"game-restarted","meta":{%b:1,%b:2}}' % ((json.dumps(text).encode(),) * 2),
        "line": text.replace("\n", " ").encode(), "name in bytes": cast(text.replace("\n", "").encode()),
    }  # fmt: skip


RUDE: dict[str, list[bytes]] = {
    place: [data(OPENING, _rude(text)[place]) for text in (*BRACES, *CONTROLS)] for place in _rude("a")
}
"""Records with braces, control characters or very long text, by the place of that text in line 2.

If such a record is refused, the message must be one short printable line.
"""

MALFORMED: dict[str, Malformed] = {**BYTES, **JSON, **TAGS, **FIELDS, **NAMES, **IMPOSSIBLE}
"""Every bad record that has an expected refusal, by a name for its fault."""
