"""Runs what the guides show: Python blocks, and the commands of console blocks with what they print.

The commands are `$ daynight ...` and `$ python examples/...`.

In a console block, `...` stands for anything, white space counts only as a gap, and a command of which no
output is shown must end with exit code 0 or 1. Lines of other programs (`$ make demo`) are not run. A
`<!-- skip: next -->` before a block leaves it out; `<!-- file: NAME -->` writes a block into a file of that name.
Everything runs in a temporary folder with links to the project, so that written files are removed afterwards.

Plain command lines run in this process, also with pipes and output files (` | `, ` > `); other programs in a pipe are
started. Lines that need a real shell run in one, as separate processes.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from sybil import Document, Example, Region, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

from daynight.cli.commands import run as daynight

ROOT = Path(__file__).resolve().parents[1]
GUIDES = ROOT / "daynight" / "guides"
"""The folder with the Markdown files of the site: tutorials, how-to, reference, explanation."""

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
RUNNER = (
    'daynight() { "$DAYNIGHT_PYTHON" -c "import sys; from daynight.cli import main; '
    'sys.argv[0] = \'daynight\'; sys.exit(main())" "$@"; }\n'
    'python() { "$DAYNIGHT_PYTHON" "$@"; }\n'
)


SHELL = re.compile(r"[&;<*?$`~\\]")
"""Characters that a shell interprets and `shlex` does not."""


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Yield each command line of a console block, with the output that the block shows below it."""
    starts = [found.start() for found in re.finditer(r"^\$ ", block, re.MULTILINE)]
    for start, end in pairwise([*starts, len(block)]):
        command, _, shown = block[start + 2 : end].partition("\n")
        while command.endswith("\\"):
            line, _, shown = shown.partition("\n")
            command = command[:-1] + line.removeprefix("> ").lstrip()
        yield command.strip(), shown.strip("\n")


def run(example: Example) -> str | None:
    """Run the commands of a console block; return a text about the first one that goes wrong, or None."""
    environment = {
        "DAYNIGHT_PYTHON": sys.executable, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "COLUMNS": "110",
        "DAYNIGHT_DB": "", "NO_COLOR": "1", "XDG_CONFIG_HOME": str(Path.cwd() / "home"),
    }  # fmt: skip
    for command, shown in commands(example.parsed):
        if not command.startswith(("daynight", "python examples/")):
            continue
        # Exit code ignored: the line allows any.
        plain = command.removesuffix(" || true")
        needs_a_shell = SHELL.search(plain) or plain.startswith("python")
        code, printed = (in_a_shell if needs_a_shell else piped)(plain, environment)
        if shown:
            expected = shown.replace("…", "...") + "\n"
            if not doctest.OutputChecker().check_output(expected, printed.replace("…", "..."), FLAGS):
                return f"$ {command}\nshould print\n{shown}\nbut printed\n{printed}"
        elif code not in (0, 1) and plain == command:
            return f"$ {command}\nended with exit code {code}\n{printed}"
    return None


def in_a_shell(command: str, environment: dict[str, str]) -> tuple[int, str]:
    """Run a command line in `sh`; return its exit code, and its standard output followed by its standard error."""
    ran = subprocess.run(
        ["sh", "-c", RUNNER + command],
        env=os.environ | environment, capture_output=True, encoding="utf-8", check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return ran.returncode, ran.stdout + ran.stderr


def piped(command: str, environment: dict[str, str]) -> tuple[int, str]:
    """Run a pipe without a shell; the last output goes to a file if the line ends with `> FILE`.

    Return the last exit code, and the last output followed by the standard error of the `daynight` commands.
    """
    words, data, complaints, code = shlex.split(command), b"", "", 0
    into = Path(words.pop()) if words[-2:-1] == [">"] else None
    words = words[:-1] if into else words
    for is_pipe, stage in groupby(words, "|".__eq__):
        if is_pipe:
            continue
        program, *arguments = stage
        if program == "daynight":
            code, data, complaint = here(arguments, environment, data)
            complaints += complaint
        else:
            ran = subprocess.run([program, *arguments], input=data, stdout=subprocess.PIPE, check=False)
            code, data = ran.returncode, ran.stdout
    if into:
        into.write_bytes(data)
        data = b""
    return code, data.decode() + complaints


def here(arguments: list[str], environment: dict[str, str], given: bytes) -> tuple[int, bytes, str]:
    """Run `daynight` in this process with `given` as its standard input.

    Return the exit code, standard output and standard error.
    """
    before, streams = dict(os.environ), (sys.stdin, sys.stdout, sys.stderr)
    os.environ.update(environment)
    with (
        TextIOWrapper(BytesIO(given), "utf-8") as read,
        TextIOWrapper(BytesIO(), "utf-8") as out,
        TextIOWrapper(BytesIO(), "utf-8") as err,
    ):
        sys.stdin, sys.stdout, sys.stderr = read, out, err
        try:
            code = daynight(arguments)
            out.flush()
            err.flush()
            printed, said = out.buffer.getvalue(), err.buffer.getvalue().decode()
        finally:
            sys.stdin, sys.stdout, sys.stderr = streams
            os.environ.clear()
            os.environ.update(before)
    return code, printed, said


FILE = re.compile(r"^<!-- file: (\S+) -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def files(document: Document) -> Iterator[Region]:
    """Yield a region for each block below `<!-- file: NAME -->`, which `save` writes into the file NAME."""
    for found in FILE.finditer(document.text):
        yield Region(found.start(), found.end(), found.groups(), save)


def save(example: Example) -> None:
    """Write the text of a block that `files` found into the file of its name."""
    name, text = example.parsed
    Path(name).write_text(text, "utf-8")


def enter(namespace: dict[str, Any]) -> None:
    """Change to a new temporary folder for the document, and make it the place of Python's temporary files."""
    folder = tempfile.TemporaryDirectory(prefix="daynight-")
    for path in ROOT.iterdir():
        if not path.name.startswith("."):
            (Path(folder.name) / path.name).symlink_to(path)
    namespace["_folder"], namespace["_back"] = folder, Path.cwd()
    os.chdir(folder.name)
    namespace["_temporary"], tempfile.tempdir = tempfile.tempdir, folder.name


def leave(namespace: dict[str, Any]) -> None:
    """Change back to the folder before `enter`, and remove the temporary folder."""
    os.chdir(namespace["_back"])
    tempfile.tempdir = namespace["_temporary"]
    namespace["_folder"].cleanup()


collect = Sybil(
    parsers=[
        SkipParser(), PythonCodeBlockParser(doctest_optionflags=FLAGS),
        CodeBlockParser(language="console", evaluator=run), files,
    ],
    path=str(ROOT), patterns=["*.md", "**/*.md"], excludes=["CHANGELOG.md"], setup=enter, teardown=leave,
).pytest()  # fmt: skip
