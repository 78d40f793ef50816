"""A new store or key is reported once with its path; if none can be made, the error gives the reason and a way out.

| promise | test |
| --- | --- |
| each command that makes a store or a key reports it, and never again | test_told_once |
| a new memory of a key, the file of what it has signed, is reported | test_memory |
| standard output has only JSON | test_json |
| commands that only read, or are refused, make nothing | test_nothing_made |
| `table` reports its links and its certificate | test_table, test_certificate |
| a key that can't be made: path, reason, and two ways out that work | test_no_key_there, test_no_home |
| a store that can't be made: path, reason, two ways out, and no key is made | test_no_store_there, test_no_folder |
| no key is made for a read-only store, or for a missing game | test_no_key_for_nothing |
| a certificate or links that can't be written: path, reason, a way out | test_no_certificate, test_no_links |
| without a home folder --key is the way out, and no folder `~` is made | test_homeless |
| an empty environment variable counts as unset | test_empty_variable |
| the notices are in the reader's language | test_languages |
"""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from daynight.cli.commands import run
from daynight.cli.share import serve
from daynight.framework.language.errors import AskedError
from daynight.games import Store
from daynight.store import Key
from daynight.web.door.certificate import certificate_of
from daynight.web.serve import bound
from tests.behaviour.games import CONTRACT, kept
from tests.commands.conftest import at_home, complaints, environ
from tests.processes import Popen
from tests.rules.words import turn
from tests.store.read_only import given_to_nobody, nobody, open_folder, to_a_user

KEY = "it signs what you record, and notes in key.pem.heads what it has signed; keep both"


def made(folder, *, store="daynight.db"):
    """Return the two notices about the new store and the new key."""
    return [f"made the store {folder / store}", f"made the key {folder}/home/daynight/key.pem: {KEY}"]


@pytest.mark.parametrize("arguments, store", [
    (["new", "friday", "Ana", "Bo"], "daynight.db"),
    (["new", "friday", "Ana", "Bo", "--db", "mine.db"], "mine.db"),
    (["import", "demo"], "daynight.db"),
    (["import", "g1.jsonl", "--into", "there.db"], "there.db"),
])  # fmt: skip
def test_told_once(daynight, folder, arguments, store):
    """The notice names the new store and the new key by their full paths; later commands print none."""
    kept(folder / "g1.jsonl", CONTRACT)
    ran = daynight(*arguments)
    assert (0, made(folder, store=store)) == (ran.code, ran.err.splitlines())
    assert (folder / store).exists()
    assert (folder / "home" / "daynight" / "key.pem").exists()
    again = daynight("new", "again", "Ana", "Bo", "--db", store)
    assert (0, "") == (again.code, again.err)
    other = daynight("new", "again", "Ana", "Bo", "--db", "other.db", "--key", "club.pem")
    assert [f"made the store {folder}/other.db", f"made the key {folder}/club.pem: it signs"] == [
        line[: len(f"made the key {folder}/club.pem: it signs")] for line in other.err.splitlines()
    ]
    assert "" == daynight("record", "again", "turn 1 Ana", "--db", "other.db", "--key", "club.pem").err


def test_memory(daynight, folder):
    """The memory key.pem.heads is reported when the key of an earlier command first signs, and when it signs after the
    file was deleted."""
    ran = daynight("key", "--new")
    assert (0, True, "") == (ran.code, "home/daynight/key.pem" in ran.out.replace("\n", ""), ran.err)
    heads = folder / "home" / "daynight" / "key.pem.heads"
    told = f"made {heads}, where the key key.pem notes what it has signed; keep both"
    assert [f"made the store {folder}/daynight.db", told] == daynight("new", "g", "Ana", "Bo").err.splitlines()
    assert "" == daynight("record", "g", json.dumps(turn(1))).err
    heads.unlink()
    # A command that signs nothing makes no memory.
    refused = daynight("new", "g", "Ana", "Bo")
    assert (5, "g: there is a game of that name already; give this one another\n") == (refused.code, refused.err)
    assert not heads.exists()
    assert f"{told}\n" == daynight("new", "h", "Ana", "Bo").err


def test_json(daynight, folder):
    """The notice is on standard error; standard output has only JSON."""
    ran = daynight("new", "friday", "Ana", "Bo", "--json")
    assert ("friday", made(folder)) == (ran.documents[0]["game"], ran.err.splitlines())


@pytest.mark.parametrize(
    "arguments",
    [["list"], ["why", "db:g"], ["record", "g", "x"], ["new", "g"], ["import", "no.jsonl"], ["key"], ["verify"]],
)
def test_nothing_made(daynight, folder, arguments):
    """Commands that only read, or are refused, create no store and no key."""
    ran = daynight(*arguments)
    assert ran.code > 1
    assert ran.err == complaints(ran.err)
    assert [] == list(folder.iterdir())


@pytest.mark.wide
def test_table(folder):
    """`table` reports the new file of links beside the store; a second call reports nothing."""
    for times in range(2):
        command = [sys.executable, "-m", "daynight", "table", "friday", "Ana", "Bo", "--port", "0"]
        home = {"XDG_CONFIG_HOME": str(folder / "home")}
        with Popen(command, cwd=folder, env=environ(**home), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            while b"Only this machine" not in (line := child.stdout.readline()):
                assert line
            child.send_signal(signal.SIGINT)
            _out, err = child.communicate(timeout=30)
        links = f"made {folder}/daynight.db.links: the links that are given out, by their hashes"
        assert ([*made(folder), links] if times == 0 else []) == err.decode().splitlines()


def test_certificate(tmp_path):
    """`certificate_of` returns an object whose `is_new` is true only for the call that makes the certificate."""
    assert [True, False] == [certificate_of(tmp_path / "home", ["192.168.1.5"]).is_new for _ in range(2)]


# --------------------------------------------------------------------------------------------------- where it cannot be


@pytest.mark.parametrize("home", ["file", "file/deeper", "/proc"])
def test_no_key_there(daynight, folder, monkeypatch, home):
    """If the home folder can't have files, even from root, the exit code is 2, nothing is made, both ways out work."""
    (folder / "file").touch()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / home))
    ran = daynight("new", "friday", "Ana", "Bo")
    assert (2, "") == ran[:2]
    assert f"{folder / home}/daynight/key.pem: no key can be made or read there: " in ran.error
    assert "; it signs what is recorded: --key FILE names another one, and XDG_CONFIG_HOME in the env" in ran.error
    # No command leaves a new store without a game.
    for arguments in (["import", "demo"], ["table", "friday", "Ana", "Bo", "--port", "0"], ["serve", "--port", "0"]):
        assert ran.err == daynight(*arguments).err
    assert [folder / "file"] == [*folder.iterdir()]
    # Both ways out work.
    assert 0 == daynight("new", "friday", "Ana", "Bo", "--key", "club.pem").code
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "home"))
    assert 0 == daynight("new", "saturday", "Ana", "Bo").code


@pytest.mark.parametrize("verb", [["new", "saturday", "Ana", "Bo"], ["record", "friday", "turn 1 Ana"]])
def test_no_home(monkeypatch, capfd, verb):
    """If the home folder belongs to another user, the exit code is 2 with `Permission denied`; --key works."""
    with open_folder() as folder:
        work, home = folder / "work", folder / "home"
        work.mkdir()
        home.mkdir()
        monkeypatch.chdir(work)
        at_home(monkeypatch, folder / "other")
        assert 0 == run(["new", "friday", "Ana", "Bo"])
        given_to_nobody(work, *work.iterdir())
        monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
        capfd.readouterr()
        with to_a_user(home):
            code = run(verb)
            out, err = capfd.readouterr()
            assert (2, "", 1) == (code, out, err.count("\n"))
            assert err.startswith(f"{home}/daynight/key.pem: no key can be made or read there: Permission denied; ")
            assert 0 == run([*verb, "--key", str(work / "club.pem")])


@pytest.mark.parametrize("place, reason", [
    ("nowhere/games.db", "No such file or directory"),
    ("file/games.db", "Not a directory"),
    ("x" * 300, "File name too long"),
    ("/proc/games.db", ""),
])  # fmt: skip
def test_no_store_there(daynight, folder, monkeypatch, place, reason):
    """If no store can be made at `place`, the exit code is 5 with path and reason, and no key is made."""
    (folder / "file").touch()
    for arguments in (["new", "friday", "Ana", "Bo", "--db", place], ["import", "demo", "--into", place]):
        ran = daynight(*arguments)
        assert (5, "") == ran[:2]
        assert f"{folder / place}: no store can be made or read there: {reason}" in ran.error
        assert ran.error.endswith("; --db PLACE, or DAYNIGHT_DB in the environment, names another place")
        assert ["file"] == [each.name for each in folder.iterdir()]
    monkeypatch.setenv("DAYNIGHT_DB", "here.db")
    assert 0 == daynight("new", "friday", "Ana", "Bo").code
    assert (folder / "here.db").exists()


def test_no_folder(monkeypatch, capfd):
    """If the store's folder belongs to another user, the exit code is 5 with `Permission denied`; no key is made."""
    with open_folder() as folder:
        work, home = folder / "work", folder / "home"
        work.mkdir()
        home.mkdir()
        given_to_nobody(home)
        monkeypatch.chdir(work)
        at_home(monkeypatch, home)
        for mode in (0o555, 0o700 if os.geteuid() == 0 else 0o000):
            work.chmod(mode)
            with nobody():
                code = run(["new", "friday", "Ana", "Bo", "--db", str(work / "games.db")])
            work.chmod(0o755)
            out, err = capfd.readouterr()
            assert (5, "", 1) == (code, out, err.count("\n")), err
            assert err.startswith(f"{work}/games.db: no store can be made or read there: Permission denied; --db PLACE")
            assert [] == [*home.iterdir(), *work.iterdir()]


def test_no_key_for_nothing(monkeypatch, capfd):
    """For a read-only store (exit code 5) and a missing game (4) no key is made; `export` makes one for its proof."""
    commands = (
        ["record", "friday", "turn 1 Ana"],
        ["new", "saturday", "Ana", "Bo"],
        ["import", "games.jsonl"],
        ["what-if", "db:friday", "--insert", "e1: turn 1 Ana", "--keep", "--name", "b2"],
        ["dispute", "open", "db:friday", "--by", "Ana"],
    )
    with open_folder() as folder:
        work, keys = folder / "work", folder / "keys"
        work.mkdir()
        keys.mkdir()
        given_to_nobody(keys)
        monkeypatch.chdir(work)
        at_home(monkeypatch, folder / "other")
        kept(work / "games.jsonl", CONTRACT)
        # Another store can be written; this also imports the modules needed below.
        for place in (work / "other.db", work / "daynight.db"):
            monkeypatch.setenv("DAYNIGHT_DB", str(place))
            assert 0 == run(["new", "friday", "Ana", "Bo"])
            for arguments in commands if place.name == "other.db" else ():
                assert run(arguments) in (0, 1)
        monkeypatch.setenv("XDG_CONFIG_HOME", str(keys))
        capfd.readouterr()
        for arguments in commands:
            with to_a_user(work):
                code = run(arguments)
            _out, err = capfd.readouterr()
            assert (5, 1, []) == (code, err.count("may only be read here"), [*keys.iterdir()]), (arguments, err)
        assert 4 == run(["record", "saturday", "turn 1 Ana"])
        assert "no game 'saturday'" in capfd.readouterr().err
        assert [] == [*keys.iterdir()]
        # A proof is also signed for a read-only store, so its key is made.
        with to_a_user(work):
            assert 0 == run(["export", "friday", "-o", str(keys / "g.jsonl")])
        assert (keys / "daynight" / "key.pem").exists()


def test_no_links(friday, capfd):
    """`table` exits with 2 for a store in a read-only folder: the error has the path of the links and the reason."""
    with open_folder() as folder:
        work, keys = folder / "work", folder / "keys"
        shutil.copytree(friday / "home" / "daynight", keys)
        given_to_nobody(keys, *keys.iterdir())
        work.mkdir()
        shutil.copy(friday / "daynight.db", work / "games.db")
        bound("127.0.0.1", 0).close()  # imports the modules needed below
        with to_a_user(work):
            place = ["--db", str(work / "games.db"), "--key", str(keys / "key.pem"), "--port", "0"]
            code = run(["table", "friday", *place])
        _out, err = capfd.readouterr()
    links = f"{work}/games.db.links: the links of the table cannot be kept there: Permission denied"
    assert 2 == code
    others = f"{work}/games.db: others may read this store; if they should not, chmod 600 {work}/games.db"
    assert [others, f"{links}; --db PLACE names another store"] == complaints(err).splitlines()


def test_homeless(daynight, folder, monkeypatch):
    """Without a home folder, as in a container, the exit code is 2 and nothing is made; with --key it works."""
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name)
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    said = "no folder for your own files, such as your key, is known here: set XDG_CONFIG_HOME in the environment, or"
    for arguments in (["key"], ["new", "friday", "Ana", "Bo"], ["import", "demo"], ["serve", "--port", "0"]):
        ran = daynight(*arguments)
        assert (2, "", f"{said} give --key FILE") == (*ran[:2], ran.error)
    assert [] == [*folder.iterdir()]
    assert 0 == daynight("new", "friday", "Ana", "Bo", "--key", "club.pem").code
    assert 0 == daynight("key", "--key", "club.pem").code
    with Store.open("daynight.db") as store:
        store.recorder.signer = Key.read(folder / "club.pem")
        assert folder == serve._folder(store)
    assert Path() == serve._folder(None)


def test_empty_variable(daynight, folder, monkeypatch):
    """With an empty XDG_CONFIG_HOME the key is made in HOME/.config, as the XDG specification says."""
    monkeypatch.setenv("XDG_CONFIG_HOME", "")
    assert 0 == daynight("new", "friday", "Ana", "Bo").code
    assert (folder / "home/.config/daynight/key.pem").exists()
    assert not (folder / "daynight").exists()


def test_no_certificate(tmp_path):
    """If the certificate can't be written, AskedError names path, reason, XDG_CONFIG_HOME and --plain."""
    (tmp_path / "file").touch()
    with pytest.raises(AskedError) as caught:
        certificate_of(tmp_path / "file", ["192.168.1.5"])
    assert str(caught.value).startswith(f"{tmp_path}/file/table-")
    assert "cannot be kept there: Not a directory; XDG_CONFIG_HOME in the environment names" in str(caught.value)
    assert str(caught.value).endswith("and --plain needs none")


@pytest.mark.parametrize("language, expected", [("fr", "créé le dépôt {place}"), ("ja", "保管庫{place}を作りました")])
def test_languages(daynight, folder, language, expected):
    """The notice about a new store is printed in `language`."""
    ran = daynight("--lang", language, "new", "friday", "Ana", "Bo")
    assert expected.format(place=Path(folder, "daynight.db")) == ran.err.splitlines()[0]
