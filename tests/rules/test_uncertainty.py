"""Uncertainty: more than one state may be possible; the game keeps each as a possibility, and merges equal ones.

| clause | the contract in our words | test |
| --- | --- | --- |
| spells-uncertain | perhaps none, perhaps one: day and night are possible | |
| |  | test_a_doubt_leaves_two_designations |
| - | bounds that settle the check leave one designation | test_bounds_that_settle_the_check |
| - | recorded casts and uncertain numbers of casts add up | test_casts_and_doubts_add_up, test_doubts_add_up |
| - | only uncertain casts of the active player matter | test_doubts_about_others_do_not_matter |
| - | each possibility has its own faces | test_each_possibility_has_its_faces |
| - | ... and its own assumption of casts, kept by a second untap step of the turn | test_a_second_untap_step_agrees |
| | | test_what_was_assumed_ends_with_the_turn |
| - | a check assumes nothing about casts that do not change its result | test_what_changes_nothing_teaches_nothing |
| merging | possibilities are merged when the rules can't distinguish them | test_an_effect_settles_it |
| | | test_possibilities_merge_with_the_next_turn |
| certain | a change in only some of them is marked uncertain | test_an_effect_settles_it |
| certain, not | a change in all of them is certain | test_what_happens_in_all_is_certain |
| triggers | a trigger in only some of them is marked uncertain | test_uncertain_triggers |
| policy | MTR 4.9: if nobody can tell, the judge assumes night; in a | |
| | separate field | test_the_policy_is_offered_beside |
| ruling | a ruling settles the designation | test_a_ruling_settles_it |
| bound | too many possibilities are refused | test_too_many_possibilities |
"""

import pytest

from daynight.framework.language.errors import ImpossibleError
from daynight.referee import alternatives

from .judges import ruled
from .placing import enter, leave, phase_out
from .scenario import given
from .turning import transform
from .wolves import ANGEL, OLD_WEREWOLF, VANDAL
from .words import cast, doubt, effect, joined, turn, untap, upkeep

PERHAPS_NIGHT = (enter("w1"), turn(1), doubt("Ana", 0), turn(2, "Bo"), untap())
POLICY = {"rule": "MTR 4.9", "designation": "night"}


def test_a_doubt_leaves_two_designations():
    """By day, Ana cast an uncertain number of spells: day and night are possible, and the change is uncertain."""
    game = given(*PERHAPS_NIGHT)
    assert (None, ["day", "night"]) == (game.designation, game.possible)
    assert game.game.state.designation is None
    assert {
        "event": 6, "turn": 2, "was": "day", "became": "night", "rule": "check-day", "cr": "728.2a", "because": [3, 4],
        "certain": False,
    } == game.changes[-1]  # fmt: skip
    assert (
        "perhaps 6: day becomes night in turn 2 (check-day because 3 4)",
        "perhaps 6: w1 turn to back (daybound-as-night because 6)",
    ) == game.followed


def test_the_policy_is_offered_beside():
    """With day and night possible `policy` names night and its tournament rule; with one designation it is missing."""
    game = given(*PERHAPS_NIGHT)
    assert POLICY == game.policy
    assert "policy" not in given(effect("day")).game.document()


def test_two_spells_perhaps_end_the_night():
    """At night, one cast is certain and another is possible: day and night are possible."""
    game = given(effect("night"), turn(1), cast(), doubt("Ana", 0, 1), turn(2, "Bo"), untap())
    assert ["day", "night"] == game.possible
    assert ("check-night", [3, 4, 5], False) == tuple(game.changes[-1][key] for key in ("rule", "because", "certain"))


@pytest.mark.parametrize("was, at_least, at_most, possible", [
    ("day", 0, 0, ["night"]),
    ("day", 0, 1, ["day", "night"]),
    ("day", 1, None, ["day"]),
    ("day", 1, 1, ["day"]),
    ("day", 0, None, ["day", "night"]),
    ("night", 0, 0, ["night"]),
    ("night", 0, 1, ["night"]),
    ("night", 0, 2, ["day", "night"]),
    ("night", 1, 2, ["day", "night"]),
    ("night", 1, None, ["day", "night"]),
    ("night", 2, 2, ["day"]),
    ("night", 2, None, ["day"]),
    ("night", 3, 9, ["day"]),
    ("neither", 0, None, ["neither"]),
])  # fmt: skip
def test_bounds_that_settle_the_check(was, at_least, at_most, possible):
    """The bounds of the number of casts give the `possible` designations; with only one, each change is certain."""
    before = [] if was == "neither" else [effect(was)]
    game = given(*before, turn(1), doubt("Ana", at_least, at_most), turn(2, "Bo"), untap())
    assert possible == game.possible
    assert [("certain" in change) for change in game.changes[1:]] == [len(possible) > 1] * len(game.changes[1:])


def test_casts_and_doubts_add_up():
    """At night, one cast, then none or one, then another: two at least, so it is certainly day."""
    game = given(effect("night"), turn(1), cast(), doubt("Ana", 0, 1), cast(), turn(2, "Bo"), untap())
    assert (["day"], [3, 4, 5, 6]) == (game.possible, game.changes[-1]["because"])
    assert {"Ana": {"at_least": 2, "at_most": 3}, "Bo": 0} == game.tallies["previous"]["spells"]


def test_doubts_add_up():
    """At night, two uncertain numbers of at least one are together at least two: it is certainly day."""
    game = given(effect("night"), turn(1), doubt("Ana", 1, 2), doubt("Ana", 1), turn(2, "Bo"), untap())
    assert ["day"] == game.possible
    assert {"at_least": 2, "at_most": None} == game.tallies["previous"]["spells"]["Ana"]


def test_a_doubt_that_is_none():
    """If `at_least` and `at_most` are both 2, the number is known: the tally has 3, with one recorded cast."""
    game = given(turn(1), cast(), doubt("Ana", 2, 2))
    assert {"Ana": 3, "Bo": 0} == game.tallies["current"]["spells"]


def test_doubts_about_others_do_not_matter():
    """Uncertain casts of Bo in Ana's turn do not matter: Ana cast none, so it is night."""
    game = given(effect("day"), turn(1), doubt("Bo", 0), turn(2, "Bo"), untap())
    assert (["night"], [3]) == (game.possible, game.changes[-1]["because"])
    assert {"Ana": 0, "Bo": {"at_least": 0, "at_most": None}} == game.tallies["previous"]["spells"]


def test_a_doubt_of_an_earlier_turn_does_not_matter():
    """Uncertain casts two turns ago do not matter: one cast in the previous turn keeps the day."""
    game = given(effect("day"), turn(1), doubt("Ana", 0), turn(2, "Bo", skips=["untap"]), cast("Bo"), turn(3), untap())
    assert ["day"] == game.possible


def test_each_possibility_has_its_faces():
    """If the Ruffian's face is uncertain, its face, name and keywords are None; a Bear's are given."""
    game = given(enter("b1", {"card": "Bear"}), *PERHAPS_NIGHT)
    assert {"b1": "front", "w1": None} == game.each("face")
    assert {"b1": "Bear", "w1": None} == game.each("name")
    assert {"b1": [], "w1": None} == game.each("keywords")
    assert game.game.state.face("w1") is None


def test_a_phased_out_permanent_with_two_faces():
    """The face of a phased-out permanent is None too if it is uncertain."""
    game = given(*PERHAPS_NIGHT, phase_out("w1"))
    assert ({"w1": None}, {"w1": False}) == (game.each("face"), game.each("phased_in"))


def test_a_second_untap_step_agrees():
    """An effect makes it day between two untap steps: it is night again only if the first check found no spell."""
    game = given(effect("day"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap(), effect("day"), untap())
    assert ["day", "night"] == game.possible
    assert [(6, False), (7, False), (8, False)] == [(change["event"], change["certain"]) for change in game.changes[1:]]
    assert 2 == len(game.game.state.possibilities)


def test_a_second_untap_step_agrees_about_two():
    """If the first check found two spells, each later check of the turn finds two; otherwise it finds fewer."""
    game = given(effect("night"), turn(1), doubt("Ana", 0, 2), turn(2, "Bo"), untap())
    assert ["day", "night"] == game.possible
    game.when(effect("night"), untap())
    assert ["day", "night"] == game.possible
    game.when(effect("day"), untap())
    assert ["day", "night"] == game.possible


def test_what_the_first_check_found_the_second_finds():
    """If the first check found no spell, the second finds none: this possibility never becomes day."""
    game = given(effect("day"), turn(1), doubt("Ana", 0, 2), turn(2, "Bo"), untap())
    found = {(possibility.designation, possibility.casts) for possibility in game.game.state.possibilities}
    assert {("night", 1), ("day", 6)} == found
    game.when(effect("night"), untap())
    found = {(possibility.designation, possibility.casts) for possibility in game.game.state.possibilities}
    assert {("night", 1), ("night", 2), ("day", 4)} == found


def test_perhaps_two_and_all_that_follows():
    """If a change to day is uncertain, the transformations and triggers that follow from it are uncertain too."""
    game = given(effect("night"), enter("w1"), enter("v1", VANDAL), turn(1), doubt("Ana", 0, 2), turn(2, "Bo"))
    game.when(untap())
    assert (
        "perhaps 8: night becomes day in turn 2 (check-night because 5 6)",
        "perhaps 8: w1 turn to front (nightbound-as-day because 8)",
        "perhaps 8: v1 sees night become day in turn 2 and waits (change-triggers because 8)",
    ) == game.followed
    found = game.game.record(upkeep()).consequences
    assert ("put-on-stack", (8,)) == (found[0].rule, found[0].because)


def test_a_sure_turn_settles_what_was_in_doubt():
    """Day and night are possible: a turn without spells makes it certainly night, a turn with two certainly day."""
    assert ["night"] == given(*PERHAPS_NIGHT, turn(3), untap()).possible
    assert ["day"] == given(*PERHAPS_NIGHT, cast("Bo"), cast("Bo"), turn(3), untap()).possible
    joined_midway = given(joined("day", "night"), turn(1), cast(), cast(), turn(2, "Bo"), untap())
    assert ["day"] == joined_midway.possible


def test_what_happens_in_both_possibilities_is_certain():
    """Effects make it day, then night, in both possibilities: the change to night and the transforms are certain."""
    game = given(*PERHAPS_NIGHT, enter("g1", OLD_WEREWOLF), effect("day"))
    assert 2 == len(game.game.state.possibilities)
    game.when(effect("night"))
    assert (
        "9: day becomes night in turn 2 (becomes because 9)",
        "9: w1 turn to back (daybound-as-night because 9)",
    ) == game.followed
    assert [None, False, False, None] == [change.get("certain") for change in game.changes]
    game.when(transform("g1"), enter("g2", OLD_WEREWOLF, face="back"))
    assert ("11: g2 enter back face up (told-to-enter because 11)",) == game.followed
    assert ({"w1": "back", "g1": "back", "g2": "back"}, 2) == (game.each("face"), len(game.game.state.possibilities))


def test_uncertain_is_false():
    """`certain` is False for an uncertain change, and True for a certain one in the timeline."""
    game = given(*PERHAPS_NIGHT)
    assert [False, False] == [found.certain for found in list(game.game)[-1].consequences]
    assert [True, False] == [change.certain for change in game.game.state.timeline.changes]


def test_what_was_assumed_ends_with_the_turn():
    """What a check assumed about casts does not bind the next turn's check, because it looks at another turn."""
    game = given(*PERHAPS_NIGHT, effect("day"), turn(3), untap())
    assert (["night"], [6, 7, 9]) == (game.possible, [change["event"] for change in game.changes[1:]])
    assert [7] == [possibility.casts for possibility in game.game.state.possibilities]


def test_possibilities_merge_with_the_next_turn(monkeypatch):
    """Two possibilities of day assume different casts: the next turn-began drops the assumptions and merges them."""
    monkeypatch.setattr(alternatives, "APART", 0)
    game = given(*PERHAPS_NIGHT, effect("day"))
    assert 2 == len(game.game.state.possibilities)
    game.when(turn(3))
    assert 1 == len(game.game.state.possibilities)


def test_what_changes_nothing_teaches_nothing():
    """One cast or two: by day that changes nothing, so the check assumes nothing and one possibility remains.

    When it is night, a second check gives two: with one cast it stays night, with two it becomes day.
    """
    game = given(effect("day"), turn(1), doubt("Ana", 1, 2), turn(2, "Bo"), untap())
    assert [7] == [possibility.casts for possibility in game.game.state.possibilities]
    game.when(effect("night"), untap())
    assert ["day", "night"] == game.possible


def test_an_angel_leaves_no_doubt():
    """An Angel forbids night: whatever Ana cast, it certainly stays day."""
    game = given(effect("day"), enter("a1", ANGEL), turn(1), doubt("Ana", 0), turn(2, "Bo"), untap())
    assert (["day"], ()) == (game.possible, game.followed)


def test_an_effect_settles_it():
    """An effect makes it certainly night; its change is uncertain, because in one possibility it was night already."""
    game = given(*PERHAPS_NIGHT, effect("night"))
    assert ("night", {"w1": "back"}) == (game.designation, game.each("face"))
    assert [None, False, False] == [change.get("certain") for change in game.changes]
    assert (
        "perhaps 7: day becomes night in turn 2 (becomes because 7)",
        "perhaps 7: w1 turn to back (daybound-as-night because 7)",
    ) == game.followed


def test_what_happens_in_all_is_certain():
    """From neither or night, an effect makes it day: both changes are uncertain. The next one, in all, is certain."""
    game = given(joined("neither", "night"), effect("day"))
    assert [("neither", False), ("night", False)] == [(change["was"], change["certain"]) for change in game.changes]
    game.when(effect("night"))
    assert "certain" not in game.changes[-1]


def test_uncertain_triggers():
    """A trigger in only one possibility is marked uncertain: while it waits, and when it is on the stack."""
    game = given(enter("v1", VANDAL), *PERHAPS_NIGHT)
    assert "perhaps 7: v1 sees day become night in turn 2 and waits (change-triggers because 7)" == game.followed[-1]
    game.when(upkeep())
    assert [(8, False)] == [(trigger["stacked"], trigger["certain"]) for trigger in game.triggers]


def test_a_ruling_settles_it():
    """After a ruling of night it is certainly night; `unruled`, the state by the rules alone, keeps day and night."""
    game = given(*PERHAPS_NIGHT, ruled("night"))
    assert ("night", {"w1": "back"}) == (game.designation, game.each("face"))
    assert {"day", "night"} == {possibility.designation for possibility in game.game.state.unruled}


def test_what_left_is_forgotten_in_all():
    """Two possibilities merge when it becomes day in both, if they differ only in the face of a permanent that left."""
    game = given(joined("day", "night"), enter("w1"), leave("w1"), effect("day"))
    assert ({}, 1) == (game.each("face"), len(game.game.state.possibilities))


def test_too_many_possibilities(monkeypatch):
    """An event that leads to more than MOST possibilities raises ImpossibleError; the game does not change."""
    monkeypatch.setattr(alternatives, "MOST", 2)
    game = given(joined("day", "night"), turn(1))
    with pytest.raises(ImpossibleError) as error:
        game.when(untap())
    assert "4: $: the record leaves more than 2 possibilities open; record more of what is known" == str(error.value)
    assert (3, ["day", "night"]) == (len(game.game), game.possible)


def test_as_many_possibilities_as_allowed(monkeypatch):
    """Exactly `MOST` possibilities are accepted: here 4, with different designations or assumptions about casts."""
    monkeypatch.setattr(alternatives, "MOST", 4)
    game = given(joined("day", "night"), turn(1), untap())
    assert 4 == len(game.game.state.possibilities)


def test_the_bound():
    """The limit is 4096 possibilities."""
    assert 4096 == alternatives.MOST
