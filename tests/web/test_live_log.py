"""`daynight live`: a page for the running game of Arena, tested in a process with a log that grows.

| promise | test |
| --- | --- |
| new lines are served with day and night; the address of a new game is printed | test_grows |
| the next game in the log is followed like the first, in the same match or in another | test_next_game |
| if the log is replaced or truncated, the next game is served | test_rotated |
| if Arena undoes events, the game is backed up | test_undone |
| after a crash of the client, the game continues in the next log | test_reconnected |
| the server listens on 127.0.0.1 only, and prints no key | test_alone |
| the default LOG is Arena's own; without one: exit code 4 with the searched places | test_found, test_none |
| other files are refused | test_refused |
| `daynight live` leaves no files | test_nothing_left |
"""

import json
import socket
import sys
import time
from pathlib import Path

import pytest

from tests.commands.conftest import environ, log_of
from tests.importers.arena_logs import DAY, NIGHT, OPT, RUFFIAN, Game, Log, csv_table
from tests.importers.arena_reading import states
from tests.processes import run
from tests.web.running import serving

CARDS = ("--cards", "cards.csv")
PATIENCE = 20


def until(asked, wanted):
    """Call `asked` again until it returns `wanted`; AssertionError after 20 seconds."""
    end = time.monotonic() + PATIENCE
    while (found := asked()) != wanted and time.monotonic() < end:
        time.sleep(0.05)
    assert wanted == found


def games(server):
    """Return, for each served game, its number of events and its designation."""
    there = server.document("/v1/games")["games"]
    return {each["game"]: (each["events"], each["designation"]) for each in there}


@pytest.fixture
def log(tmp_path):
    """The path of a log without a game; `cards.csv` beside it has the names of cards."""
    (tmp_path / "cards.csv").write_bytes(csv_table())
    path = tmp_path / "Player.log"
    path.write_bytes(b"DETAILED LOGS: ENABLED\r\n")
    return path


def written(log, lines, mode="ab"):
    with log.open(mode) as stream:
        stream.write("".join(f"{line}\r\n" for line in lines).encode())


def printed(server):
    assert server.process.stdout is not None
    return json.loads(server.process.stdout.readline())


def test_grows(tmp_path, log):
    """The served game follows the growing log, also if its last line was incomplete; the next game is printed."""
    arena = Log()
    game = Game(arena)
    with serving(tmp_path, log.name, *CARDS, verb="live") as server:
        assert str(log.name) == server.printed["log"]
        assert {} == games(server)
        game.begin()
        written(log, arena.lines)
        told = printed(server)
        assert ("a1b2-G1", f"{server.printed['address']}/g/a1b2-G1") == (told["game"], told["url"])
        assert 200 == server.get("/g/a1b2-G1")[0]
        done = len(arena.lines)
        wolf = game.resolve(game.cast(1, RUFFIAN), designation=(DAY, "persistent"))
        written(log, arena.lines[done:])
        until(lambda: games(server)["a1b2-G1"][1], "day")
        done = len(arena.lines)
        game.next_turn()
        game.next_turn((NIGHT, "updated"), gameObjects=[game.turn_over(wolf)])
        text = "".join(f"{line}\r\n" for line in arena.lines[done:]).encode()
        for at in (len(text) // 2, len(text)):
            with log.open("ab") as stream:
                stream.write(text[:at] if at < len(text) else text[len(text) // 2 :])
            time.sleep(0.7)
        until(lambda: games(server)["a1b2-G1"][1], "night")
        assert "exact" == server.document("/v1/games/a1b2-G1/audit")["verdict"]
        written(log, (other := Log()).lines)
        Game(other, match="c3d4").begin()
        written(log, other.lines)
        assert "c3d4-G1" == printed(server)["game"]


@pytest.mark.parametrize("match, number", [("a1b2", 2), ("c3d4", 1)])
def test_next_game(tmp_path, log, match, number):
    """A second game is followed until it is night; the first one keeps its events and its designation."""
    arena = Log()
    first = Game(arena)
    first.begin()
    first.resolve(first.cast(1, RUFFIAN), designation=(DAY, "persistent"))
    first.over()
    written(log, arena.lines)
    with serving(tmp_path, log.name, *CARDS, verb="live") as server:
        until(lambda: games(server).get("a1b2-G1", (0, ""))[1], "day")
        done = len(arena.lines)
        second = Game(arena, match=match, number=number)
        second.begin()
        wolf = second.resolve(second.cast(1, RUFFIAN), designation=(DAY, "persistent"))
        written(log, arena.lines[done:])
        name = f"{match}-G{number}"
        until(lambda: games(server).get(name, (0, ""))[1], "day")
        before = games(server)
        done = len(arena.lines)
        second.next_turn()
        second.next_turn((NIGHT, "updated"), gameObjects=[second.turn_over(wolf)])
        written(log, arena.lines[done:])
        until(lambda: games(server)[name][1], "night")
        assert before["a1b2-G1"] == games(server)["a1b2-G1"]
        assert ["exact", "exact"] == [
            server.document(f"/v1/games/{each}/audit")["verdict"] for each in ("a1b2-G1", name)
        ]
        assert ["a1b2-G1", name] == [printed(server)["game"], printed(server)["game"]]


@pytest.mark.parametrize("how", ["another file", "the same file"])
@pytest.mark.wide
def test_rotated(tmp_path, log, how):
    """If Arena replaces or truncates its log, the game of the new log is served, and the old one still is."""
    log.write_bytes(log_of("a1"))
    with serving(tmp_path, log.name, *CARDS, verb="live") as server:
        until(lambda: games(server).get("a1-G1", (0, ""))[1], "day")
        if how == "another file":
            log.rename(log.with_name("Player-prev.log"))
            time.sleep(0.7)
            log.write_bytes(log_of("b2", wrong=True))
        else:
            log.write_bytes(b"DETAILED LOGS: ENABLED\r\n")
            time.sleep(0.7)
            written(log, log_of("b2", wrong=True).decode().splitlines())
        until(lambda: sorted(games(server)), ["a1-G1", "b2-G1"])
        until(lambda: server.document("/v1/games/b2-G1/audit")["verdict"], "disputed")
        assert ["a1-G1", "b2-G1"] == [printed(server)["game"], printed(server)["game"]]


def test_reconnected(tmp_path, log):
    """A game that continues in a second log is served as one game, with the spells of both logs."""
    arena = Log()
    game = Game(arena)
    game.begin()
    game.cast(1, OPT)
    half = len(arena.lines)
    game.full(prevGameStateId=game.state)
    game.cast(1, OPT)
    game.next_turn()
    written(log, arena.lines[:half])
    with serving(tmp_path, log.name, *CARDS, verb="live") as server:
        until(lambda: len(games(server)), 1)
        log.rename(log.with_name("Player-prev.log"))
        written(log, ["DETAILED LOGS: ENABLED", *arena.lines[half:]], "wb")
        until(lambda: server.document("/v1/games")["games"][0]["spells"], 2)
        assert ["a1b2-G1"] == [*games(server)]


def test_undone(tmp_path, log):
    """If Arena undoes events, the game is backed up: an undone spell is not counted."""
    arena = Log()
    game = Game(arena)
    game.begin()
    stood = game.state
    game.cast(1, OPT)
    written(log, arena.lines)
    with serving(tmp_path, log.name, *CARDS, verb="live") as server:
        until(lambda: server.document("/v1/games")["games"][0]["spells"] if games(server) else 0, 1)
        done = len(arena.lines)
        game.undo(stood)
        game.next_turn()
        written(log, arena.lines[done:])
        until(lambda: server.document("/v1/games")["games"][0]["turns"], 2)
        assert 0 == server.document("/v1/games")["games"][0]["spells"]


def test_alone(tmp_path, log):
    """The JSON that `daynight live` prints has an address on 127.0.0.1, the log and the version, but no key."""
    log.write_bytes(log_of("a1"))
    with serving(tmp_path, log.name, verb="live") as server:
        assert server.printed["address"].startswith("http://127.0.0.1:")
        assert {"address", "log", "version"} == set(server.printed)
        port = int(server.printed["address"].rstrip("/").rpartition(":")[2])
        # All of 127.0.0.0/8 is this machine: a server that listens on every address would answer at this one.
        with pytest.raises(OSError, match=r"refused|reach|timed out"):
            socket.create_connection(("127.0.0.2", port), timeout=5)


def ran(folder, *arguments, home="home"):
    environment = {**environ(), "HOME": str(folder / home)}
    environment.pop("WINEPREFIX", None)
    command = [sys.executable, "-m", "daynight", "live", *arguments]
    return run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)


needs_wine = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="Arena's log lies elsewhere on this system")


@needs_wine
def test_found(tmp_path, log, monkeypatch):
    """Without LOG, the path of Arena's own log is printed, and its game is served."""
    place = tmp_path / "home/.wine/drive_c/users/ana/AppData/LocalLow/Wizards Of The Coast/MTGA"
    place.mkdir(parents=True)
    (place / "Player.log").write_bytes(log_of("a1"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("WINEPREFIX", raising=False)
    with serving(tmp_path, verb="live") as server:
        assert str(place / "Player.log") == server.printed["log"]
        until(lambda: [*games(server)], ["a1-G1"])


@needs_wine
def test_none(tmp_path):
    """If no log is found, or LOG does not exist: exit code 4 and one sentence; the first names the searched places."""
    found = ran(tmp_path)
    assert (4, "", 1) == (found.returncode, found.stdout, found.stderr.count("\n"))
    assert found.stderr.startswith("no log of Magic Arena was found; looked for ")
    assert str(Path("home/.wine/drive_c/users/home/AppData/LocalLow")) in found.stderr
    found = ran(tmp_path, "nothing.log")
    assert (4, "nothing.log: no such file\n") == (found.returncode, found.stderr)


def test_refused(tmp_path):
    """A record or a log of Forge gets exit code 2: only the log of Arena can be followed."""
    (tmp_path / "game.jsonl").write_text('{"type": "game-started", "format": 1, "game": "g", "players": ["Ana"]}\n')
    (tmp_path / "forge.txt").write_text("Turn: Turn 1 (Ana)\nAdd To Stack: Ana cast Opt\n")
    for name in ("game.jsonl", "forge.txt"):
        found = ran(tmp_path, name)
        assert (2, True) == (found.returncode, "only the log of Magic Arena" in found.stderr), found


def test_nothing_left(tmp_path, log):
    """No file is created; SIGTERM ends the program with exit code 0 and without a traceback."""
    log.write_bytes(log_of("a1"))
    before = sorted(tmp_path.rglob("*"))
    with serving(tmp_path, log.name, verb="live") as server:
        until(lambda: [*games(server)], ["a1-G1"])
        server.process.terminate()
        assert 0 == server.process.wait(timeout=20)
        assert b"Traceback" not in server.process.stderr.read()
    assert before == sorted(tmp_path.rglob("*"))
    assert states(Log()) == []
