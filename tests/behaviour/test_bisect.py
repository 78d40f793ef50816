"""Bisect: the first bad event.

| promise | test |
| --- | --- |
| the first bad of n events is found in at most log2(n) + 2 tests | test_every_place |
| no event is tested twice | test_every_place |
| untestable events are skipped, and reported if they hide the first bad one | test_skipped |
| the whole record may be good, or untestable | test_whole |
| the first event where claim and rules disagree is that of a linear search | test_linear, test_linear_in_a_thousand |
| findings that a back-up undid are in `undone`, open claims are not | test_undone, test_open_is_not_undone |
| it says whether later claims are wrong too, right again, or right and then wrong | test_onwards, test_linear |
"""

from __future__ import annotations

import math
import random

import pytest

from daynight.framework.audit import Audit, Finding
from daynight.framework.bisect import bisected
from daynight.framework.bisect import parted as of_audit
from daynight.framework.language.happening import tag_of
from daynight.framework.mechanic import Said
from daynight.game import Game
from daynight.projections.audit.parted import parted
from tests.behaviour.games import told
from tests.oracle.walks import random_walk
from tests.rules.judges import back_up, claim, claim_tally, ruled
from tests.rules.words import doubt, effect, turn


def test_every_place():
    """Bisect finds the first bad event at every place in records of up to 39 events, and at some in longer ones."""
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
    """Untestable events are skipped; those between the last good and the first bad event are reported as `untested`."""
    found = bisected(100, lambda n: "skip" if n % 2 else "bad" if n >= 40 else "good")
    assert (40, 38, (39,)) == (found.bad, found.good, found.untested)
    found = bisected(100, lambda n: "bad" if n == 100 else "skip")
    assert (100, 0, tuple(range(1, 100))) == (found.bad, found.good, found.untested)
    found = bisected(8, lambda n: "skip" if n == 4 else "bad" if n >= 7 else "good")
    assert (7, 6, ()) == (found.bad, found.good, found.untested)


def test_whole():
    """If the last event is good or can't be tested, `bad` is None; `good` is the last good event, else 0."""
    good = bisected(9, lambda n: "good")
    assert (None, 9, (), 1) == (good.bad, good.good, good.untested, good.runs)
    untested = bisected(9, lambda n: "skip")
    assert (None, 0, (9,), {9: "skip"}) == (untested.bad, untested.good, untested.untested, untested.asked)
    nothing = bisected(0, lambda n: "bad")
    assert (None, 0, (), 0) == (nothing.bad, nothing.good, nothing.untested, nothing.runs)
    assert {"bad": None, "good": 9, "untested": [], "runs": 1, "asked": [{"event": 9, "judgement": "good"}]} == (
        good.document()
    )


def planted(seeds: range) -> int:
    """Plant a wrong claim in random games; `parted`, `bisected` and a linear search find it; return how often."""
    planted = 0
    for seed in seeds:
        record = [event for event in random_walk(seed, 30) if event["type"] not in ("game-backed-up", "game-ended")]
        try:
            game = Game(record)
        except Exception:  # an undone event may have made the rest possible
            continue
        state = game.at(len(game) // 2)
        # A claim while an untap step is pending would end that step, and later events might become impossible.
        if state.designation is None or state.due:
            continue
        wrong = next(name for name in ("neither", "day", "night") if name != state.designation)
        game = Game([*game.events[: state.event], claim(wrong), *game.events[state.event :]])
        disputed = [n for n in range(1, len(game) + 1) if game.what_if(n, ()).audit().verdict == "disputed"]
        found = parted(game)
        assert (disputed[0], ()) == (found.first.event, found.undone)
        again = bisected(len(game), lambda n, bad=frozenset(disputed): "bad" if n in bad else "good")
        assert disputed[0] == again.bad
        assert again.runs <= math.log2(len(game)) + 2
        onwards(game, seed)
        planted += 1
    return planted


def onwards(game: Game, seed: int) -> None:
    """Plant more claims after the wrong one, and compare what `parted` says of them with a check one by one."""
    choose = random.Random(seed)
    events = list(game.events)
    for _number in range(choose.randrange(4)):
        events.append(claim(choose.choice(("neither", "day", "night"))))
    game = Game(events)
    good: list[int] = []
    bad: list[int] = []
    for number, event in enumerate(events, 1):
        tag = tag_of(type(event)) if not isinstance(event, dict) else event["type"]
        if tag == "designation-claimed":
            state = game.at(number)
            said = event["designation"] if isinstance(event, dict) else event.designation
            possible = [designation.value for designation in state.possible]
            if possible == [said]:
                good.append(number)
            elif said not in possible:
                bad.append(number)
        elif tag in ("face-claimed", "tally-claimed", "judge-ruled"):
            verdict = Game([*events[: number - 1], event]).audit()
            if number in [finding.event for finding in verdict.findings]:
                bad.append(number)
            elif number not in [finding.event for finding in verdict.unsettled]:
                good.append(number)
    found = parted(game)
    right = min((number for number in good if number > bad[0]), default=None)
    assert (bad[0], right, right is None) == (found.first.event, found.right_again, found.monotone)
    assert [number for number in bad[1:] if right is None or number < right] == [*found.wrong]
    assert [number for number in bad if right is not None and number > right] == [*found.differ_again]


def test_linear():
    """In a few random games, bisect finds what a linear search finds."""
    assert planted(range(10)) > 3


@pytest.mark.slow
def test_linear_in_a_thousand():
    """In at least a thousand games, bisect finds what a linear search finds."""
    assert planted(range(100, 2100)) > 1000


def test_undone():
    """Findings that a back-up undid are in `undone`; `first` is the first of the others, None if there is none."""
    game = told(claim("day"), back_up(1), effect("day"), claim("night"))
    found = parted(game)
    assert (5, [2]) == (found.first.event, [one.event for one in found.undone])
    none = parted(told(claim("neither")))
    assert (None, ()) == (none.first, none.undone)
    assert None is parted(told(claim("day"), back_up(1))).first


def test_open_is_not_undone():
    """A finding that is neither right nor wrong is not in `undone`, although the framework's audit lists it as well."""
    doubtful = Finding(2, Said("lamp", None, True), None, None)
    assert of_audit(Audit([doubtful]), [2]).undone == ()
    undone = Finding(2, Said("lamp", None, True), None, False, undone=True)
    assert of_audit(Audit([undone]), [2]).undone == (undone,)


def test_onwards():
    """`parted` lists later wrong claims, the next right one, and those wrong after it; not undone or unsettled ones."""
    for events, wrong, right, again in (
        ((), (), None, ()),
        ((turn(1), claim("night"), claim_tally("Ana", 2)), (4, 5), None, ()),
        ((claim("neither"),), (), 3, ()),
        ((claim("day"), claim("neither"), claim("neither")), (3,), 4, ()),
        ((claim("neither"), claim("day"), claim("neither"), ruled("day")), (), 3, (4, 6)),
        ((claim("neither"), back_up(2)), (), None, ()),
        ((claim("neither"), claim("day"), back_up(3)), (), 3, ()),
        ((turn(1), doubt("Ana", 0, 1), claim_tally("Ana", 1)), (), None, ()),
    ):
        found = parted(told(claim("day"), *events))
        assert (2, wrong, right, again) == (found.first.event, found.wrong, found.right_again, found.differ_again)
        assert found.monotone is (right is None)
        document = found.document(lambda finding: finding.document("2024-06-07"))
        assert (found.monotone, right, [*wrong], [*again]) == tuple(
            document[key] for key in ("monotone", "right_again", "wrong", "differ_again")
        )
    none = parted(told(claim("neither")))
    assert (None, True, None) == (none.first, none.monotone, none.right_again)


def test_the_story():
    """In a real game, bisect finds the wrong face of Brutal Cathar."""
    found = parted(Game.load("demo"))
    assert (122, "daybound-enters", ()) == (found.first.event, found.first.rule, found.undone)
