"""What there is: help, version, completion; and how little is loaded to say so."""

import re
import runpy
import shutil
import subprocess
import sys

import click
import pytest
from click.shell_completion import ShellComplete

from daynight import __version__
from daynight.cli import main
from daynight.cli.commands import COMMANDS
from daynight.cli.commands import daynight as daynight_command
from tests.commands.conftest import ROOT, completed, environ

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_help(daynight):
    """Every command with its sentence, and the exit codes."""
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
    """How it is used, in a sentence, and its options."""
    ran = daynight(command, "--help")
    assert (0, "") == ran[::2]
    assert ran.out.startswith(f"Usage: daynight {command} [OPTIONS]")
    assert "--json" in ran.out
    assert ran == daynight(command, "-h")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_guide_has_every_command(command):
    """In its table."""
    assert re.search(rf"^\| `daynight {command}[ `]", README, re.MULTILINE)


def test_the_guide_has_no_other_command():
    """What it shows can be run."""
    assert set(COMMANDS) == set(re.findall(r"^\| `daynight ([\w-]+)", README, re.MULTILINE))


def test_without_a_command(daynight):
    """The help, as wrong usage."""
    ran = daynight()
    assert "Usage: daynight" in ran.out + ran.err
    assert ran.code in (0, 2)


def test_an_unknown_command(daynight):
    """It is named."""
    ran = daynight("judge")
    assert (2, "") == ran[:2]
    assert "daynight: no such command 'judge'; try daynight --help" == ran.error


def test_version(daynight, process):
    """The same either way."""
    assert (0, f"daynight {__version__}\n", "") == daynight("--version") == process("--version")


def test_main_says_the_version(monkeypatch, capsys):
    """Before anything is loaded."""
    monkeypatch.setattr(sys, "argv", ["daynight", "--version"])
    main()
    assert f"daynight {__version__}\n" == capsys.readouterr().out


def test_run_as_a_module(monkeypatch, capsys):
    """`python -m daynight` is the command line; imported it does nothing."""
    monkeypatch.setattr(sys, "argv", ["daynight", "--version"])
    runpy.run_module("daynight.__main__", run_name="__main__")
    assert f"daynight {__version__}\n" == capsys.readouterr().out
    runpy.run_module("daynight.__main__")
    assert "" == capsys.readouterr().out


def test_main_ends_with_the_exit_code(monkeypatch, capsys):
    """As every program does."""
    for arguments, code in ((["audit", "demo"], 1), (["cards", "xyzzy"], 4)):
        monkeypatch.setattr(sys, "argv", ["daynight", *arguments])
        with pytest.raises(SystemExit) as error:
            main()
        assert code == error.value.code


def test_the_version_waits_for_nothing():
    """Neither rules nor libraries are loaded to say it."""
    script = (
        "import sys; sys.argv = ['daynight', '--version']; from daynight.cli import main; main();"
        "print(*sorted({name.partition('.')[0] for name in sys.modules} & {'click', 'rich', 'transitions', 'msgspec'}),"
        "*sorted(name for name in sys.modules if name.startswith('daynight')))"
    )
    ran = subprocess.run([sys.executable, "-c", script], env=environ(), capture_output=True, text=True, check=True)
    assert [f"daynight {__version__}", "daynight daynight.cli"] == ran.stdout.splitlines()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(daynight, tmp_path, shell):
    """A script that the shell can read, where there is such a shell."""
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


@pytest.mark.parametrize(
    "line, expected",
    [
        ("daynight re", {"replay"}),
        ("daynight replay de", {"demo"}),
        ("daynight replay --ed", {"--edition"}),
        ("daynight chart --format m", {"mermaid"}),
        (
            "daynight why --edition 2024-0",
            {"2024-02-02", "2024-03-08", "2024-04-12", "2024-06-07", "2024-07-30", "2024-09-20"},
        ),
        ("daynight why --edition 2023-1", {"2023-10-13", "2023-11-17"}),
        ("daynight why --edition l", {"latest"}),
    ],
)
def test_completing(capfd, monkeypatch, line, expected):
    """Commands, options, values, and demo among the files."""
    assert expected <= {found.partition(",")[2] for found in completed(monkeypatch, line)}
    assert ("", "") == tuple(capfd.readouterr())


@pytest.mark.parametrize("begun, expected", [("", ["demo", ""]), ("de", ["demo", "de"]), ("game", ["game"])])
def test_completing_records(begun, expected):
    """demo, where it may still be that, and whatever files there are."""
    command = daynight_command.get_command(click.Context(daynight_command), "replay")
    found = ShellComplete(command, {}, "replay", "_COMPLETE").get_completions([], begun)
    assert expected == [item.value for item in found]
    assert "file" == found[-1].type
