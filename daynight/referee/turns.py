"""Handles turns, steps and casts, among them untap steps that the record leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from daynight.events.actions import SpellCast, SpellCopied, SpellsUncertain, StepBegan, TurnBegan
from daynight.events.consequences import Consequence, PhasedBack, PutOnStack
from daynight.framework.language.wording import _
from daynight.projections.tallies import TWO, Tally
from daynight.referee.alternatives import Act, Alternative, settle, unassumed
from daynight.referee.refusals import check_acting, check_active, check_casting, check_once, check_phasing, refuse
from daynight.referee.state import State
from daynight.referee.worlds.possibilities import ANY
from daynight.rules.untap_check import check, finds_nothing

Found = tuple[Consequence, ...]


def turn_began(state: State, event: TurnBegan, number: int) -> Found:
    """Begin a turn: start a new tally, and drop assumptions about the turn before the previous one."""
    turn, active, skips = event.turn, event.active, event.skips
    if state.over:
        check_acting(state)
    if turn <= state.turn:
        refuse("$.turn", _("turn {turn} does not rise above turn {last}"), turn=turn, last=state.turn)
    if len(active) != 1 or active[0] not in state.present or state.teams is not None:
        check_active(state, active)
    if skips:
        check_once(skips, "$.skips")
    state.turn = turn
    state.active = active
    state.step = None
    state.due = not skips or "untap" not in skips
    state.casters = state.present
    state.tallies.begin(turn, active, number)
    if state.triggers.waiting:
        state.triggers.expire()
    if len(state.possibilities) > 1:
        state.possibilities = unassumed(state.possibilities, number)
    if state.unruled is not None:
        state.unruled = unassumed(state.unruled, number)
    return ()


def step_began(state: State, event: StepBegan, number: int) -> Found:
    """Begin a step. In the untap step: phasing, the continuous rules, the check, the continuous rules again."""
    if not state.casters:
        check_casting(state, None)
    step = state.step = event.step
    if step == "untap":
        state.due = False
        phased: tuple[PhasedBack, ...] = ()
        moved = False
        if event.phased_in or event.phased_out or event.stays_out or state.battlefield.out:
            phased, moved = _phase(state, event, number)
        if not moved and state.unruled is None and finds_nothing(state.possibilities, state.tallies.previous):
            return ()
        return (*phased, *settle(state, _untap_act(state, number, moved, implied=False, waits=True), number))
    for field in ("phased_in", "phased_out", "stays_out"):
        if getattr(event, field):
            refuse(f"$.{field}", _("only the untap step phases permanents in or out; use phased-in and phased-out"))
    return put_on_stack(state, number)


def untap_unwritten(state: State, number: int) -> Found:
    """Apply an untap step that the record leaves out, as if it had happened just before event `number`."""
    phased, act = unwritten(state, number)
    return phased if act is None else (*phased, *settle(state, act, number))


def unwritten(state: State, number: int, *, waits: bool = True) -> tuple[tuple[PhasedBack, ...], Act | None]:
    """Phase permanents in for an unrecorded untap step; return the consequences, and an act for the rest of the step.

    The caller applies the act; it is None if nothing phases in and the check cannot change anything. With `waits`, the
    triggers wait to be put on the stack; without, event `number` itself puts them there.
    """
    state.due = False
    phased: tuple[PhasedBack, ...] = ()
    if state.battlefield.out and (ids := _returning(state)):
        state.battlefield.phase(ids, True)
        phased = (_phased_back(ids, number, state, implied=True),)
    elif state.unruled is None and finds_nothing(state.possibilities, state.tallies.previous):
        return (), None
    return phased, _untap_act(state, number, bool(phased), implied=True, waits=waits)


def put_on_stack(state: State, number: int) -> Found:
    """Put the triggers that wait since the untap step on the stack: event `number` happens after that step."""
    waiting = state.triggers.waiting
    if not waiting:
        return ()
    state.triggers.put_on_stack(number)
    because = tuple(dict.fromkeys(trigger.event for trigger in waiting))
    return (PutOnStack(event=number, rule="put-on-stack", because=because),)


def spell_cast(state: State, event: SpellCast, number: int) -> Found:
    """Count a spell that was cast, also if it is countered later."""
    player = event.player
    if player not in state.casters:
        check_casting(state, player)
    tally: Tally = state.tallies.current  # type: ignore[assignment]  # there is a turn where there are casters
    count = tally.spells[player] = tally.spells.get(player, 0) + 1
    if player in tally.active:
        tally.evidence = (number, tally.evidence)
        if tally.most < count <= TWO:
            tally.most = count
    else:
        tally.others = ((number, player, event.card), tally.others)
    return put_on_stack(state, number) if state.triggers.waiting else ()


def spell_copied(state: State, event: SpellCopied, number: int) -> Found:
    """Count nothing, because a copy of a spell is not cast; but put the waiting triggers on the stack."""
    check_casting(state, event.player)
    return put_on_stack(state, number)


def spells_uncertain(state: State, event: SpellsUncertain, number: int) -> Found:
    """Add `at_least` to `at_most` further casts to the player's tally; `at_most` None: no upper bound."""
    check_casting(state, event.player)
    if event.at_most is not None and event.at_most < event.at_least:
        refuse("$.at_most", _("at most {most} is less than at least {least}"), most=event.at_most, least=event.at_least)
    state.tallies.doubt(event.player, event.at_least, event.at_most, number)
    return put_on_stack(state, number) if event.at_least else ()


def _untap_act(state: State, number: int, moved: bool, *, implied: bool, waits: bool) -> Act:
    """Return the act of an untap step: the continuous rules if permanents phased (`moved`), then the check.

    `implied`: the record leaves the step out. `waits`: triggers wait to be put on the stack.
    """
    previous = state.tallies.previous
    may_be = ANY if previous is None else previous.casts()
    turn = state.turn

    def act(course: Alternative) -> Sequence[Alternative]:
        course.waits, course.implied = waits, implied
        if moved:
            course.rests()
        findings = check(course.possibility, previous, may_be, state.battlefield, event=number, turn=turn)
        if len(findings) == 1:
            course.becomes(findings[0][1])
            return (course,)
        courses = [course, *[course.fork() for _finding in findings[1:]]]
        for (casts, change), branch in zip(findings, courses, strict=True):
            branch.possibility = branch.possibility.assuming(casts)
            branch.becomes(change)
        return courses

    return act


def _phase(state: State, event: StepBegan, number: int) -> tuple[tuple[PhasedBack, ...], bool]:
    """Phase permanents in a recorded untap step; return the consequence for those that phased in by themselves.

    The second value says whether any permanent phased in or out.
    """
    listed = frozenset(event.phased_in)
    for field, phased_in in (("phased_in", True), ("phased_out", False), ("stays_out", True)):
        ids = getattr(event, field)
        check_once(ids, f"$.{field}")
        for index, id in enumerate(ids):
            path = f"$.{field}[{index}]"
            check_phasing(state.permanent(id, path), phased_in, path)
            if field == "stays_out" and id in listed:
                refuse(path, _("{id} is in phased_in too; it either phases in or stays out"), id=repr(id))
    by_itself = _returning(state, listed.union(event.stays_out))
    coming = (*event.phased_in, *by_itself)
    state.battlefield.phase(coming, True)
    state.battlefield.phase(event.phased_out, False)
    phased = (_phased_back(by_itself, number, state),) if by_itself else ()
    return phased, bool(coming or event.phased_out)


def _returning(state: State, named: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return the ids that phase in by themselves, in order of arrival: those phased out under a now active player.

    Permanents that the event has `named` are left out. A player who left is never active; the record says when their
    permanents phase in.
    """
    active = state.present.intersection(state.active)
    ids = {id for id, player in state.battlefield.out.items() if player in active} - named
    return tuple([id for id in state.battlefield.permanents if id in ids]) if ids else ()


def _phased_back(ids: tuple[str, ...], number: int, state: State, *, implied: bool = False) -> PhasedBack:
    tally = state.tallies.current
    because = (number if tally is None else tally.began,)
    return PhasedBack(event=number, rule="phasing", because=because, permanents=ids, implied=implied)
