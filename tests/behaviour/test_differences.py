"""Diff: what two games, moments, editions or catalogues differ in.

| promise | test |
| --- | --- |
| designation, permanents, faces, controllers, tallies and triggers are compared | test_each_kind |
| a state differs from itself in nothing | test_nothing |
| records are aligned by turn and step, whatever their numbers | test_aligned |
| a turn that only one of them has is said so | test_turns |
| undone stretches are not compared | test_undone |
| a branch is compared with its parent event by event | test_events |
| places in a row with the same differences are one | test_merged |
| editions differ in what they cite, catalogues in their cards | test_editions, test_catalogues |
| a real game tells its story | test_the_story |
"""

from __future__ import annotations

import pytest

from daynight.branches import drop, insert
from daynight.cards import Catalogue, bundled
from daynight.differences import (
    catalogues_apart,
    differences,
    editions_apart,
    events_apart,
    games_apart,
    merged,
    place_words,
)
from daynight.game import Game
from tests.behaviour.games import CONTRACT, EVERY_TYPE, told
from tests.oracle.walks import random_walk
from tests.rules.words import (
    VANDAL,
    back_up,
    cast,
    claim,
    control,
    doubt,
    effect,
    enter,
    face_down,
    joined,
    restarted,
    started,
    step,
    turn,
    untap,
    upkeep,
)


@pytest.mark.parametrize(
    "left, right, about, subject, sentence",
    [
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
        ((turn(1), cast()), (turn(1),), "tally", "Ana", "spells of Ana in this turn: 1 / 0"),
        ((turn(1), doubt("Bo", 1)), (turn(1),), "tally", "Bo", "spells of Bo in this turn: 1 or more / 0"),
    ],
)  # fmt: skip
def test_each_kind(left, right, about, subject, sentence):
    """Just that one thing."""
    (found,) = differences(told(*left).state, told(*right).state)
    assert (about, subject, sentence) == (found.about, found.subject, found.sentence)
    assert {"about", "subject", "left", "right", "sentence"} == set(found.document())


def test_faces_and_triggers():
    """At night the werewolf shows its back, and what watches has triggered."""
    day = told(turn(1), enter("w1"), enter("v1", VANDAL))
    night = day.what_if(len(day), [effect("night")])
    assert [
        "day / night",
        "Tavern Ruffian (w1): front face, Tavern Ruffian / back face, Tavern Smasher",
        "triggers of v1, as day became night: 0 / 1",
    ] == [found.sentence for found in differences(day.state, night.state)]


def test_nothing():
    """Whatever happened in it."""
    for record in (CONTRACT, EVERY_TYPE, *(random_walk(seed, 40) for seed in range(20))):
        game = Game(record)
        assert () == differences(game.state, game.state)
        assert [] == [*games_apart(game, Game(record))]
        assert [] == [*events_apart(game, Game(record), tuple(range(1, len(game) + 1)))]


def test_aligned():
    """One records every step and a claim, the other hardly any."""
    short = told(effect("day"), turn(1), turn(2, "Bo"), untap(), turn(3), cast())
    long = told(
        effect("day"), turn(1), untap(), upkeep(), claim("day"), turn(2, "Bo"), untap(), upkeep(), step("end"),
        turn(3), untap(), upkeep(), cast(),
    )  # fmt: skip
    assert [] == [*games_apart(short, long)]
    other = long.branch(insert(4, cast())).game
    # The same cast, written into another step.
    early = told(turn(1), untap(), cast(), step("draw"), turn(2, "Bo"))
    late = told(turn(1), untap(), upkeep(), cast(), step("draw"), turn(2, "Bo"))
    assert [] == [*games_apart(early, late)] == [*games_apart(late, early)]
    first = next(games_apart(long, other))
    assert (1, "untap", 4, 5) == (first.turn, first.step, first.left, first.right)
    assert [("tally", 0, 1)] == [(one.about, one.left, one.right) for one in first.differences]
    apart = [parting for parting in games_apart(long, other) if parting.turn == 2]
    assert [("untap", "night / day"), ("upkeep", "night / day"), ("end", "night / day")] == [
        (parting.step, parting.differences[0].sentence) for parting in apart
    ]
    assert all(one.step == "end" for one in games_apart(long, other, by_step=False) if one.turn == 2)


def test_turns():
    """With the numbers of the one that has it."""
    found = [*games_apart(told(turn(1), turn(2, "Bo")), told(turn(1), turn(3)))]
    assert [(2, 3, None, "turn 2: there / not there"), (3, None, 3, "turn 3: not there / there")] == [
        (one.turn, one.left, one.right, one.differences[0].sentence) for one in found
    ]
    assert ["turn 2", "turn 3"] == [*map(place_words, found)]
    twice = [*games_apart(told(turn(1), cast(), restarted(), turn(1)), told(turn(1), cast()))]
    assert [(1, 5, None, "turn 1: there / not there")] == [
        (one.turn, one.left, one.right, one.differences[0].sentence) for one in twice
    ]
    other_game = [*games_apart(told(turn(1), restarted(), turn(2)), told(turn(1), turn(2)))]
    assert [(2, None, 3), (2, 4, None)] == [(one.turn, one.left, one.right) for one in other_game]
    restarts = [*games_apart(told(turn(1), restarted(), turn(1), cast()), told(turn(1), restarted(), turn(1)))]
    assert [(1, 5, 4)] == [(one.turn, one.left, one.right) for one in restarts]


def test_undone():
    """What was undone is as if it had not been."""
    game = told(turn(1), cast(), effect("night"), turn(2, "Bo"), back_up(3), turn(2, "Bo"))
    assert [] == [*games_apart(game, told(turn(1), cast(), turn(2, "Bo")))]


def test_events():
    """After each event both have, and after what one of them has alone."""
    game = Game(CONTRACT)
    branch = game.branch(insert(5, cast("Bo")), drop(6))
    found = [*events_apart(game, branch.game, branch.origins)]
    assert [
        (6, 6, ["spells of Ana in this turn: 1 / 0", "spells of Bo in this turn: 0 / 1"]),
        (8, 8, ["night / day", "Tavern Ruffian (w1): back face, Tavern Smasher / front face, Tavern Ruffian"]),
    ] == [(one.left, one.right, [each.sentence for each in one.differences]) for one in found]


@pytest.mark.parametrize(
    "edit, places",
    [
        (insert(None, effect("day")), [(8, 9)]),
        (drop(8), [(8, 7)]),
        (insert(7, cast("Bo")), [(7, 8)]),
        (insert(6, cast("Ana"), cast("Ana")), [(6, 8)]),
        (insert(None, claim("night")), []),
    ],
)
def test_events_alone(edit, places):
    """What is put in or left out last, or last in its turn, is seen too; what changes nothing is not."""
    game = Game(CONTRACT)
    branch = game.branch(edit)
    found = [*events_apart(game, branch.game, branch.origins)]
    assert places == [(one.left, one.right) for one in found][: len(places) or None]


def test_merged():
    """From the first place to the last."""
    game = told(effect("day"), *(turn(n, "Ana") for n in range(1, 5)))
    other = told(effect("night"), *(turn(n, "Ana") for n in range(1, 5)))
    (one,) = merged(games_apart(game, other))
    assert (0, 4, "before turn 1") == (one.turn, one.until, place_words(one))
    assert {"turn", "step", "left", "right", "until", "differences"} == set(one.document())


def test_editions():
    """The number alone; and nothing between an edition and itself."""
    game = Game(CONTRACT)
    assert [{"event": 8, "rule": "check-day", "left": "728.2a", "right": "731.2a"}] == editions_apart(
        game, "2024-06-07", "2026-08-07"
    )
    assert [] == editions_apart(game, "2026-06-19", "2026-08-07")


def test_catalogues():
    """A card that is gone, one that is new, one that is otherwise."""
    cards = [*bundled()]
    other = Catalogue(cards[1:])
    assert [] == catalogues_apart(bundled(), bundled())
    (gone,) = catalogues_apart(bundled(), other)
    assert (cards[0].name, None) == (gone["card"], gone["right"])
    (new,) = catalogues_apart(other, bundled())
    assert (cards[0].name, None) == (new["card"], new["left"])


def test_the_story():
    """Had Seat B cast two spells in turn 20, it would have been day, and Brutal Cathar shown as it was."""
    game = Game.load("demo")
    branch = game.branch(insert("turn:20", "B casts 2"))
    found = merged(games_apart(game, branch.game, by_step=False))
    assert [
        (20, 20, ["spells of Seat B in this turn: 0 / 2"]),
        (21, 22, ["night / day",
                  "Brutal Cathar (brutal-cathar-2): back face, Moonrage Brute / front face, Brutal Cathar"]),
    ] == [(one.turn, one.until, [each.sentence for each in one.differences]) for one in found]  # fmt: skip


def test_what_is_started_otherwise():
    """Other players."""
    assert [] == [*games_apart(Game([started("Ana", "Bo")]), Game([started("Cy", "Di")]))]
