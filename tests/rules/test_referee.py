"""The referee: it changes a state by events, in place, and returns the consequences.

| promise | test |
| --- | --- |
| a new state is the state before the game | test_a_state_before_the_first_event |
| the consequences of all events are returned in order | test_running_over_events |
| processing can be continued | test_going_on |
| a refusal names its line; the events before it have been applied | test_a_refusal_on_the_way |
| steps without consequences are applied like any other event | test_steps_on_the_way |
| custom handlers can be given | test_other_handlers |
| a copy of a state is independent | test_a_copied_state_is_apart |
"""

from collections import UserList

import pytest

from daynight.events.language import decode
from daynight.events.terms import Designation
from daynight.framework.language.codec import encode
from daynight.framework.language.errors import ImpossibleError
from daynight.game import Game
from daynight.projections.tallies import EVERY_TURN
from daynight.referee.referee import HANDLERS, restores, run, step
from daynight.referee.state import State
from daynight.referee.worlds.possibilities import Possibility

from .judges import back_up
from .placing import enter
from .words import cast, effect, started, turn, untap, upkeep
from .words import step as step_word


def events(*told):
    """The stored events of a game: its opening, and then `told`."""
    return Game([started(), *told]).events


def test_a_state_before_the_first_event():
    """A new `State` has no game, no players, turn 0, neither, and nothing on the battlefield."""
    state = State()
    assert (0, "", None, (), None, frozenset(), False, False) == (
        state.event, state.game, state.edition, state.players, state.teams, state.present, state.joined, state.over,
    )  # fmt: skip
    assert (1, 0, (), None, frozenset(), (Possibility(),), None) == (
        state.began, state.turn, state.active, state.step, state.casters, state.possibilities, state.unruled,
    )  # fmt: skip
    assert state.joined is state.over is False
    assert state.tallies.keep is EVERY_TURN
    assert (0, (), ()) == (len(state.battlefield), state.timeline.changes, state.triggers.triggered)


@pytest.mark.parametrize("kind", [list, tuple, UserList])
def test_running_over_events(kind):
    """`run` appends the consequences to `found`, event by event; the state gets the number of the last event."""
    state, found = State(), []
    run(state, kind(events(effect("day"), turn(1), cast(), effect("night"))), 0, found)
    assert [(2, "day"), (5, "night")] == [(each.event, each.became) for each in found]
    assert (5, Designation.NIGHT) == (state.event, state.designation)


def test_running_without_asking():
    """`run` applies events without collecting their consequences if no list is given."""
    state = State()
    run(state, events(effect("day")), 0)
    assert (2, Designation.DAY) == (state.event, state.designation)


def test_running_over_nothing():
    """`run` without events changes nothing, and raises no error about a missing opening."""
    state = State()
    run(state, (), 0)
    assert 0 == state.event


def test_going_on():
    """A second `run` on the same state continues: with 2 events applied before, the next one is number 3."""
    told = events(effect("day"), effect("night"), effect("day"))
    state, found = State(), []
    run(state, told[:2], 0)
    run(state, told[2:], 2, found)
    assert ([3, 4], 4) == ([each.event for each in found], state.event)


def test_one_step():
    """`step` applies one event and returns its consequences."""
    state = State()
    told = events(effect("day"))
    assert () == step(state, told[0], 1)
    (change,) = step(state, told[1], 2)
    assert (2, Designation.DAY, 2) == (change.event, change.became, state.event)


def test_a_refusal_on_the_way():
    """`run` raises an ImpossibleError with the line of the refused event; the events before it have been applied."""
    state, found = State(), []
    told = [*events(effect("day"), turn(1)), decode(encode(events(turn(1))[1])), events(effect("night"))[1]]
    with pytest.raises(ImpossibleError) as error:
        run(state, told, 0, found)
    assert (4, "$.turn") == (error.value.line, error.value.path)
    assert ([2], Designation.DAY) == ([each.event for each in found], state.designation)


@pytest.mark.parametrize("number", [0, 1])
def test_a_missing_opening(number):
    """Without an opening `run` refuses a turn: as line 1 for its type, as line 2 for its player, whom nobody named."""
    state = State()
    with pytest.raises(ImpossibleError) as error:
        run(state, events(turn(1))[1:], number)
    assert number + 1 == error.value.line
    assert ("$.type" if number == 0 else "$.active[0]") == error.value.path


def test_steps_on_the_way():
    """`run` sets the state's `step` at each step, and applies the events between steps too."""
    state, found = State(), []
    told = events(turn(1), untap(), upkeep(), step_word("draw"), effect("day"), step_word("end"))
    run(state, told, 0, found)
    assert ("end", 7, [6]) == (state.step, state.event, [each.event for each in found])
    run(state, events(turn(1), upkeep())[2:], 7)
    assert ("upkeep", 8) == (state.step, state.event)


def test_other_handlers():
    """`run` calls the given handlers: if that for effects does nothing, it stays neither."""
    seen = []

    def noted(state, event, number):
        seen.append(number)
        return ()

    told = events(effect("day"), effect("night"))
    state = State()
    run(state, told, 0, handlers={**HANDLERS, type(told[1]): noted})
    assert ([2, 3], Designation.NEITHER) == (seen, state.designation)


def test_every_event_has_a_handler():
    """Every event type of the language has a handler."""
    from daynight.events.language import TAGS

    assert set(TAGS.values()) == set(HANDLERS)


def test_restores():
    """`restores` returns the number of the event that a back-up goes back to, and None for any other event."""
    told = events(effect("day"), back_up(1))
    assert [None, None, 1] == [restores(event) for event in told]


def test_a_copied_state_is_apart():
    """A copied state keeps its turn, designation, casts and changes while the other one goes on."""
    told = events(enter("w1"), turn(1), cast(), effect("night"), turn(2, "Bo"), cast("Bo"))
    state = State()
    run(state, told[:4], 0)
    before = state.copy()
    run(state, told[4:], 4)
    assert (4, 1, Designation.DAY, {"Ana": 1}, 1) == (
        before.event, before.turn, before.designation, before.tallies.current.spells, len(before.timeline.changes),
    )  # fmt: skip
    assert (7, 2, Designation.NIGHT, {"Bo": 1}, 2) == (
        state.event, state.turn, state.designation, state.tallies.current.spells, len(state.timeline.changes),
    )  # fmt: skip
