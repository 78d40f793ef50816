"""The shapes of answers about a what-if: those for recorded games, with data about the what-if added."""

from __future__ import annotations

from typing import Any

from msgspec import defstruct

from daynight.web.describing.shapes.audits import Audit, PartsAudit
from daynight.web.describing.shapes.comparisons import LostEvent
from daynight.web.describing.shapes.games import Marks
from daynight.web.describing.shapes.questions import Why, WhyPart, WhyPermanent
from daynight.web.describing.shapes.shape import Count
from daynight.web.describing.shapes.states import Moments, Parts, PartsMoments, State

_MORE = [("events", Count), ("parted", Count), ("impossible", list[LostEvent]), ("stopped", LostEvent | None)]


def _tried(shape: type[Any]) -> type[Any]:
    """Return the shape with more members, about the what-if.

    `events` is its number of events, `parted` the last event before the first edit. `impossible` are the record's
    events that became impossible; `stopped` is the one at which the what-if ends, null if none.
    """
    told = {"__doc__": f"{(shape.__doc__ or '').rstrip('.')}; of a what-if, with what became impossible in it."}
    named = f"Tried{shape.__name__}"
    return defstruct(
        named, _MORE, bases=(shape,), namespace=told, frozen=True, kw_only=True, forbid_unknown_fields=True
    )


WALKS: dict[str, tuple[type[Any], ...]] = {
    "moments": tuple(map(_tried, (Moments, PartsMoments))),
    "state": tuple(map(_tried, (State, Parts))),
    "why": tuple(map(_tried, (Why, WhyPermanent, WhyPart))),
    "audit": tuple(map(_tried, (Audit, PartsAudit))),
    "marks": (_tried(Marks),),
}
"""The shapes by the last segment of the route; the first is that of day and night."""
