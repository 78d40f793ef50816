"""The progress display of a long replay: only at a terminal, on standard error, and only after a second.

| promise | test |
| --- | --- |
| if the transcript goes to a file, the terminal shows progress, and is clean at the end | test_printing |
| reading a record shows progress too, also to find the turn of `--at turn:N` | test_reading |
| nothing is shown within the first second | test_at_once |
| nothing is shown if standard error is not a terminal | test_no_terminal |
| printed events are not counted if they go to the terminal itself, or to a pipe | test_seen, test_piped |
"""

import os
import re
import subprocess
import sys

import pytest

from daynight.cli.terminal import output
from tests import processes
from tests.bench import records
from tests.commands.conftest import environ
from tests.commands.test_prompt import Terminal

PROGRAM = """
import sys
from daynight.cli.commands import run
from daynight.cli.terminal import output

output._PATIENCE = output._PACE = 0.0
sys.exit(run())
"""
RUN = [sys.executable, "-c", PROGRAM]
"""The start of a command line; it runs daynight with a waiting time of zero, so that progress is shown at once."""

READ, PRINTED = r"\r\d+ events read", r"\r\d+ events printed"
CLEAN = "\r\x1b[K"


@pytest.fixture
def long(folder):
    """A working folder with `long.jsonl`, a record of 4000 events; the value is the folder."""
    (folder / "long.jsonl").write_bytes(records.lines(4000))
    return folder


def shown(folder, *arguments, run=RUN, stdout=None):
    """Run a command at a terminal; return its exit code, and its output to the terminal."""
    terminal = Terminal(folder, *arguments, run=run, stdout=stdout)
    return terminal.ended(), terminal.raw


def test_printing(long):
    with (long / "transcript.txt").open("wb") as transcript:
        code, raw = shown(long, "replay", "long.jsonl", stdout=transcript)
    assert (0, True) == (code, raw.endswith(CLEAN))
    numbers = [int(number) for number in re.findall(r"\r(\d+) events printed", raw)]
    assert numbers == sorted(numbers)
    assert 4000 == numbers[-1]
    assert "" == re.sub(f"{READ}|{PRINTED}|{re.escape(CLEAN)}", "", raw)
    lines = (long / "transcript.txt").read_text().splitlines()
    assert 4000 == sum(bool(re.match(r" *e\d+ ", line)) for line in lines)
    assert [] == [line for line in lines if "events printed" in line]


@pytest.mark.parametrize("more", [[], ["--json"], ["--at", "turn:20", "--json"]], ids=" ".join)
@pytest.mark.wide(but=1)
def test_reading(long, more):
    with (long / "answer.txt").open("wb") as answer:
        code, raw = shown(long, "replay", "long.jsonl", *more, stdout=answer)
    assert (0, True) == (code, raw.endswith(CLEAN))
    assert re.search(READ, raw)


def test_at_once(long):
    """A command that takes less than a second shows no progress."""
    assert output._PATIENCE >= 1
    with (long / "answer.txt").open("wb") as answer:
        code, raw = shown(long, "replay", "demo", run=[sys.executable, "-m", "daynight"], stdout=answer)
    assert (0, "") == (code, raw)


@pytest.mark.wide
def test_no_terminal(long):
    ran = processes.run([*RUN, "replay", "long.jsonl"], cwd=long, env=environ(), capture_output=True, check=False)
    assert (0, b"") == (ran.returncode, ran.stderr)
    assert b"events" not in ran.stdout


def test_seen(long):
    """If events are printed to the terminal, progress counts the events read, and not the events printed."""
    code, raw = shown(long, "replay", "long.jsonl", "--at", "200")
    assert 0 == code
    assert not re.search(PRINTED, raw)
    assert re.search(READ, raw)


@pytest.mark.wide
def test_piped(long):
    """If standard output is a pipe, printed events are not counted: a pager behind the pipe has the same terminal."""
    reading, writing = os.pipe()
    with subprocess.Popen(["cat"], stdin=reading, stdout=subprocess.PIPE) as pager:
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            terminal = Terminal(long, "replay", "long.jsonl", run=RUN, stdout=pipe)
        assert pager.stdout is not None
        assert 4000 < len(pager.stdout.read().splitlines())
    assert 0 == terminal.ended()
    assert not re.search(PRINTED, terminal.raw)
