"""The triggers "whenever day becomes night or night becomes day"."""

from __future__ import annotations

from daynight.events import Changed, Designation, Triggered
from daynight.projections.battlefield import Battlefield

_NEITHER = Designation.NEITHER


def triggered(
    change: Changed, battlefield: Battlefield, backs: frozenset[str], *, waits: bool
) -> tuple[Triggered, ...]:
    """Return the abilities that trigger on a change.

    They are those that exist right after the change and its transformations. A change from neither triggers nothing,
    nor does a ruling. With `waits` the ability goes on the stack when a player would next receive priority; without, at
    the event of the change.
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
