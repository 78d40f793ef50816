"""`daynight picture`: the timeline, or the battlefield, as SVG.

| promise | test |
| --- | --- |
| it prints only SVG on standard output | test_the_timeline, test_the_board |
| -o writes a complete file or none, and refuses the record itself | test_to_a_file, test_nothing_half_written |
| --json prints one document | test_json |
| it draws files and stored games, at any position | test_of_a_stored_game, test_positions |
| an error has its reason and exit code, and writes no picture | test_what_goes_wrong |
"""

import os

import pytest

from daynight.game import Game
from daynight.pictures import board_svg, timeline_svg


def test_the_timeline(daynight, g1):
    """`picture` prints exactly what `timeline_svg` returns, with and without options."""
    assert (0, timeline_svg(Game.load(g1)), "") == daynight("picture", g1)
    marked = timeline_svg(Game.load(g1), at=4, edition="2026-09-25", width=700)
    assert (0, marked, "") == daynight("picture", g1, "--at", 4, "--edition", "latest", "--width", 700)


def test_the_board(daynight, g1):
    """`picture --board` draws the battlefield at the end of the game, or at the position of `--at`."""
    game = Game.load(g1)
    assert (0, board_svg(game), "") == daynight("picture", g1, "--board")
    assert (0, board_svg(game, 4), "") == daynight("picture", g1, "--board", "--at", "e4")


def test_to_a_file(daynight, folder, g1):
    """`-o` reports the file; it replaces an existing file, but refuses the record itself, with exit code 2."""
    for board, words in (((), "timeline"), (("--board",), "battlefield")):
        ran = daynight("picture", g1, *board, "-o", "g1.svg")
        assert (0, f"g1.svg: the {words} of g1\n", "") == ran
        assert daynight("picture", g1, *board).out == (folder / "g1.svg").read_text("utf-8")
    before = g1.read_bytes()
    ran = daynight("picture", g1, "-o", "g1.jsonl")
    assert (2, "") == ran[:2]
    assert "g1.jsonl is what this is made from, and stays as it is; name another file" in ran.err
    assert before == g1.read_bytes()


def test_json(daynight, g1):
    """The document contains the picture, or with `-o` the path of its file."""
    (document,) = daynight("picture", g1, "--json").documents
    assert {"game": "g1", "picture": "timeline", "event": 8, "svg": timeline_svg(Game.load(g1))} == document
    (document,) = daynight("picture", g1, "--board", "--at", 3, "-o", "b.svg", "--json").documents
    assert {"file": "b.svg", "game": "g1", "picture": "board", "event": 3} == document


def test_of_a_stored_game(daynight, games):
    """A stored game gives the same picture as its file; `-o` refuses to overwrite the store, with exit code 2."""
    before = (games / "daynight.db").read_bytes()
    assert daynight("picture", games / "g1.jsonl") == daynight("picture", "db:g1")
    ran = daynight("picture", "db:g1", "-o", "daynight.db")
    assert (2, "") == ran[:2]
    assert before == (games / "daynight.db").read_bytes()


@pytest.mark.parametrize("position", ["8", "e8", "turn:3/untap"])
def test_positions(daynight, g1, position):
    """`8`, `e8` and `turn:3/untap` give the same picture."""
    assert timeline_svg(Game.load(g1), at=8) == daynight("picture", g1, "--at", position).out


@pytest.mark.parametrize("arguments, code, words", [
    (["g1.jsonl", "--at", "99"], 4, "g1.jsonl: no event 99"),
    (["g1.jsonl", "--at", "soon"], 2, "soon"),
    (["g1.jsonl", "--width", "10"], 2, "360"),
    (["nowhere.jsonl"], 4, "nowhere.jsonl: no such file"),
    (["bad.jsonl"], 3, "bad.jsonl:1: "),
    (["db:nowhere"], 4, "no store there"),
    (["g1.jsonl", "-o", "no/such/folder.svg"], 4, "folder.svg"),
])  # fmt: skip
def test_what_goes_wrong(daynight, folder, g1, arguments, code, words):
    """An error prints nothing on standard output, and leaves no picture."""
    (folder / "bad.jsonl").write_text("{}\n")
    ran = daynight("picture", *arguments)
    assert (code, "") == ran[:2]
    assert words in ran.err
    assert "Traceback" not in ran.err
    assert not list(folder.glob("*.svg"))


def test_nothing_half_written(daynight, folder, g1, monkeypatch):
    """On a full disk the old file stays, and no temporary file is left; exit code 3."""
    (folder / "g1.svg").write_text("mine")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    ran = daynight("picture", g1, "-o", "g1.svg")
    assert (3, "", "g1.svg: No space left on device\n") == ran
    assert ["g1.jsonl", "g1.svg"] == sorted(path.name for path in folder.iterdir())
    assert "mine" == (folder / "g1.svg").read_text()
