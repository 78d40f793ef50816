"""A store whose file was removed, moved or replaced while it was open acknowledges nothing any more.

| promise | test |
| --- | --- |
| if the file or its link is removed, moved or replaced: errors; put back, it works | test_gone, test_link |
| neither readers nor writers create a new file of that name | test_nothing_made |
| a process that has the store open does not notice that only the log was removed | test_log_alone |
| a program that continues to append gets errors; the key's memory has no unacknowledged head | test_key |
| `daynight record g -` ends with exit code 5 at the first line that could not be stored | test_recording |
"""

import os
import shutil
import sys

import pytest

from daynight.games import Store
from daynight.store import Key, UnavailableError, verify_store
from tests import processes

SPELL = {"type": "spell-cast", "player": "Ana"}
TURN = {"type": "turn-began", "turn": 1, "active": ["Ana"]}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody remove a file that is open")


def removed(path, aside):
    path.unlink()


def moved(path, aside):
    path.rename(aside)


def replaced(path, aside):
    path.rename(aside)
    with Store.open(path) as other:
        other.new("friday", ["Ana", "Bo"])
        other.append("friday", [TURN])


def restored(path, aside):
    """Move the store to `aside` and put a copy of it in its place, as a new file of the same name."""
    shutil.copy(path, f"{path}.copy")
    path.rename(aside)
    path.with_name("games.db.copy").replace(path)


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "games.db", key=Key.read(tmp_path / "key.pem")) as store:
        store.new("friday", ["Ana", "Bo"])
        store.append("friday", [TURN])
        yield store


@pytest.mark.parametrize("done", [removed, moved, replaced, restored])
def test_gone(store, tmp_path, done):
    path, aside = tmp_path / "games.db", tmp_path / "aside.db"
    store.append("friday", [SPELL], command="c0")
    done(path, aside)
    # What was stored before the loss is not acknowledged again either.
    with pytest.raises(UnavailableError, match="is not there any more"):
        store.append("friday", [SPELL], command="c0")
    for _try in range(2):
        with pytest.raises(UnavailableError, match=r"games\.db: the store that was opened is not there any more"):
            store.append("friday", [SPELL], command="c1")
    if done is moved:
        aside.rename(path)
        assert store.append("friday", [SPELL], command="c1").last == 4
        store.append("friday", [TURN | {"turn": 2}])
        assert [None] == [found.fault for found in verify_store(store)]
        assert store.last("friday") == 5


def test_link(tmp_path):
    with Store.open(tmp_path / "other.db"):
        pass
    (tmp_path / "games.db").symlink_to("real.db")
    with Store.open(tmp_path / "games.db") as store:
        store.new("friday", ["Ana", "Bo"])
        (tmp_path / "games.db").unlink()
        (tmp_path / "games.db").symlink_to("other.db")
        with pytest.raises(UnavailableError, match="not there any more"):
            store.append("friday", [TURN])
    with Store.open(tmp_path / "other.db") as other:
        assert other.games() == []


def test_nothing_made(store, tmp_path):
    """If the file is removed, reading and appending raise UnavailableError, and create no new file."""
    path = tmp_path / "games.db"
    store.recorder.datastore.rest()
    path.unlink()
    for asked in (lambda: store.load("friday"), lambda: store.append("friday", [SPELL])):
        with pytest.raises(UnavailableError, match="not there any more"):
            asked()
        assert not path.exists()


def test_log_alone(store, tmp_path):
    """An open store works on without its log, a new process gets an error; once closed, it is complete."""
    (tmp_path / "games.db-wal").unlink()
    assert store.append("friday", [SPELL]).last == 3
    command = [sys.executable, "-m", "daynight", "list", "--db", str(tmp_path / "games.db")]
    assert 5 == processes.run(command, capture_output=True).returncode
    store.close()
    with Store.open(tmp_path / "games.db") as again:
        assert again.last("friday") == 3
        assert [None] == [found.fault for found in verify_store(again)]


def test_key(store, tmp_path):
    """An append that would sign a turn fails in a removed file, and the key's memory does not get that head."""
    key = store.recorder.signer
    before = key.remembered("friday")
    (tmp_path / "games.db").unlink()
    with pytest.raises(UnavailableError):
        store.append("friday", [TURN | {"turn": 2}])
    assert before == key.remembered("friday")


def test_recording(tmp_path):
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)}
    environment.pop("DAYNIGHT_DB", None)
    with Store.open(tmp_path / "games.db") as store:
        store.new("friday", ["Ana", "Bo"])
    command = [sys.executable, "-m", "daynight", "record", "friday", "-", "--db", "games.db"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), processes.subprocess.PIPE)
    with processes.Popen(command, cwd=tmp_path, env=environment, text=True, **pipes) as recording:
        recording.stdin.write("turn 1 Ana\n")
        recording.stdin.flush()
        assert recording.stdout.readline().startswith("e2")
        (tmp_path / "games.db").rename(tmp_path / "aside.db")
        out, err = recording.communicate("Ana casts 1\nAna casts 1\n")
        assert (5, "") == (recording.returncode, out)
        assert "games.db: the store that was opened is not there any more" in err
        assert "the line before it is stored, as event 2" in err
