"""Replays a record as though it had been day, or night, from its beginning.

The record does not say so; the replay shows the effect of day and night in a game that never had them. Where the game,
or a restarted one, begins as neither, it becomes the assumed designation at once, by a change with the rule key
`assumed`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from daynight.events import Consequence, Designation, Event, GameJoined, GameRestarted, GameStarted
from daynight.framework.mechanic import Mechanic
from daynight.referee.alternatives import Alternative, settle
from daynight.referee.mechanic import DAYNIGHT
from daynight.referee.referee import HANDLERS, Found, Handler, step
from daynight.referee.state import State
from daynight.rules.becoming import by_assumption


def assuming(designation: Designation) -> Mechanic[State, Event, Consequence]:
    """Return the mechanic, changed so that a game that begins as neither becomes `designation` at once.

    Raises:
        ValueError: where `designation` is neither.
    """
    if designation is Designation.NEITHER:
        raise ValueError("a game begins as neither: there is nothing to assume")
    handlers = {**HANDLERS}
    for kind in (GameStarted, GameJoined, GameRestarted):
        handlers[kind] = partial(_begun, designation, HANDLERS[kind])
    return replace(DAYNIGHT, handlers=handlers, step=partial(step, handlers=handlers))


def _begun(designation: Designation, begins: Handler, state: State, event: Event, number: int) -> Found:
    if isinstance(event, GameJoined):
        # What line 1 had assumed is gone: the record says itself what it was.
        state.timeline.forget(1)
    found = begins(state, event, number)

    def act(course: Alternative) -> Sequence[Alternative]:
        course.becomes(by_assumption(course.possibility.designation, designation, event=number, turn=state.turn))
        return (course,)

    return (*found, *settle(state, act, number))
