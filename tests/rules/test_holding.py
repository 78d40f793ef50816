"""Holding: an ability such as Immerwolf's, or an effect, forbids permanents to transform.

| clause | the rule in our words | test |
| --- | --- | --- |
| Immerwolf | non-Human Werewolves you control can't transform: by day | |
| | they stay | test_immerwolf_holds_the_night_face |
| Immerwolf, not | it holds neither Humans, nor non-Werewolves, nor what | |
| | others control | test_immerwolf_lets_humans_go |
| | | test_immerwolf_lets_go_what_is_no_werewolf |
| | | test_immerwolf_holds_only_your_own |
| Immerwolf | Moonmist and old werewolves too | test_immerwolf_holds_old_werewolves |
| | | test_immerwolf_lets_old_humans_go |
| begins | as it comes, changes controller, phases in, regains abilities | test_holding_begins |
| ends | as it goes, changes controller, phases out, loses abilities: | |
| | they follow at once | test_holding_ends |
| two of them | while a second Immerwolf is there, the werewolf stays held | test_the_second_immerwolf_holds_on |
| face | a face's ability works only while that face is up | test_a_holder_that_turns_over_lets_go |
| at once | all transform at once: who is held is decided before that | test_who_is_held_is_asked_before_all_turn |
| effect | a permanent forbidden to transform stays, and follows at once when the effect | |
| | ended | test_an_effect_forbids_and_ends |
| effect | several effects add up; a second one of the same source | |
| | replaces its list | test_two_effects_add_up |
| | | test_a_second_one_of_the_same_source_replaces_the_first |
| effect, not | ending an effect that does not exist does nothing | test_ending_what_is_not_in_force |
| object | a permanent that left and returned is another object | test_what_returns_is_not_forbidden |
"""

import pytest

from .placing import control, double_faced, enter, leave, lose, permanent, phase_in, phase_out, regain, together
from .scenario import given
from .turning import allow, copy, face_down, face_up, forbid, transform, uncopy
from .wolves import CLONE_OF_DAYBOUND, IMMERWOLF, NIGHTBOUND_FACE, OLD_WEREWOLF, RUFFIAN
from .words import effect, turn, untap

SMASHER_HELD = (effect("night"), enter("w1"), enter("i1", IMMERWOLF), effect("day"))
CURSE = {"card": "Curse of Leeches"}
HOLDING = {"name": "Keeper", "holds": "non-human-werewolves-you-control"}


def test_immerwolf_holds_the_night_face():
    """A Smasher is a Werewolf and no Human: under an Immerwolf it stays back up when it becomes day."""
    game = given(*SMASHER_HELD)
    assert ("5: night becomes day in turn 0 (becomes because 5)",) == game.followed
    assert {"w1": "back", "i1": "front"} == game.each("face")


def test_immerwolf_lets_humans_go():
    """A Ruffian is a Human, so Immerwolf does not hold it: it transforms when it becomes night."""
    game = given(enter("w1"), enter("i1", IMMERWOLF), effect("night"))
    assert "4: w1 turn to back (daybound-as-night because 4)" == game.followed[-1]


def test_immerwolf_lets_go_what_is_no_werewolf():
    """A Leeching Lurker is no Werewolf, so Immerwolf does not hold it: it transforms when it becomes day."""
    game = given(effect("night"), enter("c1", CURSE), enter("i1", IMMERWOLF), effect("day"))
    assert {"c1": "front", "i1": "front"} == game.each("face")


def test_immerwolf_holds_only_your_own():
    """Ana's Immerwolf does not hold Bo's Smasher: it transforms when it becomes day."""
    game = given(effect("night"), enter("w1", RUFFIAN, controller="Bo"), enter("i1", IMMERWOLF), effect("day"))
    assert {"w1": "front", "i1": "front"} == game.each("face")


def test_immerwolf_holds_old_werewolves():
    """Immerwolf holds a Werewolf without nightbound too: an instruction does not turn Krallenhorde Wantons back."""
    game = given(enter("g1", OLD_WEREWOLF), transform("g1"), enter("i1", IMMERWOLF), transform("g1"))
    assert ("5: g1 stay (cannot-transform because 5)",) == game.followed


def test_immerwolf_lets_old_humans_go():
    """Immerwolf does not hold Grizzled Outcasts, who are Humans: an instruction transforms them."""
    game = given(enter("g1", OLD_WEREWOLF), enter("i1", IMMERWOLF), transform("g1"))
    assert ("4: g1 turn to back (transforms because 4)",) == game.followed


def test_what_it_copies_decides():
    """The copied subtypes count: a copy of a Werewolf is held by day; it transforms as it copies a Human Werewolf."""
    game = given(
        effect("night"), enter("g1", OLD_WEREWOLF, face="back"), copy(NIGHTBOUND_FACE, "g1"), enter("i1", IMMERWOLF)
    )
    game.when(effect("day"))
    assert {"g1": "back", "i1": "front"} == game.each("face")
    game.when(copy(NIGHTBOUND_FACE | {"subtypes": ["Human", "Werewolf"]}, "g1"))
    assert ("7: g1 turn to front (nightbound-at-day because 7)",) == game.followed


@pytest.mark.parametrize("before, begins", [
    ([], enter("i1", IMMERWOLF)),
    ([enter("i1", IMMERWOLF, controller="Bo")], control("Ana", "i1")),
    ([enter("i1", IMMERWOLF), phase_out("i1")], phase_in("i1")),
    ([enter("i1", IMMERWOLF, without_abilities=True)], regain("i1")),
    ([enter("i1", IMMERWOLF, face_down=True)], face_up("i1")),
    ([enter("i1", {"card": "Bear"})], copy(HOLDING, "i1")),
    ([enter("i1", IMMERWOLF), copy({"name": "Bear"}, "i1")], uncopy("i1")),
], ids=["enters", "control", "phases in", "regains", "turned up", "copies", "copy ends"])  # fmt: skip
def test_holding_begins(before, begins):
    """If `begins` happened, a Smasher stays back up when it becomes day; without `begins` it transforms."""
    without = given(effect("night"), enter("w1"), *before, effect("day"))
    assert "front" == without.each("face")["w1"]
    assert "back" == given(effect("night"), enter("w1"), *before, begins, effect("day")).each("face")["w1"]


@pytest.mark.parametrize(
    "ends",
    [
        leave("i1"), control("Bo", "i1"), control("Bo", "w1"), lose("i1"), lose("i1", source="Humility"),
        phase_out("i1"), face_down("i1"), copy({"name": "Bear"}, "i1"), untap(phased_out=["i1"]),
    ],
    ids=["leaves", "control", "control of the werewolf", "loses", "humility", "phases", "face down", "copies", "untap"],
)  # fmt: skip
def test_holding_ends(ends):
    """When `ends` stops Immerwolf from holding a Smasher by day, the Smasher transforms at that event."""
    game = given(turn(1), *SMASHER_HELD, ends)
    assert ("7: w1 turn to front (nightbound-at-day because 7)",) == game.followed


def test_the_second_immerwolf_holds_on():
    """Two Immerwolves hold a werewolf: it stays held when one of them leaves."""
    game = given(*SMASHER_HELD, enter("i2", IMMERWOLF), leave("i1"))
    assert ((), {"w1": "back", "i2": "front"}) == (game.followed, game.each("face"))


def test_a_holder_that_turns_over_lets_go():
    """A Keeper's front holds a Smasher by day; when the Keeper turns its back up, the Smasher transforms at once."""
    keeper = double_faced("Keeper", HOLDING, {"name": "Gone"})
    game = given(effect("night"), enter("w1"), enter("k1", keeper), effect("day"), transform("k1"))
    assert (
        "6: k1 turn to back (transforms because 6)",
        "6: w1 turn to front (nightbound-at-day because 6)",
    ) == game.followed


def test_who_is_held_is_asked_before_all_turn():
    """A Keeper's back holds a Smasher: as it becomes day, first the Keeper turns its front up, then the Smasher."""
    keeper = double_faced("Keeper", {"name": "Lamb", "keywords": ["daybound"]}, HOLDING | {"keywords": ["nightbound"]})
    game = given(effect("night"), enter("w1"), enter("k1", keeper), effect("day"))
    assert (
        "5: night becomes day in turn 0 (becomes because 5)",
        "5: k1 turn to front (nightbound-as-day because 5)",
        "5: w1 turn to front (nightbound-at-day because 5)",
    ) == game.followed


def test_a_holder_that_comes_up_with_the_night():
    """A Keeper's back holds Werewolves, but is not up yet as it becomes night: a Whelp transforms together with it."""
    keeper = double_faced("Keeper", {"name": "Lamb", "keywords": ["daybound"]}, HOLDING | {"keywords": ["nightbound"]})
    whelp = RUFFIAN | {"front": {"name": "Whelp", "keywords": ["daybound"], "subtypes": ["Werewolf"]}}
    game = given(together(permanent("k1", keeper), permanent("w1", whelp)), effect("night"))
    assert "3: k1 w1 turn to back (daybound-as-night because 3)" == game.followed[-1]


def test_an_effect_forbids_and_ends():
    """At night a Ruffian that an effect forbids to transform stays; it transforms at once when the effect ends."""
    game = given(enter("w1"), enter("w2"), forbid("Moonsilver", "w1"), effect("night"))
    assert "5: w2 turn to back (daybound-as-night because 5)" == game.followed[-1]
    game.when(allow("Moonsilver"))
    assert ("6: w1 turn to back (daybound-at-night because 6)",) == game.followed


def test_a_forbidden_token_enters_and_stays():
    """At night Immerwolf holds a token that entered front up (the rules leave this open); a card enters back up."""
    whelp = RUFFIAN | {"front": {"name": "Whelp", "keywords": ["daybound"], "subtypes": ["Werewolf"]}}
    game = given(effect("night"), enter("i1", IMMERWOLF), enter("t1", whelp, token=True), enter("w1", whelp))
    assert {"i1": "front", "t1": "front", "w1": "back"} == game.each("face")


def test_two_effects_add_up():
    """Two effects forbid a Ruffian to transform at night: it transforms when both have ended."""
    game = given(enter("w1"), forbid("A", "w1"), forbid("B", "w1"), effect("night"), allow("A"))
    assert ((), {"w1": "front"}) == (game.followed, game.each("face"))
    game.when(allow("B"))
    assert ("7: w1 turn to back (daybound-at-night because 7)",) == game.followed


def test_a_second_one_of_the_same_source_replaces_the_first():
    """Source A forbids again, with a shorter list: the permanent that is not in it transforms at once."""
    game = given(enter("w1"), enter("w2"), forbid("A", "w1", "w2"), effect("night"), forbid("A", "w2"))
    assert ("6: w1 turn to back (daybound-at-night because 6)",) == game.followed
    assert {"w1": "back", "w2": "front"} == game.each("face")


def test_ending_what_is_not_in_force():
    """`transform-allowed` for a source that forbids nothing is accepted, and has no effect."""
    game = given(enter("w1"), forbid("A", "w1"), effect("night"), allow("B"))
    assert ((), {"w1": "front"}) == (game.followed, game.each("face"))


def test_what_returns_is_not_forbidden():
    """A forbidden permanent that left and returned may transform; the other one in the list still may not."""
    game = given(enter("w1"), enter("w2"), forbid("A", "w1", "w2"), leave("w1"), enter("w1"), effect("night"))
    assert {"w2": "front", "w1": "back"} == game.each("face")


def test_what_is_not_double_faced_needs_no_holding():
    """A Clone of a Ruffian is not double-faced: it does not transform even when the effect that forbade it ends."""
    game = given(enter("c1", CLONE_OF_DAYBOUND), forbid("A", "c1"), effect("night"), allow("A"))
    assert () == game.followed


def test_what_is_phased_out_is_forbidden_too():
    """An effect that begins while a Ruffian is phased out forbids it too: it phases in at night, front up."""
    game = given(enter("w1"), phase_out("w1"), forbid("A", "w1"), effect("night"), phase_in("w1"))
    assert {"w1": "front"} == game.each("face")
