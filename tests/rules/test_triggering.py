"""Triggers: "whenever day becomes night or night becomes day" (728.1a, 603); a watcher has such an ability.

| clause | the rule in our words | test |
| --- | --- | --- |
| 728.1a | day becoming night and night becoming day trigger it | test_each_change_triggers |
| 728.1a, not | a change from neither triggers nothing | test_from_neither_nothing_triggers |
| 603.2e | becoming day by day, or night at night, triggers nothing | test_no_change_no_trigger |
| 603.2 | each change triggers once for each such permanent, even two | |
| | in one turn | test_each_change_triggers |
| | | test_every_watcher_triggers |
| 603.10 | permanents with the ability right after the change and the | |
| | transformations that come with it | test_what_turns_up_watching_sees_it |
| | | test_what_turns_away_from_watching_does_not |
| 603.10, not | not permanents that come later or were gone | test_what_came_later_has_not_seen_it |
| | | test_what_was_gone_has_not_seen_it |
| watcher | it must be face up, phased in, with its abilities | test_what_does_not_have_it_does_not_trigger |
| 502.4, 503.1 | triggers of the untap step wait for the next other step | |
| |  | test_the_untap_step_makes_it_wait |
| | | test_any_other_step_will_do |
| 603.3 | the next turn shows only that it was put on the stack before | test_the_turn_ends_before |
| 724.1a | the game's end and restart keep it off the stack | |
| | | test_the_game_ends_before |
| | | test_the_game_restarts_before |
| - | two untap steps' triggers go on the stack together | test_two_untap_steps_in_one_turn |
| 117.5 | a resolving effect shows that waiting triggers are stacked | test_an_effect_shows_what_waited_on_the_stack |
| - | any other change is on the stack at once | test_each_change_triggers |
| judge | a ruling triggers nothing | test_a_ruling_triggers_nothing |
"""

import pytest

from .judges import claim, noted, ruled
from .placing import double_faced, enter, leave, lose, permanent, phase_out, together
from .scenario import given
from .turning import copy, face_down
from .wolves import IMMERWOLF, VANDAL
from .words import effect, ended, restarted, step, turn, untap, upkeep

SEEN_AT_UNTAP = "6: v1 sees day become night in turn 2 and waits (change-triggers because 6)"
LAMB = {"name": "Lamb", "keywords": ["daybound"]}
HOWLER = {"name": "Howler", "keywords": ["nightbound"]}
WAITING = (enter("v1", VANDAL), turn(1), turn(2, "Bo"), noted(), untap())


def stacked(game):
    """For every trigger its event, and the event at which it was put on the stack, or None."""
    return [(trigger["event"], trigger["stacked"]) for trigger in game.triggers]


def test_each_change_triggers():
    """Day to night and night to day, by effects: two triggers in one turn, each stacked at its own event."""
    game = given(enter("v1", VANDAL), turn(1), effect("night"), effect("day"))
    common = {"turn": 1, "permanent": "v1", "rule": "change-triggers", "cr": "728.1a"}
    assert [
        common | {"event": 4, "was": "day", "became": "night", "because": [4], "stacked": 4},
        common | {"event": 5, "was": "night", "became": "day", "because": [5], "stacked": 5},
    ] == game.triggers
    assert (
        "5: night becomes day in turn 1 (becomes because 5)",
        "5: v1 sees night become day in turn 1 and is stacked at 5 (change-triggers because 5)",
    ) == game.followed


@pytest.mark.parametrize("becomes", ["day", "night"])
def test_from_neither_nothing_triggers(becomes):
    """When neither becomes day or night, a watcher does not trigger."""
    game = given(enter("v1", VANDAL, without_abilities="X"), {"type": "abilities-regained", "permanents": ["v1"]})
    game.when(effect(becomes))
    assert (becomes, []) == (game.designation, game.triggers)


def test_no_change_no_trigger():
    """When an effect makes it day and it is day already, a watcher does not trigger."""
    assert [] == given(enter("v1", VANDAL), effect("day")).triggers


def test_every_watcher_triggers():
    """At one change each watcher triggers once, in order of arrival, whoever controls it."""
    game = given(
        enter("v1", VANDAL, controller="Bo"), enter("b1", {"card": "Bear"}), enter("v2", VANDAL), effect("night")
    )
    assert ["v1", "v2"] == [trigger["permanent"] for trigger in game.triggers]


def test_what_turns_up_watching_sees_it():
    """Only the back watches, and turns up as it becomes night: it triggers on that change, not as day comes back."""
    howler = double_faced("Howler", LAMB, HOWLER | {"watches": True})
    game = given(enter("h1", howler), effect("night"), effect("day"))
    assert [("h1", "night")] == [(trigger["permanent"], trigger["became"]) for trigger in game.triggers]


def test_what_turns_away_from_watching_does_not():
    """Only the front watches, and turns down as it becomes night: it does not trigger then, but as day comes back."""
    lamb = double_faced("Lamb", LAMB | {"watches": True}, HOWLER)
    game = given(enter("l1", lamb), effect("night"), effect("day"))
    assert [("l1", "day")] == [(trigger["permanent"], trigger["became"]) for trigger in game.triggers]


def test_what_comes_up_only_afterwards_has_not_seen_it():
    """As it becomes day, a Keeper still holds a wolf; the wolf's watching front turns up after that: no trigger."""
    keeper = double_faced("Keeper", LAMB, HOWLER | {"holds": "non-human-werewolves-you-control"})
    wolf = double_faced("Wolf", LAMB | {"watches": True}, HOWLER | {"subtypes": ["Werewolf"]})
    game = given(effect("night"), together(permanent("k1", keeper), permanent("w1", wolf)), effect("day"))
    assert ({"k1": "front", "w1": "front"}, []) == (game.each("face"), game.triggers)


def test_a_held_watcher_still_sees_it():
    """A wolf that Immerwolf keeps back up triggers when it becomes day, as its back watches."""
    wolf = double_faced("Wolf", LAMB, HOWLER | {"subtypes": ["Werewolf"], "watches": True})
    game = given(effect("night"), enter("w1", wolf), enter("i1", IMMERWOLF), effect("day"))
    assert ["w1"] == [trigger["permanent"] for trigger in game.triggers]


def test_what_came_later_has_not_seen_it():
    """A watcher that enters after the change, while another one's trigger waits for the upkeep, does not trigger."""
    game = given(*WAITING, enter("v2", VANDAL))
    assert [("v1", 6, None)] == [(each["permanent"], each["event"], each["stacked"]) for each in game.triggers]
    game.when(upkeep())
    assert [("v1", 6, 8)] == [(each["permanent"], each["event"], each["stacked"]) for each in game.triggers]


def test_what_was_gone_has_not_seen_it():
    """A watcher that left before the change does not trigger."""
    assert [] == given(enter("v1", VANDAL), leave("v1"), effect("night")).triggers


@pytest.mark.parametrize(
    "loss",
    [lose("v1"), phase_out("v1"), face_down("v1"), copy({"name": "Bear"}, "v1")],
    ids=["lost", "phased out", "face down", "copy of a bear"],
)
def test_what_does_not_have_it_does_not_trigger(loss):
    """A watcher that lost its abilities, is phased out, face down or a copy of a bear does not trigger."""
    assert [] == given(enter("v1", VANDAL), loss, effect("night")).triggers


def test_a_copy_has_it():
    """A bear that copies a watcher triggers too."""
    game = given(effect("day"), enter("b1", {"card": "Bear"}), copy({"name": "Vandal", "watches": True}, "b1"))
    game.when(effect("night"))
    assert ["b1"] == [trigger["permanent"] for trigger in game.triggers]


def test_the_untap_step_makes_it_wait():
    """The check makes it night: the trigger waits (`stacked` is None), and goes on the stack when the upkeep begins."""
    game = given(*WAITING)
    assert ("6: day becomes night in turn 2 (check-day because 3)", SEEN_AT_UNTAP) == game.followed
    assert [(6, None)] == stacked(game)
    game.when(upkeep())
    assert ("7: what waited is stacked (put-on-stack because 6)",) == game.followed
    assert [{
        "event": 6, "turn": 2, "permanent": "v1", "was": "day", "became": "night", "rule": "change-triggers",
        "cr": "728.1a", "because": [6], "stacked": 7,
    }] == game.triggers  # fmt: skip


def test_it_goes_on_the_stack_once():
    """The step after the upkeep puts nothing more on the stack."""
    game = given(*WAITING, upkeep(), step("draw"))
    assert ((), [(6, 7)]) == (game.followed, stacked(game))


@pytest.mark.parametrize("other", ["draw", "precombat-main", "end", "cleanup"])
def test_any_other_step_will_do(other):
    """If the upkeep is not recorded, a waiting trigger is put on the stack at the step that comes next."""
    game = given(*WAITING, step(other))
    assert [(6, 7)] == stacked(game)


def test_what_is_no_step_does_not_do():
    """A claim, a note and the watcher's departure put nothing on the stack; the upkeep after them does."""
    game = given(*WAITING, claim("night"), leave("v1"), noted())
    assert [(6, None)] == stacked(game)
    game.when(upkeep())
    assert [(6, 10)] == stacked(game)


def test_the_turn_ends_before():
    """The next turn begins before any other step: the record does not show when the trigger was put on the stack."""
    game = given(*WAITING, turn(3), upkeep())
    assert ((), [(6, None)]) == (game.followed, stacked(game))


def test_the_game_ends_before():
    """The game ends: a waiting trigger is never put on the stack, and `stacked` stays None."""
    game = given(*WAITING, ended())
    assert [(6, None)] == stacked(game)
    assert () == game.game.state.triggers.waiting


def test_the_game_restarts_before():
    """The game restarts: a waiting trigger is never put on the stack, and stays listed with `stacked` None."""
    game = given(*WAITING, restarted(), turn(1), upkeep())
    assert ((), [(6, None)]) == (game.followed, stacked(game))


def test_two_untap_steps_in_one_turn():
    """Night at an untap step, day by a ruling, night at a second one: the upkeep stacks the two triggers."""
    game = given(*WAITING, ruled("day"), untap(), upkeep())
    assert [(6, 9), (8, 9)] == stacked(game)
    assert ("9: what waited is stacked (put-on-stack because 6 8)",) == game.followed


def test_an_effect_shows_what_waited_on_the_stack():
    """An effect stacks the waiting trigger and its own; the trigger of a second untap step waits for the upkeep."""
    game = given(*WAITING, effect("day"), untap(), upkeep())
    assert [(6, 7), (7, 7), (8, 9)] == stacked(game)


def test_a_second_untap_step_is_no_other_step():
    """A second untap step does not put waiting triggers on the stack."""
    game = given(*WAITING, untap())
    assert ((), [(6, None)]) == (game.followed, stacked(game))


def test_two_watchers_wait_for_one_step():
    """Two watchers triggered at event 7: at the upkeep one consequence, caused by event 7, stacks both."""
    game = given(enter("v2", VANDAL), *WAITING, upkeep())
    assert ("8: what waited is stacked (put-on-stack because 7)",) == game.followed
    assert [(7, 8), (7, 8)] == stacked(game)


@pytest.mark.parametrize("designation", ["day", "night"])
def test_a_ruling_triggers_nothing(designation):
    """A ruling changes the designation, but a watcher does not trigger."""
    game = given(enter("v1", VANDAL), ruled("night"), ruled(designation))
    assert (designation, []) == (game.designation, game.triggers)
