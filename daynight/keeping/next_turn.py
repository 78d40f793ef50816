"""Makes the first events of the next turn, for example when somebody types `pass`."""

from __future__ import annotations

from daynight.events import Event, StepBegan, TurnBegan
from daynight.referee.state import State


def next_turn(state: State) -> tuple[Event, ...]:
    """Return the three events that begin the next turn: the turn, its untap step, its upkeep.

    Players take turns in the order of the record, teams if turns are shared; players who left are skipped. The first
    player takes the first turn. This function does not know of extra turns.
    """
    sides = state.teams or tuple((player,) for player in state.players)
    now = next((place for place, side in enumerate(sides) if set(side) & set(state.active)), -1)
    order = [*sides[now + 1 :], *sides[: now + 1]]
    left = [active for side in order if (active := tuple(player for player in side if player in state.present))]
    active = left[0] if left else order[0]
    return TurnBegan(turn=state.turn + 1, active=active), StepBegan(step="untap"), StepBegan(step="upkeep")
