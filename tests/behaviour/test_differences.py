"""Diff: the differences of two games, moments, editions or catalogues.

| promise | test |
| --- | --- |
| turn, players, designation, permanents, what may not transform, tallies | test_each_kind |
| faces and triggers | test_faces_and_triggers |
| of a permanent: its card, face, controller, abilities, phasing, copy, and keywords | test_each_kind |
| keywords are shown if no other difference implies them | test_keywords |
| the step, numbers of events and claims are not compared | test_not_compared |
| a state does not differ from itself | test_nothing |
| editions differ in the numbers that they cite, catalogues in their cards | test_editions, test_catalogues |
"""

from __future__ import annotations

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from daynight.cards import Catalogue, bundled
from daynight.compare.differences import catalogues_apart, differences, editions_apart
from daynight.game import Game
from tests.behaviour.games import CONTRACT, EVERY_TYPE, told
from tests.behaviour.naively import random_game
from tests.rules.judges import claim
from tests.rules.placing import control, enter, lose, phase_out
from tests.rules.turning import copy, face_down, forbid
from tests.rules.wolves import VANDAL
from tests.rules.words import cast, doubt, effect, ended, joined, quits, step, turn, untap


@pytest.mark.parametrize("left, right, about, subject, sentence", [
    ((), (effect("day"),), "designation", None, "neither day nor night / day"),
    ((joined("day", "night"),), (joined("day"),), "designation", None, "day or night / day"),
    ((enter("b1", {"card": "Bear"}),), (), "permanent", "b1", "Bear (b1): there / not there"),
    ((), (enter("b1", {"card": "Bear"}),), "permanent", "b1", "Bear (b1): not there / there"),
    (
        (enter("b1", {"card": "Bear"}),),
        (enter("b1", {"card": "Bear"}), control("Bo", "b1")),
        "controller", "b1", "Bear (b1) is controlled by Ana / Bo",
    ),
    (
        (enter("b1", {"card": "Bear"}),),
        (enter("b1", {"card": "Bear"}), face_down("b1")),
        "face", "b1", "Bear (b1): front face, Bear / face down",
    ),
    ((turn(1), turn(2, "Bo")), (turn(1),), "turn", None, "turn 2 / turn 1"),
    ((turn(1),), (), "turn", None, "turn 1 / before turn 1"),
    ((turn(1),), (turn(1, "Bo"),), "active", None, "active in turn 1: Ana / Bo"),
    ((quits("Bo"),), (), "player", "Bo", "Bo: has left the game / in the game"),
    ((), (ended(),), "game", None, "the game goes on / the game is over"),
    ((enter("b1", {"card": "Bear"}),), (enter("b1", {"card": "Wolf"}),), "card", "b1", "Bear (b1): Bear / Wolf"),
    (
        (enter("b1", {"card": "Bear"}), lose("b1")), (enter("b1", {"card": "Bear"}),),
        "abilities", "b1", "Bear (b1): without abilities / with its abilities",
    ),
    (
        (enter("b1", {"card": "Bear"}), phase_out("b1")), (enter("b1", {"card": "Bear"}),),
        "phasing", "b1", "Bear (b1): phased out / phased in",
    ),
    (
        (enter("b1", {"card": "Bear"}), copy({"name": "Wolf"}, "b1")), (enter("b1", {"card": "Bear"}),),
        "copy", "b1", "Bear (b1): a copy of Wolf / no copy",
    ),
    (
        (enter("b1", {"card": "Bear"}), forbid("Moonlight", "b1")), (enter("b1", {"card": "Bear"}),),
        "hold", "Moonlight", "what Moonlight keeps from transforming: b1 / nothing",
    ),
    ((turn(1), cast()), (turn(1),), "tally", "Ana", "spells of Ana in this turn: 1 / 0"),
    ((turn(1), doubt("Bo", 1)), (turn(1),), "tally", "Bo", "spells of Bo in this turn: 1 or more / 0"),
])  # fmt: skip
def test_each_kind(left, right, about, subject, sentence):
    """The games of each pair have exactly one difference, with the expected kind, subject and sentence."""
    (found,) = differences(told(*left).state, told(*right).state)
    assert (about, subject, sentence) == (found.about, found.subject, found.sentence)
    assert {"about", "subject", "left", "right", "sentence"} == set(found.document())


def test_faces_and_triggers():
    """At night the werewolf shows its back, and permanents that watch have triggered."""
    day = told(turn(1), enter("w1"), enter("v1", VANDAL))
    night = day.what_if(len(day), [effect("night")])
    assert [
        "day / night",
        "Tavern Ruffian (w1): front face, Tavern Ruffian / back face, Tavern Smasher",
        "triggers of v1, as day became night: 0 / 1",
    ] == [found.sentence for found in differences(day.state, night.state)]


def test_keywords():
    """A copy with daybound and one without, of the same name, differ in keywords."""
    bear = enter("b1", {"card": "Bear"}), effect("day")
    one = told(*bear, copy({"name": "Wolf"}, "b1"))
    other = told(*bear, copy({"name": "Wolf", "keywords": ["daybound"]}, "b1"))
    (found,) = differences(one.state, other.state)
    assert ("keywords", [], ["daybound"]) == (found.about, found.left, found.right)
    assert "Bear (b1): no keyword / daybound" == found.sentence
    phased = told(*bear, copy({"name": "Wolf", "keywords": ["daybound"]}, "b1"), phase_out("b1"))
    assert ["phasing"] == [found.about for found in differences(other.state, phased.state)]


def test_not_compared():
    """The step and claims are not compared."""
    game = told(turn(1), untap())
    assert () == differences(game.state, told(turn(1), untap(), step("draw"), claim("night")).state)


def test_nothing():
    """A state does not differ from itself, in a game with every type of event and in random games."""
    for game in (Game(CONTRACT), Game(EVERY_TYPE), *(random_game(seed, 40) for seed in range(20))):
        assert () == differences(game.state, game.state)


def test_editions():
    """Two editions differ only in the cited numbers; editions that cite the same numbers do not differ."""
    game = Game(CONTRACT)
    assert [{"event": 8, "rule": "check-day", "left": "728.2a", "right": "731.2a"}] == editions_apart(
        game, "2024-06-07", "2026-08-07"
    )
    assert [] == editions_apart(game, "2026-06-19", "2026-08-07")


def test_catalogues():
    """Two catalogues differ by a removed, a new or a changed card; a catalogue does not differ from itself.

    Of a removed or new card each field is listed, of a changed one only the fields that differ.
    """
    cards = [*bundled()]
    other = Catalogue(cards[1:])
    assert [] == catalogues_apart(bundled(), bundled())
    (gone,) = catalogues_apart(bundled(), other)
    assert {"card": cards[0].name, "left": to_builtins(cards[0]), "right": None} == gone
    (new,) = catalogues_apart(other, bundled())
    assert {"card": cards[0].name, "left": None, "right": to_builtins(cards[0])} == new
    at = next(place for place, card in enumerate(cards) if card.name == "Tavern Ruffian")
    other_back = replace(cards[at].back, name="Tavern Cat")
    changed = Catalogue([*cards[:at], replace(cards[at], back=other_back), *cards[at + 1 :]])
    assert [{
        "card": "Tavern Ruffian", "left": {"back": to_builtins(cards[at].back)},
        "right": {"back": to_builtins(other_back)},
    }] == catalogues_apart(bundled(), changed)  # fmt: skip
