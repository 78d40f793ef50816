"""Names in a store, an archive or a proof are never imported, and nothing in them is executed."""

import json
import os
import pickle
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest
from eventsourcing.utils import resolve_topic

from daynight.framework.language.errors import DaynightError
from daynight.games import Store
from daynight.projections.library import Library
from daynight.store.database.settings import Settings
from daynight.store.proving.archive import read_archive
from daynight.store.proving.proof import read_proof
from daynight.store.proving.verify import verify_store
from tests.store import victim
from tests.store.victim import GAME

ROOT = Path(__file__).resolve().parents[2]
TOPIC = "planted_moon:Boom"
PLANTED = 'from pathlib import Path\nPath(__file__).with_suffix(".ran").touch()\nclass Boom: pass\n'


class Bomb:
    """An object that runs a command when it is unpickled."""

    def __reduce__(self):
        return os.system, (f"touch {MARKS}/planted_moon.ran",)


MARKS = ""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working folder, which is on the import path and contains a planted module and the store."""
    (tmp_path / "planted_moon.py").write_text(PLANTED)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(globals(), "MARKS", str(tmp_path))
    victim.copied(tmp_path)
    return tmp_path


def ran(folder):
    return (folder / "planted_moon.ran").exists() or "planted_moon" in sys.modules


Plant = Callable[[sqlite3.Connection], object]


def rows(statement, *params):
    return lambda raw: raw.execute(statement, params)


def object_of(topic):
    """The JSON bytes that the library's transcoder would write for an object whose class is named by `topic`."""
    return json.dumps({"_type_": topic, "_data_": {"topic": topic, "__class__": topic}}).encode()


PLANTS = {
    "a class for the tag of an event": rows("UPDATE stored_events SET topic = ?", TOPIC),
    "the same of the first event only": rows("UPDATE stored_events SET topic = ? WHERE originator_version = 1", TOPIC),
    "a function of the system for a tag": rows(
        "UPDATE stored_events SET topic = 'os:system', state = ?", b'"touch planted_moon.ran"'
    ),
    "a module for a tag": rows("UPDATE stored_events SET topic = 'planted_moon'"),
    "an object for a line": rows("UPDATE stored_events SET state = ?", object_of(TOPIC)),
    "a class for the type of a line": rows("UPDATE stored_events SET state = ?", b'{"type":"planted_moon:Boom"}'),
    "a pickle for a line": lambda raw: raw.execute("UPDATE stored_events SET state = ?", (pickle.dumps(Bomb()),)),
    "a pickle for a snapshot": lambda raw: raw.execute("UPDATE snapshots SET state = ?", (pickle.dumps(Bomb()),)),
    "an object for a snapshot": rows("UPDATE snapshots SET state = ?", object_of(TOPIC)),
    "the library's own snapshot among the events": rows(
        "INSERT INTO stored_events VALUES (?, 201, 'eventsourcing.domain:Snapshot', ?, zeroblob(32))",
        GAME,
        json.dumps({"topic": TOPIC, "originator_version": 200, "state": {}, "timestamp": None}).encode(),
    ),
    "a class for a follower": rows("UPDATE tracking SET application_name = ?", TOPIC),
    "classes in the library": rows("UPDATE library SET possible = ?, verdict = ?", TOPIC, TOPIC),
    "a class for a command": rows("UPDATE commands SET command = ? || command", TOPIC),
    "a pickle for a signer": lambda raw: raw.execute("UPDATE heads SET signature = ?", (pickle.dumps(Bomb()),)),
    "a trigger": lambda raw: raw.execute(
        "CREATE TRIGGER boom AFTER INSERT ON stored_events BEGIN SELECT load_extension('planted_moon'); END"
    ),
    "a view for a table": lambda raw: raw.executescript(
        "DROP TABLE library; CREATE VIEW library AS SELECT load_extension('./planted_moon') AS game"
    ),
}


@pytest.mark.wide(but=5)
@pytest.mark.parametrize("name", PLANTS)
def test_nothing_is_run(folder, name):
    """Forged topics, pickles and extensions: nothing is imported or executed."""
    with victim.laid_open(folder / "games.db") as raw:
        PLANTS[name](raw)
    with suppress(DaynightError), Store(Settings(kind="sqlite", path="games.db"), key=victim.KEY) as store:
        for use in (
            store.games,
            lambda: store.at(GAME),
            lambda: store.at(GAME, 10),
            lambda: store.load(GAME),
            lambda: store.append(GAME, [{"type": "spell-cast", "player": "Ana"}]),
            lambda: store.application.repository.get(GAME),
            lambda: list(store.application.events.get(GAME)),
            lambda: list(store.application.notification_log.select(1, 10)),
            lambda: store.take_snapshots(GAME),
            lambda: Library(store).rows(),
            lambda: Library(store).rebuild(),
            lambda: list(verify_store(store)),
        ):
            with suppress(DaynightError):
                use()
    assert not ran(folder)


@pytest.mark.parametrize(
    "data",
    [object_of(TOPIC), b'{"type":"archive","format":1}\n' + object_of(TOPIC) + b"\n", b'{"type":"planted_moon:Boom"}'],
)
def test_nothing_of_a_file_is_run(folder, data):
    with Store.open("memory:") as store:
        with pytest.raises(DaynightError):
            read_archive(store, BytesIO(data))
        with pytest.raises(DaynightError):
            read_proof(BytesIO(data))
    assert not ran(folder)


def test_the_control(folder):
    """The control: the library's `resolve_topic` does import and run the planted module."""
    try:
        resolve_topic(TOPIC)
        assert ran(folder)
    finally:
        sys.modules.pop("planted_moon", None)


@pytest.mark.wide
def test_modules_beside_the_store(folder):
    """Modules with the names of daynight's, beside the store, are not imported when a command opens the store."""
    names = ("sqlite3", "msgspec", "eventsourcing", "sitecustomize", "daynight", "cryptography", "json")
    for name in names:
        (folder / f"{name}.py").write_text(PLANTED)
    command = "from daynight.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-P", "-c", command, "verify", "--db", "games.db"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert f"db:{GAME}" in done.stdout
    assert not list(folder.glob("*.ran"))
