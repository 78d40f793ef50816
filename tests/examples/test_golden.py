"""The recorded games of examples/, with golden files of their transcript and audit.

After an intended change, run `make golden` and read the diff.
"""

import sys

import pytest

from daynight.cli.commands import run as run_command
from tests.documents import ROOT
from tests.golden import golden

EXAMPLES = ROOT / "examples"
GAMES = sorted((EXAMPLES / "games").glob("*.jsonl"))
DISPUTED = {"dispute", "uncertain"}


@pytest.fixture
def printed(capfdbinary, monkeypatch):
    """A function that runs a command about a game in examples/, and returns its output and exit code."""
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("FORCE_COLOR", "DAYNIGHT_DEBUG"):
        monkeypatch.delenv(name, raising=False)

    def run(command, game):
        code = run_command([command, f"games/{game.name}"])
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        assert b"" == err
        return out.decode(), code

    return run


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.stem)
def test_golden(printed, game):
    """The golden file equals the output of replay and audit; audit ends with exit code 1 for games in `DISPUTED`."""
    told, code = printed("replay", game)
    assert 0 == code
    audited, code = printed("audit", game)
    assert (game.stem in DISPUTED) is (code == 1)
    found = f"{told}\n{audited}"
    golden(game.with_suffix(".txt"), found)


def test_every_golden_file_has_its_game():
    """No golden file is left without its game."""
    assert {game.stem for game in GAMES} == {path.stem for path in (EXAMPLES / "games").glob("*.txt")}


def test_the_guide_has_every_game_and_program():
    """The guide's tables list exactly the games, programs, pictures and notebooks."""
    guide = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    cells = [cell.strip() for line in guide.splitlines() if line.startswith("| `") for cell in [line.split("|")[1]]]
    named = {name.strip("` ") for cell in cells for name in cell.split(",")}
    there = {path.name for path in EXAMPLES.iterdir() if path.is_file()} - {"README.md"}
    assert {game.stem for game in GAMES} | there == named
