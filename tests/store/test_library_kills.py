"""A projector is killed at any moment, while others write: its rows are neither short nor double.

After each kill the rows are those of the events up to the noted position, and no others; in the end they are those of
all events, and the position is the last one. A projector that notes the position apart from the rows is caught at it.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from daynight.store.database.settings import Settings
from tests import processes
from tests.behaviour.games import ROOT


def killed(settings: Settings, folder: Path, kills: int, seed: int, *careless: str) -> dict[str, int]:
    """The figures of a projector that was killed so many times."""
    command = [sys.executable, "-m", "tests.store.projecting", json.dumps(asdict(settings)), str(folder), str(kills)]
    ran = processes.run([*command, str(seed), *careless], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    figures: dict[str, int] = json.loads(ran.stdout)
    print(figures)
    return figures


def neither_short_nor_double(figures: dict[str, int]) -> None:
    assert (figures["wrong"], figures["wrong in the end"], figures["not tracked"]) == (0, 0, 0)
    # It was killed here and there, not always before it had begun.
    assert figures["positions"] > figures["kills"] // 3
    assert figures["games"] > 1


def sqlite(folder: Path) -> Settings:
    return Settings(kind="sqlite", path=str(folder / "games.db"))


def test_killed_a_little(tmp_path: Path) -> None:
    figures = killed(sqlite(tmp_path), tmp_path, 3, 1)
    assert (figures["wrong"], figures["wrong in the end"], figures["not tracked"]) == (0, 0, 0)


@pytest.mark.slow
def test_killed_often(tmp_path: Path) -> None:
    neither_short_nor_double(killed(sqlite(tmp_path), tmp_path, 60, 2))


@pytest.mark.slow
def test_killed_on_a_server(schema: Settings, tmp_path: Path) -> None:
    neither_short_nor_double(killed(schema, tmp_path, 60, 3))


@pytest.mark.slow
def test_careless(tmp_path: Path) -> None:
    """The control: rows that come after the position are short when a projector is killed in between."""
    assert killed(sqlite(tmp_path), tmp_path, 60, 4, "careless")["wrong"] > 0
