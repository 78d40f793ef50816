"""The programs of examples/ run, and print what they are said to show."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

MONARCH = """\
1 Becomes(player='Ana') -> Crowned(player='Ana')
2 EndStep(player='Ana') -> Draws(player='Ana')
3 CombatDamage(to='Ana', by='Bo') -> Crowned(player='Bo')
4 EndStep(player='Ana') ->
5 EndStep(player='Bo') -> Draws(player='Bo')
after event 2: Reign(crown=<Crown.SOMEBODY: 'somebody'>, holder='Ana', drawn=1)
without the damage: Reign(crown=<Crown.SOMEBODY: 'somebody'>, holder='Ana', drawn=2)
stateDiagram-v2
    [*] --> nobody
    nobody --> somebody : becomes-monarch
    somebody --> somebody : becomes-monarch
"""

REPLAY = """\
event 93, turn 17: neither -> day (it was neither day nor night, and a permanent had daybound)
event 106, turn 19: day -> night (Seat B, active in turn 18, cast no spell in it)
event 149, turn 24: night -> day (Seat A, active in turn 23, cast two or more spells in it)
after event 160 it is day
"""


def prints(program: str, *arguments: str) -> str:
    """What a program prints, run from anywhere."""
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / program), *arguments],
        cwd=EXAMPLES / "games", env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert (0, "") == (ran.returncode, ran.stderr)
    return ran.stdout


def test_monarch():
    """Another mechanic on the same chart and history."""
    assert MONARCH == prints("monarch.py")


def test_replay():
    """The changes of the recorded game, and the board in the end."""
    printed = prints("replay.py")
    assert printed.startswith(REPLAY)
    board = printed.splitlines()[4:]
    assert board
    assert all(line.endswith(" face up") for line in board)


def test_replay_at_a_position():
    """Of a record of one's own, at a moment of it."""
    printed = prints("replay.py", "first-night.jsonl", "turn:6/untap").splitlines()
    assert "after event 26 it is night" in printed
    assert "  ruffian: Tavern Ruffian, back face up" in printed


@pytest.mark.parametrize("arguments", [(), (str(EXAMPLES / "games"),)])
def test_audit(arguments):
    """A line a record, and the disputes below."""
    printed = prints("audit.py", *arguments).splitlines()
    verdicts = dict(line.split(": ") for line in printed if not line.startswith("  "))
    assert {path.name for path in (EXAMPLES / "games").glob("*.jsonl")} == set(verdicts)
    assert {"dispute.jsonl", "uncertain.jsonl"} == {name for name, said in verdicts.items() if said == "disputed"}
    assert 5 == sum(line.startswith("  event ") for line in printed)


def test_projection():
    """How many turns of the recorded game began in each designation."""
    assert "neither: 17 turns\nday: 3 turns\nnight: 5 turns\n" == prints("projection.py")
