"""The story: `COMMANDS` with their output in each language; `python -m tests.languages.story` rewrites its files.

The files are in the folder `screens`, for speakers of each language to read. Most commands are about the demo game.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from daynight.cli.commands import run
from daynight.languages.speaking import LANGUAGES
from tests import processes

__all__ = ["COMMANDS", "ROOT", "SCREENS", "environ", "path", "ran", "story"]

ROOT = Path(__file__).resolve().parents[2]

SCREENS = Path(__file__).with_name("screens")
"""The folder of the stories, one file for each language."""

COMMANDS = (
    ("show", "demo", "--at", "turn:21"),
    ("audit", "demo"),
    ("why", "demo", "--at", "122"),
    ("bisect", "demo"),
    ("blame", "demo", "--at", "122"),
    ("what-if", "demo", "--at", "turn:20", "--insert", "B casts 2"),
    ("forecast", "demo", "--at", "turn:18"),
    ("repair", "demo"),
    ("replay", "examples/games/uncertain.jsonl"),
    ("unknowns", "examples/games/uncertain.jsonl", "--at", "14"),
    ("replay", "examples/games/two-headed-giant.jsonl"),
    ("audit", "examples/games/dispute.jsonl"),
    ("diff", "examples/games/wagic-G2.jsonl", "examples/games/wagic-G3.jsonl", "--first"),
    ("cards", "Immerwolf"),
    ("chart", "--format", "table"),
)
"""The arguments of each command of the story, in order."""


def environ(**more: str) -> dict[str, str]:
    """The environment variables for a new process: this process's without a language, a fixed width, and `more`."""
    named = {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "COLUMNS": "110", "NO_COLOR": "1"}
    unset = ("DAYNIGHT_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "FORCE_COLOR")
    return {name: value for name, value in os.environ.items() if name not in unset} | named | more


def ran(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `daynight` with these arguments in a new process, with `environment` added to that of `environ`."""
    command = [sys.executable, "-m", "daynight", *arguments]
    return processes.run(
        command, cwd=ROOT, env=environ(**environment), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
        check=False,
    )  # fmt: skip


def story(language: str) -> str:
    """The story in one language: `tell` runs in one new process, and spaces at the ends of lines are removed."""
    command = [sys.executable, "-m", "tests.languages.story", language]
    answer = processes.run(
        command, cwd=ROOT, env=environ(), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
    )
    assert (0, "") == (answer.returncode, answer.stderr), answer.stderr
    return "".join(f"{line.rstrip()}\n" for line in answer.stdout.splitlines())


def path(language: str) -> Path:
    """The file of a story."""
    return SCREENS / f"{language}.txt"


def tell(language: str) -> None:
    """Print each command of the story, run it in this process, and assert that its exit code is 0 or 1."""
    for number, command in enumerate(COMMANDS):
        print("\n" * bool(number) + f"$ daynight {' '.join(command)}", flush=True)
        assert run([*command, "--lang", language]) in (0, 1)


if __name__ == "__main__":
    if sys.argv[1:]:
        tell(sys.argv[1])
    else:
        for each in LANGUAGES:
            path(each).write_text(story(each), encoding="utf-8")
