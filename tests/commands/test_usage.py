"""Wrong usage: one sentence on one line of standard error, exit code 2, for every command.

| promise | test |
| --- | --- |
| the error names command and subcommand, what is wrong, and what to try | test_sentence |
| a similar word is proposed, if there is one | test_near, test_far |
| every command refuses an unknown option in the same form | test_every_command |
| only sentences by click get a small first letter | test_ours |
| typed text is escaped, on that one line | test_tame |
| without arguments the help is printed, with exit code 2 | test_help_instead |
"""

import re

import click
import pytest

from daynight.cli.commands import COMMANDS
from daynight.cli.terminal.exits import usage_sentence

SENTENCE = r"daynight( [a-z-]+)+: [^A-Z\n].*; try daynight( [a-z-]+)+ --help"


@pytest.mark.parametrize("arguments, command, reason", [
    (["why"], "why", "missing argument 'FILE'"),
    (["why", "demo", "x", "y"], "why", "got unexpected extra argument (y)"),
    (["why", "demo", "x", "y", "z"], "why", "got unexpected extra arguments (y z)"),
    (["why", "demo", "--at"], "why", "option '--at' requires an argument"),
    (["why", "demo", "--json=1"], "why", "option '--json' does not take a value"),
    (["why", "--foo"], "why", "no such option '--foo'"),
    (["--foo", "why"], "", "no such option '--foo'"),
    (["why", "--lang", "de"], "why", "invalid value for '--lang': 'de' is not one of 'en', 'fr', 'ja'"),
    (
        ["completion"],
        "completion",
        "missing argument '{bash|zsh|fish|powershell}'; choose from: bash, zsh, fish, powershell",
    ),
    (
        ["dispute", "rule", "g.jsonl", "d1", "--by", "Jo"],
        "dispute rule",
        "missing option '--outcome'; choose from: leave, fix, back-up",
    ),
    (["diff"], "diff", "give two records, or one with two of --at, --editions or --catalogue"),
    (["import", "a", "b", "--as", "g"], "import", "--as names one game, and there are 2 files"),
])  # fmt: skip
def test_sentence(daynight, arguments, command, reason):
    """The error has the command, the reason and the help, and nothing else; exit code 2."""
    ran = daynight(*arguments)
    name = f"daynight {command}".rstrip()
    assert (2, "", f"{name}: {reason}; try {name} --help") == (*ran[:2], ran.error)


@pytest.mark.parametrize("arguments, meant", [
    (["replya", "demo"], "replay"),
    (["vrify"], "verify"),
    (["forcast", "demo"], "forecast"),
    (["dispute", "opn"], "open"),
    (["why", "demo", "--jsn"], "--json"),
    (["audit", "demo", "--asume", "day"], "--assume"),
    (["replay", "demo", "--editon=latest"], "--edition"),
])  # fmt: skip
def test_near(daynight, arguments, meant):
    """For a misspelt command or option the error proposes the meant one first."""
    ran = daynight(*arguments)
    assert (2, "") == ran[:2]
    assert re.search(rf": no such (command|option) '[\w-]+'; did you mean {meant}(, [\w-]+)*\?$", ran.error)


@pytest.mark.parametrize("arguments", [["judge"], ["xyzzy"], ["dispute", "xyzzy"], ["why", "demo", "--xyzzy"]])
def test_far(daynight, arguments):
    """If no command or option is similar, the error refers to the help, and proposes nothing."""
    error = daynight(*arguments).error
    assert "did you mean" not in error
    assert error.endswith(" --help")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command(daynight, command):
    """Every command reports wrong usage in the same form."""
    for arguments in (["--xyzzy"], ["--json=1"], ["--lang", "de"], ["--json", "--lang"]):
        ran = daynight(command, *arguments)
        assert (2, []) == (ran.code, ran.documents)
        assert re.fullmatch(SENTENCE, ran.error), ran.error
        assert ran.error.startswith(f"daynight {command}: ")
        assert ran.error.endswith(f"; try daynight {command} --help")


def test_ours():
    """click's sentences get a small first letter; daynight's own keep theirs, because they may begin with a name."""
    for said, told in (
        ("Games.jsonl is a database", "daynight: Games.jsonl is a database; try daynight --help"),
        ("Missing.jsonl is a database", "daynight: Missing.jsonl is a database; try daynight --help"),
        ("Missing command.", "daynight: missing command; try daynight --help"),
    ):
        assert told == usage_sentence(click.UsageError(said))


def test_tame(daynight):
    """Control characters in the typed text are escaped, and the error is one line."""
    error = daynight("why", "demo", "x", "x\n\x1b[31my").error
    assert r"(x \u001b[31my)" in error


@pytest.mark.parametrize("arguments", [[], ["dispute"]])
def test_help_instead(daynight, arguments):
    """Without arguments the help is printed, with exit code 2."""
    ran = daynight(*arguments)
    assert (2, "") == ran[:2]
    assert ran.err.startswith("Usage: ")
