"""The choice of cells by `make matrix`; whether they pass is not tested here.

| promise | test |
| --- | --- |
| with three Pythons and two users, nine cells cover each pair of interpreter, user, versions and source | test_pairs |
| CI runs the first two: a plain user, lowest versions, oldest Python; and newest from an archive | test_first |
| if nine are too few, each cell covers a new pair | test_too_few |
| words that no cell has are refused | test_no_such_cell |
| a cell does not get the matrix's ARGS and JOBS | test_nothing_is_handed_on |
"""

import sys
from itertools import combinations, product
from pathlib import Path

import pytest

from . import matrix
from .matrix import Cell, Desk, chosen, main, pairs

WAYS = ("clone", "archive", "sdist")
OLD = ("3.11", "3.12", "3.13")
BOTH = ("root", "plain")


def test_pairs():
    """For each two parts, such as user and source, every combination of their values is in one of the nine cells."""
    cells = chosen(OLD, BOTH)
    assert 9 == len(cells) == len({*cells})
    for some, others in combinations((OLD, BOTH, ("lowest", "newest"), WAYS), 2):
        for one, other in product(some, others):
            assert any(one in cell and other in cell for cell in cells), (one, other)


@pytest.mark.parametrize("pythons", [OLD, (*OLD, "3.14"), ("3.12",)])
def test_first(pythons):
    """Cell 1: oldest Python, plain, lowest versions, clone; cell 2: newest Python, root, newest versions, archive."""
    first, second, *_others = chosen(pythons, BOTH)
    assert Cell(pythons[0], "plain", "lowest", "clone") == first
    assert Cell(pythons[-1], "root", "newest", "archive") == second


def test_too_few():
    """Four Pythons and three source forms need twelve cells: nine are chosen, and each has a new pair of parts."""
    cells = chosen((*OLD, "3.14"), BOTH)
    assert 9 == len(cells)
    for place, cell in enumerate(cells):
        assert pairs(cell) - set().union(*map(pairs, cells[:place]))
    assert {"3.11", "3.12", "3.13", "3.14"} == {cell.python for cell in cells}


def test_nothing_is_handed_on(tmp_path, monkeypatch):
    """The environment of a cell has no ARGS, JOBS, CI or MAKEFLAGS; other variables, such as LANG, stay."""
    for name in ("ARGS", "JOBS", "CI", "MAKEFLAGS"):
        monkeypatch.setenv(name, "--ci")
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    environment = Desk(tmp_path, {}).environment(Cell("3.11", "root", "newest", "clone"), tmp_path)
    assert not {"ARGS", "JOBS", "CI", "MAKEFLAGS"} & {*environment}
    assert "fr_FR.UTF-8" == environment["LANG"]


def test_no_such_cell(monkeypatch, capsys):
    # To find the Pythons of this machine, each is started.
    monkeypatch.setattr(matrix, "interpreters", lambda: {"3.11": [Path(sys.executable)]})
    assert main("3.11", "nobody") == 2
    assert "no cell has all of 3.11, nobody; --list shows" in capsys.readouterr().err
