"""What must not happen to an adopted application: a write, a call of foreign code, a hidden value shown.

| what holds | test |
| --- | --- |
| a topic can only load an aggregate or event of the application | test_hostile |
| a hidden value is in no output, nor a key of a dict | test_hidden, test_hidden_elsewhere, test_hidden_key |
| a hidden value is compared | test_hidden_is_compared |
| if one of two rebuildings stops earlier, or for another reason, that is a difference | test_where_it_ends |
| no pickle is read | test_pickled |
| an application may print, and listen at a port, while it is imported | test_port |
| nothing is written, also while another connection writes | test_untouched, test_beside_a_writer |
| check leaves nothing beside the file, though two processes read it | test_check_leaves_nothing |
| for a missing application or database AdoptedError says what is wrong | test_no_application, test_no_database |
"""

import json
import os
import pickle
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from uuid import UUID

import pytest

from daynight.adapters import checking
from daynight.adapters.checking import Asked, compared
from daynight.adapters.errors import AdoptedError
from daynight.adapters.eventsourcing import adopt
from daynight.framework import drop, replace
from daynight.framework.language.errors import RecordError

from .conftest import APPS


def adopted(bank, **asked):
    return adopt("bank:BankAccounts", str(bank.path), **asked)


HOSTILE = [
    "os:system", "bank:os.system", "bank:BankAccount.__init__.__globals__", "bank:BankAccount.__init__",
    "bank:resolve_topic", "bank:Decimal", "bank:Level", "subprocess:Popen", "bank", "bank:", "", "builtins:eval",
    "antigravity:x",
    "bank:BankAccounts",
]  # fmt: skip


@pytest.mark.parametrize("topic", HOSTILE)
@pytest.mark.parametrize("where", ["topic", "originator_topic", "nested", "snapshot"])
def test_hostile(bank, where, topic, monkeypatch):
    """A topic that names no aggregate or event is not loaded, be it in a row, its state, a value or a snapshot."""

    def called(*_args, **_named):
        raise AssertionError("it was called")

    id = bank.account()
    bank.app.take_snapshot(id)
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        if where == "topic":
            connection.execute("UPDATE stored_events SET topic = ? WHERE originator_version = 2", (topic,))
        elif where == "snapshot":
            (state,) = connection.execute("SELECT state FROM stored_snapshots").fetchone()
            changed = json.dumps(json.loads(state) | {"topic": topic}).encode()
            connection.execute("UPDATE stored_snapshots SET state = ?", (changed,))
        else:
            (state,) = connection.execute("SELECT state FROM stored_events WHERE originator_version = 1").fetchone()
            other = {"originator_topic": topic} if where == "originator_topic" else {
                "owner": {"_type_": "topic", "_data_": topic}
            }  # fmt: skip
            changed = json.dumps(json.loads(state) | other).encode()
            connection.execute("UPDATE stored_events SET state = ? WHERE originator_version = 1", (changed,))
    monkeypatch.setattr(os, "system", called)
    monkeypatch.setattr(subprocess, "Popen", called)
    there = adopted(bank)
    if where == "nested":
        # It is the first event that can't be read; of the others nothing is lost by that.
        record = there.record(str(id))
        assert record.stops.event == 1
        assert "can't be read" in record.stops.sentence
    elif where == "snapshot":
        record = there.record(str(id))
        assert record.audited().verdict == "unverified"
        ((number, _reason),) = there.uncompared(record)
        assert number == 5
        with pytest.raises(RecordError):
            [*there.snapshots(str(id))]
    else:
        record = there.record(str(id))
        assert record.stops is not None or record.whole(len(record)).lost
    assert "antigravity" not in sys.modules


def test_hidden(bank):
    id = bank.account("Anastasia Secret")
    there = adopted(bank, hide=["owner"])
    record = there.record(str(id))
    assert record.part("owner").value == "(hidden)"
    assert record.events[0].fields["owner"] == "(hidden)"
    said = [record.branch(drop(2)).stopped.reason, *map(record.mechanic.words.event, record.events)]
    said += [str(record.parts()), str(record.table()), *(str(moment.consequences) for moment in record)]
    assert not any("Anastasia" in one for one in said)
    assert "(hidden)" in said[0]


def digest(path):
    return sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns


def test_untouched(bank):
    id = str(bank.account())
    bank.app.close()
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    before = {each.name: digest(each) for each in bank.path.parent.iterdir() if each.is_file()}
    there = adopted(bank)
    assert [*there.listed()]
    assert there.record(id).audited()
    assert {each.name: digest(each) for each in bank.path.parent.iterdir() if each.is_file()} == before


WRITER = """import decimal, sqlite3, sys
from uuid import UUID
path, id = sys.argv[1:]
connection = sqlite3.connect(path)
connection.execute("PRAGMA journal_mode = WAL")
from bank import BankAccounts
app = BankAccounts(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": path})
while True:
    app.do(UUID(id), "deposit", amount=decimal.Decimal("1.00"))
    print("written", flush=True)
    if not sys.stdin.readline():
        break
app.close()
connection.close()
"""
"""The source of a process that stores a deposit, and another one for each line that it reads."""

INDEX = 96
"""The length of the two headers of SQLite's index file (-shm); the marks of readers follow them."""


def test_beside_a_writer(bank):
    """While another process has a database open and writes, all its files stay as they are, and new events are read.

    Processes share the index file (-shm): its first `INDEX` bytes stay too, after them each reader writes its own mark.
    """
    id = bank.account()
    bank.app.close()
    writer = [sys.executable, "-c", WRITER, str(bank.path), str(id)]
    with subprocess.Popen(writer, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=APPS) as process:
        deposits = iter(process.stdout.readline, "")
        assert next(deposits) == "written\n"
        log, index = (bank.path.with_name(f"{bank.path.name}-{ending}") for ending in ("wal", "shm"))
        names = sorted(path.name for path in bank.path.parent.glob("bank.db*"))
        assert [bank.path.name, index.name, log.name] == names
        before = digest(bank.path), digest(log), index.read_bytes()[:INDEX]
        there = adopted(bank)
        assert len(there.record(str(id))) == 6
        assert (digest(bank.path), digest(log), index.read_bytes()[:INDEX]) == before
        assert sorted(path.name for path in bank.path.parent.glob("bank.db*")) == names
        print("again", file=process.stdin, flush=True)
        assert next(deposits) == "written\n"
        assert len(there.record(str(id))) == 7
        process.stdin.close()
    assert process.returncode == 0


def test_check_leaves_nothing(bank, monkeypatch):
    """If another process leaves an index file beside the database while `check` runs, `check` deletes it at its end."""
    bank.account()
    bank.app.close()
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        connection.execute("PRAGMA journal_mode = WAL")
    before = sorted(bank.path.parent.glob("bank.db*"))
    start = checking._started

    def started(asked):
        reading = f"c = sqlite3.connect({bank.path.as_uri() + '?mode=ro'!r}, uri=True)"
        code = f"import os, sqlite3; {reading}; c.execute('SELECT * FROM stored_events').fetchall(); os._exit(0)"
        subprocess.run([sys.executable, "-c", code], check=True)
        assert sorted(bank.path.parent.glob("bank.db*")) != before
        return start(asked)

    monkeypatch.setattr(checking, "_started", started)
    assert [*checking.compared(adopted(bank), checking.Asked("bank:BankAccounts", str(bank.path)))] == [[]]
    assert sorted(bank.path.parent.glob("bank.db*")) == before


@pytest.mark.parametrize("named, sentence", [
    ("bank", "expected MODULE:NAME"), ("bank:Nothing", "its applications: BankAccounts"),
    ("nobank:X", "no module nobank"),
    ("bank:BankAccount", "no application of eventsourcing"), ("bank:os.system", "no application of eventsourcing"),
])  # fmt: skip
def test_no_application(bank, named, sentence):
    with pytest.raises(AdoptedError, match=sentence):
        adopt(named, str(bank.path))


def test_no_database(bank, tmp_path):
    for place, sentence in (
        (tmp_path / "none.db", "no such file"), (tmp_path, "this is a folder"),
        ("postgres:ana:secret@h/db", "expected a file"),
    ):  # fmt: skip
        with pytest.raises(AdoptedError, match=sentence) as error:
            adopt("bank:BankAccounts", str(place))
        assert "secret" not in str(error.value)
    (tmp_path / "other.db").write_bytes(b"no database at all")
    with pytest.raises(AdoptedError, match="can't be read"):
        adopt("bank:BankAccounts", str(tmp_path / "other.db"))
    sqlite3.connect(tmp_path / "empty.db").close()
    with pytest.raises(AdoptedError, match="has no table stored_events"):
        adopt("bank:BankAccounts", str(tmp_path / "empty.db"))


def test_hidden_elsewhere(bank):
    """Hiding an attribute hides the fields that set it; hiding a field hides its text in the attributes too."""
    id = bank.account("Anastasia Secret")
    bank.app.do(id, "tag", type="vip", note="Anastasia Secret")
    by_attribute = adopted(bank, hide=["tags"]).record(str(id))
    assert by_attribute.events[3].fields == {"type": "(hidden)", "note": "(hidden)"}
    by_field = adopted(bank, hide=["owner"]).record(str(id))
    assert by_field.part("tags").value == [["vip", "good"], ["vip", "(hidden)"]]


def test_hidden_key(bank):
    """A hidden text is hidden as a key of a dict too; the value stays, also if several keys are hidden."""
    id = bank.account("Anastasia Secret")
    bank.app.do(id, "tag", type={"Anastasia Secret": 1, "Bo": 2, "vault": 3}, note="vault")
    record = adopted(bank, hide=["owner", "note"]).record(str(id))
    shown = {"(hidden)": 1, "Bo": 2, "(hidden) 2": 3}
    assert record.events[-1].fields == {"type": shown, "note": "(hidden)"}
    assert record.part("tags").value[-1] == [shown, "(hidden)"]
    assert "Anastasia" not in str(record.parts())


def test_hidden_is_compared(bank):
    """A hidden attribute of a snapshot, or of a what-if, is compared but not shown."""
    id = str(bank.account("Anastasia Secret"))
    bank.app.take_snapshot(UUID(id))
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        connection.execute("UPDATE stored_snapshots SET state = CAST(replace(state, 'Anastasia', 'Annabella') AS BLOB)")
    record = adopted(bank, hide=["owner"]).record(id)
    (found,) = record.audited().disputes
    assert (found.said.part, found.said.value, found.derived.value) == ("owner", "(another hidden value)", "(hidden)")
    fields = {"owner": "Eva", "limit": "0.00", "originator_topic": "bank:BankAccount"}
    one = record.branch(replace(1, {"type": "BankAccount.Opened", "fields": fields}))
    assert "owner" in {each.part for each in record.differences(one.game)}


class Opening:
    """An object whose pickle writes a file when it is read."""

    def __reduce__(self):
        return os.system, ("echo pickled > pickled.txt",)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("own", [False, True], ids=["JSON", "pickles"])
def test_pickled(bank, tmp_path, monkeypatch, protocol, own):
    """A record ends before a pickle of any version: it is not read, even if the application itself would read it."""
    monkeypatch.chdir(tmp_path)
    id = bank.account()
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        data = pickle.dumps(Opening(), protocol)
        connection.execute("UPDATE stored_events SET state = ? WHERE originator_version = 3", (data,))
    if own:
        from bank import BankAccounts

        monkeypatch.setattr(BankAccounts, "construct_transcoder", lambda self: Pickling(), raising=True)
        with closing(sqlite3.connect(bank.path)) as connection, connection:
            connection.execute("UPDATE stored_events SET state = ?", (data,))
        record = adopted(bank).record(str(id))
        assert (record.stops.event, len(record)) == (1, 0)
        assert "a pickle of Python" in record.stops.sentence
    else:
        record = adopted(bank).record(str(id))
        assert (record.stops.event, len(record)) == (3, 2)
        assert "a pickle of Python" in record.stops.sentence
    assert not (tmp_path / "pickled.txt").exists()


class Pickling:
    """A transcoder that reads pickles."""

    def decode(self, data):
        return pickle.loads(data)


def test_port(bank, apps, tmp_path, monkeypatch):
    """A module that listens at a port in use while it is imported gets another port, and the application is read."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        listens = f"import socket\nserver = socket.create_server(('127.0.0.1', {port}))\nprint('listening')\n"
        (tmp_path / "ports.py").write_text(listens + "from bank import BankAccounts\n", encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        id = bank.account()
        there = adopt("ports:BankAccounts", str(bank.path), also=["bank"])
        assert len(there.record(str(id))) == 5
        asked = Asked("ports:BankAccounts", str(bank.path), also=("bank",))
        assert [*compared(there, asked)] == [[]]
        import ports

        ports.server.close()


@pytest.mark.parametrize(
    "left, right, difference",
    [
        ((None, 0), (None, 0), []),
        (("bad", 3), ("bad", 3), []),
        (("bad", 3), ("worse", 3), [(3, "bad", "worse")]),
        ((None, 0), ("bad", 3), [(3, None, "bad")]),
        (("bad", 5), ("bad", 3), [(3, None, "bad")]),
        (("bad", 3), ("worse", 5), [(3, "bad", None)]),
    ],
)
def test_where_it_ends(left, right, difference):
    rebuilt = [checking.Rebuilt("a", [], *end) for end in (left, right)]
    found = [(one.event, one.left, one.right) for one in checking._differs(*rebuilt)]
    assert found == difference
