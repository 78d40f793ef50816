"""A permanent whose face does not follow day and night: audit and `why` name the obstacle."""

import pytest

from daynight.game import Game
from daynight.questions.facing import facing
from daynight.speech.auditing.grounds import obstacle
from tests.behaviour.games import told
from tests.oracle.walks import random_walk
from tests.rules.judges import claim_face
from tests.rules.placing import control, enter, lose, permanent, phase_out, regain
from tests.rules.turning import copy, forbid
from tests.rules.words import effect, quits, said, turn
from tests.sampling import few_or_all

IMMERWOLF = permanent("i", {"card": "Immerwolf"})
WOLF = {"card": "Grey Wolf", "front": {"name": "Grey Wolf", "keywords": ["daybound"]}}
WHAT = WOLF | {"double_faced": True, "back": {"name": "Fireball", "permanent": False}}


def why(*events):
    """The answer of `why` about permanent w at the end."""
    game = told(*events)
    return facing(game, len(game), "w", game.edition).sentence


@pytest.mark.parametrize("events, expected", [
    ((phase_out("w"), effect("night")), "It is phased out, and what is phased out does not follow day and night."),
    ((turn(1), quits("Ana"), effect("night")),
     "Its controller left the game; until the record says who controls it, it can't transform."),
    ((lose("w"), effect("night")), "It has lost its abilities, and does not follow day and night without them."),
    ((copy({"name": "Bear"}, "w"), effect("night")),
     "It is a copy, and follows day and night only as what it copies does."),
    ((forbid("Chains", "w"), effect("night")), "It can't transform, because of Chains."),
    ((said("permanents-entered", permanents=[IMMERWOLF]), effect("night"), effect("day")),
     "It can't transform, because of Immerwolf (i)."),
])  # fmt: skip
def test_named(events, expected):
    """The answer of `why` and the audit's finding name the obstacle."""
    face = "front" if events[-1] == effect("day") else "back"
    game = told(enter("w"), *events, claim_face("w", face))
    (finding,) = game.audit().findings
    assert expected in why(enter("w"), *events)
    assert expected in finding.sentence


@pytest.mark.parametrize("like, expected", [
    (WOLF, "It is not double-faced, and only what is double-faced transforms."),
    (WHAT, "Its other face is an instant or sorcery, and nothing transforms into that."),
])  # fmt: skip
def test_of_the_card(like, expected):
    """The obstacle may be a property of the card itself."""
    assert expected in why(enter("w", like), effect("night"))


@pytest.mark.parametrize(
    "events",
    [
        (effect("night"),),
        (forbid("Chains", "w"),),
        (lose("w"), effect("night"), regain("w")),
        # Another player's Immerwolf does not hold it.
        (said("permanents-entered", permanents=[IMMERWOLF]), control("Bo", "i"), effect("night"), effect("day")),
    ],
)
def test_not_where_it_follows(events):
    """A permanent with the right face has no obstacle."""
    state = told(enter("w"), *events).state
    assert obstacle(state, state.battlefield["w"]) == ""


@pytest.mark.parametrize("games", few_or_all(20, 60))
def test_none_without_a_reason(games):
    """Every permanent with the wrong face has an obstacle."""
    kept = 0
    for seed in range(games):
        state = Game(random_walk(seed, 40)).state
        for status in state.battlefield:
            face, shows = state.face(status.id), status.shows(state.possibilities[0].backs)
            astray = {("night", "front"): "daybound", ("day", "back"): "nightbound"}
            if state.designation is None or face is None or status.face_down:
                continue
            if astray.get((state.designation.value, face.value)) in shows.keywords:
                assert obstacle(state, status), (seed, status)
                kept += 1
    assert kept > games / 3


def test_only_what_holds_is_named():
    """Another player's Immerwolf, or one that lost its abilities, is not named as an obstacle."""
    of_bo = enter("i1", {"card": "Immerwolf"}, controller="Bo")
    without = (enter("i2", {"card": "Immerwolf"}), lose("i2"))
    holds = enter("i3", {"card": "Immerwolf"})
    events = (enter("w"), of_bo, *without, holds, effect("night"), effect("day"))
    assert "because of Immerwolf (i3)." in why(*events)
