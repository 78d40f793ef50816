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
| 500.7 | an extra turn's previous turn is the one before it; a gap is | |
| | skipped turns | test_an_extra_turn_looks_at_the_turn_before_it |
| | | test_skipped_turns_are_not_previous_turns |
| 502.1 | phasing and its consequences come before the check | test_phasing_in_daybound_makes_it_day_before_the_check |
| | | test_what_phases_out_no_longer_bars_the_night |
| | | test_what_phases_in_bars_the_night |
| 800.4 | a player who has left since was still active then | test_a_departed_players_turn_is_still_looked_at |
| 702.145b, e | permanents follow the check at once | test_permanents_follow_the_check |
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
    """No spell by day: night, and the only cause is the beginning of that turn."""
    game = given(effect("day"), turn(1, "Ana"), turn(2, "Bo"), untap())
    assert "night" == game.designation
    assert {"event": 5, "turn": 2, "because": [3]} | CHECK_DAY == game.changes[-1]


def test_what_the_check_answers_in_full():
    """The consequence names the turn that was looked at and its active players."""
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
    """One spell of the active player keeps the day."""
    game = given(effect("day"), turn(1, "Ana"), cast("Ana"), turn(2, "Bo"), untap())
    assert ("day", ()) == (game.designation, game.followed)


def test_two_spells_keep_the_day():
    """Two spells matter only at night."""
    game = given(effect("day"), turn(1, "Ana"), cast("Ana"), cast("Ana"), turn(2, "Bo"), untap())
    assert ("day", ()) == (game.designation, game.followed)


def test_night_and_two_spells_make_it_day():
    """Two spells at night: day, and the causes are the turn and both spells."""
    game = given(effect("night"), turn(1, "Ana"), cast("Ana"), cast("Bo"), cast("Ana"), turn(2, "Bo"), untap())
    assert "day" == game.designation
    assert {"event": 8, "turn": 2, "because": [3, 4, 6]} | CHECK_NIGHT == game.changes[-1]


def test_night_and_three_spells_make_it_day():
    """Two or more spells make it day: three too."""
    game = given(effect("night"), turn(1), cast(), cast(), cast(), turn(2, "Bo"), untap())
    assert "day" == game.designation
    assert [3, 4, 5, 6] == game.changes[-1]["because"]


def test_one_spell_keeps_the_night():
    """One spell at night is not enough for day."""
    game = given(effect("night"), turn(1), cast(), turn(2, "Bo"), untap())
    assert ("night", ()) == (game.designation, game.followed)


def test_no_spell_keeps_the_night():
    """A turn without spells changes nothing at night."""
    game = given(effect("night"), turn(1), turn(2, "Bo"), untap())
    assert ("night", ()) == (game.designation, game.followed)


@pytest.mark.parametrize("spells", [0, 1, 2])
def test_neither_stays_neither(spells):
    """While it is neither, no number of spells changes anything."""
    game = given(turn(1), *[cast()] * spells, turn(2, "Bo"), untap())
    assert ("neither", [], ()) == (game.designation, game.changes, game.followed)


@pytest.mark.parametrize("designation", ["day", "night"])
def test_the_first_turn_has_no_previous_turn(designation):
    """The first turn has no previous turn; that is not a turn without spells."""
    game = given(effect(designation), turn(1), untap())
    assert (designation, ()) == (game.designation, game.followed)


def test_spells_of_others_do_not_count():
    """Bo's spells in Ana's turn neither keep the day nor end the night."""
    by_day = given(effect("day"), turn(1, "Ana"), cast("Bo"), turn(2, "Bo"), untap())
    by_night = given(effect("night"), turn(1, "Ana"), cast("Bo"), cast("Bo"), turn(2, "Bo"), untap())
    assert ("night", "night") == (by_day.designation, by_night.designation)
    assert [3] == by_day.changes[-1]["because"]


def test_a_spell_of_each_player_is_not_two_spells():
    """One spell of Ana and one of Bo do not end the night."""
    game = given(effect("night"), turn(1, "Ana"), cast("Ana"), cast("Bo"), turn(2, "Bo"), untap())
    assert "night" == game.designation


def test_own_spells_in_others_turns_do_not_count():
    """Ana's spell in Bo's turn does not keep the day after it."""
    game = given(effect("day"), turn(1, "Bo"), cast("Ana"), turn(2, "Ana"), untap())
    assert "night" == game.designation


def test_spells_two_turns_ago_do_not_count():
    """Only the previous turn counts."""
    game = given(effect("day"), turn(1, "Ana"), cast("Ana"), turn(2, "Bo"), turn(3, "Ana"), untap())
    assert "night" == game.designation
    assert [5] == game.changes[-1]["because"]


def test_spells_of_this_turn_do_not_count():
    """A spell cast in the upkeep before a second untap step belongs to this turn."""
    game = given(effect("day"), turn(1, "Ana"), turn(2, "Bo"), cast("Bo"), untap())
    assert "night" == game.designation


def test_copies_do_not_count():
    """A copy put on the stack was not cast: it neither keeps the day nor makes two of one."""
    by_day = given(effect("day"), turn(1), copied(), turn(2, "Bo"), untap())
    by_night = given(effect("night"), turn(1), cast(), copied(), turn(2, "Bo"), untap())
    assert ("night", "night") == (by_day.designation, by_night.designation)


def test_casts_before_the_first_designation_count():
    """The spell that brought the day was cast in that turn too."""
    game = given(turn(1), cast(), enter("w1"), turn(2, "Bo"), untap())
    assert "day" == game.designation


@pytest.mark.parametrize("other", OTHER_STEPS)
def test_no_other_step_checks(other):
    """Only the untap step has the check; if it is skipped, no other step has it."""
    game = given(effect("day"), turn(1), turn(2, "Bo", skips=["untap"]), step(other))
    assert ("day", ()) == (game.designation, game.followed)


def test_a_skipped_untap_step_checks_nothing():
    """A turn whose untap step is skipped has no check; the next turn looks at it, not at the one before."""
    game = given(effect("day"), turn(1), turn(2, "Bo", skips=["untap"]), upkeep(), cast("Bo"), turn(3, "Ana"), untap())
    assert "day" == game.designation


def test_a_second_untap_step_checks_again():
    """An effect makes it day between two untap steps of a turn: the second one makes it night again."""
    game = given(effect("day"), turn(1), turn(2, "Bo"), untap(), effect("day"), untap())
    assert "night" == game.designation
    assert [5, 6, 7] == [change["event"] for change in game.changes[1:]]


def test_a_new_turn_is_in_no_step_yet():
    """When a turn has begun, its untap step has not."""
    game = given(turn(1), untap(), upkeep())
    assert ("upkeep", 1) == (game.step, game.turn)
    game.when(turn(2, "Bo"))
    assert (None, 2, ["Bo"]) == (game.step, game.turn, game.active)


def test_an_extra_turn_looks_at_the_turn_before_it():
    """Ana's extra turn follows her own turn, so its check looks at that one."""
    game = given(effect("night"), turn(1, "Ana"), cast(), cast(), turn(2, "Ana"), untap())
    assert "day" == game.designation


def test_skipped_turns_are_not_previous_turns():
    """After a gap in the turn numbers, the previous turn is the last recorded one."""
    game = given(effect("day"), turn(1), cast(), turn(7, "Bo"), untap())
    assert "day" == game.designation
    assert {"active": ["Ana"], "spells": {"Ana": 1, "Bo": 0}} == game.tallies["previous"]


def test_phasing_in_daybound_makes_it_day_before_the_check():
    """While it is neither, a Ruffian phases in: it becomes day, and then the check finds no spell: night."""
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
    """It is night; a Ruffian phases in and turns over, then two spells make it day and it turns back."""
    game = given(
        enter("w1"), turn(1), phase_out("w1"), effect("night"), cast(), cast(), turn(2, "Bo"), untap(phased_in=["w1"])
    )
    assert (
        "9: w1 turn to back (daybound-at-night because 9)",
        "9: night becomes day in turn 2 (check-night because 3 6 7)",
        "9: w1 turn to front (nightbound-as-day because 9)",
    ) == game.followed


def test_phasing_is_done_even_where_the_check_finds_nothing():
    """A Ruffian phases in at night: it turns over, and one spell changes nothing."""
    game = given(enter("w1"), turn(1), phase_out("w1"), effect("night"), cast(), turn(2, "Bo"), untap(phased_in=["w1"]))
    assert ("8: w1 turn to back (daybound-at-night because 8)",) == game.followed


def test_what_phases_out_no_longer_bars_the_night():
    """An Angel that phases out in this very untap step does not hinder its check."""
    game = given(enter("a1", ANGEL), effect("day"), turn(1), turn(2, "Bo"), untap(phased_out=["a1"]))
    assert "night" == game.designation
    assert {"a1": False} == game.each("phased_in")


def test_what_phases_in_bars_the_night():
    """An Angel that phases in in this very untap step hinders its check."""
    game = given(enter("a1", ANGEL), effect("day"), turn(1), phase_out("a1"), turn(2, "Bo"), untap(phased_in=["a1"]))
    assert ("day", ()) == (game.designation, game.followed)


def test_what_bars_the_night_leaves_the_day_alone():
    """An Angel that says it can't become night does not hinder night becoming day."""
    game = given(effect("night"), enter("a1", ANGEL), turn(1), cast(), cast(), turn(2, "Bo"), untap())
    assert "day" == game.designation


def test_phasing_in_and_out_happen_at_once():
    """In one untap step one permanent phases in and another phases out."""
    game = given(
        effect("day"), enter("w1"), enter("w2"), phase_out("w1"), turn(1), untap(phased_in=["w1"], phased_out=["w2"])
    )
    assert {"w1": True, "w2": False} == game.each("phased_in")


def test_what_phases_out_does_not_turn_with_the_check():
    """Phasing comes before the check, so a permanent that phases out does not transform with it."""
    game = given(enter("w1"), turn(1), turn(2, "Bo"), untap(phased_out=["w1"]))
    assert ("night", {"w1": "front"}) == (game.designation, game.each("face"))


def test_a_departed_players_turn_is_still_looked_at():
    """Ana cast two spells, then left in her own turn: the check still counts them."""
    game = given(effect("night"), turn(1, "Ana"), cast(), cast(), quits("Ana"), turn(2, "Bo"), untap())
    assert "day" == game.designation
    assert [3, 4, 5] == game.changes[-1]["because"]


def test_a_departed_player_who_cast_nothing_brings_the_night():
    """A departed player who cast nothing counts as having cast nothing."""
    game = given(effect("day"), turn(1, "Ana"), cast("Bo"), quits("Ana"), turn(2, "Bo"), untap())
    assert "night" == game.designation


def test_permanents_follow_the_check():
    """When the check makes it night or day, every werewolf transforms, whoever controls it."""
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
    """No permanent with day and night is left, and it still becomes night."""
    game = given(enter("v1", VANDAL), leave("v1"), turn(1), turn(2, "Bo"), untap())
    assert ("night", []) == (game.designation, game.battlefield)


def test_a_spell_keeps_the_day_for_one_turn_only():
    """A cast in turn 1, none in turn 2: the day lasts one turn longer."""
    game = given(effect("day"), turn(1), cast(), turn(2, "Bo"), untap(), turn(3), untap())
    assert ("night", 8) == (game.designation, game.changes[-1]["event"])


@pytest.mark.parametrize("barred", [False, True])
def test_what_every_finding_leads_to(barred):
    """Each set of possible findings (1: none cast, 2: one, 4: two or more) with its result, worked out by hand."""
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
