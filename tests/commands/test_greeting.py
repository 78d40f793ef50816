"""The first contact: a bare `daynight`, and the ways in which people ask for help or the version.

| promise | test |
| --- | --- |
| at a terminal, `daynight` says what it is, and names three commands and the help; exit code 0 | test_greeted |
| each of the three commands works in an empty folder | test_they_work |
| the greeting fits the width of the terminal, in each language | test_width |
| without a terminal, a bare `daynight` is wrong usage, reported on standard error | test_not_greeted |
| any argument prevents the greeting | test_only_bare |
| `help` is `--help`, also for commands and subcommands; in any language | test_help, test_help_in_a_language |
| help about an unknown command is refused like the command itself | test_no_help |
| `version` and `-V` are `--version` | test_version |
| a shell completes `help why` as it completes `why` | test_completing |
"""

import re
import shlex

import pytest

from daynight import __version__
from daynight.cli.greeting import FIRST
from daynight.languages.speaking import LANGUAGES
from tests.commands.conftest import complaints, completed
from tests.commands.test_help import cells
from tests.commands.test_prompt import Terminal


def at_a_terminal(folder, *arguments, **environment):
    """Run daynight at a terminal; return the exit code and the screen."""
    terminal = Terminal(folder, *arguments, **environment)
    return terminal.ended(), terminal.screen().replace("\r\n", "\n")


def test_greeted(tmp_path):
    """The greeting has fewer than twelve lines, which name the three commands of `FIRST` and --help."""
    code, screen = at_a_terminal(tmp_path)
    assert 0 == code
    assert screen.startswith("daynight replays a recorded game of Magic, ")
    assert [*FIRST] == re.findall(r"^  (daynight(?: \w+)+)  ", screen, re.MULTILINE)
    assert "daynight --help lists every command" in screen
    assert len(screen.splitlines()) < 12


def test_they_work(daynight, folder):
    """Each of the three commands works in an empty folder, without an error: exit code 0 or 1."""
    assert 3 == len(FIRST)
    for line in FIRST:
        ran = daynight(*shlex.split(line)[1:])
        assert (ran.code in (0, 1), "") == (True, complaints(ran.err)), line


@pytest.mark.parametrize("language", LANGUAGES)
def test_width(tmp_path, language):
    """No line is wider than 60 cells, and no command of `FIRST` is cut."""
    code, screen = at_a_terminal(tmp_path, DAYNIGHT_LANG=language, COLUMNS="60")
    assert 0 == code
    assert [] == [line for line in screen.splitlines() if cells(line) > 60]
    assert all(line in screen for line in FIRST)


def test_not_greeted(daynight, process):
    """Without a terminal the exit code is 2, and the usage is on standard error."""
    for ran in (daynight(), process()):
        assert (2, "") == ran[:2]
        assert ran.err.startswith("Usage: daynight")


def test_only_bare(tmp_path):
    """With arguments, right or wrong ones, a terminal shows no greeting, and the exit code is the usual one."""
    for arguments, code in ((["nonsense"], 2), (["dispute"], 2), (["--version"], 0)):
        ended, screen = at_a_terminal(tmp_path, *arguments)
        assert code == ended
        assert "replays a recorded game" not in screen


@pytest.mark.parametrize("path", ["", "why", "what-if", "dispute", "corpus build", "dispute open", "help", "help why"])
def test_help(daynight, path):
    """`help COMMAND` prints what `COMMAND --help` prints."""
    ran = daynight("help", *path.split())
    assert (0, "") == ran[::2]
    assert daynight(*path.replace("help", "").split(), "--help") == ran


@pytest.mark.parametrize("line", ["help --lang fr", "--lang fr help", "help --lang=fr"])
def test_help_in_a_language(daynight, line):
    assert daynight("--help", "--lang", "fr") == daynight(*line.split())
    assert daynight("why", "--help", "--lang", "fr") == daynight(*line.split(), "why")


@pytest.mark.parametrize("path, says", [
    ("judge", "daynight: no such command 'judge'; try daynight --help"),
    ("replya", "daynight: no such command 'replya'; did you mean replay, repair, read?"),
    ("corpus biuld", "daynight corpus: no such command 'biuld'; did you mean build?"),
])  # fmt: skip
def test_no_help(daynight, path, says):
    ran = daynight("help", *path.split())
    assert (2, "", says) == (*ran[:2], ran.error)


def test_version(daynight, process):
    """Each spelling prints the same line, `version` and -V in a new process too; -v is wrong usage."""
    for line in ("version", "-V", "--version", "help version"):
        assert (0, f"daynight {__version__}\n", "") == daynight(*line.split()), line
    for word in ("version", "-V"):
        assert (0, f"daynight {__version__}\n", "") == process(word)
    assert 2 == daynight("-v").code


@pytest.mark.parametrize("line, expected, other", [
    ("daynight help re", "replay", "demo"),
    ("daynight help corpus bu", "build", "replay"),
    ("daynight help why --ed", "--edition", "build"),
])  # fmt: skip
def test_completing(monkeypatch, line, expected, other):
    """After `help` the shell gets the commands, subcommands and options that fit, and no others."""
    found = {one.partition(",")[2] for one in completed(monkeypatch, line)}
    assert (True, False) == (expected in found, other in found)
