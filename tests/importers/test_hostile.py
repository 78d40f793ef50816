"""Hostile logs: an answer in limited time and memory, and never a traceback.

| promise | test |
| --- | --- |
| a changed log is read into legal games, or refused in a sentence | test_mutations |
| twenty thousand changed logs are read or refused | test_many_mutations |
| values that no client sends do not hinder reading: numbers, names, lists of any size | test_odd_values |
| time and memory are linear in the log's size: many objects, games, turns, undos | test_floods |
| time and memory are linear for logs four times as long | test_whole_floods |
| a log of 200 MiB is imported within 200 MiB of memory | test_memory |
"""

import gc
import io
import json
import random
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from daynight.cards import bundled
from daynight.events.language import decode
from daynight.framework.language.codec import encode, encode_lines
from daynight.importers.arena.log import IMPORTER
from daynight.importers.importing import Import
from daynight.importers.sources import Source
from daynight.logs import known_of
from tests.importers.answering import answered
from tests.importers.arena_logs import (
    BATTLEFIELD,
    DAY,
    DELVER,
    HAWK,
    OPT,
    RUFFIAN,
    Game,
    Log,
    csv_table,
    day_and_night,
    note,
)
from tests.importers.arena_reading import begun

ROOT = Path(__file__).resolve().parents[2]


def everything():
    """Return a log of two games with all kinds of messages."""
    log = Log(ending="\n")
    day_and_night(Game(log, match="a1"), wrong=True)
    game = Game(log, match="b2", first=2)
    game.begin()
    delver = game.cast(2, DELVER)
    game.resolve(delver)
    game.send(gameObjects=[game.turn_over(delver)])
    game.send(annotations=[note("PhasedOut", [delver], 5)])
    stood = game.state
    game.send(gameObjects=[game.shown(700, HAWK, BATTLEFIELD, 1, isFacedown=True)])
    game.next_turn((DAY, "persistent"))
    game.undo(stood)
    game.send(gameObjects=[game.shown(delver, HAWK, BATTLEFIELD, 1)])
    game.state += 3
    game.turn += 2
    game.send(turnInfo={"turnNumber": game.turn, "activePlayer": 1})
    game.full()
    game.die(delver)
    game.over()
    return log.bytes()


@cache
def options(folder):
    """Return the options of an import: the catalogue, and the made-up cards as a table in `folder`."""
    path = Path(folder) / "cards.csv"
    path.write_bytes(csv_table())
    return known_of(bundled(), path)


WORDS = [
    b"null", b"0", b"-1", b"1", b"9007199254740993", b"1e400", b"true", b'""', b'"\\u202e"', b'"\\ud800"', b"[]", b"{}",
    b"[[]]", b"[null]", b'{"a":1}', b"\xff", b"\n", b"}", b"{", b'"', b"2", b"28", b"300",
]  # fmt: skip


def mutated(data, rng):
    """Return a log with some lines deleted, swapped, doubled, cut or changed."""
    lines = data.split(b"\n")
    for _change in range(rng.choice([1, 1, 2, 5])):
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        kind = rng.randrange(8)
        line = lines[at]
        if kind == 0:
            del lines[at : at + rng.choice([1, 2, 10])]
        elif kind == 1:
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 2:
            lines.insert(other, line)
        elif kind == 3:
            place = rng.randrange(len(line) + 1)
            lines[at] = line[:place]
        elif kind == 4:
            place = rng.randrange(len(line) + 1)
            lines[at] = line[:place] + rng.choice(WORDS) + line[place + rng.choice([0, 1, 4]) :]
        else:
            # One JSON value replaced by another, so that most lines are still valid JSON.
            parts = line.split(b": ")
            if len(parts) > 2:
                part = rng.randrange(1, len(parts))
                end = min((found for each in b",}]" if (found := parts[part].find(each)) >= 0), default=0)
                parts[part] = rng.choice(WORDS) + parts[part][end:]
            lines[at] = b": ".join(parts)
        if not lines:
            lines = [b""]
    return b"\n".join(lines)


def mutate(seed, logs, folder):
    rng, base = random.Random(seed), everything()
    games = 0
    for _log in range(logs):
        data = mutated(base, rng)
        before = time.process_time()
        games += answered(IMPORTER, data, options(str(folder)))
        assert time.process_time() - before < 5
    assert games > logs / 2


def test_mutations(tmp_path):
    """Some changed logs, always the same, are read into legal games, or refused with a RecordError."""
    assert answered(IMPORTER, everything(), options(str(tmp_path))) == 2
    assert answered(IMPORTER, b"\x1b[31m no log\n" * 50, options(str(tmp_path))) == 0
    mutate(1, 6, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12])
def test_many_mutations(tmp_path, seed):
    """Ten thousand changed logs for each seed are read into legal games, or refused with a RecordError."""
    mutate(seed, 10_000, tmp_path)


@pytest.mark.wide(but=7)
@pytest.mark.parametrize("before, after", [
    (b'"turnNumber": 3', b'"turnNumber": 2147483647'), (b'"turnNumber": 3', b'"turnNumber": -3'),
    (b'"turnNumber": 3', b'"turnNumber": 99999999999999999999999999'),
    (b'"matchID": "a1"', b'"matchID": "' + b"../" * 500 + b'"'),
    (b'"matchID": "a1"', b'"matchID": "\\u0000\\u202e\\n"'), (b'"matchID": "a1"', b'"matchID": ""'),
    (b'"gameNumber": 1', b'"gameNumber": -7'), (b'"systemSeatNumber": 1', b'"systemSeatNumber": 2'),
    (b'"systemSeatNumber": 1', b'"systemSeatNumber": 4294967296'), (b'"instanceId": 300', b'"instanceId": -300'),
    (b'"instanceId": 300', b'"instanceId": 0'), (b'"affectedIds": [300]', b'"affectedIds": []'),
    (b'"affectedIds": [300]', b'"affectedIds": [300, 300]'), (b'"grpId": 78516', b'"grpId": -1'),
    (b'"othersideGrpId": 78517', b'"othersideGrpId": 78516'), (b'"controllerSeatId": 1', b'"controllerSeatId": 9'),
    (b'"zoneId": 28', b'"zoneId": 27'), (b'"winningTeamId": 1', b'"winningTeamId": 77'),
    (b'"gameStateId": 1,', b'"gameStateId": 9007199254740991,'),
    (b'"type": "ZoneType_Battlefield"', b'"type": "ZoneType_"'),
])  # fmt: skip
def test_odd_values(tmp_path, before, after):
    """All values of one kind are replaced by odd ones: the log is read into at least its two games."""
    data = everything()
    assert before in data
    assert 2 <= answered(IMPORTER, data.replace(before, after), options(str(tmp_path)))


def objects(part):
    game = begun()
    for at in range(8 // part):
        game.send(gameObjects=[game.shown(1000 + at * 1000 + n, HAWK, BATTLEFIELD, 1) for n in range(1000)])
        game._shown.clear()
    return game.log.bytes()


def many_games(part):
    log = Log()
    for number in range(800 // part):
        Game(log, match=f"m{number}")
    return log.bytes()


def turns(part):
    game = begun()
    for _turn in range(3000 // part):
        game.next_turn()
    return game.log.bytes()


def undoing(part):
    game = begun()
    for _time in range(600 // part):
        stood = game.state
        game.cast(1, OPT)
        game.undo(stood)
    return game.log.bytes()


def braces(part):
    return b'{"greToClientEvent": {"greToClientMessages": [' + b"{}," * (400_000 // part) + b"{}]}}\n"


def unfinished(part):
    return b'  "greToClientEvent": {\n' * (20_000 // part)


def transforming(part):
    game = begun()
    wolf = game.cast(1, RUFFIAN)
    game.resolve(wolf)
    for _time in range(2000 // part):
        game.send(gameObjects=[game.turn_over(wolf)])
    return game.log.bytes()


def designations(part):
    game = begun()
    for at in range(300 // part):
        there = [{"id": at * 300 + n, **note("Designation", [1], DesignationType=DAY)} for n in range(300)]
        game.send(persistentAnnotations=there)
    return game.log.bytes()


def affected(part):
    game = begun()
    for _time in range(4 // part):
        many = range(1, 200_000)
        game.send(
            annotations=[
                note("ZoneTransfer", many, zone_src=27, zone_dest=BATTLEFIELD),
                note("ZoneTransfer", many, zone_src=BATTLEFIELD, zone_dest=27),
                note("TokenCreated", many),
                note("PhasedOut", many),
            ]
        )
    return game.log.bytes()


def annotations(part):
    """Return a log of four states with very many annotations, divided by `part`: of beginning turns, of untap steps,
    one of many types, and some without a type."""
    game = begun()
    few, many, most = 9_000 // part, 60_000 // part, 200_000 // part
    untap = [note("PhaseOrStepModified", [1], phase=1, step=1)] * few
    kinds = {**untap[0], "type": untap[0]["type"] * many}
    nothing = [{"type": []}] * few
    for all in ([note("NewTurnStarted", [1], 1)] * few, untap, [kinds, *nothing], [{"type": []}] * most):
        game.send(annotations=all)
    return game.log.bytes()


def players(part):
    log = Log()
    game = Game(log)
    everybody = [{"systemSeatNumber": 1 + n % 20, "teamId": 1} for n in range(100_000 // part)]
    log.lines.clear()
    game.state = 0
    game.full(stage="GameStage_Start", turn=False, players=everybody)
    game.begin()
    game.over()
    return log.bytes()


FLOODS = pytest.mark.parametrize("flood", [
    designations, affected, annotations, players, objects, many_games, turns, undoing, braces, unfinished, transforming,
])  # fmt: skip


PASSES = 130
"""The time limit of a whole flood: so many times as long as Python iterates over a million bytes, some seconds."""


def flooded(folder, flood, part):
    """Import a flood of 1/`part` of its size: it must take less than 1/`part` of the time limit, see PASSES.

    The iteration is timed right after the import, as a busy machine slows both. Garbage collection is off meanwhile.
    """
    data = flood(part)
    running = Import(IMPORTER, options(str(folder)))
    gc.disable()
    try:
        before = time.process_time()
        games = list(running.games([Source("x", io.BytesIO(data))]))
        took = time.process_time() - before
        passed = sum(1 for _byte in bytes(10**6))
        a_pass = time.process_time() - before - took
    finally:
        gc.enable()
    assert passed == 10**6
    assert took < a_pass * PASSES / part
    for game in games:
        assert game.events == [decode(encode(event)) for event in game.events]
    assert sum(len(encode_lines(game.events)) for game in games) < 3 * len(data)


@pytest.mark.wide(but=4)
@FLOODS
def test_floods(tmp_path, flood):
    """A sixteenth of each flood is read in a sixteenth of the time limit."""
    flooded(tmp_path, flood, 16)


@pytest.mark.slow
@FLOODS
def test_whole_floods(tmp_path, flood):
    """Each whole flood is read within the time limit."""
    flooded(tmp_path, flood, 1)


MEASURED = """
import resource, sys
from pathlib import Path
from daynight.cli.commands import run

code = run(sys.argv[1:])
status = Path("/proc/self/status")
if status.exists():
    # Where Linux tells it to getrusage, it counts the memory of whoever started the process as well.
    peak = int(status.read_text().split("VmHWM:")[1].split()[0]) * 1024
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(peak, file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.slow
def test_memory(tmp_path):
    """A new process imports a log of 200 MiB, with many games: its peak memory stays below 200 MiB."""
    path = tmp_path / "Player.log"
    base = everything()
    filler = b"[UnityCrossThreadLogger]" + b"x" * 2000 + b"\n"
    with path.open("wb") as stream:
        number = 0
        while stream.tell() < 200 * 2**20:
            number += 1
            stream.write(base.replace(b'"a1"', b'"a%d"' % number).replace(b'"b2"', b'"b%d"' % number) + filler * 50)
    ran = subprocess.run(
        [sys.executable, "-c", MEASURED, "import", "Player.log", "-o", "games", "--json"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    peak = int(ran.stderr.split()[-1])
    assert 2 * number == len(json.loads(ran.stdout)["games"])
    assert peak < 200 * 2**20
