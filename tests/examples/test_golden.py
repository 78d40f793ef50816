"""The recorded games of examples/, each beside the transcript and the audit that the command line prints of it.

Where a change is meant, `make golden` writes them anew; read what changed.
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
    """What a command prints of a game, run in the folder of the examples, and its exit code."""
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
    """The file beside the game is what replay and audit print, to the letter."""
    told, code = printed("replay", game)
    assert 0 == code
    audited, code = printed("audit", game)
    assert (game.stem in DISPUTED) is (code == 1)
    found = f"{told}\n{audited}"
    golden(game.with_suffix(".txt"), found)


def test_every_golden_file_has_its_game():
    """None is left over."""
    assert {game.stem for game in GAMES} == {path.stem for path in (EXAMPLES / "games").glob("*.txt")}


def test_the_guide_has_every_game_and_program():
    """In its tables, as every picture and notebook; and nothing that is not there."""
    guide = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    cells = [cell.strip() for line in guide.splitlines() if line.startswith("| `") for cell in [line.split("|")[1]]]
    named = {name.strip("` ") for cell in cells for name in cell.split(",")}
    there = {path.name for path in EXAMPLES.iterdir() if path.is_file()} - {"README.md"}
    assert {game.stem for game in GAMES} | there == named
