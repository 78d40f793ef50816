"""Turns, and the stretches (runs of events, undone or not) of which they consist.

| promise | test |
| --- | --- |
| a turn has number, active players, events, casts, possible designations, changes | test_a_turn |
| an unwritten untap step, shown by the next turn, belongs to the turn before | test_unwritten |
| a turn of which a part is undone is several stretches, and one turn | test_cut |
| an undone turn is a stretch, but not a turn | test_undone |
| notes and disputes are never undone, and do not divide a turn | test_of_the_record |
| a restart begins a new game with a new turn 0 | test_restarted |
| changes that a ruling undoes do not count, as in the state | test_ruled_out |
| `casts` counts the active player's casts: 0, 1, or 2 for two or more; None if uncertain | test_casts |
| turns and changes of every example equal a naive count and the state | test_examples |
"""

from __future__ import annotations

import json

import pytest

from daynight import Game
from daynight.events.terms import Designation
from daynight.projections.turns import Turn, stretches, turns
from tests.documents import ROOT
from tests.rules.judges import back_up, noted, opens, ruled
from tests.rules.words import cast, doubt, effect, joined, restarted, started, turn, untap

NEITHER, DAY, NIGHT = Designation


def played(*events) -> list[Turn]:
    """Return the turns of a game with these events; the first one (number 0) is the part before the first turn."""
    return turns(stretches(Game([started(), *events])))


def parts(*events) -> list[tuple[int, int, int, bool]]:
    """Return the stretches of a game with these events: turn, first and last event, and whether it is undone."""
    found = stretches(Game([started(), *events]))
    return [(part.number, part.first, part.last, part.undone) for part in found]


def test_a_turn():
    before, first, second = played(turn(1), cast(), effect("night"), turn(2, "Bo"), untap(), cast("Ana"))
    assert (0, (), 1, 1, {}) == (before.number, before.active, before.first, before.last, before.spells)
    assert (1, ("Ana",), 2, 4, NIGHT) == (first.number, first.active, first.first, first.last, first.designation)
    assert ({"Ana": (1, 1), "Bo": (0, 0)}, [4]) == (first.spells, [change.event for change in first.changes])
    assert (2, ("Bo",), 5, 7, 0) == (second.number, second.active, second.first, second.last, second.casts)
    assert ((NIGHT,), []) == (second.possible, second.changes)


def test_unwritten():
    day, night, after = played(turn(1), effect("day"), turn(2, "Bo"), turn(3))[1:]
    assert (DAY, NIGHT, NIGHT) == (day.designation, night.designation, after.designation)
    assert [(5, 2, True)] == [(change.event, change.turn, change.implied) for change in night.changes]
    assert (4, 4, [], []) == (night.first, night.last, day.changes[1:], after.changes)


def test_cut():
    events = [turn(1), cast(), cast(), back_up(3), cast(), cast()]
    assert [(0, 1, 1, False), (1, 2, 3, False), (1, 4, 4, True), (1, 5, 7, False)] == parts(*events)
    (_before, one) = played(*events)
    assert (2, 7, {"Ana": (3, 3), "Bo": (0, 0)}) == (one.first, one.last, one.spells)


def test_undone():
    events = [turn(1), turn(2, "Bo"), effect("night"), back_up(2), turn(2, "Bo")]
    flags = [(part[0], part[3]) for part in parts(*events)]
    assert [(0, False), (1, False), (2, True), (1, False), (2, False)] == flags
    assert [(1, 2, 5), (2, 6, 6)] == [(one.number, one.first, one.last) for one in played(*events)[1:]]
    assert [] == [change for one in played(*events) for change in one.changes]
    assert [4] == [change.event for part in stretches(Game([started(), *events])) for change in part.changes]


def test_of_the_record():
    assert [(0, 1, 1, False), (1, 2, 6, False)] == parts(turn(1), cast(), opens("d1"), noted(), back_up(3))
    undone = parts(turn(1), cast(), opens("d1"), cast(), noted(), back_up(2))
    assert [(0, 1, 1, False), (1, 2, 2, False), (1, 3, 6, True), (1, 7, 7, False)] == undone


def test_restarted():
    found = played(turn(5), restarted(), effect("night"), turn(1))
    assert [(0, 0), (0, 5), (1, 0), (1, 1)] == [(one.game, one.number) for one in found]
    assert ([4], {}) == ([change.event for change in found[2].changes], found[2].spells)


def test_ruled_out():
    events = [joined("neither", "day"), turn(4, skips=["untap"]), doubt("Ana", 0, 1), turn(5, "Bo"), untap()]
    assert [6] == [change.event for one in played(*events) for change in one.changes]
    assert [] == [change for one in played(*events, ruled("neither")) for change in one.changes]


@pytest.mark.parametrize("events, expected", [
    ([], 0),
    ([cast("Bo"), cast("Bo")], 0),
    ([cast()], 1),
    ([cast(), cast(), cast()], 2),
    ([doubt("Ana", 0, 1)], None),
    ([doubt("Ana", 2, None)], 2),
    ([doubt("Bo", 0, 1)], 0),
])  # fmt: skip
def test_casts(events, expected):
    assert expected == played(turn(1), *events)[-1].casts


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "games").glob("*.jsonl")), ids=lambda path: path.stem)
def test_examples(path):
    game = Game.load(path)
    found = turns(stretches(game))
    begun = [
        (event["turn"], number)
        for number, event in enumerate(map(json.loads, path.read_text().splitlines()), 1)
        if event["type"] == "turn-began" and game.stands(number)
    ]
    assert begun == [(one.number, one.first) for one in found if one.number]
    assert game.state.timeline.changes == tuple(change for one in found for change in one.changes)
    assert all(change.turn == one.number for one in found for change in one.changes)
    assert game.state.possible == found[-1].possible
