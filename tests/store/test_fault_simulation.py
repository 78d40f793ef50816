"""Whatever fails between the store and its database, every command is stored exactly once.

| promise | test |
| --- | --- |
| 10,000 seeds: each command is stored once, as its answer said; the game in memory equals the stored one | test_seeds |
| only daynight's own errors come out | test_seeds |
| with few seeds every kind of failure already happens, and the promises hold | test_seeds_in_small |
| the control: retries without a command id are detected as doubled events | test_without_ids |
| the same seed gives the same run | test_same_seed |
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from .failing import KINDS
from .faults import document, run

ROOT = Path(__file__).resolve().parents[2]
MEMORY = Path("/dev/shm")
SEEDS = 10_000


@pytest.fixture
def folder():
    """A temporary folder, in memory if possible: the simulation does not need a disk."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as scratch:
        yield Path(scratch)


def side_by_side(folder, seeds, processes=2):
    many = seeds // processes
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.store.faults", str(folder), str(first), str(many)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for first in range(0, seeds, many)
    ]
    return [json.loads(process.communicate()[0]) for process in running]


@pytest.mark.slow
def test_seeds(folder):
    outcomes = side_by_side(folder, SEEDS)
    for outcome in outcomes:
        print(outcome)
        assert [] == outcome["problems"][:10]
        assert set(KINDS) == set(outcome["fired"])
        assert min(outcome["fired"].values()) > SEEDS / 20
        assert min(outcome["answers"].values()) > SEEDS / 20
    assert SEEDS == sum(outcome["seeds"] for outcome in outcomes)


def test_seeds_in_small(folder):
    outcome = run(folder, 0, 9)
    print(document(outcome))
    assert [] == outcome.problems
    assert set(KINDS) == set(outcome.fired)
    assert {"stored", "repeated", "conflict", "refused", "not available", "killed"} <= set(outcome.answers)


def test_without_ids(folder):
    assert run(folder, 0, 3, ids=False).problems


def test_same_seed(folder):
    assert document(run(folder, 5, 1)) == document(run(folder, 5, 1))
