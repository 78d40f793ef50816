"""Back-ups and restoring them: a leftover log or a kill does not damage the store.

| promise | test |
| --- | --- |
| a back-up is one file without a log, readable by its owner alone, and it verifies | test_backed_up |
| a store with another store's log beside it is not opened, and neither file changes | test_left_behind |
| after cp or mv over a store with a log, `restore` repairs it and keeps the old files | test_restored_over_a_ruin |
| `restore` works over a store or a log, on a new path, through a link; the old store is kept | test_restored |
| a store in use is not replaced, and can still be used | test_in_use |
| a file that is not a back-up is refused, and the store stays | test_refused |
| killed at any moment, `backup` and `export` leave a whole file or none | test_killed |
| killed at any moment, `restore` leaves the old store or the new one, whole | test_killed_restoring |
| one exception: `backup` of a large store may leave an empty file | test_killed_while_opened |
| the copy has the same content, whether the store is large or small | test_same |
"""

import os
import shutil
import signal
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from daynight.framework.language.errors import NotFoundError
from daynight.games import Store
from daynight.store import DamagedError, SettingsError, StoreError, UnavailableError, verify_store
from daynight.store.files import copies
from daynight.store.files.copies import Copied, backed_up, restored
from tests import processes

from .killing import forked

SPELL = {"type": "spell-cast", "player": "Ana"}
TURN = {"type": "turn-began", "turn": 1, "active": ["Ana"]}


def filled(path, many, first="Ana"):
    with Store.open(path) as store:
        store.new("friday", [first, "Bo"])
        store.append("friday", [TURN | {"active": [first]}, *[SPELL | {"player": first}] * many])
    return path


def copy_of(path, target):
    with Store.open(path) as store:
        return backed_up(store.recorder, target)


def events(path):
    with Store.open(path) as store:
        assert {None} == {found.fault for found in verify_store(store)}
        return store.last("friday")


def with_log(path, many):
    """Append `many` events in a process that is then killed, so that they are only in the log; return `path`."""

    def lives():
        store = Store.open(path)
        for _cast in range(many):
            store.append("friday", [SPELL])
        os.kill(os.getpid(), signal.SIGKILL)

    os.waitpid(forked(lives), 0)
    assert path.with_name(f"{path.name}-wal").stat().st_size
    return path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def backup(tmp_path):
    """The path of a back-up of a game with four events."""
    (tmp_path / "elsewhere").mkdir()
    copy_of(filled(tmp_path / "elsewhere" / "games.db", 2), tmp_path / "copy.db")
    shutil.rmtree(tmp_path / "elsewhere")
    return tmp_path / "copy.db"


def test_backed_up(tmp_path):
    path = filled(tmp_path / "games.db", 20)
    with Store.open(path) as store:
        store.append("friday", [SPELL])
        assert Copied(1, 23) == backed_up(store.recorder, tmp_path / "copy.db")
        assert ["copy.db", "games.db", "games.db-shm", "games.db-wal"] == names(tmp_path)
        with pytest.raises(FileExistsError):
            backed_up(store.recorder, tmp_path / "copy.db")
    assert b"\1\1" == (tmp_path / "copy.db").read_bytes()[18:20]
    if os.name == "posix":
        assert 0o600 == (tmp_path / "copy.db").stat().st_mode & 0o777
    with closing(sqlite3.connect(f"file:{tmp_path}/copy.db?mode=ro&immutable=1", uri=True)) as raw:
        assert [("ok",)] == raw.execute("PRAGMA integrity_check").fetchall()
    assert 23 == events(tmp_path / "copy.db") == events(path)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_left_behind(tmp_path, backup):
    path = with_log(filled(tmp_path / "games.db", 10), 5)
    shutil.copy(backup, path)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    for _try in range(2):
        with pytest.raises(DamagedError, match=r"games\.db-wal beside it is another store's.* daynight restore BACKUP"):
            Store.open(path)
    assert before == {each.name: each.read_bytes() for each in tmp_path.iterdir()}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.parametrize("how", ["cp", "mv"])
def test_restored_over_a_ruin(tmp_path, backup, how):
    path = with_log(filled(tmp_path / "games.db", 10), 5)
    other = Path(shutil.copy(backup, tmp_path / "other.db"))
    shutil.copy(other, path) if how == "cp" else other.replace(path)
    assert Copied(1, 4, tmp_path / "games.db.before") == restored(backup, path)
    assert 4 == events(path) == events(backup)
    assert {"games.db.before", "games.db.before-wal"} <= set(names(tmp_path))


@pytest.mark.parametrize("there", ["whole", "killed", "nothing", "empty", "link", "kept twice", "a log alone"])
def test_restored(tmp_path, backup, there):
    path = tmp_path / "games.db"
    kept = tmp_path / "games.db.before"
    if there in ("whole", "link", "kept twice"):
        filled(path, 10, "Cy")
    if there == "killed":
        if not hasattr(os, "fork"):
            pytest.skip("no forks here")
        with_log(filled(path, 10), 5)
    if there == "empty":
        path.touch()
    if there == "a log alone":
        path.with_name("games.db-wal").write_bytes(b"a log")
    if there == "kept twice":
        restored(backup, path)
        kept = tmp_path / "games.db.before-2"
    if there == "link":
        (tmp_path / "link.db").symlink_to("games.db")
        assert kept == restored(backup, tmp_path / "link.db").kept
        assert (tmp_path / "link.db").is_symlink()
    else:
        there_was = there not in ("nothing", "empty")
        assert Copied(1, 4, kept if there_was else None) == restored(backup, path)
    if there not in ("nothing", "empty", "a log alone"):
        assert {"whole": 12, "killed": 17, "link": 12, "kept twice": 4}[there] == events(kept)
    # No log is in its way, and it can be appended to.
    with Store.open(path) as store:
        store.append("friday", [SPELL])
    assert 5 == events(path)
    assert [] == [name for name in names(tmp_path) if "new" in name or name.startswith(".")]


def test_in_use(tmp_path, backup):
    path = filled(tmp_path / "games.db", 10)
    with Store.open(path) as store:
        store.append("friday", [SPELL])
        with pytest.raises(UnavailableError, match="somebody uses this store"):
            restored(backup, path)
        store.append("friday", [SPELL])
    assert 14 == events(path)
    assert ["copy.db", "games.db"] == names(tmp_path)


@pytest.mark.parametrize("what", ["the store itself", "a text", "cut off", "nothing", "no file", "into a folder"])
def test_refused(tmp_path, backup, what):
    path, given = filled(tmp_path / "games.db", 10), tmp_path / "given.db"
    if what == "the store itself":
        given = path
    elif what == "a text":
        given.write_text("no store at all")
    elif what == "cut off":
        given.write_bytes(backup.read_bytes()[:-2048])
    elif what == "no file":
        given.mkdir()
    elif what == "into a folder":
        given, path = path, tmp_path
    with pytest.raises((StoreError, SettingsError, NotFoundError), match=r"given\.db|games\.db|no file"):
        restored(given, path)
    assert 12 == events(tmp_path / "games.db")
    assert not (tmp_path / "games.db.before").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has files without a name")
@pytest.mark.parametrize("large", [False, True])
def test_killed_while_opened(tmp_path, monkeypatch, large):
    """SQLite opens a large copy by its path, so a kill may leave an empty file; not so a small one."""
    filled(tmp_path / "games.db", 20)
    before = names(tmp_path)
    connect = sqlite3.connect

    def fatal(name, **more):
        if name != ":memory:":
            os.kill(os.getpid(), signal.SIGKILL)
        return connect(name, **more)

    def lives():
        with Store.open(tmp_path / "games.db") as store:
            store.last("friday")
            monkeypatch.setattr(copies, "_IN_MEMORY", 0 if large else 2**26)
            monkeypatch.setattr(copies.sqlite3, "connect", fatal)
            backed_up(store.recorder, tmp_path / "copy.db")

    _pid, status = os.waitpid(forked(lives), 0)
    made = sorted({*names(tmp_path)} - {*before} - {"games.db-wal", "games.db-shm"})
    if large:
        assert os.WTERMSIG(status) == signal.SIGKILL
        assert [0] == [(tmp_path / name).stat().st_size for name in made]
        assert made[0].startswith(".daynight-")
    else:
        assert (0, ["copy.db"]) == (status, made)


@pytest.mark.parametrize("most", [0, 2**26])
def test_same(tmp_path, monkeypatch, most):
    """Copied through memory or by SQLite, the copy equals the store except for fields of the header."""
    monkeypatch.setattr(copies, "_IN_MEMORY", most)
    path = filled(tmp_path / "games.db", 300)
    assert Copied(1, 302) == copy_of(path, tmp_path / "copy.db")
    # The first 100 bytes contain SQLite's own counters.
    before, copied = path.read_bytes(), (tmp_path / "copy.db").read_bytes()
    assert (before[:18], b"\1\1", before[100:]) == (copied[:18], copied[18:20], copied[100:])
    assert ["copy.db", "games.db"] == names(tmp_path)


def killed(folder, command, after, environment):
    process = processes.Popen([sys.executable, "-m", "daynight", *command], cwd=folder, env=environment)
    time.sleep(after)
    process.kill()
    return process.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has files without a name")
@pytest.mark.parametrize("kills", [2, pytest.param(60, marks=pytest.mark.slow)])
def test_killed(tmp_path, kills):
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path / "home"), "HOME": str(tmp_path / "home")}
    environment.pop("DAYNIGHT_DB", None)
    (tmp_path / "home").mkdir()
    filled(tmp_path / "games.db", 40_000 if kills > 10 else 400)
    outcomes = set()
    for number in range(kills):
        for command, results in (
            (["backup", "copy.db", "--db", "games.db"], {"copy.db"}),
            (["export", "--all", "-o", "all.jsonl", "--db", "games.db"], {"all.jsonl"}),
        ):
            killed(tmp_path, command, 0.02 + 0.5 * number / kills, environment)
            made = {name for name in names(tmp_path) if not name.startswith("games.db")} - {"home"}
            assert made <= results, made
            outcomes.add(bool(made))
            if "copy.db" in made:
                with closing(sqlite3.connect(tmp_path / "copy.db")) as raw:
                    assert [("ok",)] == raw.execute("PRAGMA integrity_check").fetchall()
            for name in made:
                (tmp_path / name).unlink()
    assert kills < 10 or outcomes == {True, False}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.parametrize("kills", [3, pytest.param(80, marks=pytest.mark.slow)])
def test_killed_restoring(tmp_path, backup, kills):
    path = filled(tmp_path / "games.db", 400)

    def ended(after):
        """Restore in a process that the system kills after so many seconds; return whether it finished."""

        def lives():
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, after)
            restored(backup, path)

        return os.waitpid(forked(lives), 0)[1] == 0

    whole, found = path.read_bytes(), set()
    began = time.monotonic()
    assert ended(60)
    took = time.monotonic() - began
    for number in range(kills):
        for each in tmp_path.glob("games.db*"):
            each.unlink()
        path.write_bytes(whole)
        done = ended(took * (number + 1) / kills)
        found.add(events(path))
        assert events(path) in ((4,) if done else (4, 402))
    assert kills < 10 or found == {4, 402}
