"""`daynight adopt` on the command line: each example of its help, and what is refused.

| what holds | test |
| --- | --- |
| each example of the help of each verb runs | test_examples |
| each verb answers as JSON: documents, each with its version, or a line for each event | test_json |
| options stand before the verb, on either side of the application | test_places |
| what the application prints is not in the answer | test_prints |
| where the record ends early, standard error says so | test_stops |
| an id, an attribute or a moment that is not there: exit code 4; wrong usage: 2 | test_refused |
| check: what can't be adopted is refused, and is no "nothing differs"; a hidden value stays hidden | test_check |
| nothing of Magic is said on this path | test_no_magic |
"""

import json
import re
import shlex
import shutil
import sqlite3
from contextlib import closing

import pytest

from daynight.cli.adopting.adopt import adopt
from daynight.cli.commands import run
from daynight.framework.language.codec import VERSION

HERE = ["adopt", "bank:BankAccounts", "--db", "bank.db"]
LINES = {"show", "log"}
"""They print a line for each event, as a table has them: these are no documents."""

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
    """Runs a command line after the application and its database; answers exit code, output and errors."""

    def ask(*arguments):
        code = run([*HERE, *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return ask


def examples(name):
    text = adopt.commands[name].epilog.replace("2026-11-03T14:34", "2999-11-03T14:34")
    return [shlex.split(line) for line in text.removeprefix("\b\n").splitlines()]


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
    (_program, _verb, *arguments), *_others = examples(name)
    code, out, err = asked(*arguments[3:], "--json")
    assert code in (0, 1)
    assert not err
    first = [next(iter(json.loads(line).items())) for line in out.splitlines()]
    assert first
    if name in LINES:
        assert [("event", number) for number in range(1, 6)] == first
    else:
        assert {("version", VERSION)} == {*first}


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


MAGIC = re.compile(r"\b(game|judge|player|card|magic|daybound|turn)s?\b", re.IGNORECASE)


def test_no_magic(there, capsys):
    for name in ("", *adopt.commands):
        run(["adopt", *name.split(), "--help"] if not name else [*HERE, name, "--help"])
        out = capsys.readouterr().out
        assert out
        assert not MAGIC.findall(out), name
