"""Killed at any moment, a writer of a SQLite store loses nothing that it acknowledged and stores nothing twice.

| promise | test |
| --- | --- |
| 1,000 SIGKILLs: 0 acknowledged events lost, 0 stored twice, 0 gaps, the chain whole | test_killed |
| the same with few kills | test_killed_in_small |
| the control: a writer that acknowledges before it stores is detected | test_early |
"""

import json
import os
import sys
from pathlib import Path

import pytest

from tests import processes

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the writers are forks, which Windows does not have")

ROOT = Path(__file__).resolve().parents[2]


def killed(folder, kills, *how):
    arguments = [sys.executable, "-m", "tests.store.killing", str(folder), str(kills), "20261121", *how]
    done = processes.run(arguments, cwd=ROOT, capture_output=True, text=True, check=True)
    outcome = json.loads(done.stdout)
    print(outcome, done.stderr)
    return outcome


def nothing_lost(outcome):
    assert (0, 0, 0) == (outcome["lost"], outcome["twice"], outcome["gaps"])
    assert outcome["intact"]
    assert outcome["failed"] == 0
    # The last run's command may be stored but not acknowledged; two events began the game.
    assert 0 <= outcome["commands"] - 2 - outcome["acknowledged"] <= 1


@pytest.mark.slow
def test_killed(tmp_path):
    outcome = killed(tmp_path, 1000)
    nothing_lost(outcome)
    # The kills came at all kinds of moments: before the first commit, between commit and answer, during snapshots.
    assert outcome["silent"] > 100
    assert outcome["resent"] > 100
    assert outcome["acknowledged"] > 1000
    assert outcome["snapshots"] > 50


def test_killed_in_small(tmp_path):
    outcome = killed(tmp_path, 15)
    nothing_lost(outcome)
    assert outcome["acknowledged"] > 5


@pytest.mark.slow
def test_early(tmp_path):
    assert killed(tmp_path, 40, "early")["lost"] > 0
