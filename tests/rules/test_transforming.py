"""Instructed transforms: a spell or ability tells permanents to transform (701.28).

| clause | the rule in our words | test |
| --- | --- | --- |
| 701.28a | a double-faced permanent turns its other face up | test_an_old_werewolf_turns_over |
| | | test_and_back_again |
| 701.28c | a permanent that is not double-faced does not transform | test_what_is_not_double_faced_does_nothing |
| 701.28d | nothing happens if the other face is an instant or sorcery | test_nothing_turns_into_a_sorcery |
| | | test_nothing_turns_back_into_a_sorcery |
| 702.145b | a permanent with daybound transforms only by its daybound | test_daybound_refuses |
| 702.145e | a permanent with nightbound transforms only by its nightbound | test_nightbound_refuses |
| 702.145b, not | without abilities it transforms, and follows at once when | |
| | they return | test_without_abilities_a_werewolf_turns |
| | | test_it_follows_when_its_abilities_return |
| 712.15a | a face-down permanent does not transform | test_face_down_does_nothing |
| 702.26b | a phased-out permanent does not transform | test_phased_out_does_nothing |
| forbidden | a permanent that an effect forbids to transform stays | test_forbidden_does_nothing |
| 701.28f | its own ability does nothing once it has transformed since | |
| | the ability was put on the stack | test_its_own_ability_turns_it_once |
| | | test_transformed_before_the_ability_was_put_on_the_stack |
| | | test_entering_back_face_up_is_not_transforming |
| | | test_anothers_ability_turns_it_again |
| 702.145d, g | a face with daybound may come up and make it day | test_turning_daybound_up_makes_it_day |
| at once | several permanents at once, each with its own outcome | test_each_for_its_reason, test_both_ways_at_once |
| 712.18 | it is the same object: lost abilities stay lost | test_it_stays_the_same_object |
"""

import pytest

from .placing import double_faced, enter, leave, lose, permanent, phase_in, phase_out, regain, together
from .scenario import given
from .turning import allow, copy, face_up, forbid, transform
from .wolves import CLONE_OF_DAYBOUND, DAYBOUND_FACE, NIGHTBOUND_FACE, OLD_WEREWOLF, RUFFIAN
from .words import effect, turn

SORCERY = {"name": "Opt", "types": ["Instant"], "permanent": False}


def test_an_old_werewolf_turns_over():
    """An instruction transforms a werewolf without daybound to its back."""
    game = given(enter("g1", OLD_WEREWOLF), transform("g1"))
    assert ("3: g1 turn to back (transforms because 3)",) == game.followed
    assert ({"g1": "back"}, {"g1": "Krallenhorde Wantons"}) == (game.each("face"), game.each("name"))


def test_and_back_again():
    """A second instruction transforms the werewolf to its front again."""
    game = given(enter("g1", OLD_WEREWOLF), transform("g1"), transform("g1"))
    assert ("4: g1 turn to front (transforms because 4)",) == game.followed
    assert {"g1": "front"} == game.each("face")


def test_what_is_not_double_faced_does_nothing():
    """A bear has no other face, so an instruction does nothing."""
    game = given(enter("b1", {"card": "Bear"}), transform("b1"))
    assert ("3: b1 stay (cannot-transform because 3)",) == game.followed


def test_nothing_turns_into_a_sorcery():
    """The back of a permanent is an instant, so an instruction does nothing."""
    odd = double_faced("Odd", {"name": "Odd"}, SORCERY)
    game = given(enter("o1", odd), transform("o1"))
    assert ({"o1": "front"}, ("3: o1 stay (cannot-transform because 3)",)) == (game.each("face"), game.followed)


def test_nothing_turns_back_into_a_sorcery():
    """A permanent entered back face up, and its front is an instant, so an instruction does nothing."""
    odd = double_faced("Odd", SORCERY, {"name": "Odd"})
    game = given(enter("o1", odd, face="back"), transform("o1"))
    assert ({"o1": "back"}, ("3: o1 stay (cannot-transform because 3)",)) == (game.each("face"), game.followed)


@pytest.mark.parametrize("like", [RUFFIAN, CLONE_OF_DAYBOUND], ids=["Ruffian", "Clone"])
def test_daybound_refuses(like):
    """An instruction does not transform a permanent with daybound."""
    game = given(enter("w1", like), transform("w1"))
    assert ({"w1": "front"}, ("3: w1 stay (daybound-refuses because 3)",)) == (game.each("face"), game.followed)


def test_nightbound_refuses():
    """An instruction does not transform a permanent with nightbound."""
    game = given(effect("night"), enter("w1"), transform("w1"))
    assert ({"w1": "back"}, ("4: w1 stay (nightbound-refuses because 4)",)) == (game.each("face"), game.followed)


def test_a_copy_of_daybound_refuses():
    """A werewolf that copies a Ruffian has daybound, so an instruction does not transform it."""
    game = given(enter("g1", OLD_WEREWOLF), copy(DAYBOUND_FACE, "g1"), transform("g1"))
    assert ("4: g1 stay (daybound-refuses because 4)",) == game.followed


def test_a_daybound_card_that_copies_a_bear_turns():
    """A daybound card that copies a bear has no daybound, so it transforms, and remains a bear."""
    game = given(enter("w1"), copy({"name": "Bear"}, "w1"), transform("w1"))
    assert ({"w1": "back"}, {"w1": "Bear"}) == (game.each("face"), game.each("name"))


def test_without_abilities_a_werewolf_turns():
    """A Ruffian without abilities has no daybound, so an instruction transforms it by day."""
    game = given(enter("w1"), lose("w1"), transform("w1"))
    assert ("4: w1 turn to back (transforms because 4)",) == game.followed


def test_it_follows_when_its_abilities_return():
    """A transformed Ruffian regains nightbound by day: it transforms to its front at once."""
    game = given(enter("w1"), lose("w1"), transform("w1"), regain("w1"))
    assert ("5: w1 turn to front (nightbound-at-day because 5)",) == game.followed


def test_face_down_does_nothing():
    """An instruction does nothing to a face-down Ruffian: turned face up, it has its front up."""
    game = given(enter("w1", RUFFIAN, face_down=True), transform("w1"))
    assert ("3: w1 stay (cannot-transform because 3)",) == game.followed
    game.when(face_up("w1"))
    assert {"w1": "front"} == game.each("face")


def test_phased_out_does_nothing():
    """An instruction does not affect a phased-out permanent, not even after it phases in."""
    game = given(enter("g1", OLD_WEREWOLF), phase_out("g1"), transform("g1"))
    assert ("4: g1 stay (cannot-transform because 4)",) == game.followed
    game.when(phase_in("g1"))
    assert {"g1": "front"} == game.each("face")


def test_forbidden_does_nothing():
    """While an effect forbids a werewolf to transform, an instruction does nothing; after the effect's end it does."""
    game = given(enter("g1", OLD_WEREWOLF), forbid("Bound by Moonsilver", "g1"), transform("g1"))
    assert ("4: g1 stay (cannot-transform because 4)",) == game.followed
    game.when(allow("Bound by Moonsilver"), transform("g1"))
    assert ("6: g1 turn to back (transforms because 6)",) == game.followed


def test_its_own_ability_turns_it_once():
    """Two abilities of the werewolf itself went on the stack at event 3: only the first to resolve transforms it."""
    game = given(enter("g1", OLD_WEREWOLF), turn(1), transform("g1", own_since=3))
    assert ("4: g1 turn to back (transforms because 3 4)",) == game.followed
    game.when(transform("g1", own_since=3))
    assert ("5: g1 stay (transformed-since because 3 5)",) == game.followed
    assert {"g1": "back"} == game.each("face")


def test_transformed_before_the_ability_was_put_on_the_stack():
    """A permanent transformed at the very event that stacked the ability, not since: the ability transforms it."""
    game = given(enter("g1", OLD_WEREWOLF), transform("g1"), transform("g1", own_since=3))
    assert ("4: g1 turn to front (transforms because 3 4)",) == game.followed


def test_transformed_since_because_it_became_night():
    """A Ruffian that transformed as it became night is not transformed by its own older ability."""
    game = given(enter("w1"), turn(1), effect("night"), lose("w1"), transform("w1", own_since=3))
    assert ("6: w1 stay (transformed-since because 3 6)",) == game.followed


def test_entering_back_face_up_is_not_transforming():
    """To enter back face up is no transformation, so a werewolf's own older ability transforms it."""
    game = given(turn(1), enter("g1", OLD_WEREWOLF, face="back"), transform("g1", own_since=2))
    assert ("4: g1 turn to front (transforms because 2 4)",) == game.followed


def test_a_new_object_has_not_transformed():
    """A werewolf that left and returned is a new object, so its own ability transforms it."""
    game = given(enter("g1", OLD_WEREWOLF), transform("g1"), leave("g1"), enter("g1", OLD_WEREWOLF))
    game.when(transform("g1", own_since=2))
    assert ("6: g1 turn to back (transforms because 2 6)",) == game.followed


def test_anothers_ability_turns_it_again():
    """A werewolf's own ability transformed it; an instruction of another source has no such limit: it turns again."""
    game = given(enter("g1", OLD_WEREWOLF), turn(1), transform("g1", own_since=3), transform("g1"))
    assert ("5: g1 turn to front (transforms because 5)",) == game.followed


def test_its_own_ability_and_daybound():
    """Daybound also prevents a permanent's own abilities from transforming it."""
    game = given(enter("w1"), turn(1), transform("w1", own_since=3))
    assert ("4: w1 stay (daybound-refuses because 3 4)",) == game.followed


def test_turning_daybound_up_makes_it_day():
    """While it is neither, a permanent transforms to a face with daybound: it becomes day."""
    odd = double_faced("Odd", {"name": "Odd"}, DAYBOUND_FACE)
    game = given(enter("o1", odd), transform("o1"))
    assert (
        "3: o1 turn to back (transforms because 3)",
        "3: neither becomes day in turn 0 (daybound-starts-day because 3)",
    ) == game.followed


def test_turning_nightbound_up_by_day():
    """A permanent that transforms to a nightbound face by day transforms back at once."""
    odd = double_faced("Odd", {"name": "Odd"}, NIGHTBOUND_FACE)
    game = given(effect("day"), enter("o1", odd), transform("o1"))
    assert (
        "4: o1 turn to back (transforms because 4)",
        "4: o1 turn to front (nightbound-at-day because 4)",
    ) == game.followed


def test_each_for_its_reason():
    """One instruction to six permanents: two transform, two have one face, nightbound and daybound stop one each.

    There is one consequence for each reason, in the order of the list.
    """
    game = given(
        effect("night"), enter("w1"), enter("c1", CLONE_OF_DAYBOUND), enter("g1", OLD_WEREWOLF),
        enter("b1", {"card": "Bear"}), enter("g2", OLD_WEREWOLF), enter("b2", {"card": "Bear"}),
    )  # fmt: skip
    game.when(transform("w1", "b1", "g1", "c1", "g2", "b2"))
    assert (
        "9: w1 stay (nightbound-refuses because 9)",
        "9: b1 b2 stay (cannot-transform because 9)",
        "9: g1 g2 turn to back (transforms because 9)",
        "9: c1 stay (daybound-refuses because 9)",
    ) == game.followed


def test_both_ways_at_once():
    """One instruction turns one permanent's back up and another's front up."""
    game = given(
        together(permanent("g1", OLD_WEREWOLF), permanent("g2", OLD_WEREWOLF, face="back")), transform("g1", "g2")
    )
    assert ("3: g1 turn to back (transforms because 3)", "3: g2 turn to front (transforms because 3)") == game.followed


def test_it_stays_the_same_object():
    """A Ruffian that lost its abilities has none after it transforms: it is the same object."""
    game = given(enter("w1"), lose("w1", source="Humility"), transform("w1"))
    assert {"w1": []} == game.each("keywords")
