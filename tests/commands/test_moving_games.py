"""Moving games and proving that they are unchanged: import, export, verify, backup."""

import gzip
import json
import os
import sys

import pytest

from daynight.games import Store
from tests import processes
from tests.behaviour.games import CONTRACT, EVERY_TYPE, kept, lines
from tests.commands.conftest import OTHER, code, complaints, environ, listed
from tests.rules.placing import enter
from tests.rules.words import cast, started
from tests.sampling import sampled

# ------------------------------------------------------------------------------------------------------------- import


def test_import(daynight, folder, stdin):
    """A file, a compressed file, standard input and the demo are imported into a new store; the JSON has each code."""
    kept(folder / "g1.jsonl", CONTRACT)
    kept(folder / "other.jsonl.gz", OTHER)
    stdin(lines(EVERY_TYPE))
    for arguments in (["g1.jsonl", "demo"], ["other.jsonl.gz", "--as", "other"], ["-", "--as", "every"]):
        ran = daynight("import", *arguments, "--into", "new.db", "--json")
        assert (0, "") == (ran.code, complaints(ran.err))
        for document in ran.documents:
            assert (code(document["game"], "new.db"), False) == (document["code"], document["repeated"])
    assert {"g1": 8, "wagic-G1": 160, "other": 3, "every": len(EVERY_TYPE)} == listed(daynight, "new.db")
    assert not (folder / "daynight.db").exists()


def test_import_in_words(daynight, games):
    """The output says whether a game was stored now or before, with its number of events and its code."""
    assert f"g1: stored before, 8 events, {code('g1')}\n" == daynight("import", "g1.jsonl").out
    assert f"one: stored, 8 events, {code('g1')[:2]}" in daynight("import", "g1.jsonl", "--as", "one").out


def test_imported_twice(daynight, games):
    """Importing a game again stores nothing; a different game of the same name is refused with exit code 5."""
    before = code("g1")
    ran = daynight("import", "g1.jsonl", "--json")
    assert (0, True) == (ran.code, ran.documents[0]["repeated"])
    kept(games / "altered.jsonl", [*CONTRACT, cast("Bo")])
    ran = daynight("import", "altered.jsonl")
    assert (5, "") == ran[:2]
    assert "g1: there is another game of that name; import it under a name of its own" == ran.error
    assert before == code("g1")


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("data, status, says", [
    (lines([*CONTRACT, cast("Anna")]), 3, "bad.jsonl:9: $.player: no player 'Anna'"),
    (b"{", 3, "bad.jsonl:1: $: not JSON"),
    (b"", 3, "bad.jsonl:1: $: an empty record"),
    (lines(CONTRACT[1:]), 3, "bad.jsonl:1: "),
    (gzip.compress(lines(CONTRACT))[:-9], 3, "bad.jsonl:9: $: damaged gzip data"),
    (None, 4, "bad.jsonl: no such file"),
])  # fmt: skip
def test_all_or_nothing(daynight, games, data, status, says):
    """A refused file stores nothing, and decides the exit code; the other files of the command are stored.

    If every file of the command is refused, it leaves no new store.
    """
    if data is not None:
        (games / "bad.jsonl").write_bytes(data)
    assert status == daynight("import", "bad.jsonl", "--as", "bad", "--into", "new.db").code
    assert not [*games.glob("new.db*")]
    assert status == daynight("import", "bad.jsonl", "demo", "--into", "new.db").code
    assert {"wagic-G1": 160} == listed(daynight, "new.db")
    ran = daynight("import", "bad.jsonl", "--as", "bad")
    assert (status, "", True) == (*ran[:2], ran.error.startswith(says))
    ran = daynight("import", "bad.jsonl", "demo", "--json")
    assert (status, ["wagic-G1"]) == (ran.code, [document["game"] for document in ran.documents])
    assert {"g1": 8, "other": 3, "wagic-G1": 160} == listed(daynight)


def test_import_with_a_catalogue_of_ones_own(daynight, folder):
    """`import` copies a card's faces from a custom catalogue into the stored events, so `replay` does not need it."""
    card = {"name": "Cat", "double_faced": False, "front": {"name": "Cat", "keywords": ["nightbound"]}, "note": "mine"}
    (folder / "cards.json").write_text(json.dumps([card]))
    kept(folder / "cat.jsonl", [started(), enter("c", {"card": "Cat"})])
    assert 0 == daynight("import", "cat.jsonl", "--catalogue", "cards.json").code
    assert "night" == daynight("replay", "db:g1", "--json").documents[0]["designation"]


def test_what_cannot_be_read_makes_no_store(daynight, folder):
    """A missing file and wrong usage create neither store nor key."""
    assert 4 == daynight("import", "nowhere.jsonl").code
    assert 2 == daynight("import", "demo", "demo", "--as", "one").code
    assert [] == list(folder.iterdir())


def test_from_store_to_store(daynight, games):
    """A stored game can be imported like a file: into another store, or with --as under another name into its own."""
    assert 0 == daynight("import", "db:g1", "--into", "copy.db").code
    assert code("g1") == code("g1", "copy.db")
    assert 0 == daynight("import", "db:g1", "--as", "again").code
    assert daynight("export", "g1").out == daynight("export", "again").out
    assert 0 == daynight("import", "db:g1", "--db", "copy.db", "--as", "back").code
    assert {"g1": 8, "back": 8} == listed(daynight, "copy.db")


# ------------------------------------------------------------------------------------------------------------- export


def test_export(daynight, games, process):
    """`export` writes the stored lines byte for byte, to standard output or to a file, with a proof beside the file."""
    with Store.open("daynight.db") as store:
        stored = b"".join(row.line + b"\n" for rows in store.recorder.rows("g1") for row in rows)
    assert stored == daynight("export", "g1").out.encode()
    ran = daynight("export", "db:g1", "-o", "out.jsonl")
    assert (0, f"out.jsonl: 8 events, {code('g1')}; its proof is out.jsonl.proof\n", "") == ran
    assert stored == (games / "out.jsonl").read_bytes()
    assert daynight("replay", "g1.jsonl").out == daynight("replay", "out.jsonl").out
    assert {"g1.jsonl", "other.jsonl", "out.jsonl", "out.jsonl.proof", "daynight.db", "home"} == {
        path.name for path in games.iterdir()
    }


@pytest.mark.parametrize("arguments", [[], ["g1", "--all"]])
def test_export_of_what(daynight, games, arguments):
    """Neither a game nor --all, or both, is wrong usage: exit code 2."""
    assert (2, "") == daynight("export", *arguments)[:2]


@pytest.mark.parametrize("more", [[], ["-o", "out.jsonl"]])
def test_export_of_nobody(daynight, games, more):
    """For a missing game, `export` ends with exit code 4 and writes no file."""
    ran = daynight("export", "nobody", *more)
    assert (4, "no game 'nobody' in daynight.db") == (ran.code, ran.error)
    assert not (games / "out.jsonl").exists()


def test_export_over_a_file(daynight, games):
    """`export` replaces an existing file; in a missing folder it ends with exit code 4, over a folder with 2.

    It leaves no temporary file in the folder, not even after an error.
    """
    there = {path.name for path in games.iterdir()}
    assert 0 == daynight("export", "g1", "-o", "other.jsonl").code
    assert daynight("export", "g1").out == (games / "other.jsonl").read_text()
    assert there | {"other.jsonl.proof"} == {path.name for path in games.iterdir()}
    assert 4 == daynight("export", "g1", "-o", "no folder/g1.jsonl").code
    assert 2 == daynight("export", "g1", "-o", ".").code
    assert there | {"other.jsonl.proof"} == {path.name for path in games.iterdir()}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_export_into_a_pipe(daynight, games):
    """`export` writes into a named pipe, and does not replace the pipe by a file."""
    os.mkfifo(games / "pipe")
    reading = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert 0 == daynight("export", "--all", "-o", "pipe").code
    assert os.read(reading, 2**20).startswith(b'{"type":"archive"')
    os.close(reading)
    assert (games / "pipe").is_fifo()


def test_archive(daynight, games):
    """An archive is imported only into an empty store, with its command ids; that store exports the same bytes."""
    assert 0 == daynight("record", "other", json.dumps(cast("Di")), "--command", "c").code
    assert "all.jsonl: an archive of 12 events\n" == daynight("export", "--all", "-o", "all.jsonl").out
    assert (games / "all.jsonl").read_text() == daynight("export", "--all").out
    assert "all.jsonl: 2 games with 12 events stored\n" == daynight("import", "all.jsonl", "--into", "new.db").out
    assert (games / "all.jsonl").read_text() == daynight("export", "--all", "--db", "new.db").out
    # A command that the old store had stored is known here.
    again = daynight("record", "other", json.dumps(cast("Di")), "--command", "c", "--db", "new.db", "--json")
    assert (0, True, 4) == (again.code, again.documents[0]["repeated"], again.documents[0]["event"])
    ran = daynight("import", "all.jsonl")
    assert (5, "") == ran[:2]
    assert "empty store" in ran.error


@pytest.mark.parametrize(
    "change", [lambda data: data[:-5], lambda data: data.replace(b"Opt", b"Bop"), lambda data: data[:3000]]
)
def test_a_changed_archive(daynight, games, change):
    """`import` and `verify` refuse a changed archive with exit code 3 or 5; no new store is left."""
    assert 0 == daynight("export", "--all", "-o", "all.jsonl").code
    (games / "all.jsonl").write_bytes(change((games / "all.jsonl").read_bytes()))
    for command in (["import", "all.jsonl", "--into", "new.db"], ["verify", "all.jsonl"]):
        ran = daynight(*command)
        assert (True, "", True) == (ran.code in (3, 5), ran.out, bool(ran.error))
    assert not [*games.glob("new.db*")]


# ------------------------------------------------------------------------------------------------------------- backup


def test_backup(daynight, games):
    """`backup` copies a store while another writer has it open; it refuses to overwrite a file, with exit code 2."""
    with Store.open("daynight.db") as store:
        store.append("other", [cast("Cy")])
        assert "copy.db: 2 games with 12 events\n" == daynight("backup", "copy.db").out
        store.append("other", [cast("Cy")])
    assert 0 == daynight("verify", "--db", "copy.db").code
    assert {"g1": 8, "other": 4} == listed(daynight, "copy.db")
    before = (games / "copy.db").read_bytes()
    ran = daynight("backup", "copy.db")
    assert (2, "", "copy.db: there is one already, and a backup overwrites nothing") == (*ran[:2], ran.error)
    assert before == (games / "copy.db").read_bytes()
    assert (4, "") == daynight("backup", "no folder/copy.db")[:2]


def test_backup_as_json(daynight, games):
    """The JSON has the file of the backup, and how many games and events it contains."""
    assert [{"file": "copy.db", "games": 2, "events": 11}] == daynight("backup", "copy.db", "--json").documents


def test_migrate_a_file(daynight, folder):
    """`migrate` for a SQLite file is wrong usage, exit code 2; nothing is created."""
    ran = daynight("migrate")
    assert (2, "") == ran[:2]
    assert "daynight.db: a file gets its tables on first use; migrate is for --db postgresql://..." == ran.error
    assert [] == list(folder.iterdir())


def test_a_server_that_is_not_there(daynight, folder):
    """If there is no server, the error is one line without the password; exit code 5."""
    pytest.importorskip("psycopg", reason="psycopg is not installed here: pip install -e '.[test]' brings it")
    for command in (["migrate"], ["list"], ["replay", "db:g1"]):
        ran = daynight(*command, "--db", "postgresql://ana:secret@127.0.0.1:1/games?timeout=1")
        assert (5, "") == ran[:2]
        assert "secret" not in ran.error


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
@pytest.mark.parametrize("command", sampled([("backup", "copy.db"), ("export", "--all", "-o", "all.jsonl")], 2))
def test_no_room_for_a_backup(games, command):
    """On a full disk the error is one line, exit code 3 or 5, and no partial backup or export is left."""
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (2**15, 2**15));"
        "from daynight.cli.commands import run; sys.exit(run(sys.argv[1:]))"
    )
    with Store.open("daynight.db") as store:
        store.append("other", [cast("Cy") | {"note": "long" * 40}] * 500)
        ran = processes.run(
            [sys.executable, "-c", script, *command], env=environ(), capture_output=True, text=True, check=False
        )
        assert (True, "", 1) == (ran.returncode in (3, 5), ran.stdout, ran.stderr.count("\n")), ran
        assert {"g1.jsonl", "other.jsonl", "home"} == {
            path.name for path in games.iterdir() if not path.name.startswith("daynight.db")
        }
