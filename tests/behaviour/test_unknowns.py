"""Uncertain records: unknown facts, possibilities, what would settle them, and the tournament's answer.

| promise | test |
| --- | --- |
| an uncertain tally: the designation for each number of casts | test_doubt |
| a record that begins midway: the designation at that time | test_joined |
| the possible states, with the faces that differ | test_states |
| the policy is labelled, and given only if several designations are possible | test_policy |
| a certain record has no unknown facts | test_certain |
| the possible designations are those that the facts lead to | test_it_is_so |
"""

from __future__ import annotations

import json

import pytest

from daynight.game import Game
from daynight.questions.unknowns import unknowns
from tests.behaviour.games import CONTRACT, told
from tests.oracle.walks import random_walk
from tests.rules.judges import back_up
from tests.rules.placing import enter
from tests.rules.words import cast, doubt, effect, joined, started, turn, untap

CHECKED = (effect("day"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap())


def test_doubt():
    """Each possible number of casts is a fact with the designation it leads to: no cast, night; one cast, day."""
    (unknown,) = unknowns(told(*CHECKED)).unknown
    assert (4, True, "Ana perhaps cast 1 more spell") == (unknown.event, unknown.matters, unknown.sentence)
    assert [("Ana cast exactly 0 more spells", ("night",)), ("Ana cast exactly 1 more spell", ("day",))] == [
        (fact.sentence, fact.possible) for fact in unknown.facts
    ]
    (unknown,) = unknowns(told(effect("night"), turn(1), doubt("Ana", 1), turn(2, "Bo"), untap())).unknown
    assert [
        ("Ana cast exactly 1 more spell", ("night",)),
        ("Ana cast exactly 2 more spells", ("day",)),
        ("Ana cast 3 or more spells besides", ("day",)),
    ] == [(fact.sentence, fact.possible) for fact in unknown.facts]


def test_joined():
    """A record that begins midway, by day or night, has one unknown: a fact for day, and one for night."""
    (unknown,) = unknowns(told(joined("day", "night"))).unknown
    assert ["day", "night"] == [fact.possible[0] for fact in unknown.facts]
    assert "it was day when the record took the game up" == unknown.facts[0].sentence


def test_states():
    """There are two possible states: by day the werewolf shows its front face, by night its back face."""
    found = unknowns(told(enter("w1"), enter("b1", {"card": "Bear"}), *CHECKED[1:3], turn(2, "Bo"), untap()))
    assert (("day", (("w1", "front"),)), ("night", (("w1", "back"),))) == found.states
    assert not found.certain


def test_policy():
    """The document has the policy's answer as `policy`; at an event with a certain designation it has no such key."""
    document = unknowns(told(*CHECKED)).document()
    assert {"rule": "MTR 4.9", "designation": "night"} == document["policy"]
    assert [True, True] == [fact["settles"] for fact in document["unknown"][0]["facts"]]
    json.dumps(document)
    assert "policy" not in unknowns(told(*CHECKED), 3).document()


def test_certain():
    """Certain records and exact or undone tallies have no unknowns; one that changes nothing has `matters` False."""
    found = unknowns(Game(CONTRACT))
    assert (True, ()) == (found.certain, found.unknown)
    (unknown,) = unknowns(told(effect("day"), turn(1), cast(), doubt("Ana", 0, 1), turn(2, "Bo"), untap())).unknown
    assert not unknown.matters
    assert () == unknowns(told(turn(1), doubt("Ana", 2, 2))).unknown
    assert () == unknowns(told(turn(1), doubt("Ana", 0, 2), back_up(2))).unknown
    assert () == unknowns(Game([started(), joined("day")])).unknown


@pytest.mark.parametrize("games", [25, pytest.param(300, marks=pytest.mark.slow)])
def test_it_is_so(games):
    """In random games, for each unknown, the facts together lead to exactly the possible designations."""
    seen = 0
    for seed in range(games):
        found = unknowns(Game(random_walk(seed, 30)))
        for unknown in found.unknown:
            may_be = {designation for fact in unknown.facts for designation in fact.possible}
            assert set(found.possible) == may_be
            seen += 1
    assert seen > games / 5
