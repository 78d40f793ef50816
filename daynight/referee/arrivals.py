"""Permanents arriving, leaving and changing, seen by the referee."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from daynight.events import Consequence, Designation, Face, actions
from daynight.framework.language.wording import _
from daynight.projections.battlefield import Status
from daynight.referee import refusals
from daynight.referee.state import State
from daynight.referee.turns import put_on_stack
from daynight.referee.worlds import Course, settle
from daynight.rules.entering import day_if_neither, enters_transformed, told_to_enter
from daynight.rules.transforming import instructed

Found = tuple[Consequence, ...]

_DAY = Designation.DAY


def permanents_entered(state: State, event: actions.PermanentsEntered, number: int) -> Found:
    """One simultaneous arrival, its permanents filled in: "day if neither" first, then which face is up."""
    if state.over:
        refusals.check_acting(state)
    permanents = event.permanents
    refusals.check_arrivals(state, permanents)
    entering = state.battlefield.arrive(permanents, number)
    told = told_to_enter(permanents, event=number)
    if told is None and (not entering or _by_day(state)):
        return ()

    def act(course: Course) -> Sequence[Course]:
        course.follows(told)
        course.becomes(day_if_neither(course.possibility.designation, entering, event=number, turn=state.turn))
        course.follows(enters_transformed(course.possibility.designation, entering, event=number))
        course.rests()
        return (course,)

    return settle(state, act, number)


def permanents_found(state: State, event: actions.GameJoined, number: int) -> frozenset[str]:
    """What is on the battlefield as the record takes the game up; answers the ids of what shows its back face."""
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
    """Whether it is day, whatever is possible: then nothing follows from what enters with its front face up."""
    if state.unruled is not None:
        return False
    for possibility in state.possibilities:
        if possibility.designation is not _DAY:
            return False
    return True


def permanents_left(state: State, event: actions.PermanentsLeft, number: int) -> Found:
    """They left the battlefield: no object of theirs is there any more."""
    check_named(state, event.permanents)
    # A permanent that leaves can only set others free.
    return settle(state, only_rests, number) if _remove(state, event.permanents) else ()


def left_with(state: State, event: actions.PlayerLeft, number: int) -> Found:
    """A player left: what they owned leaves too. What they still control has no controller until an event names one."""
    held_others = _remove(state, event.permanents)
    theirs = [status for status in state.battlefield if status.controller == event.player]
    state.battlefield.control([status.id for status in theirs], None)
    if held_others or any(status.matters for status in theirs):
        return settle(state, only_rests, number)
    return ()


def _remove(state: State, gone: tuple[str, ...]) -> bool:
    """Take permanents off the battlefield; answers whether any of them held others, or the night."""
    held_others = state.battlefield.remove(*gone)
    for possibility in state.possibilities:
        if not (possibility.turned.keys().isdisjoint(gone) and possibility.backs.isdisjoint(gone)):
            state.possibilities = tuple([possibility.without(gone) for possibility in state.possibilities])
            break
    if state.unruled is not None:
        state.unruled = tuple([possibility.without(gone) for possibility in state.unruled])
    return held_others


def control_changed(state: State, event: actions.ControlChanged, number: int) -> Found:
    """Another player controls them now."""
    before = _named(state, event.permanents)
    refusals.check_present(state, event.controller, "$.controller")
    state.battlefield.control(event.permanents, event.controller)
    return _rest(state, number, before)


def abilities_lost(state: State, event: actions.AbilitiesLost, number: int) -> Found:
    """They lose all abilities."""
    before = _named(state, event.permanents)
    for status in before:
        refusals.check_effects(event.source, status.losses)
    state.battlefield.lose_abilities(event.permanents, event.source)
    return _rest(state, number, before)


def abilities_regained(state: State, event: actions.AbilitiesRegained, number: int) -> Found:
    """An effect that took their abilities ended; what was not in force does not matter."""
    before = _named(state, event.permanents)
    state.battlefield.regain_abilities(event.permanents, event.source)
    return _rest(state, number, before)


def became_copy(state: State, event: actions.BecameCopy, number: int) -> Found:
    """They copy something, whichever of their sides is up."""
    before = _named(state, event.permanents)
    for index, status in enumerate(before):
        refusals.check_within(status, f"$.permanents[{index}]")
    state.battlefield.become_copy(event.permanents, event.front)
    return _rest(state, number, before, event.permanents)


def copy_ended(state: State, event: actions.CopyEnded, number: int) -> Found:
    """They are themselves again."""
    before = _named(state, event.permanents)
    state.battlefield.become_copy(event.permanents, None)
    return _rest(state, number, before)


def turned_face(state: State, event: actions.TurnedFaceDown | actions.TurnedFaceUp, number: int) -> Found:
    """They were turned face down, or face up; up they show their front."""
    face_down = isinstance(event, actions.TurnedFaceDown)
    before = _named(state, event.permanents)
    for index, status in enumerate(before):
        path = f"$.permanents[{index}]"
        refusals.check_within(status, path)
        refusals.check_turning(status, face_down, path)
    state.battlefield.turn(event.permanents, face_down)
    return _rest(state, number, before)


def phased(state: State, event: actions.PhasedOut | actions.PhasedIn, number: int) -> Found:
    """They phased in or out, outside the untap step's own phasing."""
    phased_in = isinstance(event, actions.PhasedIn)
    before = _named(state, event.permanents)
    for index, status in enumerate(before):
        refusals.check_phasing(status, phased_in, f"$.permanents[{index}]")
    state.battlefield.phase(event.permanents, phased_in)
    return _rest(state, number, before)


def transform_instructed(state: State, event: actions.TransformInstructed, number: int) -> Found:
    """They are told to transform: from the stack, where what waited is too."""
    check_named(state, event.permanents)
    if event.own_since is not None and not 1 <= event.own_since < number:
        refusals.refuse("$.own_since", _("event {event} is not an earlier one"), event=event.own_since)

    def act(course: Course) -> Sequence[Course]:
        for outcome in list(instructed(course.possibility, state.battlefield, event, event=number)):
            course.follows(outcome)
        course.rests()
        return (course,)

    return (*put_on_stack(state, number), *settle(state, act, number))


def transform_forbidden(state: State, event: actions.TransformForbidden, number: int) -> Found:
    """An effect forbids exactly these to transform; what it forbade before may follow at once."""
    check_named(state, event.permanents)
    refusals.check_effects(event.source, state.battlefield.forbidden)
    state.battlefield.forbid(event.source, event.permanents)
    return settle(state, only_rests, number)


def transform_allowed(state: State, event: actions.TransformAllowed, number: int) -> Found:
    """That effect ended."""
    refusals.check_acting(state)
    state.battlefield.allow(event.source)
    return settle(state, only_rests, number)


def check_named(state: State, ids: Sequence[str]) -> None:
    """The permanents an action names are on the battlefield, each named once."""
    if state.over:
        refusals.check_acting(state)
    if len(ids) > 1:
        refusals.check_once(ids, "$.permanents")
    there = state.battlefield.permanents
    for id in ids:
        if id not in there:
            state.permanent(id, f"$.permanents[{ids.index(id)}]")


def _named(state: State, ids: Sequence[str]) -> list[Status]:
    """The permanents an action names, as they are before it."""
    check_named(state, ids)
    there = state.battlefield.permanents
    return [there[id] for id in ids]


def only_rests(course: Course) -> Sequence[Course]:
    """Nothing but what happens at once: to rest."""
    course.rests()
    return (course,)


def _rest(state: State, number: int, before: Iterable[Status], now: Iterable[str] = ()) -> Found:
    """To rest, unless nothing that concerns day and night was touched."""
    if any(status.matters for status in before) or any(state.battlefield[id].matters for id in now):
        return settle(state, only_rests, number)
    return ()
