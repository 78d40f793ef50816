"""A player leaves (800.4): permanents that leave at once, and permanents still recorded as theirs.

| clause | the contract in our words | test |
| --- | --- | --- |
| permanents | the permanents that they owned leave at once, whoever controls them | test_what_they_owned_leaves |
| | ... with the player: nothing happens in between | test_at_once |
| permanents, refused | an unknown permanent; then nothing changes | test_what_is_not_there_cannot_leave |
| left behind | other permanents stay, with `controller: null`, in their place | test_what_is_left_has_no_controller |
| still theirs | has no keyword: makes no day or night, does not follow | test_it_has_no_keyword |
| still theirs | holds nothing | test_it_holds_nothing |
| still theirs | watches nothing | test_it_watches_nothing |
| still theirs | cannot transform | test_it_cannot_transform |
| until | control-changed gives it to another, and it works again | test_it_passes_to_another |
| until | permanents-left says that it left too | test_it_left_too |
| not theirs | what others control stays as it is | test_what_others_control_stays |
| departed | does not act, is not active, controls nothing | test_a_departed_player_does_nothing |
| departed | a back-up to before they left brings them back | test_a_back_up_brings_them_back |
| departed | the check still counts their casts in the previous turn | test_the_check_looks_at_a_departed_player |
| the untap step | a pending untap step stays pending | test_the_untap_step_stays_due |
| 800.4d | their triggers that are not yet on the stack never go there | test_what_waits_goes_with_them |
"""

import pytest

from daynight.framework.language.errors import ImpossibleError

from .judges import back_up
from .placing import control, enter, leave, permanent, together
from .scenario import given
from .turning import transform
from .wolves import ANGEL, CLONE_OF_DAYBOUND, IMMERWOLF, OLD_WEREWOLF, VANDAL
from .words import cast, copied, doubt, effect, ended, quits, turn, untap, upkeep

BEAR = {"card": "Bear"}


def test_what_they_owned_leaves():
    """The permanents that `player-left` lists leave, also one that Bo controls."""
    there = together(
        permanent("a1", BEAR), permanent("a2", BEAR, controller="Bo"), permanent("b1", BEAR, controller="Bo")
    )
    game = given(there, quits("Ana", "a1", "a2"))
    assert {"b1": "Bo"} == game.each("controller")


def test_at_once():
    """By day Ana and her Immerwolf leave in one event: her Smasher, now without a controller, stays back up.

    If the Immerwolf leaves one event before Ana, the Smasher transforms.
    """
    wolves = (effect("night"), together(permanent("i1", IMMERWOLF), permanent("w1")), effect("day"))
    assert {"w1": "back"} == given(*wolves, quits("Ana", "i1")).each("face")
    assert {"w1": "front"} == given(*wolves, leave("i1"), quits("Ana")).each("face")


def test_what_is_not_there_cannot_leave():
    """An unknown permanent, or one named twice, is refused: the player and all permanents stay."""
    game = given(enter("a1", BEAR))
    with pytest.raises(ImpossibleError, match="no permanent 'x'"):
        game.when(quits("Ana", "a1", "x"))
    with pytest.raises(ImpossibleError):
        game.when(quits("Ana", "a1", "a1"))
    assert {"a1": "Ana"} == game.when(turn(1)).each("controller")


def test_what_is_left_has_no_controller():
    """A permanent left behind has the controller None, and keeps its position in the list."""
    game = given(enter("a1", BEAR), enter("b1", BEAR, controller="Bo"), quits("Ana"))
    assert [("a1", None), ("b1", "Bo")] == list(game.each("controller").items())


def test_it_has_no_keyword():
    """A permanent left behind has no keyword: it does not transform at night, nor make it day."""
    game = given(enter("w1"), quits("Ana"))
    assert {"w1": []} == game.each("keywords")
    assert {"w1": "front"} == game.when(effect("night")).each("face")
    lost = given(enter("c1", CLONE_OF_DAYBOUND, without_abilities="Humility"), quits("Ana"))
    lost.when({"type": "abilities-regained", "permanents": ["c1"], "source": "Humility"})
    assert "neither" == lost.designation


def test_it_holds_nothing():
    """A departed player's Angel does not prevent the night; their Immerwolf holds no werewolf."""
    assert "day" == given(effect("day"), enter("a1", ANGEL), effect("night")).designation
    assert "night" == given(effect("day"), enter("a1", ANGEL), quits("Ana"), effect("night")).designation
    wolves = (
        effect("night"),
        together(permanent("i1", IMMERWOLF), permanent("w1"), permanent("w2", controller="Bo")),
        effect("day"),
    )
    assert "back" == given(*wolves).each("face")["w1"]
    passed = given(*wolves, quits("Ana"), control("Bo", "w1"))
    assert {"i1": "front", "w1": "front", "w2": "front"} == passed.each("face")


def test_it_watches_nothing():
    """Of two Vandals only the one that has a controller triggers."""
    there = together(permanent("v1", VANDAL), permanent("v2", VANDAL, controller="Bo"))
    game = given(effect("day"), there, quits("Ana"), effect("night"))
    assert ["v2"] == [trigger["permanent"] for trigger in game.triggers]


def test_it_cannot_transform():
    """An instruction does not transform a permanent left behind; after another player gets control, it does."""
    game = given(enter("o1", OLD_WEREWOLF), quits("Ana"), transform("o1"))
    assert {"o1": "front"} == game.each("face")
    assert {"o1": "back"} == game.when(control("Bo", "o1"), transform("o1")).each("face")


def test_it_passes_to_another():
    """At night a Ruffian left behind gets a new controller: it has its keyword again, and transforms at once."""
    game = given(enter("w1"), quits("Ana"), effect("night"), control("Bo", "w1"))
    assert ({"w1": "back"}, {"w1": "Bo"}, {"w1": ["nightbound"]}) == (
        game.each("face"),
        game.each("controller"),
        game.each("keywords"),
    )


def test_it_left_too():
    """A permanent of a departed player that leaves the battlefield too is no longer listed."""
    assert {} == given(enter("w1"), quits("Ana"), leave("w1")).each("controller")


def test_what_others_control_stays():
    """Permanents of others are not affected: Bo's werewolf follows the night."""
    assert {"w1": "back"} == given(enter("w1", controller="Bo"), quits("Ana"), effect("night")).each("face")


@pytest.mark.parametrize("event", [
    cast("Bo"), copied("Bo"), doubt("Bo", 0), turn(2, "Bo"), enter("x", BEAR, controller="Bo"), control("Bo", "a1"),
    quits("Bo"),
])  # fmt: skip
def test_a_departed_player_does_nothing(event):
    """An action of a departed player is refused; before they left it was accepted."""
    before = (enter("a1", BEAR), turn(1))
    assert given(*before, event)
    with pytest.raises(ImpossibleError, match="'Bo' has left the game"):
        given(*before, quits("Bo"), event)


def test_a_back_up_brings_them_back():
    """A back-up to before the departure brings player and permanents back. `game-ended` may name a departed winner."""
    game = given(enter("b1", BEAR, controller="Bo"), turn(1), quits("Bo"), back_up(3), cast("Bo"))
    assert {"b1": "Bo"} == game.each("controller")
    assert given(quits("Bo"), ended("Bo"))


def test_the_check_looks_at_a_departed_player():
    """Bo cast two spells in their last turn and left: night becomes day; Bo cast none and left: day becomes night."""
    before = (effect("night"), turn(1, "Bo"), cast("Bo"), cast("Bo"), quits("Bo"))
    assert "day" == given(*before, turn(2), untap()).designation
    assert "day" == given(*before, turn(2), cast()).designation
    assert "night" == given(effect("day"), turn(1, "Bo"), quits("Bo"), turn(2), cast()).designation


def test_the_untap_step_stays_due():
    """A player leaves before the untap step of turn 2 is recorded: the check is still made, as the upkeep begins."""
    game = given(effect("day"), enter("a1", BEAR), turn(1), turn(2), quits("Bo", "a1"))
    assert "day" == game.designation
    assert "night" == game.when(upkeep()).designation


def test_what_waits_goes_with_them():
    """A waiting trigger is never stacked if the player who controlled it as it triggered leaves first."""
    there = together(permanent("v1", VANDAL), permanent("v2", VANDAL, controller="Bo"))
    game = given(there, turn(1), turn(2, "Bo"), untap(), quits("Ana"), upkeep())
    assert {"v1": None, "v2": 7} == {one["permanent"]: one["stacked"] for one in game.triggers}
    given_away = given(there, turn(1), turn(2, "Bo"), untap(), control("Bo", "v1"), quits("Ana"), upkeep())
    assert {"v1": None, "v2": 8} == {one["permanent"]: one["stacked"] for one in given_away.triggers}
    taken = given(there, turn(1), turn(2, "Bo"), untap(), control("Ana", "v2"), quits("Ana"), upkeep())
    assert {"v1": None, "v2": 8} == {one["permanent"]: one["stacked"] for one in taken.triggers}
    stacked = given(there, turn(1), turn(2, "Bo"), untap(), upkeep(), quits("Ana"))
    assert {"v1": 6, "v2": 6} == {one["permanent"]: one["stacked"] for one in stacked.triggers}
