"""Several logs of one game, and the day on which a log was written.

| promise | test |
| --- | --- |
| consecutive logs count as one log, wherever a log is accepted | test_wherever, test_each, test_served |
| each game gets its name and number from the log in which it begins | test_called |
| the audit prints the number that --game takes; the error for a wrong number names all logs | test_numbered |
| a permanent is the argument after the last log | test_permanent |
| a printed command names all logs, the game, and the card table | test_pasted |
| `LOG#2`, other programs' logs, and records are not joined | test_apart |
| a command about one game refuses a log beside a record | test_too_many |
| import prints the chosen game: last, -1, -2, a prefix | test_import_one |
| a new game gets the newest edition on the day it was played, if there was one | test_edition |
| a stored game keeps its first line | test_kept_edition |
"""

import json
import re

import pytest

from tests.commands.conftest import log_of
from tests.importers.arena_logs import csv_table
from tests.importers.forge_logs import Log as ForgeLog
from tests.importers.forge_logs import day_and_night as forge_day_and_night
from tests.importers.xmage_logs import Log as XMageLog

PAIR = ("Player-prev.log", "Player.log")
CARDS = ("--cards", "cards.csv")


@pytest.fixture
def pair(folder):
    """Two games in two logs, where game a1 begins in the first log and ends in the second; whole.log has both logs."""
    data = log_of("a1", "b2", wrong=True)
    lines = data.splitlines(keepends=True)
    (folder / PAIR[0]).write_bytes(b"".join(lines[:20]))
    (folder / PAIR[1]).write_bytes(b"".join(lines[20:]))
    (folder / "whole.log").write_bytes(data)
    (folder / "cards.csv").write_bytes(csv_table())
    return folder


@pytest.mark.parametrize("command", ["why", "forecast", "read", "blame", "repair", "unknowns", "backup-plan"])
def test_wherever(daynight, pair, command):
    """The answer for both logs equals that for whole.log, except for the name; of `read` only the exit code is
    compared."""
    more = ["--from", "20", "--to", "18"] if command == "backup-plan" else []
    asked = ["--game", "a1-G1", *CARDS, *more, "--json"] if command != "read" else ["--game", "a1-G1", *CARDS]
    whole, two = daynight(command, "whole.log", *asked), daynight(command, *PAIR, *asked)
    assert whole.code == two.code
    if command != "read":
        assert {**whole.documents[0], "record": 0} == {**two.documents[0], "record": 0}


@pytest.mark.parametrize("command", ["audit", "show", "replay", "stats"])
def test_each(daynight, pair, command):
    """Each game in both logs gets the answer that it gets for whole.log."""
    found = [daynight(command, *names, *CARDS, "--json").documents for names in (("whole.log",), PAIR)]
    whole, two = ([each.get("together", {**each, "record": 0}) for each in documents] for documents in found)
    assert whole == two


def test_called(daynight, pair):
    """Game a1 is Player-prev.log#1; it also counts as the first game of Player.log, so b2 is Player.log#2."""
    found = [json.loads(line) for line in daynight("audit", *PAIR, *CARDS, "--json").out.splitlines()]
    assert [("Player-prev.log#1", "a1-G1"), ("Player.log#2", "b2-G1")] == [
        (one["record"], one["game"]) for one in found
    ]
    assert {"disputed"} == {one["verdict"] for one in found}
    (alone,) = [one["game"] for one in daynight("audit", "Player.log#2", *CARDS, "--json").documents]
    assert "b2-G1" == alone


def test_numbered(daynight, pair):
    """--game counts through all logs, the number after # within one log; for one log the audit prints no --game."""
    ran = daynight("audit", "Player.log", "Player-prev.log", "Player.log", *CARDS)
    numbers = re.findall(r"^(\S+): .*\n  --game (\d+) · ", ran.out, re.MULTILINE)
    assert len(numbers) > 1
    for shown, number in numbers:
        alone = daynight("audit", "Player.log", "Player-prev.log", "Player.log", *CARDS, "--game", number)
        assert alone.out.startswith(f"{shown}: ")
    assert "--game" not in daynight("audit", "whole.log", *CARDS).out
    ran = daynight("audit", *PAIR, *CARDS, "--game", "9")
    assert 4 == ran.code
    assert "Player-prev.log, Player.log: no game '9' in these logs; there are a1-G1, b2-G1" in ran.err


def test_permanent(daynight, pair):
    """`why` takes a permanent after all log names, even if the permanent's id is a number, as in Arena's logs."""
    for names in (PAIR, ("whole.log",)):
        ran = daynight("why", *names, "300", "--game", "1", "--at", "turn:2", *CARDS)
        assert (0, True) == (ran.code, "Tavern Ruffian (300): front face" in ran.out)
    assert (2, True) == (
        (ran := daynight("why", "demo", "300", "--game", "1")).code,
        "is a record of one game" in ran.err,
    )


def test_pasted(daynight, pair):
    """The command that `why` prints names both logs, --game and --cards, so it tries the edit in the same game."""
    ran = daynight("why", *PAIR, *CARDS, "--game", "a1-G1", "--at", "turn:3")
    assert "    daynight what-if Player-prev.log Player.log --game a1-G1 --cards cards.csv --" in ran.out
    assert "    daynight what-if whole.log --game a1-G1 --drop" in daynight("why", "whole.log#1", "--at", "turn:3").out


def test_apart(daynight, pair):
    """Two Forge logs, `LOG#1` beside a log, and records get answers of their own; logs beside them are still joined."""
    (pair / "forge.txt").write_bytes(forge_day_and_night(ForgeLog()).bytes())
    assert 2 == len(daynight("audit", "forge.txt", "forge.txt", "--json").documents)
    found = daynight("audit", "Player-prev.log#1", "Player.log", *CARDS, "--json").documents
    assert ["Player-prev.log", "Player.log#1", "Player.log#2"] == [one["record"] for one in found]
    found = daynight("audit", "demo", *PAIR, "demo", *CARDS, "--json").documents
    assert ["demo", "Player-prev.log#1", "Player.log#2", "demo"] == [one["record"] for one in found]
    ran = daynight("audit", "nothing.log", *PAIR, *CARDS)
    assert (4, 1, 1) == (ran.code, ran.out.count("Player-prev.log#1: "), ran.out.count("Player.log#2: "))


def test_too_many(daynight, pair):
    """`forecast` with a record and a log is refused with exit code 2, in either order."""
    for names in (("demo", "whole.log"), ("whole.log", "demo")):
        ran = daynight("forecast", *names, "--game", "1")
        assert (2, True) == (ran.code, "got unexpected extra argument" in ran.err or "of one game" in ran.err)


def test_served(daynight, pair):
    """The server offers all games of the logs under their names."""
    from daynight.cli.terminal.opening import games_of, opened
    from daynight.web.shelf import Shelf

    records = [opened(name, None) for name in (*PAIR, "demo")]
    assert ["a1-G1", "b2-G1", "wagic-G1"] == [*Shelf(None, games_of(records)).files]


@pytest.mark.parametrize("wanted, game", [
    ("last", "b2-G1"), ("-1", "b2-G1"), ("-2", "a1-G1"), ("b", "b2-G1"), ("1", "a1-G1"), ("a1-G1", "a1-G1"),
])  # fmt: skip
def test_import_one(daynight, pair, wanted, game):
    """--game takes a name, a prefix, a number, `last`, -1 or -2, and prints that game; -3 gives exit code 4."""
    ran = daynight("import", *PAIR, "--game", wanted)
    assert game == json.loads(ran.out.splitlines()[0])["game"]
    assert (4, "") == daynight("import", *PAIR, "--game", "-3")[:2]


def edition_of(daynight, name):
    return daynight("read", name).documents[0].get("edition")


@pytest.mark.parametrize("written, edition", [
    (1_771_790_431_366, "2026-01-16"), (1_632_441_600_000, "2021-09-24"), (1_632_400_000_000, None),
    (1_900_000_000_000, "latest"), (1_681_430_400_000, "2023-04-14"),
])  # fmt: skip
def test_edition(daynight, folder, written, edition):
    """The edition is the newest on the day of play; before the first edition, or on an unknown day, there is none."""
    from daynight.rules.citations import LATEST_EDITION

    lines = log_of("a1").splitlines(keepends=True)
    stamped = [line.replace(line[line.find(b'"timestamp": "') + 14 :][:13], b"%d" % written) if b'"timestamp"' in line
               else line for line in lines]  # fmt: skip
    (folder / "dated.log").write_bytes(b"".join(stamped))
    assert (LATEST_EDITION if edition == "latest" else edition) == edition_of(daynight, "dated.log")
    (folder / "undated.log").write_bytes(b"".join(stamped).replace(b'"timestamp"', b'"time"'))
    assert edition_of(daynight, "undated.log") is None
    (folder / "20240801_141300_Two Player Duel_1.html").write_bytes(xmage())
    (folder / "duel.html").write_bytes(xmage())
    assert "2024-07-30" == edition_of(daynight, "20240801_141300_Two Player Duel_1.html")
    assert edition_of(daynight, "duel.html") is None


def xmage():
    log = XMageLog()
    log.turn()
    return log.bytes()


@pytest.mark.parametrize("place", [("-o", "games"), ("--into", "games.db")], ids=["files", "store"])
def test_kept_edition(daynight, pair, place):
    """A game that was imported without an edition keeps its first line; only later events are added."""
    data = (pair / "whole.log").read_bytes()
    undated = data.replace(b'"timestamp": "1771', b'"timestamp": "0001')
    lines = undated.splitlines(keepends=True)
    (pair / "old.log").write_bytes(b"".join(lines[:40]))
    assert 0 == daynight("import", "old.log", *CARDS, *place).code
    name = "games/a1-G1.jsonl" if place[0] == "-o" else "db:a1-G1"
    stored = () if place[0] == "-o" else ("--db", "games.db")
    before = daynight("read", name, *stored).out.splitlines()
    assert 0 == daynight("import", "whole.log", *CARDS, *place).code
    after = daynight("read", name, *stored).out.splitlines()
    assert len(after) > len(before)
    assert "edition" not in json.loads(after[0])
    assert json.loads(before[0])["players"] == json.loads(after[0])["players"]
    assert before[1:] == after[1 : len(before)]
