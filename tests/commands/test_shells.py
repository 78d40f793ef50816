r"""Words of a command, quoted for the user's shell, and read back by a naive parser for each shell.

| promise | test |
| --- | --- |
| each shell reads a word unchanged, and starts nothing else | test_by_rule, test_any_word |
| quotes are used only if needed; double quotes if they work in all Windows shells | test_readable |
| a program whose path needs quotes can be called, in PowerShell too | test_program |
| the naive parsers refuse a line that would do more than start one program | test_readers |
| on Windows the shell is guessed from the environment; on other systems it is POSIX | test_likely |
| a run quotes commands for the guessed shell, other Python code for POSIX | test_pasting, test_hints, test_files |
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click import Command, Context
from hypothesis import given
from hypothesis import strategies as st

from daynight.cli import commands as cli
from daynight.cli.terminal.pasting import what_if_line
from daynight.framework.edits import drop, insert
from daynight.machine.shells import SHELLS, joined, likely, pasting, quoted, shell_of
from daynight.records import Record
from tests.behaviour.games import kept
from tests.commands.conftest import log_of
from tests.commands.windows import MoreThanWordsError, typed_into_cmd, typed_into_powershell, words_of_program
from tests.rules.judges import claim
from tests.rules.words import effect, started, turn, untap

READERS = {
    "posix": shlex.split,
    "cmd": typed_into_cmd,
    "powershell": lambda line: typed_into_powershell(line, old=True),
    "pwsh": lambda line: typed_into_powershell(line, old=False),
}
WORDS = [
    "what-if", "--insert", "-o", "-", "./-x.jsonl", "-a.b", "-a:b", "db:g1", r"C:\games\friday.db", "1kb", "12",
    "e4..6", "", " ", "a b", "it's", "'", "''", "it’s", "‘a’ ‚b‛", '"', '""', 'a"b', '"a b"', 'a" "b', "“a” „b",
    'e3: {"type":"spell-cast","player":"Ana"}', '{"a":"b & c"}', 'a"b&c', 'a"b"c|d', '">x', "50%", "50% off",
    "%PATH%", '%PATH% "a', "%PATH:a=b%", "%%", "a%b c%d", '"%A%"', "$HOME", "a $b", "`", "a `b", "$(x)", "a & b",
    "a&b", "a|b", "a<b>c", "^", "a^b", "a ^b", '^"', "!", "a!b!", "(a)", "a;b,c=d", "@a", "#a", "~", "{a}", "[web]",
    "/my clone[web]", "daynight[web] @ file:///a%20b/x.whl", "*", "?", "\\", "a\\", "a b\\", "a b\\\\", '\\"',
    'a\\\\"b c', 'a "b\\', "a&b\\", "%a b\\", "夜", "Zoë", "a\tb", "\u3000", "a\u00a0b", "--", "é.db",
]  # fmt: skip


@pytest.mark.parametrize("shell", SHELLS)
def test_by_rule(shell):
    """Each of `WORDS` is read back unchanged: between two plain words, and with all the others in one line."""
    for word in WORDS:
        line = joined(["daynight", word, "end"], shell)
        assert ["daynight", word, "end"] == READERS[shell](line), line
    assert ["daynight", *WORDS] == READERS[shell](joined(["daynight", *WORDS], shell))


@pytest.mark.parametrize("shell", SHELLS)
@given(words=st.lists(st.text("ab1-. \t'\"’“%$`^&|<>()!\\:=;,@{[é夜", max_size=8), max_size=4))
def test_any_word(shell, words):
    """Any words made of these characters are read back unchanged."""
    line = joined(["daynight", *words], shell)
    assert ["daynight", *words] == READERS[shell](line), line


@pytest.mark.parametrize("word, expected", [
    ("what-if", "what-if"),
    ("--insert", "--insert"),
    (r"C:\games\friday.db", r"C:\games\friday.db"),
    ("e121: it becomes day", '"e121: it becomes day"'),
    ("it's", '"it\'s"'),
    ("a & b", '"a & b"'),
    ("/my clone[web]", '"/my clone[web]"'),
])  # fmt: skip
def test_readable(word, expected):
    """For these words every shell of Windows gets the same quoting, and POSIX gets that of `shlex.quote`."""
    assert {expected} == {quoted(word, shell) for shell in SHELLS if shell != "posix"}
    assert shlex.quote(word) == quoted(word, "posix")


def test_each_its_own():
    """If no quoting works in all shells, each shell gets its own quoting."""
    event = 'e3: {"type":"untap"}'
    assert '\'e3: {"type":"untap"}\'' == quoted(event, "pwsh") == quoted(event, "posix")
    assert '\'e3: {\\"type\\":\\"untap\\"}\'' == quoted(event, "powershell")
    assert '"e3: {\\"type\\":\\"untap\\"}"' == quoted(event, "cmd")
    assert ('^"50^%^ off^"', "'50% off'") == (quoted("50% off", "cmd"), quoted("50% off", "pwsh"))
    # One shell misreads what was quoted for another, so they must be distinguished.
    assert [event] != words_of_program(quoted(event, "pwsh"))
    assert ["x", event] != typed_into_powershell(f"x {quoted(event, 'pwsh')}", old=True)
    assert ["x", event] != typed_into_powershell(f"x {quoted(event, 'powershell')}", old=False)


@pytest.mark.parametrize("shell", SHELLS)
def test_program(shell):
    """A program whose path has a space is quoted, in PowerShell behind `&`; without a space it is not."""
    line = joined([r"C:\Program Files\python.exe", "-m", "pip"], shell)
    assert [r"C:\Program Files\python.exe", "-m", "pip"] == READERS[shell](line)
    assert ("pwsh" in shell or "powershell" in shell) == line.startswith("& ")
    assert "python -m pip" == joined(["python", "-m", "pip"], shell)


@pytest.mark.parametrize("reader, line", [
    ("cmd", 'daynight "a" & del x'),
    ("cmd", 'daynight "a\\" & del x"'),
    ("cmd", 'daynight "a'),
    ("pwsh", 'daynight "a $b"'),
    ("pwsh", "daynight 'it’s'"),
    ("pwsh", "daynight a;b"),
    ("pwsh", "daynight -a.b"),
    ("pwsh", '"C:\\python.exe" -m pip'),
    ("powershell", "daynight 'a"),
])  # fmt: skip
def test_readers(reader, line):
    """The parsers raise MoreThanWordsError for second commands, open quotes and other things that are not words."""
    with pytest.raises(MoreThanWordsError):
        READERS[reader](line)
    assert ["daynight", "EXPANDED"] == typed_into_cmd('daynight "%PATH%"')
    assert ["a b", 'c"d'] == words_of_program(r'"a b" c\"d')


MACHINE = r"C:\Program Files\WindowsPowerShell\Modules;C:\Windows\system32\WindowsPowerShell\v1.0\Modules"


@pytest.mark.parametrize(
    "system, environment, expected",
    [
        ("posix", {}, "posix"),
        ("posix", {"PSModulePath": rf"C:\Users\ana\Documents\PowerShell\Modules;{MACHINE}"}, "posix"),
        ("nt", {}, "cmd"),
        ("nt", {"PSModulePath": MACHINE}, "cmd"),
        ("nt", {"PSMODULEPATH": rf"{MACHINE};C:\Program Files\Tools\Modules"}, "cmd"),
        ("nt", {"PSModulePath": rf"C:\Users\ana\OneDrive\Documents\WindowsPowerShell\Modules;{MACHINE}"}, "powershell"),
        ("nt", {"PSMODULEPATH": rf"\\server\ana\WindowsPowerShell\Modules;{MACHINE}".upper()}, "powershell"),
        (
            "nt",
            {
                "PSModulePath": r"C:\Users\ana\Documents\PowerShell\Modules;C:\Program Files\PowerShell\Modules;"
                rf"c:\program files\powershell\7\Modules;{MACHINE}"
            },
            "pwsh",
        ),
        ("nt", {"MSYSTEM": "MINGW64", "PSModulePath": MACHINE}, "posix"),
    ],
)
def test_likely(system, environment, expected):
    """`shell_of` guesses the shell from the system, and from the variables that each shell sets for programs."""
    assert expected == shell_of(system, environment)


def test_pasting():
    """Within `pasting(shell)` commands are quoted for that shell, afterwards for the previous one."""
    assert "posix" == likely()
    with pasting("cmd"):
        assert "cmd" == likely()
        with pasting("pwsh"):
            assert "pwsh" == likely()
        assert "cmd" == likely()
    assert "posix" == likely()


@pytest.mark.parametrize("shell", SHELLS)
def test_hints(daynight, tmp_path, monkeypatch, shell):
    """A printed hint, read as its shell reads it, makes the branch that it describes."""
    monkeypatch.chdir(tmp_path)
    players = ("Ana & Bo", 'Cy "%PATH%"')
    record = [started(*players), effect("day"), turn(1, players[0]), turn(2, players[1]), untap(), claim("day")]
    kept(tmp_path / "it's 100% mine.jsonl", record)
    cast = {"type": "spell-cast", "player": players[1]}
    with pasting(shell), Context(Command("why")):
        line = what_if_line(Record("it's 100% mine.jsonl"), [insert(3, cast), drop(4)])
    words = READERS[shell](line)
    assert ["daynight", "what-if", "it's 100% mine.jsonl", "--insert"] == words[:4]
    assert ["--drop", "e4"] == words[5:]
    assert '+ e4  Cy "%PATH%" casts a spell' in daynight(*words[1:]).out


@pytest.mark.parametrize("shell", SHELLS)
def test_files(daynight, folder, monkeypatch, shell):
    """A command that an error proposes names the file of the error, quoted for the shell."""
    name = "it's 100% mine.log"
    monkeypatch.setattr(cli, "shell_of", lambda system, environment: shell)
    for content, arguments, begins in (
        (b"SQLite format 3\0" + bytes(84), ["why", name], "daynight list --db "),
        (b"MTGA 2026\n", ["why", name], "daynight import --from arena "),
        (b"Turn: 1\n", ["why", name], "daynight import --from forge "),
        (log_of("a1"), ["dispute", "open", name, "--by", "Ana"], "daynight import "),
    ):
        Path(name).write_bytes(content)
        found = daynight(*arguments).error.partition(begins)[2]
        assert found.startswith(quoted(name, shell)), found
