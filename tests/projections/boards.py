"""Permanents and battlefields for the tests of statuses and battlefields."""

from typing import Any

from daynight.events.permanents import Characteristics, Permanent
from daynight.projections.battlefield import Battlefield, Status

FRONT = Characteristics(name="Ruffian", keywords=("daybound",))
BACK = Characteristics(name="Smasher", keywords=("nightbound",))
COPY = Characteristics(name="Bear")
NOTHING: frozenset[str] = frozenset()


def status(
    id: str = "w1",
    front: Characteristics | None = FRONT,
    back: Characteristics | None = BACK,
    controller: str = "Ana",
    **more: Any,
) -> Status:
    """Return a werewolf that arrived at event 3, under Ana's control by default."""
    permanent = Permanent(id=id, card="Card", controller="Ana", double_faced=back is not None, front=front, back=back)
    return Status(permanent=permanent, controller=controller, arrived=3, **more)


def battlefield(*ids: str) -> Battlefield:
    """Return a battlefield with werewolves that were put in this order."""
    made = Battlefield()
    for id in ids:
        made.put(status(id))
    return made
