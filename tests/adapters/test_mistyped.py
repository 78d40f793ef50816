"""Unusual input about an adopted application: if it is refused, the sentence says what to write instead.

| what is typed | test |
| --- | --- |
| no application or a path instead, no database, position or edit: refused | test_refused |
| an application that exits while it is imported, adopted or with `--against`: refused | test_ends |
| an event without the arguments that its command has defaults for: accepted | test_defaults |
| a typed value within a list, as the transcoder writes it: accepted | test_spelled_within |
| `--against` code that lacks an event's class or refuses an event: check says where its record ends | test_gone |
"""

import json
import shutil
from contextlib import closing
from decimal import Decimal

import pytest
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from daynight.adapters.eventsourcing import adopt
from daynight.cli.commands import run
from daynight.framework import insert
from daynight.framework.testing import given


@pytest.fixture
def there(bank, apps, tmp_path, monkeypatch):
    """The id of an account; the current folder has the application and its database."""
    id = str(bank.account())
    shutil.copy(apps / "bank.py", tmp_path)
    (tmp_path / "next").mkdir()
    monkeypatch.chdir(tmp_path)
    return id


@pytest.mark.parametrize(
    "line, sentence",
    [
        ("--db bank.db list", "list stands where the application should: write MODULE:APPLICATION before it"),
        ("bank.py:BankAccounts --db bank.db list", "did you mean bank:BankAccounts?"),
        ("shop/bank.py:BankAccounts --db bank.db list", "did you mean shop.bank:BankAccounts?"),
        ("bank.BankAccounts --db bank.db list", "did you mean bank:BankAccounts?"),
        ("bank: --db bank.db list", "expected MODULE:NAME, as in bank:BankAccounts\n"),
        ("bank:BankAccounts --db . list", ".: this is a folder; name the database file in it"),
        ("bank:BankAccounts --db mysql://x list", "mysql://x: expected a file, or postgresql://..."),
        ("HERE replay ID --at now", "'now' is no position; write 18, e18 or 2026-11-03T14:34"),
        ("HERE replay ID --at 26.11.2026", "write 18, e18 or 2026-11-03T14:34"),
        ("HERE show ID --at branch:b/e1", "'branch:b/e1' is no position"),
        ("HERE what-if ID", "say what should be otherwise: --drop, --replace or --insert"),
    ],
)
def test_refused(there, capsys, line, sentence):
    line = line.replace("HERE", "bank:BankAccounts --db bank.db").replace("ID", there)
    assert run(["adopt", *line.split()]) == 2
    out, err = capsys.readouterr()
    assert (out, "Traceback" in err) == ("", False)
    assert sentence in err


def test_ends(there, tmp_path, capsys, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "ending.py").write_text("import sys\nsys.exit('no licence')\n", encoding="utf-8")
    here = ["adopt", "bank:BankAccounts", "--db", "bank.db"]
    for line in (["adopt", "ending:App", "--db", "bank.db", "list"], [*here, "check", "--against", "ending:App"]):
        assert run(line) == 2
        out, err = capsys.readouterr()
        assert (out, "importing ending failed: SystemExit: no licence" in err) == ("", True)


def test_defaults(bank, there):
    record = adopt("bank:BankAccounts", str(bank.path)).record(there)
    taken = {"type": "BankAccount.Withdrawn", "fields": {"amount": "5.00"}}
    made = record.branch(insert(3, taken))
    assert made.stopped is None
    assert str(made.game.part("balance").value) == "45.00"


class Trip(Aggregate):
    @event("Begun")
    def __init__(self, legs: list):
        self.legs = legs


class Trips(Application):
    pass


def test_spelled_within(tmp_path):
    with closing(Trips(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(tmp_path / "t.db")})):
        mechanic = adopt(Trips, str(tmp_path / "t.db")).mechanic
    legs = [["Graz", {"_type_": "decimal_str", "_data_": "1.50"}]]
    asked = given(mechanic, {"type": "Trip.Begun", "fields": {"legs": legs}})
    assert asked.record.part("legs").value == [["Graz", Decimal("1.50")]]


@pytest.mark.parametrize(
    "old, new, sentence",
    [
        ('"Tagged"', '"Marked"', "event 4: it goes on; by the other application: the class of event 4 is gone"),
        ("self.tags.append((type, note))", "raise ValueError(note)",
         "event 4: it goes on; by the other application: the aggregate refuses it: ValueError: good"),
    ],
)  # fmt: skip
def test_gone(there, apps, tmp_path, capsys, old, new, sentence):
    text = (apps / "bank.py").read_text("utf-8")
    assert old in text
    (tmp_path / "next/bank.py").write_text(text.replace(old, new), encoding="utf-8")
    line = ["adopt", "bank:BankAccounts", "--db", "bank.db", "check"]
    line += ["--against", "bank:BankAccounts", "--folder", "next"]
    assert run(line) == 1
    assert capsys.readouterr().out == f"{there}: {sentence}\n1 aggregate rebuilt twice\n"
    assert run([*line, "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["found"]
    assert (found["kind"], found["event"], found["left"]) == ("ends", 4, None)
