"""Forecast: the effect of the next untap step.

| promise | test |
| --- | --- |
| by day: night unless an active player casts; by night: day if one of them casts twice | test_sentences |
| right with teams: one player's casts count, not the team's | test_teams |
| right if the tally or the designation is uncertain | test_uncertain |
| right if it can't become night, and while it is neither | test_sentences |
| before the first turn, and after the game, it says so | test_sentences |
| if it depends on phasing, both are possible | test_phasing, test_phasing_that_changes_nothing |
| the forecast comes true | test_it_happens |
"""

from __future__ import annotations

import pytest

from daynight.events.terms import Designation
from daynight.game import Game
from daynight.questions.forecast import forecast
from tests.behaviour.games import told
from tests.oracle.walks import random_walk
from tests.rules.judges import ruled
from tests.rules.placing import enter, phase_out
from tests.rules.wolves import ANGEL, VANDAL
from tests.rules.words import cast, doubt, effect, ended, joined, quits, started, turn, untap

AFTER = "the next turn's untap step"


@pytest.mark.parametrize("events, sentence", [
    ((effect("day"), turn(1)), (f"Day. Ana, active in this turn, has cast no spell: it becomes night in {AFTER}"
     " unless Ana casts one.")),
    ((effect("day"), turn(1), cast("Bo")), (f"Day. Ana, active in this turn, has cast no spell: it becomes night in"
     f" {AFTER} unless Ana casts one.")),
    ((effect("day"), turn(1), cast()), ("Day. Ana has cast 1 spell as the active player: it stays day, whatever is"
     " still cast in this turn.")),
    ((effect("night"), turn(1)), ("Night. Ana, active in this turn, has cast no spell: it stays night unless Ana"
     " casts 2.")),
    ((effect("night"), turn(1), cast()), ("Night. Ana has cast 1 spell as the active player: it stays night unless"
     " Ana casts one more.")),
    ((effect("night"), turn(1), cast(), cast()), (f"Night. Ana has cast 2 spells as the active player: it becomes"
     f" day in {AFTER}, whatever is still cast in this turn.")),
    ((turn(1),), ("Neither day nor night. Ana, active in this turn, has cast no spell: the next untap step changes"
     " nothing, whatever is still cast: there is no check while it is neither.")),
    ((enter("a1", ANGEL), turn(1), ruled("day")), ("Day. Ana, active in this turn, has cast no spell: it stays day,"
     " whatever is still cast in this turn: a permanent says that it can't become night.")),
    ((effect("day"), turn(1), quits("Ana")), (f"Day. Ana, active in this turn, has cast no spell: it becomes night"
     f" in {AFTER}, whatever is still cast in this turn.")),
    ((), "Neither day nor night. No turn is under way: the next untap step finds no turn before it."),
    ((effect("day"), turn(1), ended("Ana")), "Day. The game is over."),
])  # fmt: skip
def test_sentences(events, sentence):
    """The forecast names the designation, the casts of active players, and what the next untap step will do."""
    found = forecast(told(*events))
    assert sentence == found.sentence == str(found)


@pytest.mark.parametrize("events, says", [
    ((), "Ana and Al, active in this turn, have cast no spell: it stays night unless Ana or Al casts 2."),
    ((cast(),), ("Ana has cast 1 spell and Al has cast no spell: it stays night unless Ana casts one more or Al"
     " casts 2.")),
    ((cast(), cast("Al")), "unless Ana or Al casts one more."),
])  # fmt: skip
def test_teams(events, says):
    """Two players of a team with one spell each do not count as one with two: each needs one more to make it day."""
    team = started("Ana", "Al", "Bo", "Bea", teams=[["Ana", "Al"], ["Bo", "Bea"]])
    game = Game([team, effect("night"), turn(1, "Ana", "Al"), *events])
    assert says in forecast(game).sentence
    document = forecast(game).document("2024-06-07")
    assert (["Ana", "Al"], 6) == (document["casting"], len(document["outcomes"]))


@pytest.mark.parametrize("events, possible, says", [
    ((effect("day"), turn(1), doubt("Ana", 0, 1)), [("day", "night"), ("day",), ("day",)],
     ("Ana has cast 0 to 1 spells as the active player: with no more casts it may be day or night from the next"
     " turn's untap step on; with 1 more by Ana it stays day.")),
    ((effect("night"), turn(1), doubt("Ana", 0)), [("day", "night")] * 2 + [("day",)],
     "with 2 more by Ana it becomes day"),
    ((joined("day", "night"), turn(1)), [("night",), ("day", "night"), ("day",)], "Day or night."),
    ((joined("day", "night"), turn(1), cast(), cast()), [("day",)] * 3, "it is day from the next"),
])  # fmt: skip
def test_uncertain(events, possible, says):
    """If the state is uncertain, the forecast names all possibilities."""
    found = forecast(told(*events))
    assert possible == [outcome.possible for outcome in found.outcomes]
    assert says in found.sentence


def phased_out(card, controller="Bo"):
    return told(effect("day"), enter("p1", card, controller=controller), turn(1), phase_out("p1"))


@pytest.mark.parametrize("controller", ["Ana", "Bo"])
def test_phasing(controller):
    """An Angel that phases in before the check prevents the night; one that stays phased out does not."""
    game = phased_out(ANGEL, controller)
    found = forecast(game)
    assert [(("day", "night"), True), (("day",), False), (("day",), False)] == [
        (outcome.possible, outcome.phasing) for outcome in found.outcomes
    ]
    assert found.outcomes[0].rule is None
    assert found.sentence.endswith("What is phased out may phase in before that check, or stay away.")
    for stays_out, then in ((None, ("day",)), (["p1"], ("night",))):
        assert then == game.what_if(len(game), [turn(2, controller), untap(stays_out=stays_out)]).state.possible


def test_phasing_that_changes_nothing():
    """Phasing of other permanents does not matter."""
    found = forecast(phased_out(VANDAL))
    assert ("night",) == found.outcomes[0].possible
    assert not any(outcome.phasing for outcome in found.outcomes)
    assert found.sentence == forecast(told(effect("day"), turn(1))).sentence


def test_document():
    """The forecast as JSON names its rule."""
    found = forecast(told(effect("day"), turn(1))).document("2024-06-07")
    assert ("day", ["Ana"], {"Ana": 0}) == (found["designation"], found["casting"], found["cast"])
    assert {
        "player": "Ana", "casts": 0, "or_more": False, "designation": "night", "possible": ["night"],
        "phasing": False, "rule": "check-day", "cr": "728.2a",
    } == found["outcomes"][0]  # fmt: skip
    assert [None, None] == [outcome["rule"] for outcome in found["outcomes"][1:]]
    assert [] == forecast(told()).document("2024-06-07")["outcomes"]


@pytest.mark.parametrize("seeds, least", [(25, 30), pytest.param(80, 100, marks=pytest.mark.slow)])
def test_it_happens(seeds, least):
    """If the casts of an outcome are recorded, the next untap step gives a designation that this outcome lists."""
    seen = 0
    for seed in range(seeds):
        game = Game(random_walk(seed, 30))
        found = forecast(game)
        state = game.state
        before = [status.id for status in state.battlefield]
        for outcome in found.outcomes:
            teams = state.teams or tuple((player,) for player in state.players)
            active = next(side for team in teams if (side := [p for p in team if p in state.present]))
            played = [cast(outcome.player)] * outcome.casts + [turn(state.turn + 1, *active), untap()]
            after = game.what_if(len(game), played)
            assert set(after.state.possible) <= set(outcome.possible)
            assert outcome.phasing or outcome.possible == after.state.possible
            seen += 1
        assert before == [status.id for status in game.state.battlefield]
        assert len(game) == found.event
    assert seen > least


def test_the_story():
    """In turn 18 of a real game, the forecast is night unless Seat B casts a spell."""
    found = forecast(Game.load("demo"), "turn:18")
    assert Designation.DAY in found.possible
    assert "it becomes night in the next turn's untap step unless Seat B casts one." in found.sentence
