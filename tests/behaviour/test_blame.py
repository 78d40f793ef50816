"""Blame: which event and which rule set each part of the state.

| promise | test |
| --- | --- |
| the designation, by the event and rule of its last change | test_designation |
| each permanent's face, by how it came to it | test_faces |
| controller, abilities, phasing, copies, where they are not as it entered | test_befallen |
| tallies, by the turn's beginning and the casts | test_tallies |
| what holds others, or the night | test_holds |
| what was undone is not blamed | test_undone |
| where several may have, none is named, and all are | test_uncertain |
| every event named stands, and is there | test_random |
| a real game tells its story | test_the_story |
"""

from __future__ import annotations

import pytest

from daynight.blame import blamed
from daynight.game import Game
from tests.behaviour.games import CONTRACT, EVERY_TYPE, told
from tests.oracle.walks import random_walk
from tests.rules.words import (
    ANGEL,
    IMMERWOLF,
    back_up,
    cast,
    control,
    copy,
    doubt,
    effect,
    enter,
    face_down,
    face_up,
    forbid,
    joined,
    lose,
    phase_out,
    regain,
    ruled,
    transform,
    turn,
    untap,
)

BEAR = {"card": "Bear"}
OLD = {"card": "Grizzled Outcasts"}


def part(game, name, subject=None):
    """The one line of this part."""
    (line,) = [line for line in blamed(game) if (line.part, line.subject) == (name, subject)]
    return line


@pytest.mark.parametrize(
    "events, value, event, rule, because",
    [
        ((), "neither", 1, "no-designation", (1,)),
        ((joined("day"),), "day", 2, None, (2,)),
        ((effect("night"),), "night", 2, "becomes", (2,)),
        ((enter("w1"),), "day", 2, "daybound-starts-day", (2,)),
        ((effect("day"), turn(1), turn(2, "Bo"), untap()), "night", 5, "check-day", (3,)),
        ((effect("day"), ruled("night")), "night", 3, "judge", (3,)),
    ],
)
def test_designation(events, value, event, rule, because):
    """Its last change, or the beginning."""
    line = part(told(*events), "designation")
    assert (value, event, rule, because) == (line.value, line.event, line.rule, line.because)


@pytest.mark.parametrize(
    "events, value, event, rule",
    [
        ((enter("w1"),), "front", 2, None),
        ((effect("night"), enter("w1")), "back", 3, "daybound-enters"),
        ((enter("w1"), effect("night")), "back", 3, "daybound-as-night"),
        ((enter("w1"), effect("night"), effect("day")), "front", 4, "nightbound-as-day"),
        ((enter("w1", OLD), transform("w1")), "back", 3, "transforms"),
        ((enter("w1", OLD, face="back"),), "back", 2, "told-to-enter"),
        ((enter("w1", BEAR), face_down("w1")), "face-down", 3, None),
        ((enter("w1", BEAR), face_down("w1"), face_up("w1")), "front", 4, None),
    ],
)
def test_faces(events, value, event, rule):
    """How it came to its face."""
    line = part(told(*events), "face", "w1")
    assert (value, event, rule) == (line.value, line.event, line.rule)


@pytest.mark.parametrize(
    "events, name, event",
    [
        ((enter("w1", BEAR), control("Bo", "w1")), "controller", 3),
        ((enter("w1", BEAR), lose("w1", source="Humility"), lose("w1")), "abilities", 4),
        ((enter("w1", BEAR, without_abilities=True),), "abilities", 2),
        ((enter("w1", BEAR), phase_out("w1")), "phasing", 3),
        ((enter("w1", BEAR), turn(1), untap(phased_out=["w1"])), "phasing", 4),
        ((enter("w1", BEAR), copy({"name": "Wolf"}, "w1")), "copy", 3),
    ],
)
def test_befallen(events, name, event):
    """The last event that touched it."""
    assert event == part(told(*events), name, "w1").event


def test_as_it_entered():
    """Nothing is said of what nothing befell."""
    parts = {line.part for line in blamed(told(enter("w1", BEAR), lose("w1", source="X"), regain("w1", source="X")))}
    assert {"designation", "face"} == parts


def test_tallies():
    """This turn's and the one before."""
    lines = list(blamed(told(turn(1), cast(), cast("Bo"), turn(2, "Bo"), doubt("Bo", 0, 2))))
    tallies = [(line.subject, line.value, line.because) for line in lines if line.part == "tally"]
    assert [
        ("Ana", 0, (5,)), ("Bo", {"at_least": 0, "at_most": 2}, (5, 6)), ("Ana", 1, (2, 3)), ("Bo", 1, (2, 4)),
    ] == tallies  # fmt: skip


def test_holds():
    """Effects, and permanents with such an ability while they have it."""
    game = told(enter("w1"), forbid("Spell", "w1"), enter("i1", IMMERWOLF), enter("a1", ANGEL))
    assert [("Spell", ["w1"], 3), ("i1", "non-human-werewolves-you-control", 4), ("a1", "night", 5)] == [
        (line.subject, line.value, line.event) for line in blamed(game) if line.part == "hold"
    ]
    game.record(lose("i1", "a1"))
    assert ["Spell"] == [line.subject for line in blamed(game) if line.part == "hold"]


def test_undone():
    """What was undone set nothing."""
    game = told(enter("w1", BEAR), control("Bo", "w1"), back_up(2))
    assert "controller" not in {line.part for line in blamed(game)}
    assert 3 == next(line.event for line in blamed(game, 3) if line.part == "controller")


def test_uncertain():
    """Several may have."""
    line = part(told(effect("day"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap()), "designation")
    assert (["day", "night"], None, None, (2, 6)) == (line.value, line.event, line.rule, line.because)
    face = part(told(joined("day", "night"), enter("w1")), "face", "w1")
    assert (None, None) == (face.value, face.event)


def test_random():
    """At every event of random games."""
    for seed in range(25):
        game = Game(random_walk(seed, 40))
        for number in (7, 23, 40):
            upto = game.what_if(number, ())
            for line in blamed(game, number):
                named = [*line.because] + ([] if line.event is None else [line.event])
                assert all(1 <= event <= number for event in named)
                assert all(upto.stands(event) for event in named)
                assert line.document("2024-06-07")["sentence"]
    assert blamed(Game(EVERY_TYPE))
    assert [8] == [line.event for line in blamed(Game(CONTRACT)) if line.part == "designation"]


def test_the_story():
    """Why Brutal Cathar shows its back, and why it is night."""
    lines = {(line.part, line.subject): line for line in blamed(Game.load("demo"), 122)}
    assert (106, "check-day") == (lines["designation", None].event, lines["designation", None].rule)
    face = lines["face", "brutal-cathar-2"]
    assert ("back", 121, "daybound-enters") == (face.value, face.event, face.rule)
    assert "back face, Moonrage Brute; it entered at night, and has daybound" in face.sentence
