"""The first line, and the players of a turn: who may play, in which teams, and under which edition.

| clause of section 5 | test |
| --- | --- |
| `game-started` missing or repeated, no players, a player twice, an unknown edition | test_opening |
| every player in exactly one team | test_opening |
| a correct first line is accepted | test_an_opening_that_is_accepted |
| sharing turns, `active` are the players of one team who are still in the game | test_the_active_team |
| a sentence stays short whatever the names | test_long_names_are_cut_in_a_sentence |
| | test_long_lists_are_cut_in_a_sentence |
| there are limits, far above those of any real game | test_room_on_the_battlefield |
| | test_effects_at_a_time |
"""

import pytest

from daynight.framework.language.errors import ImpossibleError
from daynight.game import Game
from daynight.referee import refusals

from .judges import back_up
from .placing import enter, leave, lose, permanent, together
from .scenario import given
from .test_citations import CHECKS
from .turning import forbid
from .wolves import OLD_WEREWOLF
from .words import quits, started, turn

EDITIONS = ", ".join(CHECKS)
FOUR = ("Ana", "Bo", "Cy", "Di")
OPENINGS = [
    ([back_up(1)], "1: $.type: game-started is missing; it stands on line 1 of every record"),
    ([turn(1)], "1: $.type: game-started is missing; it stands on line 1 of every record"),
    ([started(), started()], "2: $.type: game-started stands on line 1 and only there; one record is one game"),
    ([started() | {"players": []}], "1: $.players: no players; a game has at least one"),
    ([started("Ana", "Bo", "Ana")], "1: $.players[2]: 'Ana' stands twice in one list, first at $.players[0]"),
    ([started(edition="2023-01-02")], f"1: $.edition: no edition '2023-01-02'; editions are {EDITIONS}"),
    ([started(edition="latest")], f"1: $.edition: no edition 'latest'; editions are {EDITIONS}"),
    ([started(teams=[["Ana"], ["Bo"], []])], "1: $.teams[2]: a team without players"),
    ([started(teams=[["Ana"], ["Bo", "Anna"]])], "1: $.teams[1][1]: no player 'Anna'; players are Ana, Bo"),
    ([started(*FOUR, teams=[["Ana", "Bo"], ["Di"]])], "1: $.teams: 'Cy' is in no team; every player is in exactly one"),
    ([started(teams=[])], "1: $.teams: 'Ana' is in no team; every player is in exactly one"),
    (
        [started(*FOUR, teams=[["Ana", "Cy"], ["Bo", "Di", "Cy"]])],
        "1: $.teams[1][2]: 'Cy' stands twice in one list, first at $.teams[0][1]",
    ),
]


@pytest.mark.parametrize("events, sentence", OPENINGS)
def test_opening(events, sentence):
    """Each wrong opening is refused with its sentence: missing, twice, no players, unknown edition, wrong teams."""
    with pytest.raises(ImpossibleError) as error:
        Game(events)
    assert sentence == str(error.value)


@pytest.mark.parametrize("opening", [
    started("Ana"), started(edition="2026-08-07"), started(teams=[["Ana"], ["Bo"]]),
    started(*FOUR, teams=[["Di", "Ana"], ["Cy", "Bo"]]),
])  # fmt: skip
def test_an_opening_that_is_accepted(opening):
    """One player is enough, and teams may be of any size."""
    assert "g1" == Game([opening]).state.game


@pytest.mark.parametrize("before, active, path, sentence", [
    ([], ("Ana",), "$.active", "teams share their turns: expected all of Ana, Cy"),
    ([], ("Ana", "Bo"), "$.active", "teams share their turns: expected all of Ana, Cy"),
    ([], ("Di", "Bo", "Ana"), "$.active", "teams share their turns: expected all of Bo, Di"),
    ([], ("Ana", "Ana"), "$.active[1]", "'Ana' stands twice in one list, first at $.active[0]"),
    ([], ("Ana", "Anna"), "$.active[1]", "no player 'Anna'; players are Ana, Bo, Cy, Di"),
    ([quits("Cy")], ("Ana", "Cy"), "$.active[1]", "'Cy' has left the game"),
    ([quits("Di")], ("Bo", "Ana"), "$.active", "teams share their turns: expected all of Bo"),
])  # fmt: skip
def test_the_active_team(before, active, path, sentence):
    """With teams, `active` is refused unless it names exactly the players of one team who are still in the game."""
    teams = {"players": FOUR, "teams": [["Ana", "Cy"], ["Bo", "Di"]]}
    with pytest.raises(ImpossibleError) as error:
        given(*before, turn(1, *active), **teams)
    assert f"{len(before) + 2}: {path}: {sentence}" == str(error.value)


@pytest.mark.parametrize("active", [("Ana", "Cy"), ("Cy", "Ana"), ("Bo", "Di")])
def test_the_active_team_that_is_accepted(active):
    """The members of the active team may be named in any order."""
    teams = {"players": FOUR, "teams": [["Ana", "Cy"], ["Bo", "Di"]]}
    assert list(active) == given(turn(1, *active), **teams).active


LONG = [f"{letter * 200}" for letter in "abcdefgh"]
MANY = [f"p{number}" for number in range(60)]
FIFTY = ", ".join(MANY[:50])


def cut(line, path, sentence):
    """The expected error: the line, the path, and the sentence cut to 999 characters and an ellipsis."""
    return f"{line}: {path}: {sentence[:999]}\N{HORIZONTAL ELLIPSIS}"


def test_long_names_are_cut_in_a_sentence():
    """An error's sentence has a thousand characters at most, however long the names of players and permanents are."""
    known = ", ".join(LONG)
    game = Game([started(*LONG)])
    with pytest.raises(ImpossibleError) as error:
        game.record(turn(1, "Anna"))
    assert cut(2, "$.active[0]", f"no player 'Anna'; players are {known}") == str(error.value)
    game.record(together(*(permanent(name, OLD_WEREWOLF, controller=LONG[0]) for name in LONG)))
    with pytest.raises(ImpossibleError) as error:
        game.record(leave("x"))
    assert cut(3, "$.permanents[0]", f"no permanent 'x' on the battlefield; there: {known}") == str(error.value)


@pytest.mark.parametrize("events, sentence", [
    ([started(*MANY), turn(1, "x")], f"2: $.active[0]: no player 'x'; players are {FIFTY}"),
    ([started(*MANY, teams=[[*MANY, "x"]])], f"1: $.teams[0][60]: no player 'x'; players are {FIFTY}"),
    ([started(*MANY, teams=[MANY]), turn(1, MANY[0])],
     f"2: $.active: teams share their turns: expected all of {FIFTY}"),
    ([started(), together(*(permanent(name, OLD_WEREWOLF) for name in MANY)), leave("x")],
     f"3: $.permanents[0]: no permanent 'x' on the battlefield; there: {FIFTY}"),
], ids=["players", "of teams", "the active team", "permanents"])  # fmt: skip
def test_long_lists_are_cut_in_a_sentence(events, sentence):
    """An error's sentence lists fifty players or permanents at most."""
    with pytest.raises(ImpossibleError) as error:
        Game(events)
    assert sentence == str(error.value)


def test_the_bounds():
    """The limits are 10,000 permanents on the battlefield, and 1,000 effects at a time of one kind."""
    assert (10_000, 1_000) == (refusals.PERMANENTS, refusals.EFFECTS)


def test_room_on_the_battlefield(monkeypatch):
    """The maximal number of permanents is accepted on the battlefield; one more is refused."""
    monkeypatch.setattr(refusals, "PERMANENTS", 3)
    game = given(enter("a"), together(permanent("b"), permanent("c")), leave("a"), enter("a"))
    with pytest.raises(ImpossibleError) as error:
        game.when(enter("d"))
    assert "6: $.permanents: more than 3 permanents on the battlefield" == str(error.value)


@pytest.mark.parametrize("told", [lambda source: forbid(source, "w1"), lambda source: lose("w1", source=source)])
def test_effects_at_a_time(monkeypatch, told):
    """Up to `EFFECTS` sources may forbid transforming, or take abilities, at a time; one more source is refused."""
    monkeypatch.setattr(refusals, "EFFECTS", 2)
    game = given(enter("w1"), enter("w2"), told("A"), told("B"))
    with pytest.raises(ImpossibleError) as error:
        game.when(told("C"))
    assert "6: $.source: more than 2 such effects at a time" == str(error.value)


@pytest.mark.parametrize("told", [lambda source: forbid(source, "w1"), lambda source: lose("w1", source=source)])
def test_the_same_effect_again_is_not_one_more(monkeypatch, told):
    """A second effect of the same source is not counted again, so it is accepted when the limit is reached."""
    monkeypatch.setattr(refusals, "EFFECTS", 2)
    assert 6 == len(given(enter("w1"), told("A"), told("B"), told("A"), told("B")).game)
