"""Becoming: an effect or a ruling makes it day or night.

| clause | the rule in our words | test |
| --- | --- | --- |
| 728.1 | "it becomes day", "it becomes night": the game has that | |
| | designation | test_it_becomes_what_the_effect_says |
| 728.1 | night can come first | test_it_becomes_what_the_effect_says |
| 603.2e, not | an effect that makes it what it is changes and triggers | |
| | nothing | test_becoming_what_it_is_changes_nothing |
| the switch | if it's night it becomes day, otherwise night: from neither too | test_the_switch |
| only_if | an effect with a condition does nothing if the condition is false | test_the_condition_holds |
| | | test_the_condition_does_not_hold |
| 702.145b, e | permanents follow as it becomes night and day | test_permanents_follow_an_effect |
| holds night | an ability "it can't become night" prevents an effect's night | test_an_effect_is_barred |
| holds night, not | it does not prevent day, and ends with the ability | test_day_is_not_barred |
| | | test_the_bar_ends |
| judge | a ruling applies, right or wrong, even if night is forbidden | test_a_ruling_sets_it |
| | | test_a_ruling_is_not_barred |
| 103.6 | an effect before turn 1 counts; turn 1 has no check | test_before_the_first_turn |
"""

import pytest

from .judges import ruled
from .placing import control, enter, leave, lose, phase_out
from .scenario import given
from .turning import face_down
from .wolves import ANGEL, VANDAL
from .words import effect, turn, untap


@pytest.mark.parametrize("was, becomes", [("neither", "day"), ("neither", "night"), ("day", "night"), ("night", "day")])
def test_it_becomes_what_the_effect_says(was, becomes):
    """An effect changes neither to day or to night, day to night, and night to day."""
    before = [] if was == "neither" else [effect(was)]
    game = given(turn(3, "Bo"), *before, effect(becomes))
    assert becomes == game.designation
    event = len(before) + 3
    assert {
        "event": event, "turn": 3, "was": was, "became": becomes, "rule": "becomes", "cr": "728.1", "because": [event],
    } == game.changes[-1]  # fmt: skip


@pytest.mark.parametrize("designation", ["day", "night"])
def test_becoming_what_it_is_changes_nothing(designation):
    """ "It becomes day" when it is day already, or "night" at night, changes nothing, and nothing triggers."""
    game = given(effect(designation), enter("v1", VANDAL), effect(designation))
    assert ((), 1, []) == (game.followed, len(game.changes), game.triggers)


@pytest.mark.parametrize("was, becomes", [("neither", "night"), ("day", "night"), ("night", "day")])
def test_the_switch(was, becomes):
    """The effect `switch` changes night to day, and day or neither to night."""
    game = given(*([] if was == "neither" else [effect(was)]), effect("switch"))
    assert (becomes, was) == (game.designation, game.changes[-1]["was"])


@pytest.mark.parametrize(
    "was, only_if, becomes",
    [("neither", "neither", "day"), ("day", "day", "night"), ("night", "night", "day"), ("night", "night", "switch")],
)
def test_the_condition_holds(was, only_if, becomes):
    """An effect whose `only_if` is the present designation changes it."""
    game = given(*([] if was == "neither" else [effect(was)]), effect(becomes, only_if=only_if))
    assert {"switch": "day"}.get(becomes, becomes) == game.designation


@pytest.mark.parametrize("was, only_if, becomes", [
    ("neither", "day", "night"),
    ("neither", "night", "day"),
    ("day", "neither", "night"),
    ("day", "night", "switch"),
    ("night", "neither", "day"),
    ("night", "day", "switch"),
])  # fmt: skip
def test_the_condition_does_not_hold(was, only_if, becomes):
    """An effect whose `only_if` is another designation changes nothing."""
    game = given(*([] if was == "neither" else [effect(was)]), effect(becomes, only_if=only_if))
    assert (was, ()) == (game.designation, game.followed)


def test_permanents_follow_an_effect():
    """A Ruffian transforms to its back when an effect makes it night, and to its front when one makes it day."""
    game = given(enter("w1"), effect("night"))
    assert (
        "3: day becomes night in turn 0 (becomes because 3)",
        "3: w1 turn to back (daybound-as-night because 3)",
    ) == game.followed
    game.when(effect("switch"))
    assert (
        "4: night becomes day in turn 0 (becomes because 4)",
        "4: w1 turn to front (nightbound-as-day because 4)",
    ) == game.followed


@pytest.mark.parametrize("becomes", ["night", "switch"])
@pytest.mark.parametrize("before", [[], [effect("day")]], ids=["neither", "day"])
def test_an_effect_is_barred(before, becomes):
    """While an Angel says that it can't become night, effects of night and switches do not change day or neither."""
    game = given(enter("a1", ANGEL), *before, effect(becomes))
    assert ("day" if before else "neither", ()) == (game.designation, game.followed)


def test_day_is_not_barred():
    """While an Angel forbids night, it can still become day: by an effect, and by the switch at night."""
    by_effect = given(effect("night"), enter("a1", ANGEL), effect("day"))
    by_switch = given(effect("night"), enter("a1", ANGEL), effect("switch"))
    assert ("day", "day") == (by_effect.designation, by_switch.designation)


@pytest.mark.parametrize(
    "ends", [leave("a1"), lose("a1"), phase_out("a1"), face_down("a1")], ids=["left", "lost", "phased", "face down"]
)
def test_the_bar_ends(ends):
    """After the Angel left, phased out, was turned face down or lost its abilities, an effect can make it night."""
    assert "night" == given(enter("a1", ANGEL), effect("day"), ends, effect("night")).designation


def test_the_bar_stays_whoever_controls_it():
    """After another player got control of the Angel, an effect still can't make it night."""
    assert "day" == given(enter("a1", ANGEL), effect("day"), control("Bo", "a1"), effect("night")).designation


@pytest.mark.parametrize("was", ["neither", "day", "night"])
@pytest.mark.parametrize("designation", ["day", "night"])
def test_a_ruling_sets_it(was, designation):
    """A judge's ruling sets the designation, whatever it was before."""
    game = given(*([] if was == "neither" else [effect(was)]), ruled(designation))
    assert designation == game.designation
    event = 2 if was == "neither" else 3
    expected = (f"{event}: {was} becomes {designation} in turn 0 (judge because {event})",)
    assert (() if was == designation else expected) == game.followed


def test_a_ruling_is_no_rule_with_a_number():
    """The change by a judge's ruling has the rule `judge` and no rule number (`cr` is None)."""
    assert {"rule": "judge", "cr": None} == {
        key: value for key, value in given(ruled("day")).changes[0].items() if key in ("rule", "cr")
    }


def test_a_ruling_is_not_barred():
    """A judge's ruling makes it night although an Angel says that it can't become night."""
    assert "night" == given(enter("a1", ANGEL), effect("day"), ruled("night")).designation


def test_before_the_first_turn():
    """An effect before turn 1 makes it night; turn 1 has no previous turn to check, so it stays night."""
    game = given(effect("night"), turn(1), untap())
    assert ("night", 0) == (game.designation, game.changes[0]["turn"])
