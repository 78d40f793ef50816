"""A projector is killed at any moment while others write: its rows lose nothing and count nothing twice.

After each kill the rows are those of the events up to the noted position, and no others; in the end they are those of
all events, and the position is the last one. The control stores the position apart from the rows, and the check detects
it.
"""

import json
import sys
from dataclasses import asdict

import pytest

from daynight.store.database.settings import Settings
from tests import processes
from tests.behaviour.games import ROOT


def killed(settings, folder, kills, seed, *careless):
    """Kill a projector `kills` times, check its rows, return the counts; 'careless' runs the control's projector."""
    command = [sys.executable, "-m", "tests.store.projecting", json.dumps(asdict(settings)), str(folder), str(kills)]
    ran = processes.run([*command, str(seed), *careless], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    figures = json.loads(ran.stdout)
    print(figures)
    return figures


def neither_short_nor_double(figures):
    assert (figures["wrong"], figures["wrong in the end"], figures["not tracked"]) == (0, 0, 0)
    # The kills came at different moments, not always before it had begun.
    assert figures["positions"] > figures["kills"] // 3
    assert figures["games"] > 1


def sqlite(folder):
    return Settings(kind="sqlite", path=str(folder / "games.db"))


def test_killed_a_little(tmp_path):
    figures = killed(sqlite(tmp_path), tmp_path, 3, 1)
    assert (figures["wrong"], figures["wrong in the end"], figures["not tracked"]) == (0, 0, 0)


@pytest.mark.slow
def test_killed_often(tmp_path):
    neither_short_nor_double(killed(sqlite(tmp_path), tmp_path, 60, 2))


@pytest.mark.slow
def test_killed_on_a_server(schema, tmp_path):
    neither_short_nor_double(killed(schema, tmp_path, 60, 3))


@pytest.mark.slow
def test_careless(tmp_path):
    """The control: a projector that stores the position first loses rows when it is killed in between."""
    assert killed(sqlite(tmp_path), tmp_path, 60, 4, "careless")["wrong"] > 0
