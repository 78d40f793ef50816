"""Good records, and a way to corrupt them that depends only on the seed."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

__all__ = ["EVERY_EVENT", "excerpt", "mutated", "real_games", "records"]

REPOSITORY = Path(__file__).resolve().parents[2]
REAL_GAMES = REPOSITORY.parent / "shared" / "real-games"
"""A folder of real games beside the repository; often it does not exist."""

EVERY_EVENT = """\
{"type":"game-started","format":1,"game":"every event","players":["Ana","Bo","Zoë"],"edition":"2024-06-07","meta":{"a":[1,-2.5,{"b":null}],"ü":"\\u202e"}}
{"type":"game-joined","possible":["day","night"],"permanents":[{"id":"j","card":"Tavern Ruffian","controller":"Bo","face":"back","phased_out":true}],"forbids":[{"source":"Chains","permanents":["j"]}]}
{"type":"turn-began","turn":4,"active":["Ana"],"at":"2024-06-07T19:30:00Z"}
{"type":"step-began","step":"untap"}
{"type":"step-began","step":"upkeep","note":"nobody was sure\\nthat is all"}
{"type":"permanents-entered","permanents":[{"id":"w","card":"Tavern Ruffian","controller":"Ana"},{"id":"b","card":"Grizzly Bears","controller":"Bo"}]}
{"type":"permanents-entered","permanents":[{"id":"m","card":"Made Up","controller":"Zoë","double_faced":true,"front":{"name":"Made Up","keywords":["daybound"],"types":["Creature"],"subtypes":["Human","Werewolf"],"watches":true},"back":{"name":"Made Down","keywords":["nightbound"],"holds":"night"},"face":"back","without_abilities":"Humility","token":true}]}
{"type":"permanents-entered","permanents":[{"id":"i","card":"Nobody","controller":"Bo","front":{"day_if_neither":true,"permanent":true},"face_down":true,"without_abilities":true}]}
{"type":"spell-cast","player":"Ana","card":"Moonmist","spell":"s1"}
{"type":"spell-copied","player":"Bo","card":"Moonmist"}
{"type":"spells-uncertain","player":"Ana","at_least":0,"at_most":2}
{"type":"control-changed","permanents":["b"],"controller":"Ana"}
{"type":"abilities-lost","permanents":["b","w"],"source":"Humility"}
{"type":"abilities-regained","permanents":["b","w","m"],"source":"Humility"}
{"type":"became-copy","permanents":["b"],"front":{"name":"Clone","keywords":["daybound"],"subtypes":["Werewolf"]}}
{"type":"copy-ended","permanents":["b"]}
{"type":"turned-face-down","permanents":["b"]}
{"type":"turned-face-up","permanents":["b","i"]}
{"type":"phased-out","permanents":["b"]}
{"type":"phased-in","permanents":["b"]}
{"type":"transform-instructed","permanents":["w","m"],"source":"Moonmist","own_since":5}
{"type":"transform-forbidden","permanents":["w"],"source":"Bound by Moonsilver"}
{"type":"effect-resolved","becomes":"switch","source":"The Celestus","only_if":"day"}
{"type":"transform-allowed","source":"Bound by Moonsilver"}
{"type":"designation-claimed","designation":"night","by":"Bo"}
{"type":"face-claimed","permanent":"w","face":"back","by":"arena"}
{"type":"turn-began","turn":6,"active":["Bo"],"skips":["untap","draw"]}
{"type":"phased-out","permanents":["i"]}
{"type":"step-began","step":"untap","phased_in":["i"],"phased_out":["b"],"stays_out":["j"]}
{"type":"tally-claimed","player":"Ana","spells":1,"by":"Bo","turn":4}
{"type":"judge-ruled","designation":"day","by":"Judge","note":"☀"}
{"type":"permanents-left","permanents":["w"],"to":"exile"}
{"type":"game-backed-up","to":29,"by":"Judge","note":"wrong one"}
{"type":"player-left","player":"Zoë","permanents":["m"]}
{"type":"game-restarted"}
{"type":"effect-resolved","becomes":"night"}
{"type":"turn-began","turn":1,"active":["Bo"]}
{"type":"spell-cast","player":"Bo"}
{"type":"game-ended","winner":["Ana","Bo"]}
{"type":"tally-claimed","player":"Bo","spells":1,"by":"Ana"}
{"type":"dispute-opened","dispute":"d1","by":"Bo","about":29}
{"type":"dispute-claimed","dispute":"d1","by":"Zoë","designation":"neither","says":"the ruling was wrong"}
{"type":"dispute-ruled","dispute":"d1","by":"Judge","outcome":"back-up","to":29,"says":"☾"}
{"type":"dispute-appealed","dispute":"d1","by":"Bo"}
{"type":"dispute-ruled","dispute":"d1","by":"Judge","outcome":"fix","designation":"night"}
{"type":"dispute-closed","dispute":"d1","by":"Judge","outcome":"fix"}
{"type":"note-added","by":"Judge","says":"nobody remembered the night","about":29}
""".encode()  # noqa: E501
"""A record with an event of every type."""

TEAMS = b"""\
{"type": "game-started", "format": 1, "game": "teams", "players": ["A", "B", "C", "D"], "teams": [["A", "B"], ["C", "D"]], "edition": "2026-08-07"}
{"type": "permanents-entered", "permanents": [{"id": "1", "card": "Brimstone Vandal", "controller": "C"}, {"id": "2", "card": "Immerwolf", "controller": "D"}]}
{"type": "turn-began", "turn": 1, "active": ["A", "B"]}
{"type": "step-began", "step": "untap"}
{"type": "spell-cast", "player": "C", "card": "Opt", "meta": {"on": {"the": ["other", "team's", "turn"]}}}
{"type": "turn-began", "turn": 2, "active": ["D", "C"]}\r
{"type": "step-began", "step": "untap"}
{"type": "step-began", "step": "draw", "at": "2026-08-07T10:00:00.5+02:00"}
{"type": "player-left", "player": "C"}
{"type": "permanents-left", "permanents": ["1"]}
{"type": "turn-began", "turn": 5, "active": ["D"]}
{"type": "step-began", "step": "untap"}
{"type": "designation-claimed", "designation": "neither", "by": "\\u0044\\ud83c\\udf19"}
"""  # noqa: E501


def real_games() -> dict[str, bytes]:
    """Return the records of the examples, and of real games if there are any, by file name."""
    files = [*sorted(REAL_GAMES.glob("*.jsonl")), *sorted((REPOSITORY / "examples" / "games").glob("*.jsonl"))]
    return {file.name: file.read_bytes() for file in files}


def records() -> dict[str, bytes]:
    """Return all good records, by name: two that are written here, the examples, and real games."""
    return {"every event": EVERY_EVENT, "teams": TEAMS, **real_games()}


def excerpt(record: bytes, rng: random.Random, most: int = 40) -> bytes:
    """Return the first lines of a record, at random 1 to `most`, so that the corruption is often near the end."""
    lines = record.splitlines(keepends=True)
    return b"".join(lines[: rng.randint(1, min(most, len(lines)))])


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return the record with one to three random corruptions; some leave it valid."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(WAYS)(data, rng)
    return data


NASTY = (
    *b"0 -0 -1 1.0 1e0 1E400 -1e400 1e-400 01 9007199254740991 9007199254740992 18446744073709551616".split(),
    *b'NaN Infinity null true false "" "\\u0000" "\\n" "\\ud800" "\\ud83c\\udf1a" "{0}" "{" "}"'.split(),
    *b'[] {} [null] [[]] {"a":1,"a":2} {"a":1,"\\u0061":2} {"\\n":null} {"{x}":1}'.split(),
    *b'"type" "meta" "at" "note" "id" "back" "day" "game-backed-up" "tally-claimed" "spell-cast.2"'.split(),
    *'"\u202e" "\u2066" "\x7f" "\ufeff" \ufeff "2024-02-30T00:00:00Z"'.encode().split(),
    *(b"9" * 400, b"9" * 401, b"-" + b"9" * 5000, b"0." + b"1" * 500),
    *(b'"' + b"x" * 200 + b'"', b'"' + b"x" * 201 + b'"', b'" - at `$.b`"', "\u00a0".encode()),
    *(b"[" * depth + b"]" * depth for depth in (62, 63, 80, 3000)),
    b'{"a":' * 2000 + b"0" + b"}" * 2000,
)
_TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null|[\[\]{},:]')


def _place(data: bytes, rng: random.Random) -> int:
    return rng.randint(0, len(data))


def _other_byte(data: bytes, rng: random.Random) -> bytes:
    place = _place(data, rng)
    return data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]


def _other_bit(data: bytes, rng: random.Random) -> bytes:
    if not data:
        return data
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def _fewer_bytes(data: bytes, rng: random.Random) -> bytes:
    place = _place(data, rng)
    return data[:place] + data[place + rng.choice((1, 1, 2, 3, 10, 50)) :]


def _more_bytes(data: bytes, rng: random.Random) -> bytes:
    place = _place(data, rng)
    more = rng.choice((rng.randbytes(1), rng.randbytes(3), *(b"%c" % byte for byte in b'"\\\n\r \t{],\0')))
    return data[:place] + more + data[place:]


def _unicode(data: bytes, rng: random.Random) -> bytes:
    place = _place(data, rng)
    letter = rng.choice("\x7f\x85\xa0\xe9\u200b\u200e\u2028\u202e\u2066\ufeff\uffff\U0001f31a")
    return data[:place] + rng.choice((letter.encode(), json.dumps(letter)[1:-1].encode())) + data[place:]


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: _place(data, rng)]


def _lines(data: bytes, rng: random.Random, change: Callable[[list[bytes], int, int], None]) -> bytes:
    lines = data.split(b"\n")
    change(lines, rng.randrange(len(lines)), rng.randrange(len(lines)))
    return b"\n".join(lines)


def _swapped_lines(data: bytes, rng: random.Random) -> bytes:
    def change(lines: list[bytes], one: int, other: int) -> None:
        lines[one], lines[other] = lines[other], lines[one]

    return _lines(data, rng, change)


def _line_again(data: bytes, rng: random.Random) -> bytes:
    return _lines(data, rng, lambda lines, one, other: lines.insert(other, lines[one]))


def _line_gone(data: bytes, rng: random.Random) -> bytes:
    return _lines(data, rng, lambda lines, one, _other: lines.__delitem__(one))


def _lines_joined(data: bytes, rng: random.Random) -> bytes:
    def change(lines: list[bytes], one: int, _other: int) -> None:
        lines[one : one + 2] = [b"".join(lines[one : one + 2])]

    return _lines(data, rng, change)


def _other_token(data: bytes, rng: random.Random) -> bytes:
    found = list(_TOKEN.finditer(data))
    if not found:
        return data
    old, new = rng.choice(found), rng.choice(found)[0] if rng.random() < 0.5 else rng.choice(NASTY)
    return data[: old.start()] + new + data[old.end() :]


def _other_number(data: bytes, rng: random.Random) -> bytes:
    found = list(re.finditer(rb"[0-9]+", data))
    if not found:
        return data
    old = rng.choice(found)
    new = b"%d" % max(0, min(int(old[0][:9]), 10**6) + rng.choice((-2, -1, 1, 2, 10)))
    return data[: old.start()] + new + data[old.end() :]


def _other_writing(data: bytes, rng: random.Random) -> bytes:
    """Return the record with one line in another JSON style, often with a field removed, added or changed too."""
    lines = data.split(b"\n")
    place = rng.randrange(len(lines))
    try:
        fields = json.loads(lines[place])
        keys = list(fields)
        match rng.randrange(6):
            case 0:
                del fields[rng.choice(keys)]
            case 1:
                fields[rng.choice(("card", "source", "at", "note", "turn", "Type"))] = None
            case 2:
                fields["meta"] = {"a": rng.choice(keys), "\n{0}": [[], {}, 1e5, 10**20]}
            case 3:
                fields[rng.choice(keys)] = rng.choice((0, 1.0, True, "Ana", ["Ana"], {}, {"\n": None}, "\x1b"))
        line = json.dumps(fields, ensure_ascii=rng.random() < 0.5, sort_keys=rng.random() < 0.5)
    except (ValueError, TypeError, IndexError, RecursionError):
        return data
    lines[place] = line.encode() + rng.choice((b"", b"", b"\r", b" "))
    return b"\n".join(lines)


def _other_ends(data: bytes, rng: random.Random) -> bytes:
    return data.replace(b"\n", rng.choice((b"\r\n", b" \n", b"\n\n", b"\r")), rng.choice((1, 2, -1)))


WAYS = (
    *(_other_byte, _other_bit, _fewer_bytes, _more_bytes, _unicode, _cut, _other_ends),
    *(_swapped_lines, _line_again, _line_gone, _lines_joined),
    *(_other_token, _other_token, _other_token, _other_number, _other_writing, _other_writing),
)
