"""Help, version and completion, and how little is imported to print them."""

import re
import runpy
import shutil
import subprocess
import sys
import unicodedata
from dataclasses import replace

import click
import pytest
from click.shell_completion import ShellComplete

from daynight import __version__
from daynight.cli import main
from daynight.cli.commands import COMMANDS, SECTIONS
from daynight.cli.commands import daynight as daynight_command
from daynight.cli.mechanics import commands
from daynight.cli.terminal.interpreter import AS_WRITTEN, first_sentence, paragraphs
from daynight.cli.words.completing import SHELLS
from daynight.disputes.mechanic import GAME
from daynight.framework.language.wording import translated
from daynight.languages.speaking import LANGUAGES, speaking
from tests.commands.conftest import completed, environ


def test_help(daynight):
    """The help lists every command with its summary, and the exit codes."""
    ran = daynight("--help")
    assert (0, "") == ran[::2]
    for command in COMMANDS:
        assert re.search(rf"^  {command}  +[A-Z].*", ran.out, re.MULTILINE), command
    codes = " ".join(ran.out.split())
    for code in (
        "0 done",
        "1 done",
        "2 wrong usage",
        "3 input",
        "4 not found",
        "5 store damaged",
        "70 a bug of ours",
        "130 interrupted",
    ):
        assert code in codes
    assert ran == daynight("-h")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(daynight, command):
    """A command's help shows its usage, a summary and its options."""
    ran = daynight(command, "--help")
    assert (0, "") == ran[::2]
    assert ran.out.startswith(f"Usage: daynight {command} [OPTIONS]")
    assert "--json" in ran.out
    assert ran == daynight(command, "-h")


def cells(line):
    """The width of a line in terminal cells."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in line)


def words(text):
    """A text without spaces and line breaks, which depend on the width."""
    return "".join(text.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_sections(daynight, language):
    """Five sections with translated headings; each command is in one of them, with its whole first sentence."""
    with speaking(language):
        listed = {name: first_sentence(translated(paragraphs(verb(name).help))) for name in COMMANDS}
    blocks = daynight("--help", "--lang", language).out.split("\n\n")
    rows = [re.findall(r"^  ([a-z-]+) +(.*)$", block, re.MULTILINE) for block in blocks[-len(SECTIONS) - 1 : -1]]
    assert [list(names) for names in SECTIONS.values()] == [[name for name, _said in section] for section in rows]
    assert listed == {name: said for section in rows for name, said in section}
    headings = [block.splitlines()[0] for block in blocks[-len(SECTIONS) - 1 : -1]]
    assert len(SECTIONS) == len(set(headings)) == 5
    assert all(re.match(r"\w.*\s?:$", heading) for heading in headings)


def verb(path):
    """Return the click command of a path such as `dispute open`."""
    name, _space, inner = path.partition(" ")
    found = daynight_command.get_command(click.Context(daynight_command), name)
    return found.commands[inner] if inner else found


GROUPS = ("dispute", "corpus", "conformance")
VERBS = (*COMMANDS, *(f"{group} {name}" for group in GROUPS for name in verb(group).commands))


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut(daynight, monkeypatch, language):
    """At 80 columns no help text is cut off and no line is wider; examples are printed unchanged."""
    monkeypatch.setenv("COLUMNS", "80")
    for path in ("", *VERBS):
        out = daynight(*path.split(), "--help", "--lang", language).out
        command = verb(path) if path else daynight_command
        with speaking(language):
            said = [translated(paragraphs(command.help))]
            said += [translated(paragraphs(getattr(one, "help", None) or "")) for one in command.params]
        assert [] == [text for text in said if words(text) not in words(out)], path
        assert [] == [line for line in out.splitlines() if cells(line) > 80], path
        if path:
            examples = command.epilog.removeprefix(AS_WRITTEN).splitlines()
            assert ["", HEADINGS[language][len(examples) > 1], *(f"  {one}" for one in examples)] == out.splitlines()[
                -len(examples) - 2 :
            ]
            assert all(f"daynight {path}" in one for one in examples)


def test_examples_of_another_mechanic(capsys):
    """In another mechanic's program the examples of shared commands begin with the name of that program."""
    with pytest.raises(SystemExit):
        commands(replace(GAME, name="approval")).main(["verify", "--help"])
    shown = capsys.readouterr().out.partition("Examples:\n")[2]
    assert ["  approval verify", "  approval verify friday.jsonl"] == shown.splitlines()


HEADINGS = {
    "en": ("Example:", "Examples:"), "fr": ("Exemple\u00a0:", "Exemples\u00a0:"), "ja": ("例:", "例:"),
}  # fmt: skip
"""The headings above one example and above several."""


def test_without_a_command(daynight):
    """Without a command the usage is printed, and the exit code is 0 or 2."""
    ran = daynight()
    assert "Usage: daynight" in ran.out + ran.err
    assert ran.code in (0, 2)


def test_an_unknown_command(daynight):
    """An unknown command is wrong usage (exit code 2), and the error names it."""
    ran = daynight("judge")
    assert (2, "") == ran[:2]
    assert "daynight: no such command 'judge'; try daynight --help" == ran.error


def test_version(daynight, process):
    """Every spelling prints the same version."""
    assert (0, f"daynight {__version__}\n", "") == daynight("--version") == process("--version")


def test_main_says_the_version(monkeypatch, capsys):
    """`main` prints the version for --version, and returns."""
    monkeypatch.setattr(sys, "argv", ["daynight", "--version"])
    main()
    assert f"daynight {__version__}\n" == capsys.readouterr().out


def test_run_as_a_module(monkeypatch, capsys):
    """`python -m daynight` runs the command line; importing `daynight.__main__` prints nothing."""
    monkeypatch.setattr(sys, "argv", ["daynight", "--version"])
    runpy.run_module("daynight.__main__", run_name="__main__")
    assert f"daynight {__version__}\n" == capsys.readouterr().out
    runpy.run_module("daynight.__main__")
    assert "" == capsys.readouterr().out


def test_main_ends_with_the_exit_code(monkeypatch, capsys):
    """`main` raises SystemExit with the exit code of the command, here 1 and 4."""
    for arguments, code in ((["audit", "demo"], 1), (["cards", "xyzzy"], 4)):
        monkeypatch.setattr(sys, "argv", ["daynight", *arguments])
        with pytest.raises(SystemExit) as error:
            main()
        assert code == error.value.code


def test_the_version_waits_for_nothing():
    """For --version only `daynight` and `daynight.cli` are imported, and no library."""
    script = (
        "import sys; sys.argv = ['daynight', '--version']; from daynight.cli import main; main();"
        "print(*sorted({name.partition('.')[0] for name in sys.modules} & {'click', 'rich', 'transitions', 'msgspec'}),"
        "*sorted(name for name in sys.modules if name.startswith('daynight')))"
    )
    ran = subprocess.run([sys.executable, "-c", script], env=environ(), capture_output=True, text=True, check=True)
    assert [f"daynight {__version__}", "daynight daynight.cli"] == ran.stdout.splitlines()


@pytest.mark.parametrize("shell", SHELLS)
def test_completion(daynight, tmp_path, shell):
    """The completion script is accepted by the shell, if that shell is installed."""
    ran = daynight("completion", shell)
    assert (0, "") == ran[::2]
    assert "_DAYNIGHT_COMPLETE" in ran.out
    assert "daynight" in ran.out
    if shutil.which(shell) is None:
        assert shell != "bash" or sys.platform == "win32"
        return
    script = tmp_path / "completion"
    script.write_text(ran.out)
    checked = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, check=False)
    assert (0, "", "") == (checked.returncode, checked.stdout, checked.stderr)


@pytest.mark.parametrize("line, expected", [
    ("daynight re", {"replay"}),
    ("daynight replay de", {"demo"}),
    ("daynight replay --ed", {"--edition"}),
    ("daynight chart --format m", {"mermaid"}),
    ("daynight why --edition 2024-0",
     {"2024-02-02", "2024-03-08", "2024-04-12", "2024-06-07", "2024-07-30", "2024-09-20"}),
    ("daynight why --edition 2023-1", {"2023-10-13", "2023-11-17"}),
    ("daynight why --edition l", {"latest"}),
])  # fmt: skip
def test_completing(capfd, monkeypatch, line, expected):
    """The shell completes commands, options, values, and `demo` among the files."""
    assert expected <= {found.partition(",")[2] for found in completed(monkeypatch, line)}
    assert ("", "") == tuple(capfd.readouterr())


@pytest.mark.parametrize("begun, expected", [("", ["demo", ""]), ("de", ["demo", "de"]), ("game", ["game"])])
def test_completing_records(begun, expected):
    """`demo` is proposed if the typed letters fit, beside all files."""
    command = daynight_command.get_command(click.Context(daynight_command), "replay")
    found = ShellComplete(command, {}, "replay", "_COMPLETE").get_completions([], begun)
    assert expected == [item.value for item in found]
    assert "file" == found[-1].type
