"""Triggers: "whenever day becomes night or night becomes day"."""

from __future__ import annotations

from daynight.events import Changed, Designation, Triggered
from daynight.projections.battlefield import Battlefield

_NEITHER = Designation.NEITHER


def triggered(
    change: Changed, battlefield: Battlefield, backs: frozenset[str], *, waits: bool
) -> tuple[Triggered, ...]:
    """The abilities that see this change: those there right after it and the transformations that come with it.

    Neither becoming day or night is no such change, nor does a ruling trigger anything. With `waits` it goes on the
    stack later, the next time a player would receive priority; else it is on the stack at its own event.
    """
    if change.was is _NEITHER or change.rule == "judge":
        return ()
    return tuple(
        Triggered(
            event=change.event,
            rule="change-triggers",
            because=(change.event,),
            turn=change.turn,
            permanent=status.id,
            was=change.was,
            became=change.became,
            controller=status.controller,
            stacked=None if waits else change.event,
        )
        for status in battlefield.watching.values()
        if status.shows(backs).watches
    )
