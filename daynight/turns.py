"""Turns, steps and casts, seen by the referee."""

from __future__ import annotations

from collections.abc import Sequence

from daynight.events.actions import SpellCast, SpellCopied, SpellsUncertain, StepBegan, TurnBegan
from daynight.events.consequences import Consequence, PutOnStack
from daynight.events.wording import _
from daynight.projections.possibilities import ANY
from daynight.projections.tallies import TWO, Tally
from daynight.refusals import check_acting, check_active, check_casting, check_once, check_phasing, refuse
from daynight.rules.untap_check import check, finds_nothing
from daynight.state import State
from daynight.worlds import Course, settle, unassumed

__all__ = ["spell_cast", "spell_copied", "spells_uncertain", "step_began", "turn_began"]

Found = tuple[Consequence, ...]


def turn_began(state: State, event: TurnBegan, number: int) -> Found:
    """A turn began: a new tally, and what was assumed of the turn before the last one no longer matters."""
    turn, active = event.turn, event.active
    if state.over:
        check_acting(state)
    if turn <= state.turn:
        refuse("$.turn", _("turn {turn} does not rise above turn {last}"), turn=turn, last=state.turn)
    if len(active) != 1 or active[0] not in state.present or state.teams is not None:
        check_active(state, active)
    state.turn = turn
    state.active = active
    state.step = None
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
    """A step began; with the untap step its phasing, to rest, the check, and to rest again."""
    if not state.casters:
        check_casting(state, None)
    step = state.step = event.step
    if step == "untap":
        if (
            event.phased_in
            or event.phased_out
            or state.unruled is not None
            or not finds_nothing(state.possibilities, state.tallies.previous)
        ):
            return _untap(state, event, number)
        return ()
    if event.phased_in or event.phased_out:
        path = "$.phased_in" if event.phased_in else "$.phased_out"
        refuse(path, _("only the untap step phases permanents in or out; use phased-in and phased-out"))
    waited = tuple(dict.fromkeys(trigger.event for trigger in state.triggers.waiting))
    state.triggers.put_on_stack(number)
    return (PutOnStack(event=number, rule="put-on-stack", because=waited),) if waited else ()


def spell_cast(state: State, event: SpellCast, number: int) -> Found:
    """A spell was cast: it counts, whatever became of it later."""
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
        tally.others = (number, player, tally.others)
    return ()


def spell_copied(state: State, event: SpellCopied, number: int) -> Found:
    """A copy was put on the stack: it never counts."""
    check_casting(state, event.player)
    return ()


def spells_uncertain(state: State, event: SpellsUncertain, number: int) -> Found:
    """Between so many and so many more spells were cast."""
    check_casting(state, event.player)
    if event.at_most is not None and event.at_most < event.at_least:
        refuse(
            "$.at_most",
            _("at most {most} is less than at least {least}"),
            most=event.at_most,
            least=event.at_least,
        )
    state.tallies.doubt(event.player, event.at_least, event.at_most, number)
    return ()


def _untap(state: State, event: StepBegan, number: int) -> Found:
    phased = bool(event.phased_in or event.phased_out)
    if phased:
        _phase(state, event)
    previous = state.tallies.previous
    may_be = ANY if previous is None else previous.casts()

    def act(course: Course) -> Sequence[Course]:
        if phased:
            course.rests()
        findings = check(course.possibility, previous, may_be, state.battlefield, event=number, turn=state.turn)
        if len(findings) == 1:
            course.becomes(findings[0][1])
            return (course,)
        courses = [course, *[course.fork() for _finding in findings[1:]]]
        for (casts, change), branch in zip(findings, courses, strict=True):
            branch.assumes(casts)
            branch.becomes(change)
        return courses

    return settle(state, act, number, in_untap_step=True)


def _phase(state: State, event: StepBegan) -> None:
    for ids, phased_in, field in ((event.phased_in, True, "phased_in"), (event.phased_out, False, "phased_out")):
        check_once(ids, f"$.{field}")
        for index, id in enumerate(ids):
            path = f"$.{field}[{index}]"
            check_phasing(state.permanent(id, path), phased_in, path)
    state.battlefield.phase(event.phased_in, True)
    state.battlefield.phase(event.phased_out, False)
