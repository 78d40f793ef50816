"""`daynight import` of logs: where games are stored, what is reported, and what happens when logs grow.

| promise | test |
| --- | --- |
| the only game of a log can be piped into audit | test_one_pipe |
| standard output gets one game; of several, the chosen one | test_several_games |
| -o writes each complete game once, under a safe file name | test_a_folder, test_safe_names |
| -o does not change a file that has something else than the game | test_other_files_stay |
| importing a log that has grown stores no event twice | test_a_grown_log, test_less_replaces_nothing |
| a judge's ruling between two imports stays | test_rulings_stay |
| if Arena undoes stored events, the game is backed up | test_stored_and_taken_back |
| --strict stops at the first warning with exit code 3; games before it are imported | test_strict |
| the report is one JSON document, alone or beside the games | test_the_report |
| formats are recognised by content; an unknown one is refused in a sentence | test_formats |
| wrong usage, missing files, invalid tables: a sentence, the documented exit code, nothing written | test_refused |
| a log without a game is an error with advice | test_no_game |
| records and archives can be imported in the same call | test_records_as_before |
| --follow reads on when the log grows or is replaced | test_follow |
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from daynight.importers.import_report import GameReport
from daynight.importers.importing import ImportedGame
from daynight.keeping.destinations import Files
from tests import processes
from tests.importers.arena_logs import DAY, OPT, RUFFIAN, Game, Log, day_and_night

from .conftest import environ, listed, log_of


def events(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_one_pipe(daynight, logs, stdin):
    """`import | audit -` finds the wrong claim of one.log, and standard output contains only the game."""
    ran = daynight("import", "one.log", "--cards", "cards.csv")
    assert 0 == ran.code
    assert "game-started" == ran.documents[0]["type"]
    assert "arena: 1 game with 48 events\n" == ran.err
    stdin(ran.out.encode())
    audit = daynight("audit", "-", "--json")
    assert (1, "disputed") == (audit.code, audit.documents[0]["verdict"])
    assert ["arena"] == [finding["by"] for finding in audit.documents[0]["findings"]]


def test_several_games(daynight, logs, stdin):
    """Without -o and --game, a log of two games gives exit code 2 and says what to do; --game prints the chosen one."""
    ran = daynight("import", "two.log")
    assert (2, "") == (ran.code, ran.out)
    assert "2 games, and standard output takes one: give -o DIR, --into PLACE, or --game with one of a1-G1, b2-G1" in (
        ran.err
    )
    for wanted in ("2", "b2-G1"):
        ran = daynight("import", "two.log", "--game", wanted)
        assert (0, "b2-G1") == (ran.code, ran.documents[0]["game"])
    ran = daynight("import", "two.log", "--game", "c3")
    assert (4, "") == (ran.code, ran.out)
    stdin((logs / "one.log").read_bytes())
    assert "a1-G1" == daynight("import", "-").documents[0]["game"]


def test_a_folder(daynight, logs):
    """Each file is a record that replays; a second import writes nothing."""
    ran = daynight("import", "two.log", "-o", "games/new", "--cards", "cards.csv")
    expected = "a1-G1: written to games/new/a1-G1.jsonl\nb2-G1: written to games/new/b2-G1.jsonl\n"
    assert (0, expected + "arena: 2 games with 94 events\n") == (ran.code, ran.out)
    files = sorted((logs / "games/new").iterdir())
    assert ["a1-G1.jsonl", "b2-G1.jsonl"] == [file.name for file in files]
    assert 0 == daynight("replay", *files, "--json").code
    before = [file.stat().st_mtime_ns for file in files]
    ran = daynight("import", "two.log", "-o", "games/new", "--cards", "cards.csv")
    assert "a1-G1: nothing new for games/new/a1-G1.jsonl\n" in ran.out
    assert before == [file.stat().st_mtime_ns for file in files]


def test_other_files_stay(daynight, logs):
    """A file of the game's name with another game, other text or nothing in it is not changed: exit code 3."""
    for other in (b"my diary\n", b'{"type":"game-started","format":1,"game":"x","players":["A"]}\n', b""):
        (logs / "a1-G1.jsonl").write_bytes(other)
        ran = daynight("import", "one.log", "-o", ".")
        assert (3, other) == (ran.code, (logs / "a1-G1.jsonl").read_bytes())
        assert "something else than this game is there" in ran.error


@pytest.mark.parametrize("name, file", [
    ("../../etc/passwd", "etc-passwd"),
    ("a/b\\c", "a-b-c"),
    ("..", "game"),
    ("con", "game-con"),
    ("NUL.txt", "game-NUL.txt"),
    ("Ana’s *game*", "Ana-s-game"),
    ("夜", "夜"),
    ("x" * 200, "x" * 120),
])  # fmt: skip
def test_safe_names(tmp_path, name, file):
    """`Files` replaces unsafe characters in a game's name; another game of the name gets a file with -2, the same game
    its first file."""
    place = Files(tmp_path)
    paths = [place.chosen(ImportedGame(key, name, GameReport(name, "x", 1)))[0] for key in ("1", "2", "1")]
    assert [file, f"{file}-2", file] == paths


def grown():
    """Yield the bytes of a log of one game as it grows, once with a message that is cut off."""
    log = Log()
    game = Game(log)
    yield log.bytes()
    game.begin()
    yield log.bytes()
    wolf = game.cast(1, RUFFIAN)
    yield log.bytes()
    game.resolve(wolf, designation=(DAY, "persistent"))
    yield log.bytes() + b'{"greToClientEvent": {"greToCl'
    game.next_turn()
    game.cast(2, OPT)
    yield log.bytes()
    game.over()
    yield log.bytes()


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("place", [["-o", "games"], ["--into", "g.db"]])
def test_a_grown_log(daynight, logs, place):
    """After each import of the growing log, the stored game has the events that the log alone gives; a second import
    adds nothing."""
    for data in grown():
        (logs / "Player.log").write_bytes(data)
        alone = daynight("import", "Player.log", "--cards", "cards.csv").documents
        assert 0 == daynight("import", "Player.log", "--cards", "cards.csv", *place).code
        if "-o" in place:
            kept = events(logs / "games/a1b2-G1.jsonl")
        else:
            kept = daynight("export", "a1b2-G1", "--db", "g.db").documents
        assert [event["type"] for event in alone] == [event["type"] for event in kept]
        assert [event["meta"] for event in alone] == [event["meta"] for event in kept]
        again = daynight("import", "Player.log", "--cards", "cards.csv", *place, "--json").documents[0]["games"][0]
        assert (again.get("appended", 0), again.get("written", False)) == (0, False)


@pytest.mark.parametrize("place", [["-o", "games"], ["--into", "g.db"]])
def test_less_replaces_nothing(daynight, logs, place):
    """An older copy of the log, or only its last part, changes nothing."""
    log = Log()
    game = Game(log)
    game.begin()
    wolf = game.cast(1, RUFFIAN)
    game.resolve(wolf)
    game.next_turn()
    part = log.bytes()
    game.over()
    (logs / "all.log").write_bytes(log.bytes())
    (logs / "part.log").write_bytes(part)
    late = Log()
    game.log = late
    game.full()
    game.over()
    (logs / "late.log").write_bytes(late.bytes())

    def kept():
        if "-o" in place:
            return events(logs / "games/a1b2-G1.jsonl")
        return daynight("export", "a1b2-G1", "--db", "g.db").documents

    assert 0 == daynight("import", "all.log", *place).code
    whole = kept()
    for other in ("part.log", "late.log"):
        assert 0 == daynight("import", other, *place).code
        assert whole == kept()


def test_stored_and_taken_back(daynight, logs):
    """A judge rules, and then Arena undoes a stored cast: the game keeps the ruling, and gets a back-up by arena."""
    log = Log()
    game = Game(log)
    game.begin()
    stood = game.state
    game.cast(1, OPT)
    (logs / "Player.log").write_bytes(log.bytes())
    assert 0 == daynight("import", "Player.log", "--into", "g.db").code
    ruling = '{"type": "judge-ruled", "by": "Jo", "designation": "night"}'
    assert 0 == daynight("record", "a1b2-G1", ruling, "--db", "g.db").code
    game.undo(stood)
    (logs / "Player.log").write_bytes(log.bytes())
    assert "nothing new" in daynight("import", "Player.log", "--into", "g.db").out
    game.cast(2, RUFFIAN)
    (logs / "Player.log").write_bytes(log.bytes())
    told = daynight("import", "Player.log", "--into", "g.db").out
    assert "a1b2-G1: 2 stored now, after what was taken back; 9 events in all\n" in told
    lines = daynight("export", "a1b2-G1", "--db", "g.db").documents
    assert ["spell-cast", "judge-ruled", "game-backed-up", "spell-cast"] == [line["type"] for line in lines[-4:]]
    assert (5, "arena") == (lines[-2]["to"], lines[-2]["by"])
    assert 0 == daynight("verify", "--db", "g.db").code
    assert "nothing new" in daynight("import", "Player.log", "--into", "g.db").out


def test_rulings_stay(daynight, logs):
    """After a judge's ruling, the log's new events are stored behind it; nothing is undone."""
    log = Log()
    game = Game(log)
    game.begin()
    (logs / "Player.log").write_bytes(log.bytes())
    assert 0 == daynight("import", "Player.log", "--into", "g.db").code
    ruling = '{"type": "judge-ruled", "by": "Jo", "designation": "night"}'
    assert 0 == daynight("record", "a1b2-G1", ruling, "--db", "g.db").code
    game.cast(1, OPT)
    (logs / "Player.log").write_bytes(log.bytes())
    assert "a1b2-G1: 1 stored now, 7 events in all\n" in daynight("import", "Player.log", "--into", "g.db").out
    lines = daynight("export", "a1b2-G1", "--db", "g.db").documents
    assert ["judge-ruled", "spell-cast"] == [line["type"] for line in lines[-2:]]


def test_strict(daynight, logs):
    """A gap stops the import and its line is named; the game before it is stored, the game with the gap is not."""
    assert 0 == daynight("import", "two.log", "--cards", "cards.csv", "--strict", "--json").code
    log = Log()
    day_and_night(Game(log, match="a1"))
    game = Game(log, match="b2")
    game.begin()
    game.state += 1
    game.cast(1, OPT)
    (logs / "gap.log").write_bytes(log.bytes())
    ran = daynight("import", "gap.log", "--cards", "cards.csv", "-o", "games", "--strict")
    assert 3 == ran.code
    assert f"gap.log:{len(log.lines)}: " in ran.error
    assert "states are missing before this one" in ran.error
    assert ["a1-G1.jsonl"] == [file.name for file in (logs / "games").iterdir()]
    assert 0 == daynight("import", "gap.log", "-o", "games").code


def test_the_report(daynight, logs):
    """The report lists games and skipped lines, and for each kind of warning or note a count and first places."""
    data = (logs / "two.log").read_bytes().replace(b'"gameStateId": 9,', b'"gameStateId": null,')
    (logs / "bad.log").write_bytes(data)
    (alone,) = daynight("import", "bad.log", "--json").documents
    assert ["arena", ["bad.log"], 2] == [alone["importer"], alone["sources"], alone["skipped"]]
    assert ["a1-G1", "b2-G1"] == [game["game"] for game in alone["games"]]
    (gap,) = [group for group in alone["warnings"] if group["kind"] == "gap"]
    assert (2, 2) == (gap["count"], len(gap["first"]))
    assert ["unheld"] == [group["kind"] for group in alone["notes"]]
    assert alone["table"] is None
    assert {"source", "line", "sentence"} == set(alone["skipped_lines"][0])
    ran = daynight("import", "bad.log", "-o", "games", "--report", "report.json")
    written = json.loads((logs / "report.json").read_bytes())
    assert ["games/a1-G1.jsonl", "games/b2-G1.jsonl"] == [game["file"] for game in written["games"]]
    assert "skipped: bad.log:" in ran.out
    (told,) = daynight("import", "bad.log", "-o", "games", "--report", "-").documents
    assert alone["warnings"] == told["warnings"]


def test_formats(daynight, logs):
    """Arena's log is recognised in notes.txt; a file that no importer knows gives exit code 3, a wrong --from 2."""
    (logs / "one.log").rename(logs / "notes.txt")
    assert 0 == daynight("import", "notes.txt").code
    assert 0 == daynight("import", "notes.txt", "--from", "arena").code
    assert 3 == daynight("import", "notes.txt", "--from", "record").code
    (logs / "other.txt").write_text("Dear diary\n")
    ran = daynight("import", "other.txt")
    assert 3 == ran.code
    assert (
        "other.txt:1:1: neither a record nor anything that an importer knows; daynight import --from names" in ran.error
    )
    ran = daynight("import", "other.txt", "--from", "arena")
    assert "no game in this log" in ran.error
    ran = daynight("import", "other.txt", "--from", "nobody")
    assert (2, True) == (ran.code, "no importer 'nobody'; there are arena" in ran.err)


@pytest.mark.wide(but=5)
@pytest.mark.parametrize("arguments, code, sentence", [
    (["nowhere.log"], 4, "nowhere.log: no such file"),
    (["two.log", "-o", "x", "--into", "y.db"], 2, "-o and --into are two places"),
    (["two.log", "--as", "me"], 2, "--as names a record"),
    (["two.log", "-o", "x", "--game", "1"], 2, "--game is for standard output"),
    (["one.log", "--report", "-"], 2, "can't both have standard output"),
    (["one.log", "--follow"], 2, "--follow takes one file"),
    (["-", "--follow", "-o", "x"], 2, "--follow takes one file"),
    (["one.log", "two.log", "--follow", "-o", "x"], 2, "--follow takes one file"),
    (["demo", "-o", "x"], 2, "demo is a record already"),
    (["one.log", "--cards", "one.log"], 3, "no card table"),
    (["one.log", "--cards", "nowhere.csv"], 4, "nowhere.csv: No such file"),
    (["one.log", "-o", "cards.csv/x"], 3, "Not a directory"),
])  # fmt: skip
def test_refused(daynight, logs, stdin, arguments, code, sentence):
    """A refusal has its sentence and exit code, no traceback, and nothing is written."""
    stdin((logs / "one.log").read_bytes())
    before = sorted(logs.iterdir())
    ran = daynight("import", *arguments)
    assert (code, "") == (ran.code, ran.out)
    assert sentence in ran.err
    assert "Traceback" not in ran.err
    assert before == [path for path in sorted(logs.iterdir()) if path.name != "home"]


def test_no_game(daynight, logs):
    """A log without messages, with only unreadable ones, or without a state has no game: the error gives advice."""
    (logs / "off.log").write_bytes(b"DETAILED LOGS: DISABLED\n")
    assert "switch them on in Arena" in daynight("import", "off.log").error
    lines = (logs / "one.log").read_bytes().splitlines(keepends=True)
    for name, data in (("cut.log", b"".join(lines[:4])[:-40]), ("late.log", b"".join(lines[2:4]))):
        (logs / name).write_bytes(data)
        ran = daynight("import", name, "-o", "games")
        assert 3 == ran.code
        assert "no game could be read" in ran.err
        assert not (logs / "games").exists()
    # A good log is imported although the other is bad.
    assert 3 == daynight("import", "off.log", "demo").code
    assert "wagic-G1" in listed(daynight)


def test_records_as_before(daynight, logs):
    """One call stores a record and a log's game in the store of --into; --db names the store too."""
    assert 0 == daynight("import", "demo", "one.log", "--into", "all.db").code
    assert {"wagic-G1": 160, "a1-G1": 48} == listed(daynight, "all.db")
    ran = daynight("import", "one.log", "--db", "all.db")
    assert "a1-G1: nothing new, 48 events stored before\n" in ran.out


@pytest.mark.wide
def test_follow(folder):
    """The log grows, is replaced, and is then truncated and rewritten: all three games are stored; SIGINT gives 130."""
    path = folder / "Player.log"
    path.write_bytes(b"")
    # Normal, except that it polls ten times as often.
    program = "from daynight.importers.following import follow; follow.__kwdefaults__['look'] /= 10;"
    program += "from daynight.cli import main; main()"
    command = [sys.executable, "-c", program, "import", "Player.log", "--from", "arena", "--follow", "-o", "games"]
    running = processes.Popen(
        command, cwd=folder, env=environ(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        data = log_of("a1")
        with path.open("ab", buffering=0) as stream:
            for at in range(0, len(data), len(data) // 4):
                stream.write(data[at : at + len(data) // 4])
                time.sleep(0.05)
        wait_for(lambda: (folder / "games/a1-G1.jsonl").exists() and b"game-ended" in kept(folder, "a1-G1"), running)
        path.rename(folder / "Player-prev.log")
        wait_for(lambda: not path.exists(), running)
        path.write_bytes(log_of("b2"))
        wait_for(lambda: (folder / "games/b2-G1.jsonl").exists() and b"game-ended" in kept(folder, "b2-G1"), running)
        # Truncated and rewritten, as some programs do.
        with path.open("r+b") as stream:
            stream.truncate(0)
        time.sleep(0.4)
        with path.open("ab") as stream:
            stream.write(log_of("c3"))
        wait_for(lambda: (folder / "games/c3-G1.jsonl").exists() and b"game-ended" in kept(folder, "c3-G1"), running)
    finally:
        running.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        told, errors = running.communicate(timeout=20)
    assert 130 == running.returncode, errors
    assert "Traceback" not in errors
    assert "arena: 3 games with 141 events\n" in told


def kept(folder, name):
    return (folder / f"games/{name}.jsonl").read_bytes()


def wait_for(condition, running):
    for _look in range(200):
        if condition():
            return
        assert running.poll() is None, running.communicate()
        time.sleep(0.05)
    raise AssertionError("it never happened")
