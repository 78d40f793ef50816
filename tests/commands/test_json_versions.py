"""The JSON promises to programs: each document has a version, and errors are JSON too.

The commands are read from the program.

| promise | test |
| --- | --- |
| every document of every command begins with its version | test_version |
| every command and subcommand has an example here | test_every_verb |
| lines of a record, an archive or `follow`, and a JSON Schema, have no version | test_lines |
| every command prints an error document if its input is missing | test_missing |
| wrong usage is an error document too, even before the command is known | test_usage |
| every error has sentence, exit code, and place (file, line, column, path), null if unknown | test_place |
| the sentence is that of standard error, in the chosen language | test_missing, test_language |
| errors and answers are printed in order | test_among |
| without --json, or if it is not an option, an error is text | test_words |
| an interruption prints no error document, but an internal bug does | test_silence |
| if standard output can't be written, the exit code is still right | test_full |
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys

import click
import pytest

from daynight.cli.commands import COMMANDS
from daynight.cli.commands import daynight as command
from daynight.framework.language.codec import VERSION
from daynight.game import Game
from tests.behaviour.games import CONTRACT, kept, lines
from tests.commands.conftest import environ
from tests.commands.test_json import EACH, ELSEWHERE
from tests.rules.judges import claim
from tests.rules.words import cast, started

GROUPS = {
    "dispute open": ["dispute", "open", "db:friday", "--by", "Ana"],
    "dispute claim": ["dispute", "claim", "db:friday", "d1", "--by", "Bo", "--says", "no"],
    "dispute rule": ["dispute", "rule", "db:friday", "d1", "--by", "Jo", "--outcome", "leave"],
    "dispute appeal": ["dispute", "appeal", "db:friday", "d1", "--by", "Bo"],
    "dispute close": ["dispute", "close", "db:friday", "d1", "--by", "Jo"],
    "dispute show": ["dispute", "show", "db:friday"], "corpus build": ["corpus", "build", "friday.dn", "-o", "league"],
    "corpus audit": ["corpus", "audit", "league", "-o", "result"],
    "corpus stats": ["corpus", "stats", "league", "--by", "month"], "corpus find": ["corpus", "find", "league"],
    "corpus export": ["corpus", "export", "league", "-o", "games"], "corpus verify": ["corpus", "verify", "league"],
    "conformance list": ["conformance", "list"],
    "conformance export": ["conformance", "export", "--for", "cases", "-o", "suite"],
    "conformance run": ["conformance", "run", "--engine", "true", "--rule", "check-neither"],
    "conformance check": ["conformance", "check", os.devnull],
}  # fmt: skip
"""Every subcommand with the fewest arguments; each depends on those before it."""

AGAIN = {"dispute appeal": "dispute rule"}
"""After the subcommand (the key) another one (the value) runs again, because the following ones need it."""

STREAMS = {"read": ["read", "demo"], "schema": ["schema"]}
"""Commands whose answer is a record or a schema: they only print a document if they write a file."""

MISSING = {
    "new": ["new", "friday", "Ana", "Bo"], "record": ["record", "nowhere", "turn 1 Ana"],
    "list": ["list", "--db", "nowhere.db"], "import": ["import", "nowhere.jsonl"],
    "export": ["export", "nowhere", "-o", "x.jsonl"], "verify": ["verify", "nowhere.jsonl"],
    "key": ["key", "--key", "nowhere.pem"], "backup": ["backup", "x.db", "--db", "nowhere.db"],
    "restore": ["restore", "nowhere.db", "--db", "x.db"],
    "migrate": ["migrate", "--db", "nowhere.db"], "follow": ["follow", "--db", "nowhere.db"],
    "table": ["table", "friday", "--host", "0.0.0.0"], "serve": ["serve", "nowhere.jsonl", "--port", "0"],
    "live": ["live", "nowhere.log", "--port", "0"],
    "diff": ["diff", "demo", "nowhere.jsonl"], "what-if": ["what-if", "nowhere.jsonl", "--drop", "3"],
    "backup-plan": ["backup-plan", "nowhere.jsonl", "--to", "3"], "fmt": ["fmt", "nowhere.dn"],
    "chart": ["chart", "--edition", "nowhere"], "schema": ["schema", "nowhere"], "editions": ["editions", "nowhere"],
    "cards": ["cards", "Nowhere"], "demo": ["demo", "nowhere"], "completion": ["completion", "nowhere"],
    "dispute": ["dispute", "show", "nowhere.jsonl"], "corpus": ["corpus", "stats", "nowhere"],
    "conformance": ["conformance", "check", "nowhere"],
}  # fmt: skip
"""The command lines that ask for something missing, if that is not `COMMAND nowhere.jsonl`."""

PLACE = ["version", "error", "exit", "file", "line", "column", "path"]


def verbs():
    """Yield every subcommand of every group, as it is typed: `dispute open`."""
    for name in COMMANDS:
        found = command.get_command(click.Context(command), name)
        yield from (f"{name} {verb}" for verb in getattr(found, "commands", {}))


def test_every_verb():
    """`GROUPS` has every subcommand except those of `adopt` (tests.adapters.test_commands has them)."""
    assert sorted(GROUPS) == sorted(verb for verb in verbs() if verb.split()[0] not in ELSEWHERE)
    assert set(EACH) | ELSEWHERE == set(COMMANDS)
    assert {name for name in COMMANDS if name in MISSING} == set(MISSING)


def versioned(ran):
    """Return whether the run `ran` printed at least one document, and each document begins with the version."""
    return [] != ran.whole and all(next(iter(document.items())) == ("version", VERSION) for document in ran.whole)


@pytest.mark.parametrize("name", sorted({*EACH} - {*STREAMS}))
def test_version(daynight, friday, name):
    ran = daynight(*EACH[name], "--json")
    assert ran.code in (0, 1)
    assert versioned(ran)


@pytest.mark.wide
def test_version_of_verbs(daynight, friday):
    assert 0 == daynight("record", "friday", "turn 1 Ana").code
    for name, arguments in GROUPS.items():
        ran = daynight(*arguments, "--json")
        assert ran.code in (0, 1), (name, ran)
        assert versioned(ran), name
        if name in AGAIN:
            assert 0 == daynight(*GROUPS[AGAIN[name]]).code


def test_lines(daynight, friday):
    """Lines of a record, an archive or a schema have no version; with -o a document with a version is printed."""
    for arguments in (*STREAMS.values(), ["export", "friday"], ["export", "--all"]):
        assert [] == [line for line in daynight(*arguments, "--json").whole if "version" in line]
    for arguments in (["read", "demo"], ["export", "friday"], ["export", "--all"]):
        assert versioned(daynight(*arguments, "-o", "x.jsonl", "--json"))


@pytest.mark.parametrize("name", COMMANDS)
def test_missing(daynight, friday, name):
    """There is one error document: its sentence is the line on standard error, and it has the exit code."""
    ran = daynight(*MISSING.get(name, [name, "nowhere.jsonl"]), "--json")
    (document,) = ran.refusals
    assert PLACE == [*document]
    assert (VERSION, ran.code, ran.error) == (document["version"], document["exit"], document["error"])
    assert ran.code in (2, 3, 4, 5)
    if "nowhere.jsonl" in ran.error:
        assert (4, "nowhere.jsonl") == (ran.code, document["file"])


@pytest.mark.parametrize("line", [
    "nonsense --json", "--json nonsense", "dispute --json", "why --json", "why --nonsense --json",
    "undo --json", "why demo --edition lastest --json",
])  # fmt: skip
def test_usage(daynight, line):
    """Wrong usage is an error document even if no command has read --json, or no such command exists."""
    ran = daynight(*line.split())
    (document,) = ran.whole
    nowhere = dict.fromkeys(("file", "line", "column", "path"))
    assert {"version": VERSION, "error": ran.error, "exit": 2} | nowhere == document
    assert 2 == ran.code


def test_place(daynight, folder):
    """A record as JSON gives a path, one in words a column; a stored game is the file db:GAME; the rest is null."""
    kept(folder / "g1.jsonl", [*CONTRACT, cast("Anna")])
    (folder / "words.dn").write_text("game g\nplayers Ana, Bo\nturn 1 Ana\nBo castes Opt\n", encoding="utf-8")
    kept(folder / "good.jsonl", CONTRACT)
    assert 0 == daynight("import", "good.jsonl", "--as", "g2").code
    with sqlite3.connect(folder / "daynight.db") as connection:
        connection.execute("DELETE FROM stored_events WHERE originator_id = 'g2' AND originator_version = 4")
    connection.close()
    for arguments, place in (
        (["why", "g1.jsonl"], (3, "g1.jsonl", 9, None, "$.player")),
        (["why", "words.dn"], (3, "words.dn", 4, 4, None)),
        (["why", "db:g2"], (5, "db:g2", 4, None, None)),
        (["why", "good.jsonl", "--at", "99"], (4, "good.jsonl", None, None, None)),
        (["why", "."], (3, ".", None, None, None)),
        (["cards", "Nobody"], (4, None, None, None, None)),
    ):
        (document,) = daynight(*arguments, "--json").refusals
        assert place == tuple(document[name] for name in PLACE[2:]), arguments


def test_language(daynight):
    """Only the sentence is translated, not the keys."""
    english, french = (daynight("why", "nowhere.jsonl", "--json", "--lang", lang).refusals[0] for lang in ("en", "fr"))
    assert english["error"] != french["error"]
    assert english == french | {"error": english["error"]}


def test_among(daynight, folder):
    """Errors and answers are printed in order, so a program can tell which record has no answer."""
    kept(folder / "good.jsonl", [started(), claim("neither")])
    (folder / "bad.jsonl").write_bytes(lines(CONTRACT) + b"{\n")
    ran = daynight("audit", "good.jsonl", "bad.jsonl", "nowhere.jsonl", "good.jsonl", "--json")
    assert [("good.jsonl", None), ("bad.jsonl", 3), ("nowhere.jsonl", 4), ("good.jsonl", None)] == [
        (document.get("record") or document["file"], document.get("exit")) for document in ran.whole
    ]
    assert [document["error"] for document in ran.refusals] == ran.err.splitlines()


@pytest.mark.parametrize(
    "arguments", [["why", "nowhere.jsonl"], ["why", "--json=1"], ["why", "demo", "--", "--json", "x"]], ids=" ".join
)
def test_words(daynight, arguments):
    """Without --json an error is text; so it is with `--json=1`, and with --json after `--`, where it is no option."""
    ran = daynight(*arguments)
    assert ("", True) == (ran.out, ran.code in (2, 4))
    assert ran.error


def test_silence(daynight, folder, monkeypatch):
    """An interruption prints nothing and exits with 130; an internal bug prints a document and exits with 70."""

    def raising(error):
        def load(*_arguments, **_more):
            raise error

        return load

    monkeypatch.setattr(Game, "load", raising(KeyboardInterrupt()))
    assert (130, "") == daynight("why", "demo", "--json")[:2]
    monkeypatch.setattr(Game, "load", raising(RuntimeError("no\nmore")))
    (document,) = daynight("why", "demo", "--json").refusals
    assert (70, None, None) == (document["exit"], document["file"], document["path"])
    assert document["error"].startswith("a bug of ours: RuntimeError: no")


@pytest.mark.skipif(sys.platform != "linux", reason="a device that is always full")
@pytest.mark.wide
def test_full(folder):
    """If standard output is full, a missing file still gives exit code 4, an answer 3, and standard error one line."""
    for arguments, code in ((["why", "nowhere.jsonl"], 4), (["why", "demo"], 3)):
        with open("/dev/full", "wb") as full:
            ran = subprocess.run(
                [sys.executable, "-m", "daynight", *arguments, "--json"],
                env=environ(), stdout=full, stderr=subprocess.PIPE, text=True, check=False,
            )  # fmt: skip
        assert (code, 1) == (ran.returncode, len(ran.stderr.splitlines())), ran.stderr
