"""Merging: possibilities that no later event could distinguish become one.

| clause | the contract in our words | test |
| --- | --- | --- |
| merging | the same designation, faces and assumption: one | test_alike_are_one |
| merging, not | a different designation, face or assumption about casts: two | test_what_tells_them_apart |
| 701.28f | a different time of a transformation: two, if they are few; else one | test_all_that_ever_transformed |
| | | test_an_ability_from_an_earlier_turn |
| 701.28f | a different time in this turn: always two, as an ability on the | |
| | stack depends on it | test_what_transformed_lately |
| 701.28f, not | a different time before this turn: one, if they are many; a | |
| | different time of entering: one | test_what_happened_before_the_turn |
| | | test_entering_is_not_transforming |
| evidence | all possible causes are kept, the earliest first, up to a limit | |
| | | test_causes_are_gathered |
| | | test_causes_are_few |
| turn | when a turn begins, assumptions about the turn before the last are dropped | test_unassumed |
"""

import pytest

from daynight.events.consequences import Changed, EnteredTransformed, Transformed
from daynight.events.terms import Designation, Face
from daynight.referee import alternatives
from daynight.referee.alternatives import merged, unassumed
from daynight.referee.worlds.possibilities import ANY, NONE_CAST, ONE_CAST, Possibility

from .judges import ruled
from .placing import enter, lose
from .scenario import given
from .words import doubt, effect, turn, untap

DAY = Possibility(designation=Designation.DAY)


@pytest.fixture(autouse=True)
def many_are_open(monkeypatch):
    """Set the limit `APART` to 0, so that the times of old transformations keep no possibilities apart."""
    monkeypatch.setattr(alternatives, "APART", 0)


def test_all_that_ever_transformed(monkeypatch):
    """If w1 transformed at different times, up to `APART` possibilities stay apart; if there are more, they merge."""
    monkeypatch.setattr(alternatives, "APART", 2)
    assert [turned(4), turned(3)] == list(merged([turned(4), turned(3)], 5))
    assert 1 == len(merged([turned(4), turned(3), turned(2)], 5))


def test_an_ability_from_an_earlier_turn(monkeypatch):
    """In one of two possibilities w1 transformed after its own ability was stacked, so the face of w1 is None.

    There the ability does nothing; in the other possibility it transforms w1.
    """
    monkeypatch.setattr(alternatives, "APART", 8)
    game = perhaps_turned().when(turn(3), effect("night"))
    game.when({"type": "transform-instructed", "permanents": ["w1"], "own_since": 5})
    assert game.each("face") == {"w1": None}


def cause(event):
    """A consequence: at that event night became day."""
    return Changed(event=event, rule="becomes", because=(event,), turn=1, was=Designation.NIGHT, became=Designation.DAY)


def turned(event, kind=Transformed):
    """A possibility in which w1 transformed to its back at that event, or entered back face up, depending on `kind`."""
    more = {"face": Face.BACK} if kind is Transformed else {}
    return DAY.fold(kind(event=event, rule="transforms", because=(event,), permanents=("w1",), **more))


def test_alike_are_one():
    """Two possibilities that agree in everything become one."""
    assert (DAY,) == merged([DAY, Possibility(designation=Designation.DAY)], 1)


def test_one_is_one():
    """A single possibility stays unchanged."""
    assert (DAY,) == merged([DAY], 1)


@pytest.mark.parametrize("other", [
    Possibility(designation=Designation.NIGHT), Possibility(designation=Designation.DAY, backs=frozenset({"w1"})),
    Possibility(designation=Designation.DAY, casts=NONE_CAST),
], ids=["designation", "faces", "assumption"])  # fmt: skip
def test_what_tells_them_apart(other):
    """Two possibilities stay two, in their order, if the designation, a face or an assumption about casts differs."""
    assert (DAY, other) == merged([DAY, other], 1)


def test_what_transformed_lately():
    """w1 transformed at event 5 or at event 6, both in this turn: two possibilities stay two."""
    assert 2 == len(merged([turned(5), turned(6)], 5))


def test_what_happened_before_the_turn():
    """w1 transformed at event 4 or 3, before this turn: more than `APART` (here 0) such possibilities become one."""
    assert (turned(4).met(turned(3), 5),) == merged([turned(4), turned(3)], 5)


def test_lately_and_before():
    """w1 transformed in this turn or before it: two possibilities stay two."""
    assert 2 == len(merged([turned(4), turned(5)], 5))


def test_entering_is_not_transforming():
    """w1 entered with its back up at event 5 or at event 6: no ability depends on when, so two become one."""
    assert 1 == len(merged([turned(5, EnteredTransformed), turned(6, EnteredTransformed)], 5))


def test_causes_are_gathered():
    """The merged possibility keeps all possible causes of its designation, the earliest first, each once."""
    first, second = DAY.fold(cause(7)), DAY.fold(cause(3))
    (one,) = merged([first, second, first], 1)
    assert (cause(3), cause(7)) == one.causes


def test_it_may_have_been_so_from_the_beginning():
    """ "From the beginning" (None) is one of the causes of a designation, and the earliest."""
    (one,) = merged([DAY.fold(cause(7)), DAY, DAY.fold(cause(3))], 1)
    assert (None, cause(3), cause(7)) == one.causes


def test_causes_are_few():
    """Of six possible causes the five earliest are kept: a text that names only four then knows that there are more."""
    (one,) = merged([DAY.fold(cause(event)) for event in (9, 2, 8, 4, 6, 7)], 1)
    assert [2, 4, 6, 7, 8] == [change.event for change in one.causes]


def test_faces_are_gathered():
    """The merged possibility keeps all possible causes of a face too; None stands for "never transformed"."""
    never = Possibility(designation=Designation.DAY)
    back = turned(3).fold(Transformed(event=4, rule="transforms", because=(4,), permanents=("w1",), face=Face.FRONT))
    (one,) = merged([never, back], 5)
    assert (None, back.turned["w1"]) == one.came_to("w1")
    (one,) = merged([turned(4), turned(3), turned(4)], 5)
    assert [4, 3] == [how.event for how in one.came_to("w1")]
    assert one.turned["w1"].event == 4
    (one,) = merged([turned(4), turned(4)], 5)
    assert {} == one.ways


def test_what_turns_again_has_come_so_in_one_way():
    """When w1 transforms again, that event is the only cause of its face; when w1 leaves, no cause is kept."""
    (one,) = merged([turned(4), turned(3)], 5)
    front = one.fold(Transformed(event=6, rule="transforms", because=(6,), permanents=("w1",), face=Face.FRONT))
    assert [6] == [how.event for how in front.came_to("w1")]
    assert ({}, {}) == (one.without(("w1",)).ways, one.without(("w1",)).turned)
    assert 2 == len(one.without(("w2",)).assuming(NONE_CAST).fold(cause(7)).came_to("w1"))


def test_unassumed():
    """`unassumed` drops the assumptions about casts, and merges the possibilities that are then equal."""
    assert (DAY,) == unassumed((DAY.assuming(NONE_CAST), DAY.assuming(ONE_CAST)), 1)
    assert (DAY,) == unassumed((DAY.assuming(NONE_CAST),), 1)
    assert [ANY] == [possibility.casts for possibility in unassumed((DAY,), 1)]
    assert [turned(5), turned(6)] == list(unassumed((turned(5), turned(6)), 5))
    assert [turned(5).met(turned(6), 5)] == list(unassumed((turned(5), turned(6)), 7))


def perhaps_turned():
    """A game in turn 2, in which w1 has lost its abilities; two possibilities: day or night.

    If it is night, w1 transformed to its back and to its front in this turn.
    """
    game = given(enter("w1"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap(), effect("day"))
    return game.when(lose("w1"), untap())


def test_they_merge_in_the_course_of_a_turn():
    """In turn 3 it becomes night in both possibilities: w1's transformation in turn 2 no longer keeps them apart."""
    game = perhaps_turned()
    assert 2 == len(game.game.state.possibilities)
    game.when(turn(3), effect("night"))
    assert 1 == len(game.game.state.possibilities)


def test_they_do_not_merge_in_the_turn_in_which_it_turned():
    """In turn 2 it becomes night in both possibilities, and they stay two: an ability on the stack could tell."""
    game = perhaps_turned().when(effect("night"))
    assert 2 == len(game.game.state.possibilities)


def test_the_rules_own_line_merges_too():
    """The possibilities by the rules without rulings (`unruled`) merge too, as a turn begins and during it."""
    game = perhaps_turned().when(ruled("day"))
    assert (2, 2) == (len(game.game.state.unruled), len(game.game.state.possibilities))
    game.when(turn(3, skips=["untap"]), ruled("night"))
    assert (2, 1) == (len(game.game.state.unruled), len(game.game.state.possibilities))
    game.when(effect("night"))
    assert 1 == len(game.game.state.unruled)
    game = perhaps_turned().when(ruled("day"), effect("night"), turn(3))
    assert 1 == len(game.game.state.unruled)
