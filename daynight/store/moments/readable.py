"""Reads stored records as far as the current code can: up to an event of older rules that its step refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from daynight.framework.language.source import Source
from daynight.framework.mechanic import Mechanic
from daynight.framework.recorded import Recorded
from daynight.store.errors import Stop, StoppedError


def readable(mechanic: Mechanic[Any, Any, Any], record: Callable[[int | None], Source]) -> Recorded[Any, Any, Any]:
    """Return a record in memory; `record(n)` gives the source of its lines up to event n, `record(None)` of all.

    If the current step refuses an event that older rules accepted, the record ends before it; its attribute `stops`
    is a `Stop` then.
    """
    try:
        return _read(mechanic, record(None))
    except StoppedError as error:
        event = error.event or 1
        found = _read(mechanic, record(event - 1)) if event > 1 else Recorded(mechanic)
        found.stops = Stop(event, error.sentence, error.rules)
        return found


def _read(mechanic: Mechanic[Any, Any, Any], record: Source) -> Recorded[Any, Any, Any]:
    with record.open() as stream:
        return Recorded(mechanic).extended(mechanic.language.read(stream))
