"""`daynight stats` and `daynight audit --assume`: tables, JSON, a picture.

| promise | test |
| --- | --- |
| a row for each game and one for all, and a sentence with the shares of day and night | test_table |
| uncertain casts are in the table, which says what uncertain casts and changes are | test_uncertain |
| JSON says the same | test_json |
| an assumption is shown with every answer that rests on it | test_assumed |
| if a record begins by day or night, nothing is assumed or shown as assumed | test_nothing_to_assume |
| the picture: a bar for each game, patterns and words beside colours, safe with any name | test_picture |
| a refused record does not stop the others | test_refused |
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from daynight.pictures import STYLE, shares_svg
from daynight.pictures.shares import MOST
from daynight.projections.statistics import Counting
from daynight.records import Record
from tests.behaviour.games import kept
from tests.rules.words import cast, doubt, effect, joined, started, turn, untap

EVENTS = [started(), turn(1), effect("day"), cast(), turn(2, "Bo"), untap(), turn(3), untap()]


@pytest.fixture
def games(tmp_path, monkeypatch):
    """Two records in the working folder."""
    monkeypatch.chdir(tmp_path)
    return kept(tmp_path / "a.jsonl", EVENTS), kept(tmp_path / "b.jsonl", EVENTS[:4])


def test_table(daynight, games):
    assert [
        "game     turns  ☀ day  ☾ night  changes  casts 0/1/2+",
        "g1           3      2        1        1         2/1/0",
        "g1           1      1        -        0         0/1/0",
        "2 games      4      3        1        1         2/2/0",
        "of all turns: 75 % day, 25 % night",
    ] == daynight("stats", *games).out.splitlines()
    assert 3 == len(daynight("stats", games[0]).out.splitlines())


def test_uncertain(daynight, tmp_path, monkeypatch):
    """Turns with uncertain casts have a place of their own; a note says that changes may exclude each other."""
    monkeypatch.chdir(tmp_path)
    path = kept(tmp_path / "a.jsonl", [*EVENTS[:3], doubt("Ana", 0, 1), turn(2, "Bo"), untap(), turn(3), untap()])
    assert [
        "game  turns  ☀ day  ☾ night  ? uncertain  changes  casts 0/1/2+/?",
        "g1        3      1        1            1        2         2/0/0/1",
        "of all turns: 33 % day, 33 % night, 33 % uncertain",
        "casts: the last number is of turns in which it is uncertain how many the active player cast",
        "changes: each one that may have happened counts, even if it excludes another",
    ] == daynight("stats", path).out.splitlines()


def test_json(daynight, games):
    (document,) = daynight("stats", *games, "--json").documents
    first, together = document["games"][0], document["together"]
    assert {"neither": 0, "day": 2, "night": 1, "uncertain": 0} == first["ended"]
    assert {"none": 2, "one": 1, "two_or_more": 0, "uncertain": 0} == first["active_casts"]
    assert (3, 1, 1, None) == (first["turns"], first["flips"], first["spells"], first["assumed"])
    assert (2, 4, 1, 2) == (together["games"], together["turns"], together["flips"], together["spells"])


def test_assumed(daynight, games, tmp_path):
    never = kept(tmp_path / "c.jsonl", [started(), turn(1), turn(2, "Bo"), untap()])
    assert "of all turns: 100 % neither" in daynight("stats", never).out
    ran = daynight("stats", never, "--assume", "day")
    assert (0, True) == (ran.code, "of all turns: 50 % day, 50 % night" in ran.out)
    assert ran.out.endswith("assumed from the beginning of each game; the records do not say so\n")
    ran = daynight("audit", never, "--assume", "night")
    assert "  assumed to be night from the beginning: 2 turns, 0 changes between day and night;" in ran.out
    (document,) = daynight("audit", never, "--assume", "night", "--json").documents
    assert "night" == document["assumed"]
    assert "assumed to be" not in daynight("audit", never).out
    assert 2 == daynight("audit", never, "--assume", "neither").code


def test_nothing_to_assume(daynight, tmp_path):
    def told(*possible):
        name = "-".join(possible)
        path = kept(tmp_path / f"{name}.jsonl", [started(), joined(*possible), turn(1), untap()])
        (document,) = daynight("stats", path, "--assume", "night", "--json").documents
        words = [daynight(verb, path, "--assume", "night").out for verb in ("stats", "audit")]
        return document["together"]["assumed"], ["assumed" in one for one in words]

    assert (None, [False, False]) == told("day", "night")
    assert ("night", [True, True]) == told("neither", "day")


def test_picture(daynight, games, tmp_path):
    path = tmp_path / "shares.svg"
    assert 0 == daynight("stats", *games, "-o", path).code
    picture = path.read_text()
    root = ElementTree.fromstring(picture)
    words = "".join(root.itertext())
    for said in ("g1: 3 turns, 1 change between day and night; day 2, night 1.", "all 2 games", "☾ night", "☀ 2"):
        assert said in words
    assert STYLE in words
    assert " style=" not in picture
    assert 'role="img"' in picture


def test_picture_of_many(tmp_path):
    name = "<script>alert(1)</script>\u00e9"
    found = Counting().record(Record(kept(tmp_path / "a.jsonl", [started() | {"game": name}, *EVENTS[1:]])))
    picture = shares_svg([found] * (MOST + 3))
    assert "<script" not in picture
    assert "and 3 games more" in picture
    assert picture == shares_svg([found] * (MOST + 3))
    assert "no turn" in shares_svg([Counting().record(Record(kept(tmp_path / "b.jsonl", [started()])))])
    assert "and 1 game" not in shares_svg([found] * MOST)


def test_refused(daynight, games, tmp_path):
    ran = daynight("stats", games[0], tmp_path / "none.jsonl")
    assert (4, True) == (ran.code, "\ng1 " in ran.out)
    assert 1 == ran.err.count("\n")
    ran = daynight("stats", Path("none.jsonl"), "-o", tmp_path / "never.svg")
    assert (4, "", False) == (ran.code, ran.out, (tmp_path / "never.svg").exists())
