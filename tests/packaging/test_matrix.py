"""Which cells `make matrix` tries; that they pass is for it to say.

| promise | test |
| --- | --- |
| three Pythons, two users: nine cells try each pair of interpreter, user, versions and way | test_pairs |
| the first two are those of CI: a plain user, the lowest, the oldest; the newest from an archive | test_first |
| where nine are too few, each cell tries a pair that none before it tries | test_too_few |
| a cell is given nothing that was said to the matrix: neither ARGS nor JOBS | test_nothing_is_handed_on |
"""

import pytest

from .matrix import Cell, Desk, chosen, pairs

WAYS = ("clone", "archive", "sdist")
OLD = ("3.11", "3.12", "3.13")
BOTH = ("root", "plain")


def test_pairs():
    """Counted by hand: each of two parts stands with each of two others."""
    cells = chosen(OLD, BOTH)
    assert 9 == len(cells) == len({*cells})
    for parts in ((OLD, BOTH), (OLD, ("lowest", "newest")), (OLD, WAYS), (BOTH, ("lowest", "newest")), (BOTH, WAYS)):
        for one in parts[0]:
            for other in parts[1]:
                assert any(one in cell and other in cell for cell in cells), (one, other)


@pytest.mark.parametrize("pythons", [OLD, (*OLD, "3.14"), ("3.12",)])
def test_first(pythons):
    """CI runs two cells, and they are the ends."""
    first, second, *_others = chosen(pythons, BOTH)
    assert Cell(pythons[0], "plain", "lowest", "clone") == first
    assert Cell(pythons[-1], "root", "newest", "archive") == second


def test_too_few():
    """Twelve pairs of interpreter and way need twelve cells: nine are run, and none of them for nothing."""
    cells = chosen((*OLD, "3.14"), BOTH)
    assert 9 == len(cells)
    for place, cell in enumerate(cells):
        assert pairs(cell) - set().union(*map(pairs, cells[:place]))
    assert {"3.11", "3.12", "3.13", "3.14"} == {cell.python for cell in cells}


def test_nothing_is_handed_on(tmp_path, monkeypatch):
    """`make matrix ARGS=--ci JOBS=1` is about the matrix: `make test` in a cell is given none of it."""
    for name in ("ARGS", "JOBS", "CI", "MAKEFLAGS"):
        monkeypatch.setenv(name, "--ci")
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    environment = Desk(tmp_path, {}).environment(Cell("3.11", "root", "newest", "clone"), tmp_path)
    assert not {"ARGS", "JOBS", "CI", "MAKEFLAGS"} & {*environment}
    assert "fr_FR.UTF-8" == environment["LANG"]
