"""Completion in a real bash, and the proposals for PowerShell and fish.

| promise | test |
| --- | --- |
| bash completes commands, options, values, games of the store, and positions | test_bash |
| pressing Tab in a real shell completes a line | test_tab |
| the script changes no COMP_ variable and no option of the shell | test_nothing_is_changed |
| completion works with a colon in COMP_WORDBREAKS, without it, and with spaces only | test_bash, test_no_breaks |
| a name with a space comes with a backslash | test_bash |
| inside quotation marks a name is inserted without escapes | test_in_quotation_marks |
| files are completed as well as demo | test_files |
| turns and steps of the named record are completed | test_positions, test_no_positions |
| PowerShell gets the kind, text, label and description of each proposal | test_powershell |
| words are quoted for PowerShell, whatever they contain | test_quoted, test_no_quotes_are_left_open |
| PowerShell's script does not change the environment | test_powershell_script |
| each shell accepts its script without errors | test_syntax |
| fish completes commands, with their descriptions, and turns | test_fish |
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class
from hypothesis import given
from hypothesis import strategies as st

from daynight.cli.commands import COMPLETING
from daynight.cli.commands import daynight as command
from daynight.cli.words.completing import SHELLS, quoted
from tests.commands.conftest import environ
from tests.commands.test_prompt import Terminal

BREAKS = " \t\n\"'@><=;|&(:"
"""The default of COMP_WORDBREAKS in bash."""

ASKED = r"""
COMP_WORDBREAKS=$1
COMP_LINE=$2
shift 2
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
source completion.bash
compopt() { :; }
before=$(declare -p COMP_WORDBREAKS COMP_WORDS COMP_CWORD; set -o)
_daynight_completion daynight
[[ $before == "$(declare -p COMP_WORDBREAKS COMP_WORDS COMP_CWORD; set -o)" ]] || echo CHANGED
printf '%s\n' "${COMPREPLY[@]}"
"""
"""Sets bash's variables as readline does, calls the completion function, and prints CHANGED if it changed them, and
then the completions. Arguments: breaks, line, words."""


@pytest.fixture
def shell(folder, daynight):
    """A folder with a store of two games, the script for bash, and a program called daynight."""
    assert 0 == daynight("new", "friday", "Ana", "Bo").code
    assert 0 == daynight("new", "fri two", "Ana", "Bo").code
    assert 0 == daynight("record", "friday", "turn 1 Ana", "untap", "turn 12 Bo", "upkeep").code
    (folder / "completion.bash").write_text(daynight("completion", "bash").out)
    (folder / "bin").mkdir()
    program = folder / "bin" / "daynight"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m daynight "$@"\n')
    program.chmod(0o755)
    return folder


def surroundings(folder: Path) -> dict[str, str]:
    """Return an environment in which a shell finds the program `folder`/bin/daynight first, and HOME is `folder`."""
    return environ(PATH=f"{folder / 'bin'}:{os.environ['PATH']}", HOME=str(folder))


def words_of(line: str, breaks: str) -> list[str]:
    """The words that bash finds in a line without quotation marks: each run of break characters is a word too."""
    found = re.findall(rf"(?:\\.|[^\s{re.escape(breaks)}\\])+|[{re.escape(breaks.strip())}]+", line)
    return [*found, ""] if line.endswith(" ") and not line.endswith("\\ ") else found


def replies(folder: Path, line: str, breaks: str = BREAKS, words: list[str] | None = None) -> list[str]:
    """Return the completions that the script gives for `line`, split into `words`, by default at `breaks`."""
    asked = ["bash", "-c", ASKED, "bash", breaks, line, *(words or words_of(line, breaks))]
    ran = subprocess.run(
        asked, cwd=folder, env=surroundings(folder), capture_output=True, text=True, check=True, timeout=60
    )
    assert "" == ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.parametrize("line, with_colon, without", [
    ("daynight forec", ["forecast"], ["forecast"]),
    ("daynight help corpus bu", ["build"], ["build"]),
    ("daynight why db:frid", ["friday"], ["db:friday"]),
    ("daynight why db:", ["fri\\ two", "friday"], ["db:fri\\ two", "db:friday"]),
    ("daynight why db:fri\\ ", ["fri\\ two"], ["db:fri\\ two"]),
    ("daynight why db:friday --at turn:1", ["1", "12"], ["turn:1", "turn:12"]),
    ("daynight why db:friday --at turn:1/", ["1/untap"], ["turn:1/untap"]),
    ("daynight why db:friday --at=turn:12/u", ["12/upkeep"], ["turn:12/upkeep"]),
    ("daynight why --edition=2021-0", ["2021-09-24"], ["2021-09-24"]),
    ("daynight why db:xyzzy", [], []),
])  # fmt: skip
@pytest.mark.wide(but=1)
def test_bash(shell, line, with_colon, without):
    """If the colon is no break character, the whole word is replaced; if it is one, only the part after it."""
    assert with_colon == [one for one in replies(shell, line) if one]
    assert without == [one for one in replies(shell, line, BREAKS.replace(":", "")) if one]


@pytest.mark.wide
def test_no_breaks(shell):
    """If only spaces separate words, an option with its value is one word, and is completed as a whole."""
    line = "daynight why db:friday --at=turn:12/u"
    assert ["--at=turn:12/upkeep"] == replies(shell, line, " \t\n", line.split())


@pytest.mark.wide
def test_in_quotation_marks(shell):
    """Inside quotation marks the completion contains the space without a backslash, and db: too."""
    assert ["db:fri two"] == replies(shell, 'daynight why "db:fri t', words=["daynight", "why", '"db:fri t'])


@pytest.mark.wide
def test_nothing_is_changed(shell):
    """The script assigns no COMP_ variable; a completion leaves them and the shell's options as they were."""
    script = (shell / "completion.bash").read_text()
    assert re.search(r"COMP_WORDBREAKS", script)
    assert not re.search(r"COMP_\w+\+?=(?!\")(?!\$cword)", script)
    assert "CHANGED" not in replies(shell, "daynight why db:")


@pytest.mark.wide
def test_tab(shell):
    """Pressing Tab in an interactive bash with readline completes the line."""
    terminal = Terminal(
        shell, run=["bash", "--norc", "--noprofile", "-i"], PS1="> ", TERM="dumb", PATH=surroundings(shell)["PATH"]
    )
    screen = terminal.type(
        "breaks=$COMP_WORDBREAKS; source completion.bash",
        "daynight why db:frid\t--at turn:12/u\t--json | head -c 26; echo",
        '[[ $breaks == "$COMP_WORDBREAKS" ]] && echo the same',
    ).replace("\r", "")
    assert "daynight why db:friday --at turn:12/upkeep --json" in screen
    assert '\n{"version": 1, "event": 5,\n' in screen
    assert "\nthe same\n" in screen


@pytest.mark.wide
def test_files(shell):
    """`demo` is proposed beside the files of the folder, although click would leave it out."""
    for name in ("deck.jsonl", "other.jsonl", "my deck.jsonl"):
        (shell / name).touch()
    assert ["demo", "deck.jsonl"] == replies(shell, "daynight replay de")
    assert {"demo", "deck.jsonl", "other.jsonl", "my deck.jsonl", "bin"} <= {*replies(shell, "daynight replay ")}
    assert ["other.jsonl"] == replies(shell, "daynight replay o")


def found(line: list[str], begun: str) -> list[str]:
    """Return the proposals for the word `begun`, after the words `line`."""
    made = get_completion_class("bash")
    assert made is not None
    return [item.value for item in made(command, {}, "daynight", COMPLETING).get_completions(line, begun)]


@pytest.mark.parametrize("option", ["--at", "--from", "--to"])
def test_positions(option):
    """--at of `why` and `diff`, and --from and --to of `backup-plan`, complete the turns and steps of the record."""
    name = "why" if option == "--at" else "backup-plan"
    assert [f"turn:{turn}" for turn in range(1, 26)] == found([name, "demo", option], "")
    assert ["turn:2", *(f"turn:{turn}" for turn in range(20, 26))] == found([name, "demo", option], "turn:2")
    assert ["turn:21/draw", "turn:21/declare-attackers", "turn:21/declare-blockers"] == found(
        [name, "demo", option], "turn:21/d"
    )
    assert ["turn:21", "turn:22"] == found(["diff", "demo", "--at", "3", "--at"], "turn:2")[2:4]


def test_no_positions(folder):
    """There are no proposals and no errors for a missing or invalid record, for a number, and for a missing turn."""
    (folder / "bad.jsonl").write_text("{\n")
    for record in ([], ["nowhere.jsonl"], ["bad.jsonl"], ["db:x"]):
        assert [] == found(["why", *record, "--at"], "turn:")
    assert [] == found(["why", "demo", "--at"], "1")
    assert [] == found(["why", "demo", "--at"], "turn:99")


def powershell(monkeypatch, *words: str) -> list[list[str]]:
    """Return PowerShell's proposals for the last of `words`, each as its kind, text, label and description."""
    monkeypatch.setenv("COMP_WORDS", "\n".join(["daynight", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    made = get_completion_class("powershell")
    assert made is not None
    return [line.split("\t") for line in made(command, {}, "daynight", COMPLETING).complete().splitlines()]


def test_powershell(shell, monkeypatch):
    """Each proposal has kind, text, label and description; a text with a space is quoted, its label is not."""
    ((kind, text, shown, told),) = powershell(monkeypatch, "forec")
    assert ("plain", "forecast", "forecast") == (kind, text, shown)
    assert told.startswith("Forecast") or told.endswith(".")
    games = powershell(monkeypatch, "why", "db:fri")
    assert [["plain", "'db:fri two'", "db:fri two", "db:fri two"], ["plain", *["db:friday"] * 3]] == games
    assert [["--edition=2021-09-24", "2021-09-24"]] == [
        one[1:3] for one in powershell(monkeypatch, "why", "--edition=2021-0")
    ]
    assert ["turn:12"] == [one[2] for one in powershell(monkeypatch, "why", "db:friday", "--at", "turn:12")]
    assert [["plain", "demo", "demo", "demo"], ["file", "''", "", ""]] == powershell(monkeypatch, "replay", "")
    assert [] == powershell(monkeypatch, "why", "db:xyzzy")


def test_a_process_answers_powershell(shell):
    """A process called as by PowerShell's script, which leaves out an empty last word, proposes the subcommands."""
    asked = {COMPLETING: "powershell_complete", "COMP_WORDS": "daynight\ncorpus", "COMP_CWORD": "2"}
    ran = subprocess.run(
        [sys.executable, "-m", "daynight"], env=environ(**asked), capture_output=True, text=True, check=True
    )
    verbs = [line.split("\t")[2] for line in ran.stdout.splitlines()]
    assert ["audit", "build", "export", "find", "stats", "verify"] == sorted(verbs)


@pytest.mark.parametrize("word, expected", [
    ("turn:4/untap", "turn:4/untap"),
    ("--json", "--json"),
    ("C:\\games\\a.jsonl", "C:\\games\\a.jsonl"),
    ("日本", "日本"),
    ("my game", "'my game'"),
    ("Ana's", "'Ana''s'"),
    ("Ana\u2019s", "'Ana\u2019\u2019s'"),
    ("$HOME", "'$HOME'"),
    ("a;b", "'a;b'"),
    ("(x)", "'(x)'"),
    ("a,b", "'a,b'"),
    ("@x", "'@x'"),
    ("#1", "'#1'"),
    ("a`b", "'a`b'"),
    ("~", "'~'"),
    ("", "''"),
])  # fmt: skip
def test_quoted(word, expected):
    assert expected == quoted(word)


@given(st.text(alphabet=st.sampled_from("ab '\u2018\u2019\u201a\u201b\"$;`")))
def test_no_quotes_are_left_open(word):
    """In a quoted text each quotation mark is doubled, and one of each pair gives the original word; a text without
    quotation marks around it has no special character."""
    told = quoted(word)
    if told == word:
        assert not set(word) & set(" '\u2018\u2019\u201a\u201b\"$;`")
        return
    inside = told[1:-1]
    assert not re.search("['\u2018\u2019\u201a\u201b]", re.sub("(['\u2018\u2019\u201a\u201b])\\1", "", inside))
    assert word == re.sub("(['\u2018\u2019\u201a\u201b])\\1", r"\1", inside)


def test_powershell_script(daynight):
    """The script resets every variable that it sets, and its brackets are balanced."""
    script = daynight("completion", "powershell").out
    assert script.startswith("Register-ArgumentCompleter -Native -CommandName daynight -ScriptBlock {\n")
    assert "_DAYNIGHT_COMPLETE = 'powershell_complete'" in script
    _before, _try, after = script.partition("finally")
    changed = set(re.findall(r"(\$env:\w+|\[Console\]::OutputEncoding) = ", script))
    assert changed == set(re.findall(r"(\$env:\w+|\[Console\]::OutputEncoding) = ", after))
    assert {"$env:COMP_WORDS", "$env:COMP_CWORD", f"$env:{COMPLETING}"} <= changed
    for opening, closing in ("{}", "()", "[]"):
        assert script.count(opening) == script.count(closing)
    assert "%" not in script


READS = {
    "bash": ["bash", "-n", "script"], "zsh": ["zsh", "-n", "script"], "fish": ["fish", "--no-execute", "script"],
    "powershell": ["pwsh", "-NoProfile", "-Command", "[void][scriptblock]::Create((Get-Content -Raw script))"],
}  # fmt: skip
"""The command line of each shell that checks the syntax of the file `script`."""


@pytest.mark.parametrize("name", SHELLS)
def test_syntax(daynight, folder, name):
    """The shell accepts the script without a message, and complains when the script is broken."""
    command_line = READS[name]
    if shutil.which(command_line[0]) is None:
        pytest.skip(f"{command_line[0]} is not on this machine")
    script = daynight("completion", name).out
    for text, good in ((script, True), (script + "\nif (\n", False)):
        (folder / "script").write_text(text, encoding="utf-8")
        ran = subprocess.run(command_line, capture_output=True, check=False)
        assert good == (ran.returncode == 0 and not ran.stderr), ran


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not on this machine")
@pytest.mark.wide
def test_fish(shell, daynight):
    """fish gets the command `repair` with its description, and the steps of a turn."""
    (shell / "completion.fish").write_text(daynight("completion", "fish").out, encoding="utf-8")
    for line, expected in (
        ("daynight repa", ["repair\tFind the single edits that make every claim right."]),
        ("daynight why db:friday --at turn:1/u", ["turn:1/untap"]),
    ):
        asked = f"source completion.fish; complete -C {shlex.quote(line)}"
        command_line = ["fish", "-N", "-c", asked]
        ran = subprocess.run(command_line, env=surroundings(shell), capture_output=True, text=True, check=False)
        assert (expected, "") == (ran.stdout.splitlines(), ran.stderr)


def test_a_shell_that_is_none(daynight):
    """An unknown shell is wrong usage (exit code 2), and the error names the known shells."""
    ran = daynight("completion", "tcsh")
    assert (2, "") == ran[:2]
    assert all(repr(shell) in ran.error for shell in SHELLS)
