"""Stores on the command line: db:GAME as FILE, the list, the key; missing, foreign and damaged stores."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys

import click
import pytest
from click.shell_completion import ShellComplete

from daynight.cli.commands import daynight as daynight_command
from daynight.framework.language.source import STORED
from daynight.games import Store
from daynight.records import Record
from daynight.store import Key
from tests.behaviour.games import CONTRACT, EVERY_TYPE, kept
from tests.commands.conftest import completed, environ
from tests.rules.judges import claim
from tests.rules.words import doubt, started, turn, untap

READING = [
    ["replay", "db:g1"], ["why", "db:g1"], ["audit", "db:g1"], ["show", "db:g1"], ["list"], ["follow"],
    ["export", "g1"], ["export", "--all"], ["verify"], ["verify", "g1"], ["backup", "copy.db"],
]  # fmt: skip
WRITING = [
    ["record", "g1", json.dumps(turn(1))],
    ["import", "demo"],
    ["new", "g2", "Ana"],
    ["export", "g1", "-o", "out.jsonl"],
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """Two games, as files and in a store."""
    folder = tmp_path_factory.mktemp("prepared")
    kept(folder / "g1.jsonl", CONTRACT)
    kept(folder / "every.jsonl", [event | {"game": "every"} if "game" in event else event for event in EVERY_TYPE])
    with Store.open(folder / "daynight.db", key=Key.generate()) as store:
        for name in ("g1", "every"):
            store.import_record(Record(folder / f"{name}.jsonl"))
    return folder


@pytest.fixture
def games(prepared, folder):
    """A working folder with two games, as files and in a store."""
    shutil.copytree(prepared, folder, dirs_exist_ok=True)
    return folder


@pytest.mark.wide(but=7)
@pytest.mark.parametrize("more", [[], ["--json"], ["--at", "5"], ["--at", "turn:1", "--json"]], ids=" ".join)
@pytest.mark.parametrize("command", ["replay", "why", "audit", "show"])
def test_a_stored_game_is_a_record(daynight, games, command, more):
    """Each command answers for a stored game as for its file, except for the name."""
    if command == "audit" and "--at" in more:
        more = []
    for name in ("g1", "every"):
        file, db = daynight(command, f"{name}.jsonl", *more), daynight(command, f"db:{name}", *more)
        assert file.code in (0, 1)
        assert file == db._replace(out=db.out.replace(f"db:{name}", f"{name}.jsonl"))


def test_stored_games_beside_files(daynight, games):
    """`audit` answers for each stored game and file of one call; a missing one gives exit code 4, after the others."""
    ran = daynight("audit", "db:g1", "db:nobody", "g1.jsonl", "db:every", "--json")
    assert (4, ["db:g1", "g1.jsonl", "db:every"]) == (ran.code, [document["record"] for document in ran.documents])
    assert "no game 'nobody' in daynight.db" == ran.error


def test_a_file_of_such_a_name(daynight, games):
    """A file called `db:g1` is read if it is given with its folder, as `./db:g1`."""
    kept(games / "db:g1", [started(), claim("night")])
    assert "unverified" == daynight("audit", "db:g1", "--json").documents[0]["verdict"]
    assert "disputed" == daynight("audit", "./db:g1", "--json").documents[0]["verdict"]


def test_another_store(daynight, games):
    """--db names the store, before the game or after it."""
    (games / "daynight.db").rename(games / "other.db")
    for command in (["why", "db:g1", "--db", "other.db"], ["why", "--db", "other.db", "db:g1"]):
        assert 0 == daynight(*command).code
    assert 4 == daynight("why", "db:g1").code
    assert not (games / "daynight.db").exists()


def test_no_store(daynight, folder):
    """Reading without a store: exit code 4, the error says how one begins, and neither store nor key is created."""
    says = "daynight.db: no store there; daynight new begins a game and its store, --db names another"
    for command in READING:
        ran = daynight(*command)
        assert (4, "", says) == (*ran[:2], ran.error), command
    assert [] == list(folder.iterdir())


def test_recording_makes_no_store(daynight, folder):
    """`record` with a misspelt path ends with exit code 4, and does not create a store."""
    ran = daynight("record", "g1", json.dumps(turn(1)), "--db", "friady.db")
    assert (4, True) == (ran.code, ran.error.startswith("friady.db: no store there"))
    assert [] == list(folder.iterdir())


def test_an_empty_file_is_no_store(daynight, folder):
    """An empty file is no store: `list` ends with exit code 4 and leaves it unchanged."""
    (folder / "daynight.db").touch()
    assert 4 == daynight("list").code
    assert 0 == (folder / "daynight.db").stat().st_size


@pytest.mark.parametrize("place, says", [
    ("memory:", "memory: would be gone with this command"),
    ("postgres1://a/b", "unknown kind of store 'postgres1'"),
    ("postgresql://a/b?durable=no", "unknown setting 'durable'"),
])  # fmt: skip
def test_2_a_place_that_is_none(daynight, folder, place, says):
    """`--db` with an invalid address, or with a store in memory, is wrong usage in one line; nothing is written."""
    for command in (*READING, *WRITING):
        ran = daynight(*command, "--db", place)
        assert (2, "", True) == (*ran[:2], ran.error.startswith(says)), command
    assert [] == [path for path in folder.rglob("*") if "home" not in path.parts]


def foreign(path):
    """Make a SQLite file of another program."""
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE stored_events (a)")
    connection.close()


def text(path):
    """Make a text file."""
    path.write_text("Dear diary, today we played. " * 100)


def a_folder(path):
    """Make a folder."""
    path.mkdir()


@pytest.mark.parametrize("make", [foreign, text, a_folder])
def test_5_no_store_of_ours(daynight, folder, make):
    """A file of another program, or a folder, as a store: exit code 5, one line names it, and it stays unchanged."""
    make(folder / "daynight.db")
    before = (folder / "daynight.db").read_bytes() if make is not a_folder else b""
    for command in (*READING, *WRITING):
        ran = daynight(*command)
        assert (5, "", True) == (*ran[:2], "daynight.db: " in ran.error), command
    assert make is a_folder or before == (folder / "daynight.db").read_bytes()


def damage(folder, statement):
    """Run a SQL statement directly on the database of the store."""
    connection = sqlite3.connect(folder / "daynight.db")
    with connection:
        connection.execute(statement)
    connection.close()


@pytest.mark.wide(but=2)
@pytest.mark.parametrize(
    "statement, says",
    [
        ("DELETE FROM stored_events WHERE originator_id = 'g1' AND originator_version = 4", "g1:4: event 4 is missing"),
        ("UPDATE stored_events SET topic = 'os:system' WHERE originator_version = 4", "g1:4: unknown tag 'os:system'"),
        ("UPDATE stored_events SET state = x'7b' WHERE originator_version = 4", "g1:4: event 4 is not what was stored"),
        (
            """UPDATE stored_events SET state = CAST('{"type":"spell-cast","player":"Eve"}' AS BLOB)
            WHERE originator_id = 'g1' AND originator_version = 6""",
            "g1:6: event 6 is not what was stored",
        ),
    ],
)
def test_5_damaged(daynight, games, statement, says):
    """Damaged data: exit code 5, one line with the game and the event, and no answer."""
    damage(games, statement)
    for command in ("replay", "why", "audit", "show"):
        for json_too in ((), ("--json",)):
            ran = daynight(command, "db:g1", *json_too)
            assert (5, [], True) == (ran.code, ran.documents, ran.error.startswith(says)), (command, ran)


def test_5_is_not_hidden(daynight, games):
    """Of several errors the worst gives the exit code: damaged games 5, unreadable files 3, then missing files 4."""
    damage(games, "DELETE FROM stored_events WHERE originator_id = 'g1' AND originator_version = 4")
    (games / "bad.jsonl").write_text("{")
    assert 5 == daynight("audit", "nowhere.jsonl", "bad.jsonl", "db:g1", "every.jsonl").code
    assert 3 == daynight("audit", "nowhere.jsonl", "bad.jsonl", "every.jsonl").code


def test_5_torn_pages(daynight, games):
    """For a damaged database file, every command prints an error and ends with exit code 5."""
    data = (games / "daynight.db").read_bytes()
    (games / "daynight.db").write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    for command in (*READING, *WRITING):
        ran = daynight(*command)
        assert (5, True) == (ran.code, bool(ran.error)), command


def test_list(daynight, folder):
    """`list` prints each game's events, turns, state and verdict; then the totals."""
    kept(folder / "claims.jsonl", [started(), claim("night"), {"type": "game-ended"}])
    kept(
        folder / "doubts.jsonl",
        [started(), turn(1), doubt("Ana", 0), {"type": "effect-resolved", "becomes": "day"}, turn(2), untap()],
    )
    kept(folder / "g1.jsonl", CONTRACT)
    for name in ("g1", "claims", "doubts"):
        assert 0 == daynight("import", f"{name}.jsonl", "--as", name).code
    ran = daynight("list")
    assert (0, "") == ran[::2]
    assert [
        ["game", "events", "turns", "now", "verdict"],
        ["claims", "3", "0", "·", "neither", "day", "nor", "night", "(over)", "DISPUTED", "(1)"],
        ["doubts", "6", "2", "?", "uncertain", "unverified"],
        ["g1", "8", "3", "☾", "night", "unverified"],
    ] == [line.split() for line in ran.out.splitlines()[:-1]]
    assert "3 games · 17 events · 5 turns · 2 spells · 1 claim or ruling differs" == ran.out.splitlines()[-1]
    (document,) = daynight("list", "--json").documents
    assert ["claims", "doubts", "g1"] == [game["game"] for game in document["games"]]
    assert {
        "game": "doubts", "events": 6, "turns": 2, "spells": 0, "changes": 2, "designation": None,
        "possible": ["day", "night"], "verdict": "unverified", "differing": 0, "over": False,
    } == document["games"][1]  # fmt: skip
    assert [3, 17, 5, 2, 1, 1] == [
        document["totals"][key] for key in ("games", "events", "turns", "spells", "differing", "over")
    ]
    assert {"neither": 1, "day": 0, "night": 1, "uncertain": 1} == document["totals"]["designations"]


def test_list_rebuilt(daynight, games):
    """`list` shows a stored table, even if it is wrong; `list --rebuild` makes it right again from the events."""
    expected = daynight("list", "--json")
    damage(games, "UPDATE library SET events = 77, verdict = 'exact'")
    assert expected != daynight("list", "--json")
    assert expected == daynight("list", "--rebuild", "--json") == daynight("list", "--json")


def test_list_of_nothing(daynight, folder):
    """For a store without games, `list` says how a game begins, and `verify` that there is nothing to verify."""
    Store.open(folder / "daynight.db").close()
    ran = daynight("list")
    assert (0, "no games yet; daynight new GAME PLAYER... begins one\n") == ran[:2]
    assert [] == daynight("list", "--json").documents[0]["games"]
    assert (0, "no games yet: nothing to verify\n") == daynight("verify")[:2]
    assert (0, "") == daynight("verify", "--json")[:2]


def keys(folder):
    """Return the paths of all keys in a folder and below."""
    return sorted(path for path in folder.rglob("*.pem"))


def signers(name="daynight.db", game="g1"):
    """Return the public keys that signed a game."""
    with Store.open(name) as store:
        return {signer for _event, signer, _signature in store.recorder.signatures(game)}


def test_the_key(daynight, folder):
    """The first command that writes makes the key in the home folder, for its owner alone; later commands use it."""
    assert 0 == daynight("new", "g1", "Ana", "Bo").code
    (path,) = keys(folder)
    assert folder / "home" in path.parents
    assert os.name == "nt" or 0o600 == path.stat().st_mode & 0o777
    for event in (turn(1), turn(2, "Bo")):
        assert 0 == daynight("record", "g1", json.dumps(event)).code
    assert {Key.read(path).key} == signers()
    assert path.read_bytes() not in (folder / "daynight.db").read_bytes()


def test_readers_make_no_key(daynight, games):
    """Commands that only read make no key."""
    for command in READING:
        if command != ["follow"]:
            assert 0 == daynight(*command).code, command
    assert [] == keys(games)


def test_another_key(daynight, folder):
    """--key chooses the file of the key; an invalid one is wrong usage, and nothing is written."""
    assert 0 == daynight("new", "g1", "Ana", "--key", "mine.pem").code
    assert 0 == daynight("record", "g1", json.dumps({"type": "game-ended"}), "--key", "mine.pem").code
    assert [folder / "mine.pem"] == keys(folder)
    assert {Key.read(folder / "mine.pem").key} == signers()
    (folder / "bad.pem").write_text("no key")
    (folder / "open.pem").write_bytes((folder / "mine.pem").read_bytes())
    (folder / "open.pem").chmod(0o644)
    ran = daynight("new", "g2", "Ana", "--key", "open.pem")
    assert (2, "", "open.pem: others may read this key: chmod 600 it, or make another") == (*ran[:2], ran.error)
    ran = daynight("new", "g2", "Ana", "--key", "bad.pem")
    assert (2, "") == ran[:2]
    assert ran.error.startswith("bad.pem: no key: ")
    assert 4 == daynight("replay", "db:g2").code


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("line, expected", [
    ("daynight replay db:", {"db:g1", "db:every"}),
    ("daynight audit db:every db:g", {"db:g1"}),
    ("daynight why --db other.db db:", {"db:sunday"}),
    ("daynight record e", {"every"}),
    ("daynight verify g", {"g1"}),
    ("daynight export --db nowhere.db g", {"g"}),
    ("daynight replay --db g1.jsonl db:", {""}),
])  # fmt: skip
def test_completing(daynight, monkeypatch, capfdbinary, games, line, expected):
    """The shell's completion offers the games of the store that the line names; without a store none, and no error."""
    assert 0 == daynight("new", "sunday", "Ana", "--db", "other.db").code
    assert expected == {found.partition(",")[2] for found in completed(monkeypatch, line) or [","]}
    assert (b"", b"") == tuple(capfdbinary.readouterr())
    assert not (games / "nowhere.db").exists()


def test_completing_a_file(games):
    """A word that does not begin with `db:` is completed as a file."""
    command = daynight_command.get_command(click.Context(daynight_command), "replay")
    assert ["d"] == [item.value for item in ShellComplete(command, {}, "r", "_C").get_completions([], "d")][1:]
    assert "db:" == STORED


NO_STORE = ("--help", "list --help", "record --help", "audit demo", "replay -h", "schema")


@pytest.mark.wide
def test_what_needs_no_store_loads_none(folder):
    """Commands without a store import none of eventsourcing, sqlite3, psycopg and cryptography."""
    script = (
        "import sys; from daynight.cli.commands import run\n"
        "for line in sys.argv[1:]:\n"
        "    code = run(line.split())\n"
        "    loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "    print(line, code, *loaded & {'eventsourcing', 'cryptography', 'sqlite3', 'psycopg'}, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", script, *NO_STORE], env=environ(), capture_output=True, check=True)
    found = ran.stderr.decode().splitlines()
    assert [f"{line} {int(line == 'audit demo')}" for line in NO_STORE] == found
