"""Runs what the guides show: Python blocks, and console blocks' `$ daynight ...` with what they print.

In a console block, `...` stands for anything, white space counts only as a gap, and a command of which no
output is shown has but to succeed. Lines of other programs (`$ make demo`) are not run. A
`<!-- skip: next -->` before a block leaves it out. Everything runs in a folder of its own that links to ours,
so that what is written is gone afterwards.
"""

import doctest
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

ROOT = Path(__file__).resolve().parents[1]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
RUNNER = (
    'daynight() { "$DAYNIGHT_PYTHON" -c "import sys; from daynight.cli import main; '
    'sys.argv[0] = \'daynight\'; sys.exit(main())" "$@"; }\n'
)


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The command lines of a console block, each with what is shown of its output."""
    starts = [found.start() for found in re.finditer(r"^\$ ", block, re.MULTILINE)]
    for start, end in pairwise([*starts, len(block)]):
        command, _, shown = block[start + 2 : end].partition("\n")
        while command.endswith("\\"):
            line, _, shown = shown.partition("\n")
            command = command[:-1] + line.removeprefix("> ").lstrip()
        yield command.strip(), shown.strip("\n")


def run(example: Example) -> str | None:
    """Runs a console block; the answer is what went wrong, or None."""
    environment = os.environ | {
        "DAYNIGHT_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "COLUMNS": "110",
        "NO_COLOR": "1",
        "XDG_CONFIG_HOME": str(Path.cwd() / "home"),
    }
    for command, shown in commands(example.parsed):
        if not command.startswith("daynight"):
            continue
        ran = subprocess.run(
            ["sh", "-c", RUNNER + command],
            env=environment, capture_output=True, encoding="utf-8", check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        printed = ran.stdout + ran.stderr
        if shown:
            expected = shown.replace("…", "...") + "\n"
            if not doctest.OutputChecker().check_output(expected, printed.replace("…", "..."), FLAGS):
                return f"$ {command}\nshould print\n{shown}\nbut printed\n{printed}"
        elif ran.returncode not in (0, 1):
            return f"$ {command}\nended with exit code {ran.returncode}\n{printed}"
    return None


def enter(namespace: dict[str, Any]) -> None:
    """Goes to a folder of the document's own."""
    folder = tempfile.TemporaryDirectory(prefix="daynight-")
    for path in ROOT.iterdir():
        if not path.name.startswith("."):
            (Path(folder.name) / path.name).symlink_to(path)
    namespace["_folder"], namespace["_back"] = folder, Path.cwd()
    os.chdir(folder.name)


def leave(namespace: dict[str, Any]) -> None:
    """Goes back, and removes the folder."""
    os.chdir(namespace["_back"])
    namespace["_folder"].cleanup()


collect = Sybil(
    parsers=[
        SkipParser(),
        PythonCodeBlockParser(doctest_optionflags=FLAGS),
        CodeBlockParser(language="console", evaluator=run),
    ],
    path=str(ROOT),
    patterns=["*.md", "**/*.md"],
    excludes=["CHANGELOG.md"],
    setup=enter,
    teardown=leave,
).pytest()
