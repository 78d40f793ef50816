"""Shared team turns (805): the check reads all active players of the previous turn.

| clause | the rule in our words | test |
| --- | --- | --- |
| 728.2a, 502.2a | day, and no player of that team cast a spell: night | test_nobody_of_the_team_cast |
| 728.2a, not | one of them cast one: day stays | test_one_of_the_team_cast |
| 728.2b | night, and any one of them cast two or more: day | test_one_of_the_team_cast_two |
| 728.2b, not | one each are not two | test_one_each_is_not_two |
| casts | the other team's spells do not count | test_the_other_teams_spells_do_not_count |
| 800.4 | a player who left is no longer active, but was in the previous turn | test_who_left_is_not_active |
| | | test_who_left_since_was_active |
| because | the turn and the casts of all its active players | test_the_check_names_the_casts_of_all |
"""

import pytest

from daynight.framework.language.errors import ImpossibleError

from .scenario import given
from .words import cast, doubt, effect, quits, turn, untap

TEAMS = {"players": ("Ana", "Bo", "Cy", "Di"), "teams": [["Ana", "Cy"], ["Bo", "Di"]]}


def shared(designation, *events):
    """A game with this `designation`, the `events` in the turn of Ana and Cy, and the next untap step, of Bo and Di."""
    return given(effect(designation), turn(1, "Ana", "Cy"), *events, turn(2, "Bo", "Di"), untap(), **TEAMS)


def test_nobody_of_the_team_cast():
    """If nobody of the active team cast a spell, day becomes night."""
    game = shared("day")
    assert "night" == game.designation
    assert {"active": ["Ana", "Cy"], "spells": {"Ana": 0, "Bo": 0, "Cy": 0, "Di": 0}} == game.tallies["previous"]
    assert ["Bo", "Di"] == game.active


@pytest.mark.parametrize("player", ["Ana", "Cy"])
def test_one_of_the_team_cast(player):
    """One spell of either player of the team keeps the day."""
    assert "day" == shared("day", cast(player)).designation


@pytest.mark.parametrize("player", ["Ana", "Cy"])
def test_one_of_the_team_cast_two(player):
    """Two spells of either player of the team end the night."""
    assert "day" == shared("night", cast(player), cast(player)).designation


def test_one_each_is_not_two():
    """One spell each of two players is not two of one player: it stays night."""
    assert "night" == shared("night", cast("Ana"), cast("Cy")).designation


@pytest.mark.parametrize("designation", ["day", "night"])
def test_the_other_teams_spells_do_not_count(designation):
    """Bo's two spells in Ana and Cy's turn do not count: day becomes night, and night stays."""
    assert "night" == shared(designation, cast("Bo"), cast("Bo")).designation


def test_the_check_names_the_casts_of_all():
    """The check's causes are the previous turn's beginning and the casts of its active players, not those of others."""
    game = shared("night", cast("Ana"), cast("Bo"), cast("Cy"), cast("Cy"))
    assert [3, 4, 6, 7] == game.changes[-1]["because"]


def test_the_check_tells_who_was_active():
    """The consequence of the check has the previous turn's active players (`players`) and number (`checked_turn`)."""
    game = given(effect("day"), turn(1, "Cy", "Ana"), turn(2, "Bo", "Di"), **TEAMS)
    (change,) = game.game.record(untap()).consequences
    assert (("Cy", "Ana"), 1) == (change.players, change.checked_turn)


def test_who_left_is_not_active():
    """After Cy left, Ana alone is active in the team's turn; a turn that names Cy is refused."""
    game = given(quits("Cy"), turn(1, "Ana"), **TEAMS)
    assert ["Ana"] == game.active
    with pytest.raises(ImpossibleError):
        given(quits("Cy"), turn(1, "Ana", "Cy"), **TEAMS)


def test_who_left_since_was_active():
    """Cy cast two spells and left in that turn: night becomes day."""
    assert "day" == shared("night", cast("Cy"), cast("Cy"), quits("Cy")).designation


def test_teams_of_one():
    """With teams of one player, Bo's spell in Ana's turn does not keep the day."""
    game = given(effect("day"), turn(1, "Ana"), cast("Bo"), turn(2, "Bo"), untap(), teams=[["Ana"], ["Bo"]])
    assert "night" == game.designation


def test_a_doubt_about_one_of_the_team():
    """At night Ana certainly cast one spell, and Cy perhaps two: afterwards it is day or night."""
    game = shared("night", cast("Ana"), doubt("Cy", 0, 2))
    assert ["day", "night"] == game.possible
    assert [3, 4, 5] == game.changes[-1]["because"]


def test_a_doubt_that_another_settles():
    """At night Ana certainly cast two spells: it becomes day, however many Cy cast."""
    game = shared("night", cast("Ana"), cast("Ana"), doubt("Cy", 0, 2))
    assert ["day"] == game.possible


def test_a_doubt_of_the_other_team():
    """Uncertain casts of Bo, who was not active, do not matter: day certainly becomes night."""
    game = shared("day", doubt("Bo", 0))
    assert (["night"], [3]) == (game.possible, game.changes[-1]["because"])
