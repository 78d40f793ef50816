"""The check: the second part of the untap step looks at the previous turn (728.2, 502.2).

| clause | the rule in our words | test |
| --- | --- | --- |
| 728.2a | day, and the previous turn's active player cast nothing in | |
| | it: night | test_day_and_no_spell_makes_it_night |
| 728.2a, not | one spell keeps the day | test_one_spell_keeps_the_day |
| 728.2b | night, and that player cast two or more: day | test_night_and_two_spells_make_it_day |
| | | test_night_and_three_spells_make_it_day |
| 728.2b, not | one spell, or none, keeps the night | test_one_spell_keeps_the_night |
| | | test_no_spell_keeps_the_night |
| 728.2c | no check while it is neither | test_neither_stays_neither |
| 500 | the first turn has no previous turn, so nothing changes | test_the_first_turn_has_no_previous_turn |
| player | spells of other players, or in other players' turns, do not | |
| | count | test_spells_of_others_do_not_count |
| | | test_own_spells_in_others_turns_do_not_count |
| when | spells of the turn before the previous, or of this one, do | |
| | not count | test_spells_two_turns_ago_do_not_count |
| | | test_spells_of_this_turn_do_not_count |
| 601.2i | a cast counts even if countered; a copy never counts (707.10) | test_copies_do_not_count |
| | | test_casts_before_the_first_designation_count |
| 502.2 | only the untap step checks, and a skipped one does not | test_no_other_step_checks |
| | | test_a_skipped_untap_step_checks_nothing |
| 500.8 | a second untap step of the turn checks again | test_a_second_untap_step_checks_again |
| 500.7 | an extra turn's previous turn is the one before it; turn numbers | |
| | that are missing are skipped turns | test_an_extra_turn_looks_at_the_turn_before_it |
| | | test_skipped_turns_are_not_previous_turns |
| 502.1 | phasing and its consequences come before the check | test_phasing_in_daybound_makes_it_day_before_the_check |
| | | test_what_phases_out_no_longer_bars_the_night |
| | | test_what_phases_in_bars_the_night |
| 800.4 | a player who has left since was still active then | test_a_departed_players_turn_is_still_looked_at |
| 702.145b, e | daybound permanents transform in the check's event | test_permanents_follow_the_check |
| - | the check continues when no card with day and night is left | test_the_check_goes_on_on_an_empty_battlefield |
"""

import pytest

from daynight.events.consequences import Changed
from daynight.events.terms import Designation
from daynight.rules import untap_check

from .placing import enter, leave, phase_out
from .scenario import given
from .wolves import ANGEL, RUFFIAN, VANDAL
from .words import cast, copied, effect, quits, step, turn, untap, upkeep

CHECK_DAY = {"was": "day", "became": "night", "rule": "check-day", "cr": "728.2a"}
CHECK_NIGHT = {"was": "night", "became": "day", "rule": "check-night", "cr": "728.2b"}
OTHER_STEPS = (
    "upkeep", "draw", "precombat-main", "beginning-of-combat", "declare-attackers", "declare-blockers", "combat-damage",
    "end-of-combat", "postcombat-main", "end", "cleanup",
)  # fmt: skip


def test_day_and_no_spell_makes_it_night():
    """By day, no spell in turn 1: the check of turn 2 makes it night; its only cause is the beginning of turn 1."""
    game = given(effect("day"), turn(1, "Ana"), turn(2, "Bo"), untap())
    assert "night" == game.designation
    assert {"event": 5, "turn": 2, "because": [3]} | CHECK_DAY == game.changes[-1]


def test_what_the_check_answers_in_full():
    """The consequence `Changed` of the check has the turn that it looked at, and the active players of that turn."""
    game = given(effect("day"), turn(1, "Ana"), turn(2, "Bo"))
    assert (
        Changed(
            event=5,
            rule="check-day",
            because=(3,),
            turn=2,
            was=Designation.DAY,
            became=Designation.NIGHT,
            checked_turn=1,
            players=("Ana",),
        ),
    ) == game.game.record(untap()).consequences


def test_one_spell_keeps_the_day():
    """By day, one spell of the active player in the previous turn: it stays day."""
    game = given(effect("day"), turn(1, "Ana"), cast("Ana"), turn(2, "Bo"), untap())
    assert ("day", ()) == (game.designation, game.followed)


def test_two_spells_keep_the_day():
    """By day, two spells change nothing."""
    game = given(effect("day"), turn(1, "Ana"), cast("Ana"), cast("Ana"), turn(2, "Bo"), untap())
    assert ("day", ()) == (game.designation, game.followed)


def test_night_and_two_spells_make_it_day():
    """At night, Ana casts two spells in her turn, and Bo one: it becomes day, because of the turn and Ana's spells."""
    game = given(effect("night"), turn(1, "Ana"), cast("Ana"), cast("Bo"), cast("Ana"), turn(2, "Bo"), untap())
    assert "day" == game.designation
    assert {"event": 8, "turn": 2, "because": [3, 4, 6]} | CHECK_NIGHT == game.changes[-1]


def test_night_and_three_spells_make_it_day():
    """At night, three spells: it becomes day, and all three are causes."""
    game = given(effect("night"), turn(1), cast(), cast(), cast(), turn(2, "Bo"), untap())
    assert "day" == game.designation
    assert [3, 4, 5, 6] == game.changes[-1]["because"]


def test_one_spell_keeps_the_night():
    """At night, one spell: it stays night."""
    game = given(effect("night"), turn(1), cast(), turn(2, "Bo"), untap())
    assert ("night", ()) == (game.designation, game.followed)


def test_no_spell_keeps_the_night():
    """At night, a turn without spells: it stays night."""
    game = given(effect("night"), turn(1), turn(2, "Bo"), untap())
    assert ("night", ()) == (game.designation, game.followed)


@pytest.mark.parametrize("spells", [0, 1, 2])
def test_neither_stays_neither(spells):
    """While it is neither, it stays neither after no spell, one, and two."""
    game = given(turn(1), *[cast()] * spells, turn(2, "Bo"), untap())
    assert ("neither", [], ()) == (game.designation, game.changes, game.followed)


@pytest.mark.parametrize("designation", ["day", "night"])
def test_the_first_turn_has_no_previous_turn(designation):
    """In the first turn nothing changes: it has no previous turn, which differs from a turn without spells."""
    game = given(effect(designation), turn(1), untap())
    assert (designation, ()) == (game.designation, game.followed)


def test_spells_of_others_do_not_count():
    """Bo's spells in Ana's turn do not count: by day it becomes night, and at night it stays night."""
    by_day = given(effect("day"), turn(1, "Ana"), cast("Bo"), turn(2, "Bo"), untap())
    by_night = given(effect("night"), turn(1, "Ana"), cast("Bo"), cast("Bo"), turn(2, "Bo"), untap())
    assert ("night", "night") == (by_day.designation, by_night.designation)
    assert [3] == by_day.changes[-1]["because"]


def test_a_spell_of_each_player_is_not_two_spells():
    """At night, one spell of Ana and one of Bo in Ana's turn: it stays night."""
    game = given(effect("night"), turn(1, "Ana"), cast("Ana"), cast("Bo"), turn(2, "Bo"), untap())
    assert "night" == game.designation


def test_own_spells_in_others_turns_do_not_count():
    """By day, Ana's spell in Bo's turn does not count: it becomes night."""
    game = given(effect("day"), turn(1, "Bo"), cast("Ana"), turn(2, "Ana"), untap())
    assert "night" == game.designation


def test_spells_two_turns_ago_do_not_count():
    """A spell in turn 1 and none in turn 2: the check of turn 3 makes it night, because of turn 2."""
    game = given(effect("day"), turn(1, "Ana"), cast("Ana"), turn(2, "Bo"), turn(3, "Ana"), untap())
    assert "night" == game.designation
    assert [5] == game.changes[-1]["because"]


def test_spells_of_this_turn_do_not_count():
    """Bo cast twice in turn 2, before another untap step of turn 2: it stays night, because turn 1 had no spell."""
    game = given(effect("day"), turn(1, "Ana"), turn(2, "Bo"), cast("Bo"), cast("Bo"), untap())
    assert "night" == game.designation


def test_copies_do_not_count():
    """A copy of a spell is not a cast: with only a copy day becomes night, with one cast and a copy it stays night."""
    by_day = given(effect("day"), turn(1), copied(), turn(2, "Bo"), untap())
    by_night = given(effect("night"), turn(1), cast(), copied(), turn(2, "Bo"), untap())
    assert ("night", "night") == (by_day.designation, by_night.designation)


def test_casts_before_the_first_designation_count():
    """A spell cast while it was still neither counts: it became day in that turn, and stays day."""
    game = given(turn(1), cast(), enter("w1"), turn(2, "Bo"), untap())
    assert "day" == game.designation


@pytest.mark.parametrize("other", OTHER_STEPS)
def test_no_other_step_checks(other):
    """If the untap step is skipped, no other step makes the check: it stays day."""
    game = given(effect("day"), turn(1), turn(2, "Bo", skips=["untap"]), step(other))
    assert ("day", ()) == (game.designation, game.followed)


def test_a_skipped_untap_step_checks_nothing():
    """Turn 2 skips its untap step: no check. Turn 3's check counts the spell of turn 2, and it stays day."""
    game = given(effect("day"), turn(1), turn(2, "Bo", skips=["untap"]), upkeep(), cast("Bo"), turn(3, "Ana"), untap())
    assert "day" == game.designation


def test_a_second_untap_step_checks_again():
    """An effect makes it day between two untap steps of a turn: the second one makes it night again."""
    game = given(effect("day"), turn(1), turn(2, "Bo"), untap(), effect("day"), untap())
    assert "night" == game.designation
    assert [5, 6, 7] == [change["event"] for change in game.changes[1:]]


def test_a_new_turn_is_in_no_step_yet():
    """After turn-began, `step` is None until a step begins."""
    game = given(turn(1), untap(), upkeep())
    assert ("upkeep", 1) == (game.step, game.turn)
    game.when(turn(2, "Bo"))
    assert (None, 2, ["Bo"]) == (game.step, game.turn, game.active)


def test_an_extra_turn_looks_at_the_turn_before_it():
    """Ana's extra turn follows her own turn: its check counts the two spells of that turn, and it becomes day."""
    game = given(effect("night"), turn(1, "Ana"), cast(), cast(), turn(2, "Ana"), untap())
    assert "day" == game.designation


def test_skipped_turns_are_not_previous_turns():
    """Turn 7 follows turn 1 in the record: the check counts the spell of turn 1, and it stays day."""
    game = given(effect("day"), turn(1), cast(), turn(7, "Bo"), untap())
    assert "day" == game.designation
    assert {"active": ["Ana"], "spells": {"Ana": 1, "Bo": 0}} == game.tallies["previous"]


def test_phasing_in_daybound_makes_it_day_before_the_check():
    """While it is neither, a Ruffian phases in: it becomes day; then the check finds no spell, and it becomes night."""
    game = given(
        enter("w1", without_abilities=True), turn(1), untap(), phase_out("w1"),
        {"type": "abilities-regained", "permanents": ["w1"]}, turn(2, "Bo"), untap(phased_in=["w1"]),
    )  # fmt: skip
    assert (
        "8: neither becomes day in turn 2 (daybound-starts-day because 8)",
        "8: day becomes night in turn 2 (check-day because 3)",
        "8: w1 turn to back (daybound-as-night because 8)",
    ) == game.followed


def test_what_phases_in_follows_what_it_was_before_the_check():
    """At night, a Ruffian phases in and turns to its back; then the check makes it day, and the Ruffian turns to its
    front."""
    game = given(
        enter("w1"), turn(1), phase_out("w1"), effect("night"), cast(), cast(), turn(2, "Bo"), untap(phased_in=["w1"])
    )
    assert (
        "9: w1 turn to back (daybound-at-night because 9)",
        "9: night becomes day in turn 2 (check-night because 3 6 7)",
        "9: w1 turn to front (nightbound-as-day because 9)",
    ) == game.followed


def test_phasing_is_done_even_where_the_check_finds_nothing():
    """At night, a Ruffian phases in and turns to its back; the check finds one spell and changes nothing."""
    game = given(enter("w1"), turn(1), phase_out("w1"), effect("night"), cast(), turn(2, "Bo"), untap(phased_in=["w1"]))
    assert ("8: w1 turn to back (daybound-at-night because 8)",) == game.followed


def test_what_phases_out_no_longer_bars_the_night():
    """An Angel that phases out in the same untap step does not prevent the night: the check comes later."""
    game = given(enter("a1", ANGEL), effect("day"), turn(1), turn(2, "Bo"), untap(phased_out=["a1"]))
    assert "night" == game.designation
    assert {"a1": False} == game.each("phased_in")


def test_what_phases_in_bars_the_night():
    """An Angel that phases in in the same untap step prevents the night: it stays day."""
    game = given(enter("a1", ANGEL), effect("day"), turn(1), phase_out("a1"), turn(2, "Bo"), untap(phased_in=["a1"]))
    assert ("day", ()) == (game.designation, game.followed)


def test_what_bars_the_night_leaves_the_day_alone():
    """An Angel forbids night, not day: at night, two spells make it day."""
    game = given(effect("night"), enter("a1", ANGEL), turn(1), cast(), cast(), turn(2, "Bo"), untap())
    assert "day" == game.designation


def test_phasing_in_and_out_happen_at_once():
    """One untap step can phase one permanent in and another one out."""
    game = given(
        effect("day"), enter("w1"), enter("w2"), phase_out("w1"), turn(1), untap(phased_in=["w1"], phased_out=["w2"])
    )
    assert {"w1": True, "w2": False} == game.each("phased_in")


def test_what_phases_out_does_not_turn_with_the_check():
    """A permanent that phases out keeps its front face: the check comes after phasing, and makes it night."""
    game = given(enter("w1"), turn(1), turn(2, "Bo"), untap(phased_out=["w1"]))
    assert ("night", {"w1": "front"}) == (game.designation, game.each("face"))


def test_a_departed_players_turn_is_still_looked_at():
    """At night, Ana cast two spells, then left in her own turn: the check counts them, and it becomes day."""
    game = given(effect("night"), turn(1, "Ana"), cast(), cast(), quits("Ana"), turn(2, "Bo"), untap())
    assert "day" == game.designation
    assert [3, 4, 5] == game.changes[-1]["because"]


def test_a_departed_player_who_cast_nothing_brings_the_night():
    """By day, Ana left in her own turn without a cast: it becomes night, although Bo cast a spell in it."""
    game = given(effect("day"), turn(1, "Ana"), cast("Bo"), quits("Ana"), turn(2, "Bo"), untap())
    assert "night" == game.designation


def test_permanents_follow_the_check():
    """When the check makes it night or day, the werewolves of both players transform in the same event."""
    game = given(enter("w1"), enter("w2", RUFFIAN, controller="Bo"), turn(1), turn(2, "Bo"), untap())
    assert (
        "6: day becomes night in turn 2 (check-day because 4)",
        "6: w1 w2 turn to back (daybound-as-night because 6)",
    ) == game.followed
    game.when(cast("Bo"), cast("Bo"), turn(3), untap())
    assert (
        "10: night becomes day in turn 3 (check-night because 5 7 8)",
        "10: w1 w2 turn to front (nightbound-as-day because 10)",
    ) == game.followed


def test_the_check_goes_on_on_an_empty_battlefield():
    """The only card that mentions day and night has left: the check still makes it night."""
    game = given(enter("v1", VANDAL), leave("v1"), turn(1), turn(2, "Bo"), untap())
    assert ("night", []) == (game.designation, game.battlefield)


def test_a_spell_keeps_the_day_for_one_turn_only():
    """A cast in turn 1, none in turn 2: it stays day in turn 2, and becomes night in turn 3."""
    game = given(effect("day"), turn(1), cast(), turn(2, "Bo"), untap(), turn(3), untap())
    assert ("night", 8) == (game.designation, game.changes[-1]["event"])


@pytest.mark.parametrize("barred", [False, True])
def test_what_every_finding_leads_to(barred):
    """`_leads` pairs each new designation, or None for no change, with the sum of the findings that cause it.

    The findings are 1 for no spell, 2 for one, 4 for two or more; `may_be` is the sum of the possible ones.
    If `barred`, it can't become night: then no spell by day changes nothing.
    """
    for may_be in range(8):
        none, one, two = may_be & 1, may_be & 2, may_be & 4
        by_day, by_night = {}, {}
        if none:
            by_day[None if barred else Designation.NIGHT] = none
            by_night[None] = none
        if one:
            by_day[None] = by_day.get(None, 0) + one
            by_night[None] = by_night.get(None, 0) + one
        if two:
            by_day[None] = by_day.get(None, 0) + two
            by_night[Designation.DAY] = two
        assert by_day == dict(untap_check._leads(Designation.DAY, may_be, barred))
        assert by_night == dict(untap_check._leads(Designation.NIGHT, may_be, barred))
