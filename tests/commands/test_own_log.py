"""`daynight audit` without FILE: the last game in Arena's log; and the line that `audit` prints about a log's game.

| promise | test |
| --- | --- |
| at a terminal it audits the last game of Arena's log, and names its path | test_last |
| if the log of this or the previous session has no game, the other's last game is audited | test_no_game_in_one |
| if neither log has a game, the error is one sentence | test_no_game_in_both |
| a game that began in the previous session is complete; --game chooses another | test_chosen |
| without a log: exit code 4, and the searched places | test_none |
| without a terminal, and for other commands, FILE is required | test_not_at_a_terminal |
| a game's line says when, against whom and for how many turns it was played | test_each |
| a game's line says when it was night, or that no card has to do with day and night | test_says |
| if only faces were claimed, the audit says that day and night were not compared | test_says, test_only_faces |
"""

import json
import os
import pty
import subprocess
import sys

import pytest

from tests.commands.conftest import log_of
from tests.importers.arena_logs import CELESTUS, HAWK, OPT, RUFFIAN, Game, Log, csv_table

PLACE = ".wine/drive_c/users/ana/AppData/LocalLow/Wizards Of The Coast/MTGA"
CARDS = ("--cards", "cards.csv")


@pytest.fixture
def home(tmp_path):
    """A home folder with Arena in a Wine prefix: two games in two logs; the first game is split over both logs."""
    place = tmp_path / PLACE
    place.mkdir(parents=True)
    lines = log_of("a1", "b2", wrong=True).splitlines(keepends=True)
    (place / "Player-prev.log").write_bytes(b"".join(lines[:20]))
    (place / "Player.log").write_bytes(b"".join(lines[20:]))
    (tmp_path / "cards.csv").write_bytes(csv_table())
    return tmp_path


def at_a_terminal(home, *arguments):
    """Run a real process whose standard input is a terminal; return exit code, output and errors."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "HOME": str(home), "DAYNIGHT_LANG": "en", "PYTHONIOENCODING": "utf-8"}
    environment.pop("WINEPREFIX", None)
    ran = subprocess.run(
        [sys.executable, "-m", "daynight", *arguments], stdin=follower, capture_output=True, text=True, cwd=home,
        env=environment, timeout=60, check=False,
    )  # fmt: skip
    os.close(leader)
    os.close(follower)
    return ran.returncode, ran.stdout, ran.stderr


needs_wine = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="Arena's log lies elsewhere on this system")


@needs_wine
def test_last(home):
    """`audit` without FILE prints only the audit of the last game to standard output; standard error names the log."""
    code, out, err = at_a_terminal(home, "audit", *CARDS, "--json")
    (found,) = [json.loads(line) for line in out.splitlines()]
    assert (1, "b2-G1") == (code, found["game"])
    assert f"no FILE was given, so this is the last game of {home / PLACE / 'Player.log'}\n" in err


@needs_wine
@pytest.mark.wide
@pytest.mark.parametrize("data", [b"", b"Initialize engine version: 2022.3.62f2\n", b"\0\xff junk\n"])
@pytest.mark.parametrize("without", ["Player.log", "Player-prev.log"])
def test_no_game_in_one(home, data, without):
    """If one of the two logs is empty, has no game or is no log, `audit` takes the last game of the other."""
    (other,) = {"Player.log", "Player-prev.log"} - {without}
    (home / PLACE / without).write_bytes(data)
    (home / PLACE / other).write_bytes(log_of("a1", "b2"))
    _code, out, err = at_a_terminal(home, "audit", *CARDS, "--json")
    (found,) = [json.loads(line) for line in out.splitlines()]
    assert found["game"] == "b2-G1"
    assert f"so this is the last game of {home / PLACE / other}\n" in err


@needs_wine
@pytest.mark.wide
def test_no_game_in_both(home):
    """The error is one sentence about the latest log: exit code 4 if it is empty, 3 if it is no log."""
    for name in ("Player.log", "Player-prev.log"):
        (home / PLACE / name).write_bytes(b"")
    code, out, err = at_a_terminal(home, "audit")
    assert (code, out) == (4, "")
    assert err == f"{home / PLACE / 'Player.log'} is empty; start Arena, and play a game\n"
    (home / PLACE / "Player.log").write_bytes(b"junk\n")
    code, out, err = at_a_terminal(home, "audit")
    assert (code, out) == (3, "")
    assert "Player.log:1:1: neither a record nor anything that an importer knows" in err


@needs_wine
@pytest.mark.wide
def test_chosen(home):
    """`--game` takes a game's number, from the end if negative, its name, or a prefix of its name."""
    for wanted in ("1", "-2", "a1-G1", "a"):
        _code, out, _err = at_a_terminal(home, "audit", *CARDS, "--game", wanted, "--json")
        (found,) = [json.loads(line) for line in out.splitlines()]
        assert ("a1-G1", 48) == (found["game"], found["events"])


@needs_wine
@pytest.mark.wide
def test_none(home):
    """Without a log, the error is one sentence with the searched paths; exit code 4."""
    (home / PLACE / "Player.log").unlink()
    code, out, err = at_a_terminal(home, "audit")
    assert (4, "", 1) == (code, out, err.count("\n"))
    assert err.startswith("no log of Magic Arena was found; looked for ")
    assert str(home / PLACE / "Player.log") in err
    assert json.loads(at_a_terminal(home, "audit", "--json")[1])["exit"] == 4


@needs_wine
@pytest.mark.wide
def test_not_at_a_terminal(daynight, home):
    """Without a terminal `audit` needs a FILE, and `show` needs it always: otherwise exit code 2."""
    ran = subprocess.run(
        [sys.executable, "-m", "daynight", "audit"], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=home,
        env={**os.environ, "HOME": str(home), "DAYNIGHT_LANG": "en"}, timeout=60, check=False,
    )  # fmt: skip
    assert (2, "", True) == (ran.returncode, ran.stdout, "missing argument 'FILE...'" in ran.stderr)
    assert at_a_terminal(home, "show")[0] == 2


def test_each(daynight, logs):
    """The line of a log's game has time, opponent and number of turns; without its beginning, the first known turn."""
    told = daynight("audit", "two.log", *CARDS).out
    first, second = "  2026-02-22 20:00 UTC · against Seat 2 · 5 turns · ", "20:01 UTC · against Seat 2"
    assert 2 == told.count(first) + told.count(second)
    cut = (logs / "one.log").read_bytes().splitlines(keepends=True)[24:]
    (logs / "cut.log").write_bytes(b"".join(cut))
    assert "against Seat 2 · from turn " in daynight("audit", "cut.log", *CARDS).out
    assert "against" not in daynight("audit", "demo").out.splitlines()[1]
    document = daynight("audit", "one.log", *CARDS, "--json").documents[0]["course"]
    assert (5, [[3, 3]], True, "Seat 1") == tuple(document[key] for key in ("turns", "night", "cards", "recorder"))
    assert "course" not in daynight("audit", "demo", "--json").documents[0]


def played(card, *turns):
    """Return a log's bytes: `card` resolves in the first turn; each of `turns` is the casts of one later turn."""
    log = Log()
    game = Game(log)
    game.begin()
    game.resolve(game.cast(1, card))
    for casts in turns:
        game.next_turn()
        for _cast in range(casts):
            game.cast(game.active, OPT)
    game.over()
    return log.bytes()


FACES = "the faces that were claimed are right, and nothing else was claimed"


@pytest.mark.parametrize("data, says", [
    (played(HAWK, 0, 0), "no card with day or night in it"),
    (played(CELESTUS, 0, 0, 2, 0, 0, 0), "nothing was claimed; by the rules it was night in turns 3-4, 6-7"),
    (played(CELESTUS, 0, 0), "nothing was claimed; by the rules it was night in turn 3"),
    (played(CELESTUS, 1, 1), "nothing was claimed; by the rules it was day from turn 1 on, and never night"),
    (played(RUFFIAN, 0, 0), f"{FACES}; by the rules it was night in turn 3"),
    (log_of("a1"), "what was claimed is right; by the rules it was night in turn 3"),
    (log_of("a1", wrong=True), "1 claim or ruling differs"),
])  # fmt: skip
def test_says(daynight, folder, data, says):
    """A game's line ends with the claims that differ, with the turns of night, or with `no card with day or night`."""
    (folder / "cards.csv").write_bytes(csv_table())
    (folder / "game.log").write_bytes(data)
    ran = daynight("audit", "game.log", *CARDS)
    assert f" · {says}\n" in ran.out


def test_only_faces(daynight, folder):
    wolf = {"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}
    face = {"type": "face-claimed", "permanent": "w1", "face": "front", "by": "client"}
    day = {"type": "designation-claimed", "designation": "day", "by": "client"}
    start = {"type": "game-started", "format": 1, "game": "g", "players": ["Ana", "Bo"]}
    for claims, line in (([face], True), ([face, day], False), ([day], False), ([], False)):
        events = [start, {"type": "permanents-entered", "permanents": [wolf]}, *claims]
        (folder / "g.jsonl").write_text("".join(json.dumps(each) + "\n" for each in events))
        told = daynight("audit", "g.jsonl").out.splitlines()
        assert ("  only faces were claimed: whether it is day or night was not compared" in told) is line
