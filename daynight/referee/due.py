"""Looks ahead to an untap step that is due: it is neither recorded yet nor skipped by the turn."""

from __future__ import annotations

from daynight.framework.language.wording import _
from daynight.referee.state import State
from daynight.referee.turns import untap_unwritten
from daynight.speech.sentences import state_clause


def shown(state: State, number: int | None = None) -> State:
    """Return the state with which a claim is compared: a copy in which the untap step that is due has happened.

    If none is due, it is the given state itself. `number` is the event number of the claim; None: `state.event + 1`.
    """
    if not state.due:
        return state
    state = state.copy()
    untap_unwritten(state, state.event + 1 if number is None else number)
    return state


def seen(state: State, number: int) -> State:
    """Return `shown(state, number)` for event `number`, a claim or a ruling; its `event` is set to `number - 1`."""
    there = shown(state, number)
    # A bulk step counts its events only as it ends.
    there.event = number - 1
    return there


def due_sentence(state: State) -> str:
    """Say what the due untap step changes; empty if it changes nothing."""
    there = shown(state)
    if there.possible == state.possible:
        return ""
    sentence = _("Turn {turn}'s untap step is not written down yet: once it is over, {clause}.")
    return sentence.format(turn=state.turn, clause=state_clause(there.possible))
