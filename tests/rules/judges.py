"""Short names for events: notes, claims, rulings and disputes."""

from __future__ import annotations

from typing import Any

from .words import Event, said


def noted(about: int | None = None) -> Event:
    """A note for people."""
    return said("note-added", by="Jo", says="a note", about=about)


def ruled(designation: str) -> Event:
    """A judge rules."""
    return said("judge-ruled", by="Jo", designation=designation)


def back_up(to: int) -> Event:
    """A judge backs the game up to after event `to`."""
    return said("game-backed-up", to=to, by="Jo")


def claim(designation: str) -> Event:
    """Somebody claims a designation."""
    return said("designation-claimed", designation=designation, by="Ana")


def claim_face(id: str, face: str) -> Event:
    """Somebody claims which face is up."""
    return said("face-claimed", permanent=id, face=face, by="Ana")


def claim_tally(player: str, spells: int, turn: int | None = None) -> Event:
    """Somebody claims how many spells a player cast."""
    return said("tally-claimed", player=player, spells=spells, by="Ana", turn=turn)


def opens(id: str = "d1", about: int | None = None) -> Event:
    """A judge is called."""
    return said("dispute-opened", dispute=id, by="Ana", about=about)


def argues(id: str = "d1", designation: str | None = None, says: str | None = None) -> Event:
    """One side of a dispute makes a statement."""
    return said("dispute-claimed", dispute=id, by="Bo", designation=designation, says=says)


def rules_on(id: str = "d1", outcome: str = "leave", **more: Any) -> Event:
    """A judge rules in a dispute."""
    return said("dispute-ruled", dispute=id, by="Jo", outcome=outcome, **more)


def appeals(id: str = "d1") -> Event:
    """The ruling in a dispute is appealed."""
    return said("dispute-appealed", dispute=id, by="Bo")


def closes(id: str = "d1", outcome: str = "leave") -> Event:
    """A dispute is closed."""
    return said("dispute-closed", dispute=id, by="Jo", outcome=outcome)
