"""Two games of the same name are different games, and neither is accepted in place of the other.

| promise | test |
| --- | --- |
| line 1 of a new game gets 128 random bits, also that of a branch; a given line stays unchanged | test_random |
| the random bits do not count when commands are compared | test_same_command |
| two games of one name in two stores can be played in turn with one key | test_two_evenings |
| two records of one name may be of two mechanics, or of the same | test_another_mechanic, test_new |
| if a new game replaces another of the same name, there is one notice, and appends work | test_anew |
| after a kill between the commit and the writing of the key's memory, appends work | test_killed |
| an entry by an older daynight applies to every game of that name, until the game is signed again | test_older_memory |
| the memory also has entries that an older daynight can read; they are not counted twice | test_shadow |
"""

import json
import os
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from daynight.cli.commands import run
from daynight.cli.mechanics import commands
from daynight.framework.edits import drop
from daynight.games import Store
from daynight.store import ConflictError, Head, Key
from daynight.store import Store as AnyStore
from daynight.store.branches import branches, keep
from daynight.store.database.settings import Settings
from daynight.store.errors import NotSignedError
from daynight.store.proving.memory import Memory
from daynight.store.proving.proof import prove
from daynight.store.proving.verify import verify_game
from tests import processes
from tests.rules.words import cast, started, turn
from tests.store.evenings import GAME, both, forged, identity, play, refused
from tests.store.lamp import LAMP
from tests.store.rewriting import rows_of

ROOT = Path(__file__).resolve().parents[2]


def beside(place, tmp_path, request):
    """The settings of another place of the same kind as `place`."""
    if place.kind == "sqlite":
        return replace(place, path=str(tmp_path / "other.db"))
    from daynight.store.database.server import migrate

    other = replace(place, schema=f"{place.schema}_other")
    migrate(other)
    return other


# ------------------------------------------------------------------------------------------------------- the identity


def test_random(tmp_path):
    with Store.open("memory:") as store:
        for name in ("a", "b"):
            store.new(name, ["Ana", "Bo"])
        store.append("given", [started()])
        bits = [next(store.events(name)).meta for name in ("a", "b", "given")]
        assert bits[2] is None
        assert bits[0] != bits[1]
        assert all(len(bytes.fromhex(meta["random"])) == 16 for meta in bits[:2])
        store.append("a", [turn(1), cast()])
        branch = store.load("a").branch(drop(3), name="b2")
        kept = keep(store, branch, "a")
        first = next(store.events("a/b2")).meta
        assert first is not None
        assert first["random"] not in [meta and meta["random"] for meta in bits[:2]]
        assert first["branch"] == "b2"
        assert [one.intact for one in branches(store, "a")] == [True]
        # The same command again is stored once, whatever random bits would be drawn.
        assert keep(store, branch, "a") == kept
        store.application.writer.draw = lambda: "0" * 32
        store.new("drawn", ["Ana", "Bo"])
        assert next(store.events("drawn")).meta == {"random": "0" * 32}


def test_same_command():
    with Store.open("memory:") as store:
        first = store.new(GAME, ["Ana", "Bo"], command="c1")
        again = store.new(GAME, ["Ana", "Bo"], command="c1")
        assert (first.repeated, again.repeated, store.last(GAME)) == (False, True, 1)


@both
def test_two_evenings(place, file, tmp_path, request):
    other = beside(place, tmp_path, request)
    assert play(place, file, begin=True) == play(other, file, begin=True) == []
    for number in (1, 2, 3):
        for one in (place, other):
            assert play(one, file, number) == []
    assert identity(place) != identity(other)
    for one in (place, other):
        with Store(one, key=Key.read(file)) as store:
            assert prove(store, GAME)
            found = verify_game(store.recorder, GAME)
            assert (found.fault, found.identity) == (None, identity(one).hex())
        forged(one)
        refused(one, file, "written anew")


def test_another_mechanic(file, tmp_path):
    """A first event of another mechanic under a signed game's name raises NotSignedError, except with `begins=True`."""
    play(Settings.parse(tmp_path / "games.db"), file, 1, begin=True)
    lamp = {"type": "lamp-hung", "lamp": GAME}
    with AnyStore.open(tmp_path / "lamps.db", mechanic=LAMP, key=Key.read(file)) as store:
        with pytest.raises(NotSignedError, match="another game of that name"):
            store.append(GAME, [lamp])
        store.append(GAME, [lamp], begins=True)
        with pytest.raises(ConflictError, match="the last event is 1, not 0"):
            store.append(GAME, [lamp], begins=True)
        store.append(GAME, [{"type": "pressed", "by": "Ana"}])
    play(Settings.parse(tmp_path / "games.db"), file, 2)


@both
def test_anew(place, file, tmp_path):
    """If a game is deleted and a new one takes its name, appends work, and one notice says so."""
    from tests.store.rewriting import deleted

    play(place, file, 1, 2, begin=True)
    deleted(place, GAME)
    (said,) = play(place, file, 1, 2, 3, begin=True)
    assert said.startswith(
        "friday: begun anew; the game of that name that was here before is signed up to event 3, e3 "
    )


PROGRAM = """
import json, os, sys
from pathlib import Path
from daynight.games import Store
from daynight.store import Key
from daynight.store.database.settings import Settings
where, key = sys.argv[1:]
Key.remember = lambda *given: os._exit(9)
with Store(Settings(**json.loads(where)), key=Key.read(Path(key))) as store:
    if store.last("friday"):
        store.append("friday", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
    else:
        store.new("friday", ["Ana", "Bo"])
"""


@pytest.mark.wide
@both
def test_killed(place, file, tmp_path):
    """If a kill came after the commit, and the memory has only another game, appends to both games work."""
    play(Settings.parse(tmp_path / "last.db"), file, 1, 2, begin=True)
    for _begin, last in (("begun", 1), ("turn", 2)):
        process = processes.Popen(
            [sys.executable, "-c", PROGRAM, json.dumps(asdict(place)), str(file)],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        assert process.wait() == 9
        with Store(place) as store:
            assert store.last(GAME) == last
    play(place, file, 2, 3)
    play(Settings.parse(tmp_path / "last.db"), file, 3)


# ---------------------------------------------------------------------------------------------------------- the memory


class OlderMemory(Memory):
    """A key's memory as older versions of daynight write it."""

    def note(self, game, head, place=None):
        super().note(game, head)


@both
def test_older_memory(place, file, tmp_path, request, monkeypatch):
    other = beside(place, tmp_path, request)
    with monkeypatch.context() as older:
        older.setattr("daynight.store.proving.keys.Memory", OlderMemory)
        play(place, file, 1, 2, begin=True)
    assert Key.read(file).recalled(GAME).plain == Head(3, rows_of(place, GAME)[2][2])
    with Store(other, key=Key.read(file)) as store, pytest.raises(NotSignedError, match="written anew"):
        store.new(GAME, ["Ana", "Bo"])
    play(place, file, 3)
    assert Key.read(file).recalled(GAME).plain is None
    play(other, file, 1, begin=True)
    play(place, file, 4)
    forged(place)
    refused(place, file, "written anew")


def test_shadow(file, tmp_path):
    """Each head also has a line for older versions of daynight, and the two count as one."""
    place = Settings.parse(tmp_path / "games.db")
    play(place, file, 1, 2, begin=True)
    lines = [json.loads(line) for line in Path(f"{file}.heads").read_bytes().splitlines()]
    plain = [line for line in lines if line["type"] == "signed"]
    assert {tuple(line) for line in plain} == {("type", "signer", "game", "event", "digest")}
    games = [line for line in lines if line["type"] == "signed-game"]
    assert [(line["event"], line["digest"]) for line in plain] == [(line["event"], line["digest"]) for line in games]
    assert {line["identity"] for line in games} == {identity(place).hex()}
    assert {(line["mechanic"], line["store"]) for line in games} == {("daynight", os.path.realpath(place.path))}
    key = Key.read(file)
    assert key.recalled(GAME).plain is None
    # A plain line with another head counts, wherever it is.
    key.remember(GAME, Head(9, bytes(32)))
    key.settle()
    assert Key.read(file).recalled(GAME).plain == Head(9, bytes(32))
    refused(place, file, "this key has signed event 9")


def test_new(tmp_path, capsys, monkeypatch):
    """On another mechanic's command line, `--new` lets a new game have the name of a signed one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    pressed = json.dumps({"type": "pressed", "by": "Ana"})
    for place, lamp, new, code in (
        ("a.db", "hall", [], 0), ("b.db", "porch", [], 5),
        ("b.db", "porch", ["--new"], 0), ("b.db", "hall", ["--new"], 5),
    ):  # fmt: skip
        hung = json.dumps({"type": "lamp-hung", "lamp": lamp})
        ran = run(["record", GAME, hung, *new, "--db", place], commands(LAMP), "lamp")
        assert (ran, "another game of that name" in capsys.readouterr().err) == (code, code == 5 and not new)
    for place in ("a.db", "b.db"):
        assert run(["record", GAME, pressed, "--db", place], commands(LAMP), "lamp") == 0
