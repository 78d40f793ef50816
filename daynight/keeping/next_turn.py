"""The turn that comes next where somebody says `pass`: whose it is, and the events it begins with."""

from __future__ import annotations

from daynight.events import Event, StepBegan, TurnBegan
from daynight.referee.state import State


def next_turn(state: State) -> tuple[Event, ...]:
    """The next turn with its untap step and upkeep.

    Players take turns in the order of the record, or teams where turns are shared; those who left are passed over.
    The first turn is that of the first one. Extra turns are not known here.
    """
    sides = state.teams or tuple((player,) for player in state.players)
    now = next((place for place, side in enumerate(sides) if set(side) & set(state.active)), -1)
    order = [*sides[now + 1 :], *sides[: now + 1]]
    left = [active for side in order if (active := tuple(player for player in side if player in state.present))]
    active = left[0] if left else order[0]
    return TurnBegan(turn=state.turn + 1, active=active), StepBegan(step="untap"), StepBegan(step="upkeep")
