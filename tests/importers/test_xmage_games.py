"""Whole games in the format of XMage's client log, each with the expected record; also damaged ones.

| promise | test |
| --- | --- |
| each log gives its record, without a finding or a report of anything missing | test_games |
| the record is the same in HTML, copied from the window, and with any clock | test_copied |
| people who join or watch between two messages change nothing | test_bystanders |
| names of players that imitate messages change nothing but the name | test_players |
| names of cards that imitate messages change nothing but the name | test_cards |
| chat that imitates messages is not read, wherever it stands | test_chat |
| a damaged log leads to no finding | test_damages, test_many_damages |
| after doubled messages and players going back, claims are no longer compared | test_shuffled |
| if a card transforms that never arrived, claims of that step are not compared | test_a_stranger_turns |
| a line that is missing inside a message is reported; so is half of a tag | test_torn, test_open_quote |
| torn markup is not read as chat | test_torn_is_no_chat |
| lines that changed places within a message are reported | test_lines_that_changed_places |

The records were written by hand from the rules and the lines, before the logs were read.
"""

import html
import json
import random
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from daynight.framework.language.errors import RecordError
from daynight.game import Game
from tests.importers.test_xmage import CATHAR, RUFFIAN, day
from tests.importers.test_xmage_damage import KINDS, damaged, said
from tests.importers.xmage_logs import findings, read

HERE = Path(__file__).parent / "xmage_games"
GAMES = sorted(path.stem for path in HERE.glob("*.html"))
NOTES = {"limits", "truncated", "known", "chat"}
TURNS = RUFFIAN + " transforms into {Tavern Smasher#a22}"
STRANGER = CATHAR + " transforms into {Moonrage Brute#ca8}"
STAMP = b'<br><font color="#CCCC33">'


@cache
def log(name):
    return (HERE / f"{name}.html").read_bytes()


def told(data):
    """Return the events of a log as text, without the game's name."""
    return [json.dumps({**each, "game": ""}, sort_keys=True) for each in read(data).events()]


@cache
def expected(name):
    lines = (HERE / f"{name}.expected.jsonl").read_text("utf-8").splitlines()
    return [json.dumps({**json.loads(line), "game": ""}, sort_keys=True) for line in lines]


@pytest.mark.parametrize("name", GAMES)
def test_games(name):
    found = read(log(name))
    assert told(log(name)) == expected(name)
    assert Game(found.games[0].events).audit().verdict == "exact"
    assert set(found.kinds) <= NOTES
    assert found.report.skipped == 0
    assert ("known" in found.kinds) is (name == "phased-out-and-skipped")


@pytest.mark.parametrize("clock", ["14.13", "14 h 13", "2:13 PM", "下午2:13", "٢:١٣ م"])
def test_copied(clock):
    name = "phased-out-and-skipped"
    other = re.sub(r"\d\d h \d\d", clock, log(name).decode())
    assert told(other.encode()) == expected(name)
    rows = (re.sub(r"<[^>]*>", "", row) for row in other.split("<br>") if "CCCC33" in row)
    copied = "\n".join(" ".join(html.unescape(row).split()) for row in rows)
    assert told(copied.encode()) == expected(name)


@pytest.mark.parametrize("name", GAMES)
def test_bystanders(name):
    row = STAMP + b'14:13: </font><font color="Orange">Zed_7 has joined the game</font>\n'
    head, *messages = log(name).split(STAMP)
    assert told(head + b"".join(row + STAMP + each for each in messages)) == expected(name)


@pytest.mark.parametrize(
    "player", ["It", "TURN", "day", "Player", "Auto_restored", "It has become", "Bo casts Opt", "puts", "7", "Mountain"]
)
def test_players(player):
    name = "a-log-of-2022"
    renamed = re.sub(rb"\bAna\b", player.encode(), log(name))
    assert told(renamed) == [re.sub(r"\bAna\b", player, each) for each in expected(name)]


@pytest.mark.parametrize(
    "card",
    [
        "It has become night", "TURN 9 for Ana (20 - 20)", "Ana casts Opt", "Bo has lost the game.", "Opt from hand",
        "Player request: Rolling back to start of turn 2", "Circle (source: Opt)", "Fire // Ice", "X phased out",
        "transforms into Tavern Smasher", "Lim-Dûl's Vault", "Ach! Hans, Run!", "Bo: hi", "Sword targeting Bo",
    ],
)  # fmt: skip
def test_cards(card):
    name = "copies-and-tokens"
    escaped = card.encode("ascii", "xmlcharrefreplace")
    renamed = re.sub(rb'(?<=[>#])(Lightning\s+Bolt|Plains)(?=[<"])', escaped, log(name))
    shown = json.dumps(card)
    assert told(renamed) == [re.sub('"(Lightning Bolt|Plains)"', lambda _: shown, each) for each in expected(name)]


@pytest.mark.parametrize(
    "line",
    [
        "Bo: It has become night", "Bo: It has become \n    night", "Ana: TURN 9 for Ana (20 - 16)", "Zed_7: gg :)",
        "Bo: Player request: Rolling back to start of turn 2", "Ana: Ana has won the game", "Bo: Zed keeps hand",
        "Bo: 2:13 PM, T3.UN: It has become night", "system: Cy has started watching",
    ],
)  # fmt: skip
def test_chat(line):
    name = "four-players-one-a-program"
    row = STAMP + b'20:14: </font><font color="White">' + line.encode() + b"</font>\n"
    head, *messages = log(name).split(STAMP)
    whole = head + b"".join(row + STAMP + each for each in messages)
    assert told(whole) == expected(name)
    assert "chat" in read(whole).kinds


def accused(name, data):
    """Return a pair of `name` and the finding for each finding about a damaged log; none if the log is refused."""
    try:
        found = read(data)
    except RecordError:
        return []
    return [(name, each) for number in range(len(found.games)) for each in findings(found, number)]


@pytest.mark.parametrize("kind", KINDS)
def test_damages(kind):
    for name in GAMES:
        assert accused(name, damaged(log(name), kind, random.Random(name))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_many_damages(name):
    for seed in range(200):
        data = damaged(log(name), KINDS[seed % len(KINDS)], random.Random(f"{name} {seed}"))
        assert accused(name, data) == [], seed


def turned(*more):
    """Return a log: `more` comes in turn 5 at night, the players go back to the start of turn 5, and in turn 6 the log
    says day, which is wrong."""
    night = "It has become night", TURNS
    log = day().turn().at("DR", "Bo draws a card").turn().at("UN", *night).at("M1", *more)
    log.say("Player request: Rolling back to start of turn 5").turn("Ana", number=5).at("UN", *night)
    return log.turn().at("UN", "It has become day")


@pytest.mark.parametrize(
    "log, kind",
    [
        (turned(TURNS), "repeated"),
        (turned("Ana casts {Opt#0b2} from hand", "Ana casts {Opt#0b2} from hand"), "repeated"),
    ],
)
def test_shuffled(log, kind):
    """Repeated messages are reported; claims after the players go back are then not compared: no finding."""
    found = read(log)
    assert found.kinds[kind]
    assert findings(found) == []


def test_a_stranger_turns():
    """A card transforms that is not on the battlefield: the wrong night before it is no finding."""
    log = day().at("M1").spell("Ana", "{Opt#0b1}").turn().at("UN", "It has become night", STRANGER)
    assert findings(read(log)) == []


def test_lines_that_changed_places():
    """Two lines within a message are swapped: the message is reported as changed, without a finding."""
    name = "copies-and-tokens"
    lines = log(name).split(b"\n")
    at = next(number for number, line in enumerate(lines) if b"casts a copied" in line)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    found = read(b"\n".join(lines))
    assert found.kinds["changed"] == 1
    assert findings(found) == []


@pytest.mark.parametrize(
    "begins, instead",
    [
        (rb'(night</font><font color="White">) \n    casts </font><font[^>]*><a href="#Into', rb"\1: "),
        (rb'AA">night(</font><font color="White"> \n    casts </font><font[^>]*><a href="#Into)', rb"T5.M1: \1"),
    ],
)
def test_torn_is_no_chat(begins, instead):
    """A message that is torn behind a name, or within a tag, is reported as changed, not read as chat."""
    found = read(re.sub(begins, instead, log("copies-and-tokens")))
    assert found.kinds["changed"] == 1
    assert findings(found) == []


def test_open_quote():
    """A tag without its closing quote is not read on to the end of a later tag: the message is reported as changed."""
    name = "copies-and-tokens"
    torn = re.sub(rb'"><a href="#Plains">Plains</a>', b">Plains", log(name), count=1)
    found = read(torn)
    assert found.kinds["changed"] == 1
    assert findings(found) == []


@pytest.mark.parametrize("name", GAMES[:2])
def test_torn(name):
    """If a missing line about a permanent or a spell costs an event, there is a further warning or skipped line."""
    lines = log(name).split(b"\n")
    before, events = said(read(log(name))), Counter(expected(name))
    for number, line in enumerate(lines):
        if b"onto" not in line and b"battlefield" not in line and b"[a11]" not in line and b"[453]" not in line:
            continue
        found = read(b"\n".join(lines[:number] + lines[number + 1 :]))
        lost = events - Counter(json.dumps({**each, "game": ""}, sort_keys=True) for each in found.events())
        lost = Counter({each: many for each, many in lost.items() if "step-began" not in each})
        assert not lost or said(found) > before, (number, line)
