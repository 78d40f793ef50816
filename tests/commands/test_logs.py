"""A log of another program in place of a record: one command leads from the log to the answer.

| promise | test |
| --- | --- |
| a command accepts a log as FILE, and answers as for the imported game | test_as_imported, test_standard_input |
| a named pipe, as of a shell's `<(...)`, is read like standard input | test_a_pipe |
| of several games all are answered, or the chosen one; a command about one game asks which | test_several |
| `export` and `serve` take --game and --cards | test_exported, test_served |
| a missing log does not stop the others | test_what_is_missing |
| notices about the log go to standard error; standard output has only the answer | test_said_beside |
| the answer says which player's client wrote the log | test_whose_log |
| the title of a log's report has the players, and the date if the log has it | test_the_reports_title |
| for other files the error says what they look like, and what to type | test_neither |
| --game and `#2` are refused for a record | test_a_game_of_a_record |
| a record is never read as a log, and nothing is appended to a log | test_records_stay_records |
| a refusal names the line of the log | test_refused_on_its_line |
| limits and damaged logs are handled as by import | test_bounds |
"""

from __future__ import annotations

import gzip
import json
import os
from itertools import product
from pathlib import Path

import pytest

from daynight import Game
from daynight.cli.commands import run
from daynight.cli.share import serve
from daynight.framework.language.errors import ImpossibleError
from daynight.importers import importing
from daynight.logs import RecordOrLog
from tests.behaviour.games import lines
from tests.commands.conftest import log_of
from tests.importers.forge_logs import Log as ForgeLog
from tests.importers.forge_logs import day_and_night as forge_day_and_night
from tests.rules.judges import claim
from tests.rules.words import started
from tests.sampling import sampled

CARDS = ("--cards", "cards.csv")


@pytest.fixture
def logs(logs):
    """A working folder with Arena's logs of one game and of two, the first one also compressed, and a log of Forge."""
    (logs / "one.log.gz").write_bytes(gzip.compress(log_of("a1", wrong=True)))
    (logs / "forge.txt").write_bytes(forge_day_and_night(ForgeLog()).bytes())
    return logs


READERS = ["audit", "why", "show", "replay", "report", "blame", "forecast", "stats", "read"]


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("reader", sampled(product(READERS, ["one.log", "one.log.gz", "forge.txt"]), 4), ids=" ".join)
def test_as_imported(daynight, logs, reader):
    """The answers are identical except for the file's name, and the card table in a command to paste."""
    command, log = reader
    daynight("import", log, *CARDS, "-o", "games")
    (game,) = (logs / "games").iterdir()
    imported, direct = daynight(command, f"games/{game.name}"), daynight(command, log, *CARDS)
    assert imported.out.replace(f"games/{game.name}", log) == direct.out.replace(" " + " ".join(CARDS), "")
    assert imported.code == direct.code


def test_standard_input(daynight, logs, stdin):
    """A log on standard input is recognised by its content."""
    stdin((logs / "one.log").read_bytes())
    assert "-: DISPUTED" in daynight("audit", "-", *CARDS).out
    stdin((logs / "forge.txt").read_bytes())
    assert 0 == daynight("why", "-").code


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="there is no /dev/fd here, which gives a pipe a name")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_pipe(daynight, logs, pack):
    """`audit` reads a log, a record in words or one in JSON Lines from a pipe, compressed or not."""
    notation = b"game g1\nplayers Ana, Bo\nturn 1 Ana\nAna says night\n"
    record = lines([started(), claim("night")])
    for data in ((logs / "one.log").read_bytes(), notation, record):
        reading, writing = os.pipe()
        os.write(writing, pack(data))
        os.close(writing)
        assert f"/dev/fd/{reading}: DISPUTED" in daynight("audit", f"/dev/fd/{reading}", *CARDS).out
        os.close(reading)


def test_several(daynight, logs):
    """`audit` answers for all games of a log, or for the chosen one; `why` exits with 2 and asks which one."""
    found = [json.loads(line) for line in daynight("audit", "two.log", *CARDS, "--json").out.splitlines()]
    assert [("two.log#1", "a1-G1"), ("two.log#2", "b2-G1")] == [(each["record"], each["game"]) for each in found]
    for chosen in (*[("two.log", "--game", game) for game in ("2", "b2-G1", "last", "-1", "b2")], ("two.log#2",)):
        ran = daynight("audit", *chosen, *CARDS, "--json")
        assert ["b2-G1"] == [json.loads(line)["game"] for line in ran.out.splitlines()]
        assert 0 == daynight("why", *chosen, *CARDS).code
    assert "a1-G1" in daynight("audit", "two.log", "--game", "-2", *CARDS, "--json").out
    assert [4, 4] == [daynight("why", "two.log", "--game", game, *CARDS).code for game in ("-3", "x")]
    ran = daynight("why", "two.log", *CARDS)
    assert (2, "") == (ran.code, ran.out)
    assert "two.log: 2 games in it: a1-G1, b2-G1; --game chooses one, by its name or its number" in ran.err
    ran = daynight("why", "two.log", "--game", "c3-G1", *CARDS)
    assert (4, True) == (ran.code, "no game 'c3-G1' in it; there are a1-G1, b2-G1" in ran.err)


@pytest.mark.parametrize("asked", [("game.dn#2",), ("game.dn", "--game", "2"), ("game#2",), ("demo", "--game", "2")])
def test_a_game_of_a_record(daynight, logs, asked):
    """`FILE#2` and --game are refused for a record with exit code 2, because a record has only one game."""
    for name in ("game.dn", "game"):
        (logs / name).write_text("game g1\nplayers Ana, Bo\nturn 1 Ana\n")
    ran = daynight("show", *asked)
    assert (2, "") == (ran.code, ran.out)
    assert "is a record of one game; --game and FILE#2 are for logs" in ran.err


def test_exported(daynight, logs):
    """`export` writes a page of the chosen game, which differs with --cards; a record or --all refuses --game."""
    pages = []
    for more in ((), CARDS):
        assert 0 == daynight("export", "two.log", "--game", "2", *more, "-o", "page.html").code
        pages.append((logs / "page.html").read_text())
    assert pages[0] != pages[1]
    ran = daynight("export", "demo", "--game", "2", "-o", "page.html")
    assert (2, True) == (ran.code, "demo is a record of one game" in ran.err)
    assert (2, True) == ((ran := daynight("export", "--all", "--game", "2")).code, "give a GAME, or --all" in ran.err)


def test_served(monkeypatch, logs):
    """`serve` offers the game that --game chooses, read with the table of --cards."""
    served = []
    monkeypatch.setattr(serve, "served_at", lambda _store, files, *_games, **_how: served.extend(files) or 0)
    assert 0 == run(["serve", "two.log", "--game", "2", *CARDS, "--port", "0"])
    (one,) = served
    with one.open() as stream:
        found = stream.read()
    assert "b2-G1" == json.loads(found.splitlines()[0])["game"]
    with RecordOrLog("two.log", wanted="2").open() as stream:
        assert found != stream.read()


def test_what_is_missing(daynight, logs):
    """A missing log gives exit code 4, and the games of the other log are answered."""
    ran = daynight("audit", "nothing.log", "two.log", *CARDS)
    assert (4, 1, 1) == (ran.code, ran.out.count("two.log#1: "), ran.out.count("two.log#2: "))


def test_said_beside(daynight, logs):
    """With --json the notices about the log are on standard error, and standard output is JSON."""
    ran = daynight("audit", "one.log", "--json")
    json.loads(ran.out)
    assert "arena: 1 game with" in ran.err
    assert "you are Seat 1" in ran.err


def test_whose_log(daynight, logs):
    """The answer for Arena's log says which seat is `you`; those for Forge's log and for a record do not."""
    ran = daynight("show", "one.log", *CARDS)
    assert "· you are Seat 1\n" in ran.out
    assert "\nyou are Seat 1\n" in ran.err
    assert "you are" not in (found := daynight("show", "forge.txt")).out + found.err
    assert "you are" not in daynight("show", "demo").out


def test_the_reports_title(daynight, logs):
    """The title for a log has players and date, and the game's name is below; for a record it is the game's name."""
    lines = daynight("report", "one.log", *CARDS).out.splitlines()
    assert ["# Seat 1 against Seat 2, 2026-02-22", "", "a1-G1"] == lines[:3]
    assert "- **Log:** of Seat 1’s client" in lines
    assert "# Ana against Bo" == daynight("report", "forge.txt").out.splitlines()[0]
    assert "# wagic-G1" == daynight("report", "demo").out.splitlines()[0]


@pytest.mark.parametrize("data, says", [
    (b"Dear diary\n", "type"),
    (b"\xff\xfeT\0u\0r\0n\0", "save the file as UTF-8"),
    (b"SQLite format 3\0" + bytes(100), "daynight list --db other.txt"),
    (b"[UnityCrossThreadLogger]x\n" * 9, "give the log of a session in which one was played"),
    (b"MTGA 2026\n", "it looks like Magic Arena's log"),
    (b"Turn: Tour 1 (Ana)\nResolve Stack: Opt\n", "it looks like Forge's log"),
    (b"<!doctype html><title>report</title>", "a page for a browser"),
    (b"Magic Online v4\n", "type the game instead"),
    (b'{"kind": "gamestart"}\n', "missing field type"),
])  # fmt: skip
def test_neither(daynight, folder, data, says):
    """The error is one line that says what to do, with exit code 3; standard output is empty."""
    (folder / "other.txt").write_bytes(data)
    ran = daynight("audit", "other.txt")
    assert (3, "", 1) == (ran.code, ran.out, ran.err.count("\n"))
    assert says in ran.err


def test_records_stay_records(daynight, logs):
    """A record in words stays a record in a .txt file, records refuse --game, and nothing is appended to a log."""
    (logs / "game.txt").write_text("game g\nplayers Ana, Bo\nturn 1 Ana\n  Ana casts Opt\n")
    assert "Ana casts Opt" in daynight("replay", "game.txt").out
    for record in ("demo", "game.txt", "db:friday"):
        ran = daynight("why", record, "--game", "1")
        assert (2, True) == (ran.code, "--game and FILE#2 are for logs" in ran.err)
    before = (logs / "one.log").read_bytes()
    ran = daynight("dispute", "open", "one.log", "--by", "Ana")
    assert (2, True) == (ran.code, "daynight import one.log -o DIR" in ran.err)
    assert before == (logs / "one.log").read_bytes()


def test_refused_on_its_line(logs):
    """An impossible event is reported with the line of the log that it was read from."""
    record = RecordOrLog(logs / "forge.txt")
    game = Game.load(record)
    error = record.located(ImpossibleError("no", line=len(game)))
    assert game.events[-1].meta["source"]["line"] == error.line
    assert str(logs / "forge.txt") == error.file


def test_bounds(daynight, logs, monkeypatch):
    """A log with more events than import accepts exits with 3; a truncated compressed log gets a notice."""
    data = (logs / "one.log.gz").read_bytes()
    (logs / "cut.log.gz").write_bytes(data[: len(data) - 20])
    assert "the source ends here" in daynight("audit", "cut.log.gz", *CARDS).err
    monkeypatch.setattr(importing, "EVENTS", 5)
    ran = daynight("audit", "one.log", *CARDS)
    assert (3, True) == (ran.code, "a game of more than 5 events" in ran.err)
