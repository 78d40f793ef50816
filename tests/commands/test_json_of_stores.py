"""The JSON of all commands with --db, of daynight and of another mechanic; the program itself lists the commands.

| promise | test |
| --- | --- |
| the tables of arguments name only commands on stores | test_every_command |
| each document begins with its format's version | test_version |
| for an invalid store each command prints one error document, with exit code 5, `migrate` 2 | test_none |
| for an invalid key each command prints an error document | test_no_key |
"""

from __future__ import annotations

import shlex

import click
import pytest

from daynight.cli.commands import daynight as command
from daynight.cli.commands import run
from daynight.cli.mechanics import commands
from daynight.disputes.mechanic import GAME
from daynight.framework.language.codec import VERSION
from tests.commands.conftest import Ran, is_refusal

OURS = {
    "serve": "db:friday --port 0", "dispute open": "db:friday --by Ana",
    "dispute claim": "db:friday d1 --by Bo --says no",
    "dispute rule": "db:friday d1 --by Jo --outcome leave", "dispute appeal": "db:friday d1 --by Bo",
    "dispute close": "db:friday d1 --by Jo", "backup-plan": "db:friday --to 1",
    "what-if": "db:friday --at 1 --insert 'turn 1 Ana'", "diff": "db:friday --at 1 --at 1",
    "replay-test": "--write x.base db:friday", "new": "sunday Ana Bo", "record": "friday 'turn 1 Ana'",
    "table": "friday Ana Bo --port 0", "list": "", "follow": "", "import": "demo", "export": "friday -o x.jsonl",
    "verify": "friday", "backup": "copy.db", "migrate": "", "corpus build": "db:friday -o league",
    "read": "db:friday -o x.jsonl", "key": "--accept friday e1", "restore": "copy.db",
}  # fmt: skip
THEIRS = {
    "audit": "db:friday", "backup": "copy.db", "bisect": "db:friday", "diff": "db:friday db:friday",
    "export": "friday -o x.jsonl", "follow": "", "import": "friday.jsonl", "list": "", "migrate": "",
    "record": """friday '{"type": "turn-began", "turn": 1, "active": ["Ana"]}'""",
    "key": "--accept friday e1", "restore": "copy.db",
    "replay-test": "--write x.base db:friday", "serve": "--port 0", "verify": "friday", "why": "db:friday designation",
    "what-if": """db:friday --insert 'e1: {"type": "turn-began", "turn": 1, "active": ["Ana"]}'""",
}  # fmt: skip
"""The arguments of the mechanic's commands, as `OURS` has those of daynight's; other commands get `db:friday`."""

UNENDING = {"serve", "table", "follow", "migrate"}
"""Commands that wait, or that are only for a server."""

LINES = {"show", "log"}
"""Commands that print the lines of another mechanic's record, which are not documents."""


def on_stores(group):
    """Yield the names of the commands and subcommands of `group` that have the option --db."""
    for name in group.list_commands(click.Context(group)):
        found = group.get_command(click.Context(group), name)
        if isinstance(found, click.Group):
            yield from (f"{name} {verb}" for verb in on_stores(found))
        elif any("--db" in parameter.opts for parameter in found.params):
            yield name


NAMES = [*(("ours", name) for name in on_stores(command)), *(("theirs", name) for name in on_stores(commands(GAME)))]
EVERY = pytest.mark.parametrize("whose, name", NAMES)


@pytest.fixture
def ran(friday, capfdbinary, daynight):
    """Return a function that runs the command `name` of daynight (`ours`) or of the mechanic with the store `db`."""
    daynight("export", "friday", "-o", "friday.jsonl")

    def asked(whose, name, db):
        table, group = (OURS, command) if whose == "ours" else (THEIRS, commands(GAME))
        words = [*name.split(), *shlex.split(table.get(name, "db:friday")), "--db", db, "--json"]
        code = run(words, group)
        out, err = capfdbinary.readouterr()
        return Ran(code, out.decode(), err.decode())

    return asked


def test_every_command():
    """`OURS` and `THEIRS` name only commands with --db; the tested ones include `new`, `list` and `verify`."""
    assert {name for whose, name in NAMES if whose == "ours"} >= {*OURS}
    assert {name for whose, name in NAMES if whose == "theirs"} >= {*THEIRS} >= {"list", "verify", "import", "record"}
    assert {"new", "list", "verify", "import", "record", "backup"} <= {name for _whose, name in NAMES}


@EVERY
def test_version(ran, whose, name):
    """Each document begins with the version; there is an error document exactly if the exit code is above 1."""
    if name in UNENDING or (whose == "theirs" and name in LINES):
        pytest.skip("test_json_versions and the tests of servers ask these")
    answered = ran(whose, name, "daynight.db")
    assert [] != answered.whole
    assert all(next(iter(document.items())) == ("version", VERSION) for document in answered.whole)
    assert (answered.code > 1) == any(map(is_refusal, answered.whole))


@EVERY
def test_none(ran, friday, whose, name):
    """If the store is a text file, each command prints an error document with exit code 5 (2 for `migrate`), and makes
    no file."""
    if name == "restore":
        pytest.skip("it puts a store in the place of whatever is there")
    (friday / "broken.db").write_text("no database\n", encoding="utf-8")
    before = {*friday.rglob("*")}
    refused = ran(whose, name, "broken.db")
    (document,) = refused.whole
    assert {"version": VERSION, "error": refused.error, "exit": refused.code} == {
        key: document[key] for key in ("version", "error", "exit")
    }
    assert "broken.db" in refused.error
    assert (2 if name == "migrate" else 5) == refused.code
    assert before == {*friday.rglob("*")}


@pytest.mark.parametrize("arguments", [
    ["key"], ["key", "--forget", "friday"], ["new", "sunday", "Ana", "Bo"], ["record", "friday", "turn 1 Ana"],
    ["import", "demo"], ["export", "friday", "-o", "x.jsonl"], ["dispute", "open", "db:friday", "--by", "Ana"],
])  # fmt: skip
def test_no_key(daynight, friday, arguments):
    """If the file of --key has no key, each command prints an error document with exit code 2."""
    (friday / "other.pem").write_text("no key\n", encoding="utf-8")
    refused = daynight(*arguments, "--key", "other.pem", "--json")
    (document,) = refused.whole
    assert (VERSION, refused.error, 2) == (document["version"], document["error"], document["exit"])
