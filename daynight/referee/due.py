"""Due: an untap step that nobody wrote down yet, and what it brings. Every turn has one unless it is skipped."""

from __future__ import annotations

from daynight.framework.language.wording import _
from daynight.projections.sentences import state_clause
from daynight.referee.state import State
from daynight.referee.turns import untap_unwritten


def shown(state: State, number: int | None = None) -> State:
    """The state to which a claim right after it is compared: with the untap step that is due, in a copy.

    `number` is that of the claim: the next event's if not given.
    """
    if not state.due:
        return state
    state = state.copy()
    untap_unwritten(state, state.event + 1 if number is None else number)
    return state


def due_sentence(state: State) -> str:
    """What it is once the untap step that is due is over; nothing where that changes nothing."""
    there = shown(state)
    if there.possible == state.possible:
        return ""
    sentence = _("Turn {turn}'s untap step is not written down yet: once it is over, {clause}.")
    return sentence.format(turn=state.turn, clause=state_clause(there.possible))
