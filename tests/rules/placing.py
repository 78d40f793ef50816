"""Functions that build events about permanents: they enter, leave, change controller, lose abilities, phase."""

from __future__ import annotations

from typing import Any

from .wolves import RUFFIAN
from .words import Event, said


def permanent(id: str, like: Event | None = None, **more: Any) -> Event:
    """The dict of one permanent of Ana's for `together`; `more` replaces fields of `like` (default: Tavern Ruffian)."""
    return {"id": id, "controller": "Ana"} | (RUFFIAN if like is None else like) | more


def double_faced(card: str, front: Event, back: Event) -> Event:
    """The fields of a double-faced card with these faces, to be given to `permanent` as `like`."""
    return {"card": card, "double_faced": True, "front": front, "back": back}


def enter(id: str, like: Event | None = None, **more: Any) -> Event:
    """The event in which one permanent enters; the arguments are those of `permanent`."""
    return together(permanent(id, like, **more))


def together(*permanents: Event) -> Event:
    """The one event in which all these permanents enter."""
    return said("permanents-entered", permanents=list(permanents))


def leave(*ids: str) -> Event:
    """The event in which the permanents leave the battlefield."""
    return said("permanents-left", permanents=list(ids))


def control(controller: str, *ids: str) -> Event:
    """The event in which the player `controller` gets control of the permanents."""
    return said("control-changed", permanents=list(ids), controller=controller)


def lose(*ids: str, source: str | None = None) -> Event:
    """The event in which the permanents lose all abilities; `source` names the effect that takes them."""
    return said("abilities-lost", permanents=list(ids), source=source)


def regain(*ids: str, source: str | None = None) -> Event:
    """The event in which the effect `source` that took the permanents' abilities ends; None: all such effects end."""
    return said("abilities-regained", permanents=list(ids), source=source)


def phase_out(*ids: str) -> Event:
    """The event in which the permanents phase out at another time than in an untap step."""
    return said("phased-out", permanents=list(ids))


def phase_in(*ids: str) -> Event:
    """The event in which the permanents phase in at another time than in an untap step."""
    return said("phased-in", permanents=list(ids))
