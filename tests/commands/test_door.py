"""`--json` with help and version, and in front of a command.

| promise | test |
| --- | --- |
| `version`, in each of its spellings, prints a document | test_version |
| help is a document for daynight, each command and subcommand; a group lists its commands | test_help |
| `daynight --json` prints the help as a document | test_bare |
| the document is in the reader's language, and in UTF-8 on any terminal | test_in_french |
| `--json` in front of a command works as after it | test_in_front |
| the program of another mechanic does the same | test_of_a_mechanic |
| without `--json` the outputs are text | test_in_words |
"""

import json
import sys
from io import BytesIO, TextIOWrapper

import pytest

from daynight import __version__
from daynight.cli.commands import COMMANDS, run
from daynight.cli.mechanics import commands
from daynight.disputes.mechanic import GAME
from tests.commands.test_json_versions import verbs


@pytest.mark.parametrize("line", [
    "version --json", "--version --json", "-V --json", "--json version", "--json --version", "help version --json",
])  # fmt: skip
def test_version(daynight, line):
    """`version` is the version of the document's format; the member `daynight` has the version of daynight."""
    ran = daynight(*line.split())
    assert (0, "", [{"version": 1, "daynight": __version__}]) == (ran.code, ran.err, ran.whole)


def has_help(daynight, path):
    """Assert that the document contains the help text that is printed without --json; return its `commands`."""
    (document,) = daynight("help", *path.split(), "--json").whole
    assert ["version", "command", "help", "commands"] == [*document]
    # An application is named before the subcommand.
    assert (1, f"daynight {path}".strip()) == (
        document["version"], document["command"].replace("adopt MODULE:APPLICATION ", "adopt ")
    )  # fmt: skip
    assert document["help"].startswith(f"Usage: {document['command']} ")
    assert f"{document['help']}\n" == daynight("help", *path.split()).out
    return document["commands"]


@pytest.mark.wide(but=5)
@pytest.mark.parametrize("path", [*COMMANDS, *verbs()])
def test_help(daynight, path):
    found = [verb.partition(" ")[2] for verb in verbs() if verb.startswith(f"{path} ")]
    assert sorted(found) == sorted(has_help(daynight, path))


def test_help_of_groups(daynight):
    assert [*COMMANDS] == has_help(daynight, "")
    assert "build" in has_help(daynight, "corpus")


def test_bare(daynight):
    asked = daynight("--json")
    assert (0, "") == (asked.code, asked.err)
    assert asked == daynight("help", "--json") == daynight("--help", "--json") == daynight("--json", "help")
    assert daynight("--lang", "fr", "--json") == daynight("--lang", "fr", "--help", "--json")


def test_in_french(monkeypatch):
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(BytesIO(), "ascii"))
    assert 0 == run(["--lang", "fr", "help", "why", "--json"])
    assert "événement" in json.loads(sys.stdout.buffer.getvalue())["help"]


@pytest.mark.parametrize("before, after", [
    ("--json why demo", "why demo --json"), ("--lang fr --json show demo", "show demo --json --lang fr"),
    ("--json dispute show demo", "dispute show demo --json"), ("dispute --json show demo", "dispute show demo --json"),
    ("--json help why", "help why --json"), ("--json why nowhere", "why nowhere --json"),
    ("--json dispute", "dispute --json"), ("--json nonsense", "nonsense --json"),
])  # fmt: skip
def test_in_front(daynight, before, after):
    """`--json` in front of the command and after it give identical output."""
    ran = daynight(*before.split())
    assert ran.whole
    assert daynight(*after.split()) == ran


def test_of_a_mechanic(capsys):
    group = commands(GAME)
    for line, command in (("--help --json", "club"), ("audit --help --json", "club audit")):
        assert 0 == run(line.split(), group, "club")
        document = json.loads(capsys.readouterr().out)
        assert (1, command) == (document["version"], document["command"])


def test_in_words(daynight):
    """--version and --help print text; --lang without a command is wrong usage, reported as text."""
    assert f"daynight {__version__}\n" == daynight("--version").out
    assert daynight("--help").out.startswith("Usage: daynight [OPTIONS] COMMAND [ARGS]...\n")
    ran = daynight("--lang", "en")
    assert (2, "", "daynight: missing command; try daynight --help") == (*ran[:2], ran.error)
