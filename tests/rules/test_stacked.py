"""`stacked`: the first event by which the record shows a trigger on the stack (section 2, 7 of the contract).

| clause | the contract in our words | test |
| --- | --- | --- |
| shows it | another step, a cast, a copy, uncertain casts (one or more), an effect, instruction | test_what_shows_it |
| shows it, not | everything else | test_what_does_not_show_it |
| first | the first such event only | test_only_the_first |
| implied | it may be the first event that shows an unrecorded untap step | test_the_event_that_implied_it |
| implied, not | ... or a later one | test_an_event_that_implied_it_without_showing_it |
| null | the next turn began: it happened before, but the record does not show when | test_the_next_turn |
| null | ... also if that turn-began implied the untap step | test_the_turn_that_implied_it |
| never | the game's end, its restart | test_the_end, test_the_restart |
| never | the player who controlled it when it triggered left | tests/rules/test_player_left.py |
| back-up | undone events show nothing | test_a_back_up |
| any other change | at its own event | test_at_its_own_event |
| note, dispute | shows nothing | test_what_does_not_show_it |
| one | the k-th trigger of a permanent at an event is one, whether it became day or night | test_one_whichever_way |
| | ... certain if it happened in every possibility | test_certain_in_every_possibility |
| | ... counted in each possibility | test_counted_in_each_possibility |
"""

import pytest

from .judges import back_up, claim, claim_face, claim_tally, noted, opens, ruled
from .placing import control, enter, leave, lose, permanent, phase_in, phase_out, regain, together
from .scenario import given
from .turning import allow, copy, face_down, face_up, forbid, transform, uncopy
from .wolves import DAYBOUND_FACE, VANDAL
from .words import cast, copied, doubt, effect, ended, joined, quits, restarted, step, turn, untap, upkeep

BEAR = {"card": "Bear"}
THERE = (
    together(
        permanent("v1", VANDAL), permanent("b1", BEAR), permanent("b2", BEAR), permanent("b3", BEAR, controller="Bo")
    ),
    turn(1, skips=["untap"]),
    turn(2),
)
UNWRITTEN = (*THERE, forbid("X"))
WAITING = (*THERE, untap(phased_out=["b2"]))
SHOW_IT = [
    upkeep(), step("draw"), step("cleanup"), cast("Bo"), copied("Ana"), doubt("Ana", 1, 1), effect("night"),
    effect("day", only_if="neither"), transform("b1"), transform(),
]  # fmt: skip
DO_NOT = [
    untap(), doubt("Ana", 0), enter("b4", BEAR), leave("b1"), leave("v1"), control("Bo", "v1"), lose("v1"),
    regain("v1"), copy(DAYBOUND_FACE, "v1"), uncopy("b1"), face_down("b1"), phase_out("v1"), phase_in("b2"),
    forbid("X", "v1"), allow("X"), quits("Bo"), claim("night"), claim_face("v1", "front"), claim_tally("Ana", 0),
    ruled("night"), ruled("day"), noted(), opens(),
]  # fmt: skip


def stacked(game):
    """For each trigger its event, and its `stacked`: the event that shows it on the stack, or None."""
    return [(one["event"], one["stacked"]) for one in game.triggers]


@pytest.mark.parametrize("event", SHOW_IT)
def test_what_shows_it(event):
    """An ability triggered in the untap step of turn 2; `event` comes next, and is its `stacked`."""
    assert [(5, None)] == stacked(given(*WAITING))
    assert [(5, 6)] == stacked(given(*WAITING, event))


@pytest.mark.parametrize("event", DO_NOT)
def test_what_does_not_show_it(event):
    """`event` may happen before anybody has priority: `stacked` stays None, until the upkeep."""
    game = given(*WAITING, event)
    assert [(5, None)] == stacked(game)
    assert [(5, 7)] == stacked(game.when(upkeep()))


def test_only_the_first():
    """The first event that shows the trigger stays its `stacked`, whatever follows."""
    assert [(5, 6)] == stacked(given(*WAITING, upkeep(), step("draw"), cast(), effect("night")))


@pytest.mark.parametrize("event", [one for one in SHOW_IT if one != effect("night")])
def test_the_event_that_implied_it(event):
    """The untap step is not recorded; `event` shows that it is over: the ability triggers and is stacked at `event`."""
    assert [(6, 6)] == stacked(given(*UNWRITTEN, event))


@pytest.mark.parametrize(
    "event", [doubt("Ana", 0), enter("b4", BEAR), face_down("b1"), phase_out("v1"), claim("night"), ruled("day")]
)
def test_an_event_that_implied_it_without_showing_it(event):
    """The untap step is not recorded: the ability triggers at `event`, but its `stacked` is only the later cast."""
    game = given(*UNWRITTEN, event)
    assert [(6, None)] == stacked(game)
    assert [(6, 7)] == stacked(game.when(cast("Bo")))


def test_the_next_turn():
    """The next turn began: the trigger was stacked before, unknown when, so `stacked` stays None."""
    assert [(5, None)] == stacked(given(*WAITING, turn(3, "Bo", skips=["untap"]), upkeep(), cast("Bo")))


def test_the_turn_that_implied_it():
    """Only turn 3's beginning shows that turn 2 had its untap step: `stacked` is None."""
    game = given(*UNWRITTEN, turn(3, "Bo", skips=["untap"]), upkeep())
    assert ([(6, None)], [2]) == (stacked(game), [one["turn"] for one in game.triggers])


def test_the_end():
    """The game ended before anybody had priority: `stacked` stays None."""
    assert [(5, None)] == stacked(given(*WAITING, ended(), noted(), claim("night")))
    assert [(6, None)] == stacked(given(*UNWRITTEN, ended()))


def test_the_restart():
    """A restarted game has a new stack: `stacked` of the old trigger stays None."""
    assert [(5, None)] == stacked(given(*WAITING, restarted(), turn(1), upkeep(), cast()))


def test_a_back_up():
    """A back-up undoes the upkeep, so a later draw step is the trigger's `stacked`."""
    game = given(*WAITING, upkeep(), back_up(5))
    assert [(5, None)] == stacked(game)
    assert [(5, 8)] == stacked(game.when(step("draw")))


def test_at_its_own_event():
    """A trigger by an effect has the effect's own event as `stacked`, also if that implies the untap step."""
    assert [(4, 4)] == stacked(given(enter("v1", VANDAL), turn(1), effect("night")))
    both = given(*UNWRITTEN, effect("day"))
    assert [(6, 6, "night"), (6, 6, "day")] == [(one["event"], one["stacked"], one["became"]) for one in both.triggers]


def test_one_whichever_way():
    """Day or night, and the switch: one certain trigger, whose `was` and `became` are None."""
    (one,) = given(joined("day", "night"), enter("v1", VANDAL), effect("switch")).triggers
    assert ("v1", 4, 4, None, None) == (one["permanent"], one["event"], one["stacked"], one["was"], one["became"])
    assert "certain" not in one
    (two,) = given(joined("day"), enter("v1", VANDAL), effect("switch")).triggers
    assert ("day", "night") == (two["was"], two["became"])


def test_certain_in_every_possibility():
    """Day or night, and an effect makes it day: the trigger happens only from night, so it is uncertain."""
    (one,) = given(joined("day", "night"), enter("v1", VANDAL), effect("day")).triggers
    assert ("night", "day", False) == (one["was"], one["became"], one["certain"])


def test_counted_in_each_possibility():
    """From day, night at the untap step and day by an effect are two triggers; from night only the effect is one.

    Each possibility has a first trigger, so that is certain; the second is uncertain.
    """
    before = (joined("day", "night"), enter("v1", VANDAL), turn(1, skips=["untap"]), turn(2, "Bo"), effect("day"))
    first, second = given(*before).triggers
    assert (6, None, None) == (first["event"], first["was"], first["became"])
    assert "certain" not in first
    assert ("night", "day", False) == (second["was"], second["became"], second["certain"])
    assert {6} == {first["stacked"], second["stacked"]}


def test_two_watchers_have_their_own():
    """Two switches: v1 has a certain trigger at each; v2, face down at first, has one at the second."""
    there = together(permanent("v1", VANDAL), permanent("v2", VANDAL, face_down=True))
    game = given(joined("day", "night"), there, effect("switch"), face_up("v2"), effect("switch"))
    assert [("v1", 4), ("v1", 6), ("v2", 6)] == sorted((one["permanent"], one["event"]) for one in game.triggers)
    assert all("certain" not in one for one in game.triggers)
