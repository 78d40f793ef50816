"""Triggers: "whenever day becomes night or night becomes day"."""

from __future__ import annotations

from daynight.events.consequences import Changed, Triggered
from daynight.events.terms import Designation
from daynight.projections.battlefield import Battlefield

__all__ = ["triggered"]

_NEITHER = Designation.NEITHER


def triggered(
    change: Changed, battlefield: Battlefield, backs: frozenset[str], *, in_untap_step: bool
) -> tuple[Triggered, ...]:
    """The abilities that see this change: those there right after it and the transformations that come with it.

    Neither becoming day or night is no such change, nor does a ruling trigger anything. What the untap step
    itself sets off waits; anything else is on the stack at its own event.
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
            stacked=None if in_untap_step else change.event,
        )
        for status in battlefield.watching.values()
        if status.shows(backs).watches
    )
