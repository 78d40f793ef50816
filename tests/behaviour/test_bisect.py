"""Bisect: the first bad event.

| promise | test |
| --- | --- |
| the first bad of n is found in log2(n) + 2 tests at most, whichever it is | test_every_place |
| each is tested once at most | test_every_place |
| what cannot be tested is skipped, and said so where it hides the first one | test_skipped |
| the whole record good, or not to be tested | test_whole |
| the first event where claimed and derived part is that of a linear search | test_linear, ..._in_a_thousand |
| findings undone by backing up are told apart | test_undone |
"""

from __future__ import annotations

import math

import pytest

from daynight.bisect import bisected, first_parting
from daynight.game import Game
from tests.behaviour.games import told
from tests.oracle.walks import random_walk
from tests.rules.words import back_up, claim, effect


def test_every_place():
    """Of every length up to 200, and some longer ones."""
    for last in (*range(1, 200), 1000, 4096):
        for first in range(1, last + 1, 1 if last < 40 else 97):
            asked = []

            def test(number, first=first, asked=asked):
                asked.append(number)
                return "bad" if number >= first else "good"

            found = bisected(last, test)
            assert (first, first - 1, ()) == (found.bad, found.good, found.untested)
            assert len(asked) == len(set(asked)) == found.runs <= math.log2(last) + 2


def test_skipped():
    """Beginnings that end with an odd event, say, cannot be tested."""
    found = bisected(100, lambda n: "skip" if n % 2 else "bad" if n >= 40 else "good")
    assert (40, 38, (39,)) == (found.bad, found.good, found.untested)
    found = bisected(100, lambda n: "bad" if n == 100 else "skip")
    assert (100, 0, tuple(range(1, 100))) == (found.bad, found.good, found.untested)
    found = bisected(8, lambda n: "skip" if n == 4 else "bad" if n >= 7 else "good")
    assert (7, 6, ()) == (found.bad, found.good, found.untested)


def test_whole():
    """There is nothing to find."""
    good = bisected(9, lambda n: "good")
    assert (None, 9, (), 1) == (good.bad, good.good, good.untested, good.runs)
    untested = bisected(9, lambda n: "skip")
    assert (None, 0, (9,)) == (untested.bad, untested.good, untested.untested)
    assert (None, 0, (), 0) == (bisected(0, lambda n: "bad").bad, 0, (), bisected(0, lambda n: "bad").runs)
    assert {"bad": None, "good": 9, "untested": [], "runs": 1, "asked": [{"event": 9, "judgement": "good"}]} == (
        good.document()
    )


def planted(seeds: range) -> int:
    """Plants a wrong claim into random games, and finds it by all three ways in the same place; answers how often."""
    planted = 0
    for seed in seeds:
        record = [event for event in random_walk(seed, 30) if event["type"] not in ("game-backed-up", "game-ended")]
        try:
            game = Game(record)
        except Exception:  # what was undone may have made the rest possible
            continue
        state = game.at(len(game) // 2)
        if state.designation is None:
            continue
        wrong = next(name for name in ("neither", "day", "night") if name != state.designation)
        game = Game([*game.events[: state.event], claim(wrong), *game.events[state.event :]])
        disputed = [n for n in range(1, len(game) + 1) if game.what_if(n, ()).audit().verdict == "disputed"]
        found, undone = first_parting(game)
        assert (disputed[0], ()) == (found.event, undone)
        again = bisected(len(game), lambda n, bad=frozenset(disputed): "bad" if n in bad else "good")
        assert disputed[0] == again.bad
        assert again.runs <= math.log2(len(game)) + 2
        planted += 1
    return planted


def test_linear():
    """In a few games."""
    assert planted(range(50)) > 20


@pytest.mark.slow
def test_linear_in_a_thousand():
    """In a thousand games, at least."""
    assert planted(range(100, 2100)) > 1000


def test_undone():
    """They do not count, and are not hidden."""
    game = told(claim("day"), back_up(1), effect("day"), claim("night"))
    found, undone = first_parting(game)
    assert (5, [2]) == (found.event, [one.event for one in undone])
    assert (None, ()) == first_parting(told(claim("neither")))
    assert None is first_parting(told(claim("day"), back_up(1)))[0]


def test_the_story():
    """Brutal Cathar."""
    found, undone = first_parting(Game.load("demo"))
    assert (122, "daybound-enters", ()) == (found.event, found.rule, undone)
