"""Handles the events in which permanents enter, leave or change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from daynight.events import Consequence, Designation, Face, actions
from daynight.framework.language.wording import _
from daynight.projections.battlefield import Status
from daynight.referee import refusals
from daynight.referee.alternatives import Alternative, settle
from daynight.referee.state import State
from daynight.referee.turns import put_on_stack
from daynight.rules.entering import day_if_neither, enters_transformed, told_to_enter
from daynight.rules.transforming import instructed

Found = tuple[Consequence, ...]

_ONLY_DAY = (Designation.DAY,)


def permanents_entered(state: State, event: actions.PermanentsEntered, number: int) -> Found:
    """Let permanents enter: first "if it's neither, it becomes day", then, by night, daybound cards back face up."""
    if state.over:
        refusals.check_acting(state)
    permanents = event.permanents
    refusals.check_arrivals(state, permanents)
    entering = state.battlefield.arrive(permanents, number)
    told = told_to_enter(permanents, event=number)
    if told is None and (not entering or _by_day(state)):
        return ()

    def act(course: Alternative) -> Sequence[Alternative]:
        course.follows(told)
        course.becomes(day_if_neither(course.possibility.designation, entering, event=number, turn=state.turn))
        course.follows(enters_transformed(course.possibility.designation, entering, event=number))
        course.rests()
        return (course,)

    return settle(state, act, number)


def permanents_found(state: State, event: actions.GameJoined, number: int) -> frozenset[str]:
    """Add the permanents of `game-joined` and its effects that forbid transforming; return the ids back face up."""
    refusals.check_arrivals(state, event.permanents, found=True)
    state.battlefield.arrive(event.permanents, number)
    refusals.check_once([effect.source for effect in event.forbids], "$.forbids")
    for index, effect in enumerate(event.forbids):
        path = f"$.forbids[{index}].permanents"
        refusals.check_once(effect.permanents, path)
        for place, id in enumerate(effect.permanents):
            state.permanent(id, f"{path}[{place}]")
        refusals.check_effects(effect.source, state.battlefield.forbidden)
        state.battlefield.forbid(effect.source, effect.permanents)
    return frozenset([each.id for each in event.permanents if each.face is Face.BACK and not each.face_down])


def _by_day(state: State) -> bool:
    """Return whether it is day for certain and without a ruling. Then entering front face up has no consequence."""
    return state.unruled is None and state.possible == _ONLY_DAY


def permanents_left(state: State, event: actions.PermanentsLeft, number: int) -> Found:
    """Remove permanents that left the battlefield."""
    check_named(state, event.permanents)
    # A permanent that leaves can only set others free.
    return settle(state, only_rests, number) if _remove(state, event.permanents) else ()


def left_with(state: State, event: actions.PlayerLeft, number: int) -> Found:
    """Remove the permanents that a leaving player owned.

    Permanents that the player only controlled stay; they have no controller until an event gives them one.
    """
    held_others = _remove(state, event.permanents)
    theirs = [status for status in state.battlefield if status.controller == event.player]
    state.battlefield.control([status.id for status in theirs], None)
    if held_others or any(status.matters for status in theirs):
        return settle(state, only_rests, number)
    return ()


def _remove(state: State, gone: tuple[str, ...]) -> bool:
    """Remove permanents; return whether one kept others from transforming, or the game from becoming night."""
    held_others = state.battlefield.remove(*gone)
    for possibility in state.possibilities:
        if not (possibility.turned.keys().isdisjoint(gone) and possibility.backs.isdisjoint(gone)):
            state.possibilities = tuple([possibility.without(gone) for possibility in state.possibilities])
            break
    if state.unruled is not None:
        state.unruled = tuple([possibility.without(gone) for possibility in state.unruled])
    return held_others


def control_changed(state: State, event: actions.ControlChanged, number: int) -> Found:
    """Give permanents to another controller."""
    before = _named(state, event.permanents)
    refusals.check_present(state, event.controller, "$.controller")
    state.battlefield.control(event.permanents, event.controller)
    return _rest(state, number, before)


def abilities_lost(state: State, event: actions.AbilitiesLost, number: int) -> Found:
    """Take all abilities from permanents."""
    before = _named(state, event.permanents)
    for status in before:
        refusals.check_effects(event.source, status.losses)
    state.battlefield.lose_abilities(event.permanents, event.source)
    return _rest(state, number, before)


def abilities_regained(state: State, event: actions.AbilitiesRegained, number: int) -> Found:
    """End an effect that took abilities from permanents. An effect that was not recorded is ignored."""
    before = _named(state, event.permanents)
    state.battlefield.regain_abilities(event.permanents, event.source)
    return _rest(state, number, before)


def became_copy(state: State, event: actions.BecameCopy, number: int) -> Found:
    """Give permanents the characteristics `event.front` of what they copy, whichever of their own faces is up."""
    before = _named(state, event.permanents)
    for index, status in enumerate(before):
        refusals.check_within(status, f"$.permanents[{index}]")
    state.battlefield.become_copy(event.permanents, event.front)
    return _rest(state, number, before, event.permanents)


def copy_ended(state: State, event: actions.CopyEnded, number: int) -> Found:
    """End the copying: permanents have their own values again."""
    before = _named(state, event.permanents)
    state.battlefield.become_copy(event.permanents, None)
    return _rest(state, number, before)


def turned_face(state: State, event: actions.TurnedFaceDown | actions.TurnedFaceUp, number: int) -> Found:
    """Turn permanents face down or face up. A permanent that is turned up shows its front face."""
    face_down = isinstance(event, actions.TurnedFaceDown)
    before = _named(state, event.permanents)
    for index, status in enumerate(before):
        path = f"$.permanents[{index}]"
        refusals.check_within(status, path)
        refusals.check_turning(status, face_down, path)
    state.battlefield.turn(event.permanents, face_down)
    return _rest(state, number, before)


def phased(state: State, event: actions.PhasedOut | actions.PhasedIn, number: int) -> Found:
    """Phase permanents in or out at another time than the untap step."""
    phased_in = isinstance(event, actions.PhasedIn)
    before = _named(state, event.permanents)
    for index, status in enumerate(before):
        refusals.check_phasing(status, phased_in, f"$.permanents[{index}]")
    state.battlefield.phase(event.permanents, phased_in)
    return _rest(state, number, before)


def transform_instructed(state: State, event: actions.TransformInstructed, number: int) -> Found:
    """Put waiting triggers on the stack, from which the effect resolves, and transform permanents as it instructs."""
    check_named(state, event.permanents)
    if event.own_since is not None and not 1 <= event.own_since < number:
        refusals.refuse("$.own_since", _("event {event} is not an earlier one"), event=event.own_since)

    def act(course: Alternative) -> Sequence[Alternative]:
        for outcome in list(instructed(course.possibility, state.battlefield, event, event=number)):
            course.follows(outcome)
        course.rests()
        return (course,)

    return (*put_on_stack(state, number), *settle(state, act, number))


def transform_forbidden(state: State, event: actions.TransformForbidden, number: int) -> Found:
    """Record which permanents the effect of `source` keeps from transforming, instead of its earlier list.

    A permanent that only the earlier list named may transform at once.
    """
    check_named(state, event.permanents)
    refusals.check_effects(event.source, state.battlefield.forbidden)
    state.battlefield.forbid(event.source, event.permanents)
    return settle(state, only_rests, number)


def transform_allowed(state: State, event: actions.TransformAllowed, number: int) -> Found:
    """End an effect that kept permanents from transforming."""
    refusals.check_acting(state)
    state.battlefield.allow(event.source)
    return settle(state, only_rests, number)


def check_named(state: State, ids: Sequence[str]) -> None:
    """Raise an ImpossibleError if the game is over, or if an id is named twice or not on the battlefield."""
    if state.over:
        refusals.check_acting(state)
    if len(ids) > 1:
        refusals.check_once(ids, "$.permanents")
    there = state.battlefield.permanents
    for id in ids:
        if id not in there:
            state.permanent(id, f"$.permanents[{ids.index(id)}]")


def _named(state: State, ids: Sequence[str]) -> list[Status]:
    """Check the ids that an action names (`check_named`); return those permanents as they were before it."""
    check_named(state, ids)
    there = state.battlefield.permanents
    return [there[id] for id in ids]


def only_rests(course: Alternative) -> Sequence[Alternative]:
    """An `Act` that applies only the continuous rules (`Alternative.rests`)."""
    course.rests()
    return (course,)


def _rest(state: State, number: int, before: Iterable[Status], now: Iterable[str] = ()) -> Found:
    """Apply the continuous rules if a changed permanent has to do with day and night (`Status.matters`).

    `before` has permanents as they were before the event, `now` the ids of those to look at after it.
    """
    if any(status.matters for status in before) or any(state.battlefield[id].matters for id in now):
        return settle(state, only_rests, number)
    return ()
