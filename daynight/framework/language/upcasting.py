"""Old shapes of events, lifted to the present one as they are read.

A shape that changes gets a new tag (`spell-cast.2`); the old tag moves from the union into `upcasters`, with a
function from the old fields to the new ones, and is read for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Upcaster: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""From the JSON object of an old shape, `type` included, to that of a newer one."""


def lift(fields: dict[str, Any], upcasters: Mapping[str, Upcaster]) -> dict[str, Any]:
    """The present shape of an event's JSON object, lifted step by step; itself if its tag is not an old one."""
    while (upcaster := upcasters.get(fields["type"])) is not None:
        fields = upcaster(fields)
    return fields
