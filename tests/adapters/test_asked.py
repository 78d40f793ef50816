"""What a user may tell daynight about an application, and what its aggregates may hold.

| what holds | test |
| --- | --- |
| a change in place of any kind of collection is found; no other change is reported | test_in_place |
| a state that was shown does not change with later events | test_in_place |
| a tuple is one value, not several possible ones | test_tuple |
| the function `because` adds the earlier events that an event rests on | test_because |
| an event that replaces the first one needs only the fields of its command, and no topic | test_creating |
| one mechanic serves all aggregates of an application: for `given` in tests, and for `Recorded` | test_mechanic |
| `--also` and `--project` work; if one is missing or wrong, the error names it | test_also, test_project |
| `check` prints values as other verbs show them, not as Python's `repr` | test_check_in_words |
| a script without a `__main__` guard can serve, and answers what-ifs | test_script |
"""

import os
import subprocess
import sys
from contextlib import closing
from decimal import Decimal

import pytest

from daynight.adapters.eventsourcing import adopt
from daynight.cli.commands import run
from daynight.framework import replace
from daynight.framework.language.errors import RecordError
from daynight.framework.recorded import Recorded
from daynight.framework.testing import given


@pytest.fixture
def shelves(apps, tmp_path):
    from shelves import Shelves

    place = str(tmp_path / "shelves.db")
    with closing(Shelves(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": place})) as app:
        yield app, place


@pytest.mark.parametrize("what", ["nothing", "names", "pairs", "numbers", "marks", "boxes", "deep", "both"])
def test_in_place(shelves, what):
    from shelves import Shelf

    app, place = shelves
    shelf = Shelf(where="cellar")
    shelf.change(what="nothing")
    shelf.change(what=what)
    app.save(shelf)
    record = adopt("shelves:Shelves", place).record(str(shelf.id))
    changed = [[one.part for one in moment.consequences] for moment in record]
    assert changed[1:] == [[], [] if what == "nothing" else [what]]
    if what != "nothing":
        (change,) = record[3].consequences
        assert change.was != change.became
        assert (record.part(what, at=2).value, record.part(what).value) == (change.was, change.became)
        assert record.part(what).way.event == 3
    assert record.part("where").way.event == 1


def test_tuple(shelves):
    from shelves import Shelf

    app, place = shelves
    shelf = Shelf(where="cellar")
    app.save(shelf)
    record = adopt("shelves:Shelves", place).record(str(shelf.id))
    assert record.part("both").values == ([1, 2],)
    assert record.mechanic.words.value("both", None, record.part("both").value) == "[1,2]"


def test_because(bank):
    id = str(bank.account())

    def because(event):
        return [2] if type(event).__name__ == "Withdrawn" else []

    record = adopt("bank:BankAccounts", str(bank.path), because=because).record(id)
    assert record.part("balance").because == (2, 5)
    assert record.part("tags").because == (4,)


def test_creating(bank):
    record = adopt("bank:BankAccounts", str(bank.path)).record(str(bank.account()))
    made = record.branch(replace(1, {"type": "BankAccount.Opened", "fields": {"owner": "Eva", "limit": "0.00"}}))
    assert (made.stopped, made.game.part("owner").value) == (None, "Eva")
    with pytest.raises(RecordError, match="needs owner, limit"):
        record.branch(replace(1, {"type": "BankAccount.Opened", "fields": {}}))


def test_mechanic(bank):
    ids = [str(bank.account(name)) for name in ("Ana", "Bo")]
    adopted = adopt("bank:BankAccounts", str(bank.path))
    opened = {"type": "BankAccount.Opened", "fields": {"owner": "Eva", "limit": "0.00"}}
    asked = given(adopted.mechanic, opened).when({"type": "BankAccount.Deposited", "fields": {"amount": "5.00"}})
    asked.then({"part": "balance", "rule": "BankAccount.Deposited"}).part("balance", None, Decimal("5.00"))
    taken = {"type": "BankAccount.Withdrawn", "fields": {"amount": "9.00"}}
    asked.when(taken).refused(sentence="InsufficientFundsError: Eva has 5.00")
    given(adopted.mechanic, {"type": "Parcel.Sent", "fields": {"to": "Bo"}}).part("to", None, "Bo")
    for id in ids:
        record = adopted.record(id)
        own = Recorded(adopted.mechanic, record.events)
        assert (own.title, own.part("balance")) == (record.title, record.part("balance"))
        assert [one.consequences for one in own] == [one.consequences for one in record]


@pytest.fixture
def here(bank, tmp_path, monkeypatch, capsys):
    """Runs `adopt` in the folder of a bank with one account: a function that returns exit code, output and errors."""
    bank.account()
    monkeypatch.chdir(tmp_path)

    def ask(*line):
        code = run(["adopt", *line])
        out, err = capsys.readouterr()
        return code, out, err

    return ask


def test_also(here, bank, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "door.py").write_text("import bank\nclass Front(bank.BankAccounts):\n    pass\n", "utf-8")
    asked = ["door:Front", "--db", str(bank.path)]
    code, out, err = here(*asked, "replay", first(bank))
    assert (code, out) == (0, "")
    assert (
        "event 1: topic 'bank:BankAccount.Opened' is not in door; if it belongs to the application, add --also" in err
    )
    code, out, _err = here(*asked, "--also", "bank", "replay", first(bank))
    assert (code, "balance: 50.00" in out) == (0, True)
    code, out, err = here(*asked, "--also", "nowhere", "list")
    assert (code, out) == (2, "")
    assert "--also nowhere: no module nowhere" in err


def first(bank):
    return str(next(adopt("bank:BankAccounts", str(bank.path)).listed()).id)


def test_project(apps, tmp_path, capsys):
    from dogs import DogSchool

    place = str(tmp_path / "dogs.db")
    with closing(DogSchool(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": place})) as school:
        id = str(school.register("Rex", "sit"))
    line = ["adopt", "dogs:DogSchool", "--db", place]
    assert run([*line, "--project", "dogs:project", "why", id, "tricks"]) == 0
    assert 'tricks: ["sit"]' in capsys.readouterr().out
    assert run([*line, "--project", "dogs:Nothing", "list"]) == 2
    assert "dogs has no Nothing" in capsys.readouterr().err
    assert run([*line, "--project", "dogs:__name__", "list"]) == 2
    assert "--project dogs:__name__: it can't be called" in capsys.readouterr().err
    run([*line, "replay", id])
    assert "--project MODULE:FUNCTION" in capsys.readouterr().err


def test_check_in_words(here, bank, tmp_path, apps):
    (tmp_path / "next").mkdir()
    text = (apps / "bank.py").read_text("utf-8").replace("self.tags.append((type, note))", "self.tags = [[note]]")
    (tmp_path / "next/bank.py").write_text(text, "utf-8")
    asked = ["bank:BankAccounts", "--db", str(bank.path)]
    code, out, _err = here(*asked, "check", "--against", "bank:BankAccounts", "--folder", "next")
    assert code == 1
    assert 'event 4: tags is [["vip","good"]], and [["good"]] by the other application' in out


SCRIPT = """
import json, sys, urllib.request
from daynight.adapters.eventsourcing import adopt
from daynight.web.adopted import serving
adopted = adopt("bank:BankAccounts", sys.argv[1])
with serving(adopted) as address:
    (one,) = json.load(urllib.request.urlopen(f"{address}/v1/games"))["games"]
    body = json.dumps({"edits": [{"at": 2, "drop": True}]}).encode()
    asked = urllib.request.Request(
        f"{address}/v1/games/{one['id']}/what-if", body, {"Content-Type": "application/json"}
    )
    print(json.load(urllib.request.urlopen(asked))["impossible"][0]["event"])
"""


def test_script(bank, apps, tmp_path):
    bank.account()
    (tmp_path / "asks.py").write_text(SCRIPT, "utf-8")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(apps), *sys.path])}
    command = [sys.executable, str(tmp_path / "asks.py"), str(bank.path)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "3\n"), done.stderr
