"""Coming to rest: the rules that apply at once at any time, until nothing more changes (702.145c to g).

| clause | the rule in our words | test |
| --- | --- | --- |
| 702.145d | neither, and someone controls a permanent with daybound: day | test_daybound_starts_the_day |
| | | test_daybound_of_any_player |
| | | test_a_clone_starts_the_day |
| | | test_daybound_on_a_back_face_starts_the_day |
| 702.145d, not | not at night; not if it has no abilities, is face down | |
| | or phased out | test_daybound_does_not_end_the_night |
| | | test_no_day_without_abilities |
| | | test_no_day_from_face_down |
| | | test_no_day_from_phased_out |
| 702.145g | neither, nightbound, and no daybound on the battlefield: | |
| | night | test_lone_nightbound_starts_the_night |
| holds night | not while an ability says that it can't become night | test_lone_nightbound_under_an_angel |
| 702.145g, not | with daybound beside it: day; nightbound does not end the | |
| | day | test_daybound_beside_nightbound_starts_the_day |
| | | test_nightbound_does_not_end_the_day |
| | | test_what_has_lost_daybound_does_not_hinder_the_night |
| 702.145c | it is night: a permanent with daybound, front face up, transforms at | |
| | once | test_daybound_found_at_night_turns |
| | | test_daybound_gained_at_night_turns |
| 702.145c, not | not at night without abilities; not back face up | |
| |  | test_daybound_on_a_back_face_does_not_turn_at_night |
| 702.145f | it is day: a permanent with nightbound, back face up, transforms at | |
| | once | test_nightbound_found_by_day_turns |
| 702.145f, not | front face up it does not | test_nightbound_on_a_front_face_does_not_turn_by_day |
| 702.145b, e | as it becomes night or day all turn at once, whoever controls them | test_all_turn_at_once |
| any time | control, phasing, faces, abilities, copies: looked at after | |
| | every event | test_any_event_may_start_the_day |
| | | test_any_event_may_turn_a_permanent |
| 728.1 | no permanent transforms while it is neither | test_nothing_turns_while_neither |
"""

import pytest

from daynight.events.terms import Designation
from daynight.referee.worlds.possibilities import Possibility
from daynight.rules import resting
from daynight.rules.designation import Circumstances

from .placing import control, double_faced, enter, leave, lose, permanent, phase_in, phase_out, regain, together
from .scenario import given
from .turning import copy, face_down, face_up, transform, uncopy
from .wolves import ANGEL, CLONE_OF_DAYBOUND, CLONE_OF_NIGHTBOUND, DAYBOUND_FACE, NIGHTBOUND_FACE, OLD_WEREWOLF, RUFFIAN
from .words import effect, turn

DAY_STARTS = "{n}: neither becomes day in turn 0 (daybound-starts-day because {n})"
BEAR = {"card": "Bear"}
ODD = double_faced("Odd", NIGHTBOUND_FACE, DAYBOUND_FACE)


def test_daybound_starts_the_day():
    """While it is neither, a Ruffian enters: it becomes day."""
    game = given(turn(1), enter("w1"))
    assert "day" == game.designation
    assert [{
        "event": 3, "turn": 1, "was": "neither", "became": "day", "rule": "daybound-starts-day", "cr": "702.145d",
        "because": [3],
    }] == game.changes  # fmt: skip


def test_daybound_of_any_player():
    """Bo's Ruffian makes it day too while it is neither."""
    assert "day" == given(enter("w1", RUFFIAN, controller="Bo")).designation


def test_a_clone_starts_the_day():
    """A Clone with daybound makes it day, though it is not double-faced."""
    assert ("day", {"c1": "front"}) == (
        given(enter("c1", CLONE_OF_DAYBOUND)).designation,
        given(enter("c1", CLONE_OF_DAYBOUND)).each("face"),
    )


def test_daybound_on_a_back_face_starts_the_day():
    """Daybound on a back face makes it day too, if that face is up."""
    game = given(enter("o1", ODD, face="back"))
    assert ("day", {"o1": "back"}) == (game.designation, game.each("face"))


def test_daybound_on_the_face_that_is_not_up_starts_nothing():
    """If only the back has daybound, and the front is up, it stays neither."""
    plain = ODD | {"front": {"name": "Plain"}}
    assert "neither" == given(enter("o1", plain)).designation


def test_daybound_does_not_end_the_night():
    """Daybound does not end the night: Tavern Ruffian enters back face up, and a Clone of it shows its only face."""
    game = given(effect("night"), enter("w1"), enter("c1", CLONE_OF_DAYBOUND))
    assert ("night", {"w1": "back", "c1": "front"}) == (game.designation, game.each("face"))


@pytest.mark.parametrize("loss", [True, "Humility"])
def test_no_day_without_abilities(loss):
    """A Ruffian without abilities has no daybound: it stays neither."""
    assert "neither" == given(enter("w1", RUFFIAN, without_abilities=loss)).designation


def test_no_day_from_face_down():
    """A face-down Ruffian has no daybound: it stays neither."""
    assert "neither" == given(enter("w1", RUFFIAN, face_down=True)).designation


def test_no_day_from_phased_out():
    """When a phased-out Ruffian regains its abilities, it stays neither."""
    game = given(enter("w1", RUFFIAN, without_abilities=True), phase_out("w1"), regain("w1"))
    assert "neither" == game.designation


def test_lone_nightbound_starts_the_night():
    """While it is neither, a nightbound permanent without any daybound makes it night."""
    game = given(turn(1), enter("c1", CLONE_OF_NIGHTBOUND))
    assert "night" == game.designation
    assert [{
        "event": 3, "turn": 1, "was": "neither", "became": "night", "rule": "nightbound-starts-night", "cr": "702.145g",
        "because": [3],
    }] == game.changes  # fmt: skip


def test_daybound_beside_nightbound_starts_the_day():
    """Two nightbound permanents and a daybound one enter together: day; the double-faced nightbound one transforms."""
    game = given(together(permanent("w1", RUFFIAN, face="back"), permanent("c1", CLONE_OF_NIGHTBOUND), permanent("w2")))
    assert (
        "2: w1 enter back face up (told-to-enter because 2)",
        "2: neither becomes day in turn 0 (daybound-starts-day because 2)",
        "2: w1 turn to front (nightbound-as-day because 2)",
    ) == game.followed
    assert {"w1": ["daybound"], "c1": ["nightbound"], "w2": ["daybound"]} == game.each("keywords")


def test_lone_nightbound_under_an_angel():
    """An Angel prevents nightbound from making it night; when the Angel leaves, it becomes night."""
    game = given(enter("a1", ANGEL), enter("c1", CLONE_OF_NIGHTBOUND))
    assert ("neither", ()) == (game.designation, game.followed)
    game.when(leave("a1"))
    assert ("4: neither becomes night in turn 0 (nightbound-starts-night because 4)",) == game.followed


def test_nightbound_does_not_end_the_day():
    """A permanent with nightbound enters by day: it stays day."""
    assert "day" == given(effect("day"), enter("c1", CLONE_OF_NIGHTBOUND)).designation


def test_what_has_lost_daybound_does_not_hinder_the_night():
    """A Ruffian without abilities has no daybound, so nightbound is alone: it becomes night."""
    game = given(enter("w1", RUFFIAN, without_abilities=True), enter("c1", CLONE_OF_NIGHTBOUND))
    assert ("night", {"w1": "front", "c1": "front"}) == (game.designation, game.each("face"))


def test_a_phased_out_daybound_does_not_hinder_the_night():
    """A phased-out Ruffian does not count, so nightbound is alone: it becomes night."""
    game = given(
        enter("w1", RUFFIAN, without_abilities=True), phase_out("w1"), regain("w1"), enter("c1", CLONE_OF_NIGHTBOUND)
    )
    assert "night" == game.designation


def test_daybound_found_at_night_turns():
    """A Ruffian regains daybound when it is night already: it transforms at once."""
    game = given(enter("w1"), lose("w1"), effect("night"), regain("w1"))
    assert {"w1": "back"} == game.each("face")
    assert ("5: w1 turn to back (daybound-at-night because 5)",) == game.followed


def test_no_daybound_at_night_does_not_turn():
    """As it becomes night, a Ruffian without abilities does not transform."""
    game = given(enter("w1"), lose("w1"), effect("night"))
    assert ("4: day becomes night in turn 0 (becomes because 4)",) == game.followed


def test_daybound_gained_at_night_turns():
    """An old werewolf becomes a copy of a Ruffian at night: double-faced, with daybound, it transforms."""
    game = given(effect("night"), enter("g1", OLD_WEREWOLF), copy(DAYBOUND_FACE, "g1"))
    assert ("4: g1 turn to back (daybound-at-night because 4)",) == game.followed
    assert ({"g1": "back"}, {"g1": "Tavern Ruffian"}) == (game.each("face"), game.each("name"))


def test_daybound_gained_by_what_is_not_double_faced_does_not_turn():
    """A bear that becomes a copy of a Ruffian at night has no other face: it does not transform."""
    game = given(effect("night"), enter("b1", BEAR), copy(DAYBOUND_FACE, "b1"))
    assert ((), {"b1": ["daybound"]}) == (game.followed, game.each("keywords"))


def test_daybound_on_a_back_face_does_not_turn_at_night():
    """At night a permanent whose back has daybound and is up does not transform."""
    game = given(effect("night"), enter("o1", ODD, face="back"))
    assert ("3: o1 enter back face up (told-to-enter because 3)",) == game.followed


def test_nightbound_found_by_day_turns():
    """A Smasher regains nightbound when it is day already: it transforms at once."""
    game = given(effect("night"), enter("w1"), lose("w1"), effect("day"), regain("w1"))
    assert {"w1": "front"} == game.each("face")
    assert ("6: w1 turn to front (nightbound-at-day because 6)",) == game.followed


def test_nightbound_on_a_front_face_does_not_turn_by_day():
    """By day a permanent whose front has nightbound and is up does not transform."""
    game = given(effect("day"), enter("o1", ODD))
    assert ({"o1": "front"}, ()) == (game.each("face"), game.followed)


def test_all_turn_at_once():
    """As it becomes night or day, all Ruffians transform at once, listed in order of arrival, whoever controls them."""
    game = given(enter("w1", RUFFIAN, controller="Bo"), enter("c1", CLONE_OF_DAYBOUND), enter("w2"), effect("night"))
    assert (
        "5: day becomes night in turn 0 (becomes because 5)",
        "5: w1 w2 turn to back (daybound-as-night because 5)",
    ) == game.followed
    game.when(effect("day"))
    assert (
        "6: night becomes day in turn 0 (becomes because 6)",
        "6: w1 w2 turn to front (nightbound-as-day because 6)",
    ) == game.followed


def test_only_the_wrong_ones_turn():
    """At night a Ruffian that regains daybound turns its back up; another Ruffian, with its back up already, stays."""
    game = given(enter("w1"), lose("w1"), effect("night"), enter("w2"), regain("w1"))
    assert ("6: w1 turn to back (daybound-at-night because 6)",) == game.followed
    assert {"w1": "back", "w2": "back"} == game.each("face")


@pytest.mark.parametrize("before, now", [
    ([enter("w1", RUFFIAN, without_abilities=True)], regain("w1")),
    ([enter("w1", RUFFIAN, without_abilities="Humility")], regain("w1", source="Humility")),
    ([enter("w1", CLONE_OF_DAYBOUND, face_down=True)], face_up("w1")),
    ([enter("b1", BEAR)], copy(DAYBOUND_FACE, "b1")),
    ([enter("c1", CLONE_OF_DAYBOUND, without_abilities=True), phase_out("c1"), regain("c1")], phase_in("c1")),
    ([enter("g1", OLD_WEREWOLF | {"back": DAYBOUND_FACE})], transform("g1")),
], ids=["regained", "regained from its source", "turned up", "copied", "phased in", "transformed"])  # fmt: skip
def test_any_event_may_start_the_day(before, now):
    """While it is neither, any event that gives a permanent daybound makes it day."""
    game = given(*before)
    assert "neither" == game.designation
    game.when(now)
    assert DAY_STARTS.format(n=len(before) + 2) == game.followed[-1]


@pytest.mark.parametrize("before, now", [
    ([enter("w1"), lose("w1"), effect("night")], regain("w1")),
    ([enter("w1"), phase_out("w1"), effect("night")], phase_in("w1")),
    ([effect("night"), enter("w1", RUFFIAN, face_down=True)], face_up("w1")),
    ([enter("w1"), copy({"name": "Bear"}, "w1"), effect("night")], uncopy("w1")),
], ids=["regained", "phased in", "turned up", "copy ended"])  # fmt: skip
def test_any_event_may_turn_a_permanent(before, now):
    """At night, a permanent transforms at once after any event that gives its front daybound, such as phasing in."""
    game = given(*before)
    assert {"w1": "front"} == game.each("face")
    game.when(now)
    number = len(before) + 2
    assert (f"{number}: w1 turn to back (daybound-at-night because {number})",) == game.followed


@pytest.mark.parametrize("now", [
    leave("w1"), control("Bo", "w1"), lose("w1"), phase_out("w1"), copy(NIGHTBOUND_FACE, "w1"), lose("w1", source="X"),
], ids=["left", "control", "lost", "phased out", "copied", "lost to X"])  # fmt: skip
def test_what_goes_takes_no_day_with_it(now):
    """It stays day when the only daybound permanent leaves, changes controller, phases out or loses daybound."""
    game = given(enter("w1"), now)
    assert ("day", ()) == (game.designation, game.followed)


def test_turned_face_down_takes_no_day_with_it():
    """A Clone turned face down loses daybound: it stays day."""
    game = given(enter("c1", CLONE_OF_DAYBOUND), face_down("c1"))
    assert ("day", {"c1": []}) == (game.designation, game.each("keywords"))


def test_nightbound_left_alone_does_not_end_the_day():
    """The last daybound permanent leaves by day, and nightbound is alone: it stays day."""
    game = given(enter("c1", CLONE_OF_DAYBOUND), enter("c2", CLONE_OF_NIGHTBOUND), leave("c1"))
    assert "day" == game.designation


def test_nothing_turns_while_neither():
    """While it is neither, a werewolf without keywords keeps the face to which an instruction turned it."""
    game = given(enter("g1", OLD_WEREWOLF, face="back"), turn(1), transform("g1"))
    assert ("neither", {"g1": "front"}) == (game.designation, game.each("face"))


@pytest.mark.parametrize("designation", [Designation.DAY, Designation.NIGHT])
def test_nothing_starts_what_has_started(designation):
    """By day and at night `_start` returns None, whichever keywords there are."""
    assert resting._start(designation, Circumstances(daybound=True, nightbound=True)) is None
    assert resting._start(designation, Circumstances(nightbound=True)) is None


@pytest.mark.parametrize("daybound, nightbound, barred, expected", [
    (True, False, False, ("daybound-starts-day", Designation.DAY)),
    (True, True, True, ("daybound-starts-day", Designation.DAY)),
    (False, True, False, ("nightbound-starts-night", Designation.NIGHT)),
    (False, True, True, None),
    (False, False, False, None),
])  # fmt: skip
def test_what_starts(daybound, nightbound, barred, expected):
    """`_start` returns the rule and the new designation: day by daybound, else night by nightbound.

    It returns None if nothing has a keyword, or if only nightbound is there and night is prevented.
    """
    now = Circumstances(daybound=daybound, nightbound=nightbound, barred=barred)
    assert expected == resting._start(Designation.NEITHER, now)


def test_neither_turns_nothing_over():
    """`turns_over` returns None while it is neither, although a daybound front and a nightbound back are up.

    By day it returns the transformation of the permanent with nightbound, and at night of that with daybound.
    """
    battlefield = given(effect("day"), enter("w1"), enter("w2")).game.state.battlefield
    for designation, turned in (("neither", None), ("day", ("w2",)), ("night", ("w1",))):
        possibility = Possibility(designation=Designation(designation), backs=frozenset({"w2"}))
        found = resting.turns_over(possibility, battlefield, event=1, as_it_becomes=False)
        assert turned == (None if found is None else found.permanents)
