"""A store that a command created remains only if something was stored in it.

| promise | test |
| --- | --- |
| a refused command leaves no new store and no file beside it, and says so | test_refused |
| a store with an event stays; a store that existed before stays, even an empty one | test_kept |
| a process that opened it meanwhile loses nothing acknowledged | test_meanwhile, test_written_meanwhile |
| a store with any content stays, and so does one in memory | test_not_empty, test_memory |
"""

import sys

import pytest

from daynight.cli.commands import run
from daynight.games import Store
from daynight.store import UnavailableError
from daynight.store.files.copies import taken_back

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody remove a file that is open")

STARTED = '{"type":"game-started","format":1,"game":"friday","players":["Ana","Bo"]}'
REFUSED = '{"type":"spell-cast","player":"Zed"}'
TURN = {"type": "turn-began", "turn": 1, "active": ["Ana"]}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "home").mkdir()
    return tmp_path


def archive_of(folder, spoilt):
    with Store.open(folder / "home" / "old.db") as store:
        store.new("friday", ["Ana", "Bo"])
    assert run(["export", "--all", "-o", "friday.jsonl", "--db", str(folder / "home" / "old.db")]) == 0
    file = folder / "friday.jsonl"
    file.write_bytes(file.read_bytes().replace(b"Bo", spoilt))
    return ["import", "friday.jsonl"]


def record_of(folder, *lines):
    (folder / "friday.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return ["import", "friday.jsonl"]


WAYS = {
    "an archive": lambda folder: archive_of(folder, b"Cy"),
    "a record": lambda folder: record_of(folder, STARTED, REFUSED),
    "a log": lambda folder: [*record_of(folder, STARTED, REFUSED), "--into", "games.db"],
    "a game": lambda folder: ["new", "friday", "Ana", "Ana"],
    "an event": lambda folder: ["record", "friday", REFUSED],
}


@pytest.mark.parametrize("way", WAYS)
def test_refused(folder, way, capsys):
    command = WAYS[way](folder)
    before = sorted(folder.iterdir())
    command += [] if "--into" in command else ["--db", "games.db"]
    assert run(command) > 1
    assert before == sorted(folder.iterdir())
    err = capsys.readouterr().err
    place = folder / "games.db"
    assert (f"made the store {place}\n" in err) is (f"removed the store {place}: nothing was stored in it\n" in err)


@pytest.mark.parametrize("was_there", [False, True])
def test_kept(folder, was_there, capsys):
    if was_there:
        Store.open(folder / "games.db").close()
        assert run([*record_of(folder, STARTED, REFUSED), "--db", "games.db"]) == 3
        assert (folder / "games.db").exists()
    assert run([*record_of(folder, STARTED), "--db", "games.db"]) == 0
    with Store.open(folder / "games.db") as store:
        assert store.games() == [("friday", 1)]
    assert "removed" not in capsys.readouterr().err


def test_meanwhile(tmp_path):
    with Store.open(tmp_path / "games.db") as ours, Store.open(tmp_path / "games.db") as other:
        assert other.games() == []
        assert taken_back(ours.recorder)
        with pytest.raises(UnavailableError, match="is not there any more"):
            other.new("friday", ["Ana", "Bo"])
    assert [*tmp_path.glob("games.db*")] == []


def test_written_meanwhile(tmp_path):
    with Store.open(tmp_path / "games.db") as ours, Store.open(tmp_path / "games.db") as other:
        other.new("friday", ["Ana", "Bo"])
        assert not taken_back(ours.recorder)
        other.append("friday", [TURN])
        assert ours.last("friday") == 2
    assert (tmp_path / "games.db").exists()


def test_not_empty(tmp_path):
    with Store.open(tmp_path / "games.db") as store:
        store.view("mine", lambda: {"n": 0}, lambda value, moment, state: value, columns={"n": int})
        store.new("friday", ["Ana", "Bo"])
        assert not taken_back(store.recorder)


def test_memory():
    with Store.open("memory:") as store:
        assert not taken_back(store.recorder)
        store.new("friday", ["Ana", "Bo"])
