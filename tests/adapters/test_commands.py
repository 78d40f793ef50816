"""`daynight adopt` on the command line: each example of its help, and its errors.

| what holds | test |
| --- | --- |
| each example of the help of each verb runs | test_examples |
| each verb answers as JSON: documents, each with its version, or a line for each event | test_json |
| options stand before the verb, on either side of the application | test_places |
| the answer does not contain what the application prints | test_prints |
| where the record ends early, standard error says so | test_stops |
| an unknown id, attribute or moment gives exit code 4; wrong usage gives 2 | test_refused |
| audit and check report a snapshot that can't be compared; audit does not call it wrong | test_uncompared |
| check refuses what can't be adopted, and does not say "nothing differs"; hidden values stay hidden | test_check |
| no output of these verbs mentions Magic | test_no_magic |
| follow prints each event when it is stored, from a notification id on | test_follow |
| `serve` serves a page; if the extra is not installed, the error names it | test_serve, test_extra |
| a time is printed with its zone and the event that it means | test_times |
| audit without an ID takes all aggregates | test_audit_all |
| diff of two classes compares the attributes that both have, and lists the others | test_diff_of_two_classes |
| diff and what-if say so if they find no difference | test_nothing_differs |
| a verb has an example, or a test of its own | test_every_verb |
"""

import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from decimal import Decimal
from urllib.request import Request, urlopen
from uuid import UUID

import pytest

from daynight.cli.adopting.adopt import adopt
from daynight.cli.commands import run
from daynight.framework.language.codec import VERSION
from tests import processes

HERE = ["adopt", "bank:BankAccounts", "--db", "bank.db"]
LINES = {"show": 5, "log": 5, "follow": 3}
"""The verbs that print a line of JSON for each event, and how many lines their first example prints."""

ENDLESS = {"serve": "test_serve", "follow": "test_follow"}
"""The verbs that run until somebody stops them, and the test of each."""

FINDING = {"diff", "what-if", "bisect"}


@pytest.fixture
def there(bank, apps, tmp_path, monkeypatch):
    """The folder of an application, with its database; the accounts are those of the examples."""
    for owner, id in (("Ana", "3fa8"), ("Bo", "51c0")):
        made = bank.account(owner)
        with closing(sqlite3.connect(bank.path)) as connection, connection:
            connection.execute(
                "UPDATE stored_events SET originator_id = ? WHERE originator_id = ?", (id + made.hex[4:], made.hex)
            )
    shutil.copy(apps / "bank.py", tmp_path)
    (tmp_path / "next").mkdir()
    shutil.copy(apps / "bank.py", tmp_path / "next")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def asked(there, capsys):
    """A function that runs a command line about the application; it returns exit code, output and errors."""

    def ask(*arguments):
        code = run([*HERE, *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return ask


def examples(name):
    text = adopt.commands[name].epilog.replace("2026-11-03T14:34", "2999-11-03T14:34")
    found = [shlex.split(line) for line in text.removeprefix("\b\n").splitlines()]
    return [line for line in found if name not in ENDLESS or "--limit" in line]


@pytest.mark.parametrize("name", adopt.commands)
def test_examples(asked, there, capsys, name):
    for program, *arguments in examples(name):
        assert program == "daynight"
        assert run(arguments) == (1 if name in FINDING else 0), arguments
        out, err = capsys.readouterr()
        assert out
        assert not err


@pytest.mark.parametrize("name", adopt.commands)
def test_json(asked, name):
    if name == "serve":
        pytest.skip("it has test_serve")
    (_program, _verb, *arguments), *_others = examples(name)
    code, out, err = asked(*arguments[3:], "--json")
    assert code in (0, 1)
    assert not err
    documents = [json.loads(line) for line in out.splitlines()]
    assert {("version", VERSION)} == {next(iter(one.items())) for one in documents}
    if name in LINES:
        assert [*range(1, LINES[name] + 1)] == [one["event"] for one in documents]


def test_audit_all(asked, there, capsys, bank):
    code, out, err = asked("audit")
    assert (code, err) == (0, "")
    assert [line.partition("-")[0][:4] for line in out.splitlines()] == ["3fa8", "51c0"]
    assert run([*HERE, "--says", "Withdrawn:balance=amount", "audit"]) == 1
    assert capsys.readouterr().out.count("disputed, 5 events") == 2
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        connection.execute("DELETE FROM stored_events")
    code, out, err = asked("audit")
    assert (code, out) == (0, "")
    assert "the application has no aggregates" in err


def test_diff_of_two_classes(asked, bank):
    from bank import Parcel

    parcel = Parcel(to="Rome")
    bank.app.save(parcel)
    code, out, err = asked("diff", "3fa8", str(parcel.id))
    assert (code, err) == (1, "")
    assert {"balance: 50.00 / nothing", "to: nothing / Rome"} <= {*out.splitlines()}
    code, out, _err = asked("diff", str(parcel.id), "3fa8", "--json")
    found = {one["part"]: one for one in json.loads(out)["differences"]}
    assert (code, found["to"]["left"], found["to"]["right"]) == (1, "Rome", None)
    assert (found["balance"]["left"], found["balance"]["right"]) == (None, "50.00")


def test_nothing_differs(asked):
    assert asked("diff", "3fa8", "3fa8") == (0, "nothing differs\n", "")
    event = json.dumps({"type": "BankAccount.Deposited", "fields": {"amount": "0.00"}})
    assert asked("what-if", "3fa8", "--insert", f"e5: {event}") == (0, "nothing differs\n", "")


def test_places(there, capsys, bank):
    assert run([*HERE, "--immutable", "list"]) == 2
    assert "a part of it is in bank.db-wal" in capsys.readouterr().err
    bank.app.close()
    lines = [
        ["adopt", "--db", "bank.db", "bank:BankAccounts", "list"],
        ["adopt", "bank:BankAccounts", "--db=bank.db", "--immutable", "list"],
        ["adopt", "--immutable", "--db", "bank.db", "bank:BankAccounts", "list"],
    ]
    for line in lines:
        assert run(line) == 0, capsys.readouterr().err
        assert capsys.readouterr().out.count("BankAccount") == 2


def test_prints(asked, there, monkeypatch):
    from bank import BankAccount

    monkeypatch.setattr(BankAccount, "__base_init__", _printing(BankAccount.__base_init__))
    code, out, err = asked("replay", "3fa8", "--json")
    assert code == 0
    assert json.loads(out)["event"] == 5
    assert "chatter" in err


def _printing(own):
    def init(self, *args, **named):
        print("chatter")
        own(self, *args, **named)

    init.__signature__ = __import__("inspect").signature(own)
    return init


def test_stops(asked, bank):
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        connection.execute(
            "UPDATE stored_events SET state = CAST(replace(state, '\"200.00\"', '\"20.00\"') AS BLOB)"
            " WHERE originator_version = 2 AND originator_id LIKE '3fa8%'"
        )
    code, out, err = asked("replay", "3fa8")
    assert code == 0
    assert "balance: 20.00" in out
    assert "the record ends before event 3: the aggregate refuses it: InsufficientFundsError: Ana has 20.00" in err
    code, out, _err = asked("check")
    assert code == 1
    assert out.count("the record ends before event 3") == 1


@pytest.mark.parametrize("line, code, sentence", [
    ("why ffff balance", 4, "no aggregate 'ffff' in bank.db; list shows them"),
    ("why 3fa8 nothing", 4, "no part 'nothing'; there are: owner, balance"),
    ("why 3fa8 balance --at 9", 4, "no event 9"),
    ("why 3fa8 balance --at 1999-01-01", 4, "this record has no 1999-01-01"),
    ("why 3fa8 balance --at yesterday", 2, "no position"),
    ("what-if 3fa8 --insert 5:x", 2, "a colon"),
    ("why 3fa8 balance Ana", 2, "Ana"),
    ("bisect 3fa8 balance Ana 50.00", 2, "50.00"),
    ("nothing", 2, "nothing"),
])  # fmt: skip
def test_refused(asked, line, code, sentence):
    found, out, err = asked(*line.split())
    assert (found, out) == (code, "")
    assert sentence in err
    assert "Traceback" not in err


@pytest.mark.parametrize("line", [["--says", "x"], ["--says", "a:b"]])
def test_says(there, capsys, line):
    assert run([*HERE, *line, "list"]) == 2
    assert "expected EVENT:ATTRIBUTE=FIELD" in capsys.readouterr().err


def test_check(asked, there, capsys):
    for named, sentence in (("bank:Nothing", "bank has no Nothing"), ("nobank:X", "no module nobank")):
        code, out, err = asked("check", "--against", named)
        assert (code, out) == (2, "")
        assert sentence in err
        assert "Traceback" not in err
    (there / "next/bank.py").write_text("import os\nos._exit(3)\n", encoding="utf-8")
    code, out, err = asked("check", "--against", "bank:BankAccounts", "--folder", "next")
    assert (code, out) == (2, "")
    assert "the other process ended before it had rebuilt everything" in err
    assert run([*HERE, "--hide", "owner", "check", "--json"]) == 0
    assert "Ana" not in capsys.readouterr().out


def test_uncompared(asked, bank):
    with closing(sqlite3.connect(bank.path)) as connection:
        (id,) = connection.execute("SELECT originator_id FROM stored_events WHERE originator_id LIKE '3%'").fetchone()
    bank.app.take_snapshot(UUID(id))
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        connection.execute("UPDATE stored_snapshots SET topic = 'bank:BankAccount.Still'")
    code, out, err = asked("audit", "3fa8")
    assert (code, out) == (0, "3fa8: unverified, 5 events\n")
    assert "the snapshot after event 5 can't be compared: topic 'bank:BankAccount.Still'" in err
    code, out, _err = asked("check", "3fa8", "--json")
    assert code == 1
    assert [(one["kind"], one["event"]) for one in json.loads(out)["found"]] == [("snapshot", 5)]


MAGIC = re.compile(r"\b(game|judge|player|card|magic|daybound|turn)s?\b", re.IGNORECASE)


def test_no_magic(there, capsys):
    for name in ("", *adopt.commands):
        run(["adopt", *name.split(), "--help"] if not name else [*HERE, name, "--help"])
        out = capsys.readouterr().out
        assert out
        assert not MAGIC.findall(out), name


def test_every_verb():
    """Each verb has an example in its help that `test_examples` runs, or a test that `ENDLESS` names."""
    for name, command in adopt.commands.items():
        assert examples(name) or callable(globals()[ENDLESS[name]]), name
        assert command.epilog


def test_follow(there, bank):
    """`follow` prints a document for each event after notification 9, also for one that is stored while it runs."""
    command = [sys.executable, "-m", "daynight", *HERE, "follow", "51c0", "--json", "--after", "9"]
    with processes.Popen(command, stdout=subprocess.PIPE, text=True, env=bare()) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        bank.app.open("Cy")
        bank.app.do(UUID(first["id"]), "deposit", amount=Decimal("5.00"))
        second = json.loads(process.stdout.readline())
        process.terminate()
    assert (first["event"], first["notification"]) == (5, 10)
    assert (second["event"], second["type"], second["fields"]) == (6, "BankAccount.Deposited", {"amount": "5.00"})
    assert second["changes"] == [{"part": "balance", "was": "50.00", "became": "55.00"}]


def bare():
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHONPATH",))}


def test_serve(there, bank):
    """`serve` lists the aggregates and answers a what-if; the bytes of the database do not change."""
    bank.app.close()
    before = (bank.path.read_bytes(), bank.path.stat().st_mtime_ns, sorted(there.glob("bank.db*")))
    command = [sys.executable, "-m", "daynight", *HERE, "serve", "--port", "0", "--json"]
    with processes.Popen(command, stdout=subprocess.PIPE, text=True, env=bare()) as process:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"]
        with urlopen(f"{address}/v1/games") as answer:
            listed = json.load(answer)["games"]
        edits = {"edits": [{"at": 2, "drop": True}]}
        asking = Request(
            f"{address}/v1/games/{listed[0]['id']}/what-if", json.dumps(edits).encode(),
            {"Content-Type": "application/json"},
        )  # fmt: skip
        with urlopen(asking) as answer:
            found = json.load(answer)
        process.terminate()
    assert [one["kind"] for one in listed] == ["BankAccount", "BankAccount"]
    assert found["impossible"][0]["event"] == 3
    assert "InsufficientFundsError" in found["impossible"][0]["reason"]
    assert (bank.path.read_bytes(), bank.path.stat().st_mtime_ns, sorted(there.glob("bank.db*"))) == before


def test_extra(asked, monkeypatch):
    monkeypatch.setattr("daynight.cli.share.serve.find_spec", lambda name: None)
    code, out, err = asked("serve")
    assert (code, out) == (2, "")
    assert "this needs starlette, uvicorn" in err
    assert "[web]" in err


def test_times(asked, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        code, out, _err = asked("why", "3fa8", "balance", "--at", "2999-11-03T14:34")
        assert (code, out.splitlines()[0]) == (0, "2999-11-03T14:34:00+09:00 (JST): event 5")
        code, out, _err = asked("diff", "3fa8", "3fa8", "--at", "2999-11-03 14:34+02:00", "--and", "1")
        assert (code, out.splitlines()[0]) == (1, "2999-11-03T14:34:00+02:00: event 5")
        code, out, err = asked("replay", "3fa8", "--at", "1999-01-01")
        assert (code, out) == (4, "")
        assert "1999-01-01T00:00:00+09:00 (JST): its first event is of 20" in err
    finally:
        monkeypatch.undo()
        time.tzset()
