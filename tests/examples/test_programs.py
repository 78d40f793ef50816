"""The programs of examples/ run, and print what their guide says."""

import os
import sys

import pytest

from tests import processes
from tests.documents import ROOT

EXAMPLES = ROOT / "examples"

REPLAY = """\
event 93, turn 17: neither -> day (it was neither day nor night, and a permanent had daybound)
event 106, turn 19: day -> night (Seat B, active in turn 18, cast no spell in it)
event 149, turn 24: night -> day (Seat A, active in turn 23, cast two or more spells in it)
after event 160 it is day
"""


def prints(program: str, *arguments: str, code: int = 0) -> str:
    """Run a program of examples/; return its output. It must end with this exit code and no standard error."""
    ran = processes.run(
        [sys.executable, str(EXAMPLES / program), *arguments],
        cwd=EXAMPLES / "games", env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert (code, "") == (ran.returncode, ran.stderr)
    return ran.stdout


@pytest.mark.parametrize("mechanic, finding", [
    ("monarch", "  ✗ event 14: Ana says monarch: Ana; by the rules it is Cy"),
    ("approval", "  ✗ event 8: Cy says stage: approved; by the rules it is in-review"),
])  # fmt: skip
def test_mechanics(mechanic, finding):
    """A mechanic's own command line finds the one wrong claim with `audit`."""
    record = str(EXAMPLES / f"{mechanic}.jsonl")
    verdict, *findings = prints(f"{mechanic}.py", "audit", record, code=1).splitlines()
    assert verdict.startswith(f"{record}: disputed")
    assert [finding] == findings


def test_replay():
    """The program prints the changes of the recorded game, and the board at the end."""
    printed = prints("replay.py")
    assert printed.startswith(REPLAY)
    board = printed.splitlines()[4:]
    assert board
    assert all(line.endswith(" face up") for line in board)


def test_replay_at_a_position():
    """With a record and a position, the program prints the designation and the board at that position."""
    printed = prints("replay.py", "first-night.jsonl", "turn:6/untap").splitlines()
    assert "after event 26 it is night" in printed
    assert "  ruffian: Tavern Ruffian, back face up" in printed


@pytest.mark.parametrize("arguments", [(), (str(EXAMPLES / "games"),)])
def test_audit(arguments):
    """The program prints a line with the verdict of each record, and its disputes below it."""
    printed = prints("audit.py", *arguments).splitlines()
    verdicts = dict(line.split(": ") for line in printed if not line.startswith("  "))
    assert {path.name for path in (EXAMPLES / "games").glob("*.jsonl")} == set(verdicts)
    assert {"dispute.jsonl", "uncertain.jsonl"} == {name for name, said in verdicts.items() if said == "disputed"}
    assert 5 == sum(line.startswith("  event ") for line in printed)


def test_projection():
    """The program prints how many turns of the recorded game began in each designation."""
    assert "neither: 17 turns\nday: 3 turns\nnight: 5 turns\n" == prints("projection.py")
