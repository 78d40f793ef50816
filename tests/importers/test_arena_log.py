"""Arena's log as a file: the format of its lines, missing parts, and the reports about them.

| promise | test |
| --- | --- |
| line ends, prefixes, spaces, grouping and line breaks do not change the messages | test_framing |
| an unreadable message line is skipped and named; the rest is read | test_skipped |
| a game may begin in one log and go on in the next | test_two_logs |
| a game without a whole state is read from the next turn on | test_headless |
| a truncated game is reported, at the end of a log or before the next game | test_truncated |
| reading can restart from the saved place of a game's beginning | test_begun_again |
| the same game twice, in one log or in two different ones, is read once | test_twice, test_twice_in_two_logs |
| a log without messages is an error with advice | test_silent |
| queued states are read like others | test_queued |
| every kind of cast is recognised, and nothing else | test_casts |
| every step is known by its number, and the winner by the game's own result | test_steps, test_winners |
| a copy of a spell is not a cast | test_copied |
| the format is recognised by its content | test_detect |
| time is Arena's, in milliseconds or ticks | test_time |
"""

import gzip
import io
import json

import pytest

from daynight.framework.language.codec import encode_lines
from daynight.framework.language.errors import UnreadableError
from daynight.importers.arena.log import IMPORTER, detect
from daynight.importers.importing import Import
from daynight.importers.sources import Source
from tests.importers.arena_logs import OPT, STACK, Game, Log, day_and_night, note
from tests.importers.arena_reading import casts, played


def messages(log):
    return [json.loads(line) for line in log.lines if line.startswith("{")]


def packed(log, number):
    """Return the same messages, `number` of them on each line."""
    all = [each for line in messages(log) for each in line["greToClientEvent"]["greToClientMessages"]]
    lines = [
        {"timestamp": "1771790436366", "greToClientEvent": {"greToClientMessages": all[at : at + number]}}
        for at in range(0, len(all), number)
    ]
    return "\n".join(json.dumps(line) for line in lines).encode()


def two(log):
    """Return the lines of JSON in pairs, two on a line."""
    lines = [line for line in log.lines if line.startswith("{")]
    return "\n".join(" ".join(lines[at : at + 2]) for at in range(0, len(lines), 2)).encode()


FRAMINGS = {
    "line feeds": lambda log: log.bytes().replace(b"\r\n", b"\n"),
    "no spaces": lambda log: played(spaced=False).bytes(),
    "no headers": lambda log: "\n".join(line for line in log.lines if line.startswith("{")).encode(),
    "the header on the same line": lambda log: log.bytes().replace(b"GreToClientEvent\r\n{", b"GreToClientEvent {"),
    "an object in the header": lambda log: log.bytes().replace(b"GreToClientEvent\r\n{", b'{"a":1} {'),
    "two objects a line": two,
    "several messages a line": lambda log: packed(log, 7),
    "spread over lines": lambda log: "\n".join(json.dumps(each, indent=2) for each in messages(log)).encode(),
    "spread, the message's name first": lambda log: "\n".join(
        json.dumps({"greToClientEvent": each["greToClientEvent"]}, indent=1).replace("{\n ", "{ ", 1)
        for each in messages(log)
    ).encode(),
    "a byte order mark": lambda log: b"\xef\xbb\xbf" + log.bytes(),
    "gzip": lambda log: gzip.compress(log.bytes()),
    "bytes that are no text": lambda log: log.bytes().replace(b"Initialize", b"\xff\xfe\x80\x81"),
    "comments and blank lines": lambda log: log.bytes().replace(b"[Unity", b"# a comment\n\n\r\n[Unity"),
    "a last line without an end": lambda log: log.bytes().rstrip(),
    "unknown fields": lambda log: log.bytes().replace(b'"requestId": 2', b'"new": {"a": [1, null]}, "requestId": 2'),
    "queued": lambda log: log.bytes().replace(b"_GameStateMessage", b"_QueuedGameStateMessage"),
}  # fmt: skip


@pytest.mark.parametrize("framing", FRAMINGS)
def test_framing(read, framing):
    """The events equal those of the plain log, except for times and lines where these were changed."""

    def timeless(events):
        return [{key: value for key, value in event.items() if key not in ("at", "edition")} for event in events]

    log = played()
    found = read(FRAMINGS[framing](log))
    assert timeless(read(log.bytes()).events()) == timeless(found.events())
    assert ({}, 0) == (found.kinds, found.report.skipped)


@pytest.mark.parametrize("spoilt", [
    lambda line: line[: len(line) // 2],
    lambda line: line.replace(b'"type": "GameStateType', b'"type": 7, "x": "GameStateType'),
    lambda line: line.replace(b'"greToClientMessages": [', b'"greToClientMessages": [[['),
    lambda line: line.replace(b'"gameStateId": ', b'"gameStateId": 9' + b"9" * 400),
    lambda line: line.replace(b"Seat", b"\xff\xff").replace(b"GameStateType_", b"\xc3\x28"),
    lambda line: b'{"greToClientEvent": {',
    lambda line: line[: line.index(b",", line.index(b"greTo")) + 1],
    lambda line: b'{"greToClientEvent": ' + b"[" * 100_000,
    lambda line: b'{"greToClientEvent": ' + b'{"a":' * 100_000,
])  # fmt: skip
def test_skipped(read, spoilt):
    """One unreadable state is skipped, and the chain has a gap."""
    lines = played().bytes().split(b"\r\n")
    place = next(number for number, line in enumerate(lines) if b"CastSpell" in line)
    lines[place] = spoilt(lines[place])
    found = read(b"\r\n".join(lines))
    assert [("log-1", place + 1)] == [(source, line) for source, line, _sentence in found.report.lines]
    assert 1 == found.kinds["gap"]
    assert "301" in casts(found.events())
    assert "300" not in casts(found.events())


def test_two_logs(read):
    """A log is split into two files: the events are those of the whole log, and each names its file."""
    log = played()
    lines = log.bytes().splitlines(keepends=True)
    half = len(lines) // 2
    whole = read(log.bytes())
    found = read(b"".join(lines[:half]), b"".join(lines[half:]))
    assert whole.events() == found.events()
    assert {1, 2} == {event.meta["source"].get("file", 1) for event in found.games[0].events}


def test_headless(read):
    """A game without its beginning is read from the next turn on, and the next game completely."""
    lines = played().bytes().splitlines(keepends=True)
    half = len(lines) // 2
    other = Log()
    day_and_night(Game(other, match="c3d4"))
    found = read(b"".join(lines[half:]) + other.bytes())
    assert ["c3d4-G1"] == [game.name for game in found.games][1:]
    assert {"headless": 1, "joined": 1, "unheld": 1} == found.kinds
    assert "Give that log first" in found.report.warnings["headless"].sentence


def test_begun_again(read):
    """An import that starts at the saved place reads the last game completely, and no earlier game."""
    log = played()
    day_and_night(Game(log, number=2))
    running = Import(IMPORTER)
    whole = [encode_lines(game.events) for game in running.games([Source("x", io.BytesIO(log.bytes()))])]
    again = Import(IMPORTER)
    games = list(again.games([Source("x", io.BytesIO(log.bytes()), start=running.place)]))
    assert whole[1:] == [encode_lines(game.events) for game in games]
    assert running.place == again.place


def test_truncated(read):
    """A game whose log ends in turn 1, or that another game follows, is reported as truncated."""
    log = Log()
    Game(log, match="c3d4").begin()
    Game(log).begin()
    found = read(log.bytes())
    assert [True, False] == [game.finished for game in found.games]
    assert [{"truncated": 1}, {"truncated": 1}] == [game.report.warnings for game in found.games]
    assert 2 == found.kinds["truncated"]


def test_twice(read):
    """The same log is given twice: each of its games is read once."""
    log = played()
    day_and_night(Game(log, number=2))
    found = read(log.bytes(), log.bytes())
    assert ["a1b2-G1", "a1b2-G2"] == [game.name for game in found.games]
    assert read(log.bytes()).events(1) == found.events(1)


def test_twice_in_two_logs(read):
    """The same game is in two logs that are written differently: it is read once, with the events of the first log."""
    first, other = played(), played(ending="\n", spaced=False)
    found = read(first.bytes(), other.bytes())
    assert ["a1b2-G1"] == [game.name for game in found.games]
    assert read(first.bytes()).events() == found.events()
    day_and_night(Game(other, number=2))
    assert ["a1b2-G1", "a1b2-G2"] == [game.name for game in read(first.bytes(), other.bytes()).games]


@pytest.mark.parametrize("data", [b"", b"\n", b"DETAILED LOGS: ENABLED\n", b"[UnityCrossThreadLogger]\n" * 50])
def test_silent(read, data):
    """A log without a game raises UnreadableError, with the advice which log to give."""
    with pytest.raises(UnreadableError, match=r"no game in this log: .*give the log of a session"):
        read(data)


def test_silent_beside_another(read):
    """A log without a game, beside one with a game, is only noted."""
    found = read(b"DETAILED LOGS: DISABLED\n", played().bytes())
    assert (1, {"empty": 1}) == (len(found.games), found.kinds)


def test_utf_16(read):
    """Text in UTF-16 raises UnreadableError, which names the encoding."""
    with pytest.raises(UnreadableError, match="UTF-16"):
        read(played().bytes().decode().encode("utf-16"))


def test_damaged_gzip(read):
    """Of a cut gzip file the readable beginning is imported, and a warning reports the damage."""
    data = gzip.compress(played().bytes() * 3)
    found = read(data[: len(data) // 2])
    assert (1, "a1b2-G1") == (found.kinds["damaged"], found.games[0].name)


def test_queued(read, game):
    """A cast in a queued state is recorded as a cast."""
    spell = game.shown(500, OPT, STACK, 2)
    cast = note("UserActionTaken", [500], 2, actionType=1, abilityGrpId=0)
    game.send(kind="QueuedGameStateMessage", gameObjects=[spell], annotations=[cast])
    (event,) = [event for event in read(game.log.bytes()).events() if event["type"] == "spell-cast"]
    assert {"type": "spell-cast", "player": "Seat 2", "card": "Opt", "spell": "500"} == event


@pytest.mark.parametrize("action", range(30))
def test_casts(read, game, action):
    """Casts are spells, split halves, adventures, modal sides, prototypes, rooms, omens; not lands, abilities,
    payments."""
    game.cast(2, OPT, action=action)
    assert (["300"] if action in {1, 10, 11, 16, 18, 21, 22, 23, 24} else []) == casts(read(game.log.bytes()).events())


def test_steps(read, game):
    """Arena's numbers of phase and step give the step; first strike is combat damage. The beginning of the combat phase
    or of the ending phase gives no step."""
    numbers = [(1, 3), (2, 0), (3, 0), (3, 4), (3, 5), (3, 6), (3, 11), (3, 7), (3, 8), (4, 0), (5, 0), (5, 9), (5, 10)]
    game.send(annotations=[note("PhaseOrStepModified", [1], phase=phase, step=step) for phase, step in numbers])
    steps = [event["step"] for event in read(game.log.bytes()).events() if event["type"] == "step-began"]
    expected = (
        "untap upkeep precombat-main draw precombat-main beginning-of-combat declare-attackers declare-blockers"
        " combat-damage combat-damage end-of-combat postcombat-main end cleanup"
    )
    assert expected.split() == steps


def test_winners(read):
    """The winner is the one of this game; if the list has only results of earlier games, none is recorded."""
    log = Log()
    game = Game(log, number=2)
    game.begin()
    game.over(2)
    assert ["Seat 2"] == read(log.bytes()).events()[-1]["winner"]
    assert "winner" not in read(log.bytes().replace(b'}, {"scope"', b'}, {"other"')).events()[-1]


def test_copied(read, game):
    """A copy comes onto the stack without a user's action: it is recorded as a copy, not as a cast."""
    copy = note("ZoneTransfer", [600], 500, zone_src=STACK, zone_dest=STACK, category="Copy")
    game.send(gameObjects=[game.shown(600, OPT, STACK, 2, isCopy=True)], annotations=[copy])
    found = read(game.log.bytes())
    assert {"type": "spell-copied", "player": "Seat 2", "card": "Opt", "spell": "600"} == found.events()[-1]


@pytest.mark.parametrize("seat", [0, 3, -1, 2**60])
def test_nobody(read, game, seat):
    """For a cast or a turn of a seat that is not in the game, there is a warning, and no cast is recorded."""
    game.cast(seat, OPT) if abs(seat) < 2**53 else None
    game.send(annotations=[note("NewTurnStarted", [seat % 2**50 + 5], seat % 2**50 + 5)])
    found = read(game.log.bytes())
    assert [] == casts(found.events())
    assert found.kinds["nobody"]


@pytest.mark.parametrize("head, known", [
    (b'{"greToClientEvent": {', True), (b"DETAILED LOGS: DISABLED\n", True),
    (b"x\n[UnityCrossThreadLogger]1/2/2024\n", True),
    (b"Mono path[0] = 'C:/Program Files/Wizards of the Coast/MTGA/MTGA_Data/Managed'\n", True),
    (b'{"type": "game-started", "format": 1}\n', False), (b"game friday\nplayers Ana, Bo\n", False), (b"", False),
])  # fmt: skip
def test_detect(head, known):
    """`detect` recognises Arena's log by the first bytes of the file alone."""
    assert known is detect(head)


@pytest.mark.parametrize("stamp, at", [
    ('"1771790431366"', "2026-02-22T20:00:31Z"), ("1771790431366", "2026-02-22T20:00:31Z"),
    ('"639073872313660000"', "2026-02-22T20:00:31Z"), ('"-5"', None), ("17", None), ('"yesterday"', None),
    ('"' + "9" * 30 + '"', None), ("null", None),
])  # fmt: skip
def test_time(read, stamp, at):
    """The first event has the time of the first message, in milliseconds or ticks; an invalid time is left out."""
    assert at == read(packed(played(), 500).replace(b'"1771790436366"', stamp.encode())).events()[0].get("at")
