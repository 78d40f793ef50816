"""Short names for events: permanents arrive, leave, and lose abilities."""

from __future__ import annotations

from typing import Any

from .wolves import RUFFIAN
from .words import Event, said


def permanent(id: str, like: Event | None = None, **more: Any) -> Event:
    """A permanent for an arrival: Ana's, with the fields of `like` (by default a Tavern Ruffian) and of `more`."""
    return {"id": id, "controller": "Ana"} | (RUFFIAN if like is None else like) | more


def double_faced(card: str, front: Event, back: Event) -> Event:
    """The fields of a double-faced card with these faces, as `like` of a permanent."""
    return {"card": card, "double_faced": True, "front": front, "back": back}


def enter(id: str, like: Event | None = None, **more: Any) -> Event:
    """One permanent enters; the arguments are those of `permanent`."""
    return together(permanent(id, like, **more))


def together(*permanents: Event) -> Event:
    """The permanents enter in one event."""
    return said("permanents-entered", permanents=list(permanents))


def leave(*ids: str) -> Event:
    """The permanents leave the battlefield."""
    return said("permanents-left", permanents=list(ids))


def control(controller: str, *ids: str) -> Event:
    """The permanents get this `controller`."""
    return said("control-changed", permanents=list(ids), controller=controller)


def lose(*ids: str, source: str | None = None) -> Event:
    """The permanents lose all abilities, by the effect of `source` if it is named."""
    return said("abilities-lost", permanents=list(ids), source=source)


def regain(*ids: str, source: str | None = None) -> Event:
    """An effect that took the permanents' abilities ended; all such effects if no source is named."""
    return said("abilities-regained", permanents=list(ids), source=source)


def phase_out(*ids: str) -> Event:
    """The permanents phase out, outside an untap step."""
    return said("phased-out", permanents=list(ids))


def phase_in(*ids: str) -> Event:
    """The permanents phase in, outside an untap step."""
    return said("phased-in", permanents=list(ids))
