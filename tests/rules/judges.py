"""Short names for events: notes, claims, rulings and disputes."""

from __future__ import annotations

from typing import Any

from .words import Event, said


def noted(about: int | None = None) -> Event:
    """A `note-added` event of Jo about event `about`, or about the event before if that is None."""
    return said("note-added", by="Jo", says="a note", about=about)


def ruled(designation: str) -> Event:
    """A `judge-ruled` event: judge Jo sets the designation."""
    return said("judge-ruled", by="Jo", designation=designation)


def back_up(to: int) -> Event:
    """A `game-backed-up` event: judge Jo restores the state after event `to`."""
    return said("game-backed-up", to=to, by="Jo")


def claim(designation: str) -> Event:
    """A `designation-claimed` event: Ana claims that it is `designation`."""
    return said("designation-claimed", designation=designation, by="Ana")


def claim_face(id: str, face: str) -> Event:
    """A `face-claimed` event: Ana claims that permanent `id` has its `face` up."""
    return said("face-claimed", permanent=id, face=face, by="Ana")


def claim_tally(player: str, spells: int, turn: int | None = None) -> Event:
    """A `tally-claimed` event: Ana claims that `player` cast `spells` spells, in the current turn if `turn` is None."""
    return said("tally-claimed", player=player, spells=spells, by="Ana", turn=turn)


def opens(id: str = "d1", about: int | None = None) -> Event:
    """A `dispute-opened` event: Ana calls a judge about event `about`, or about the event before if that is None."""
    return said("dispute-opened", dispute=id, by="Ana", about=about)


def argues(id: str = "d1", designation: str | None = None, says: str | None = None) -> Event:
    """A `dispute-claimed` event: Bo states in dispute `id` which designation it is, something in words, or both."""
    return said("dispute-claimed", dispute=id, by="Bo", designation=designation, says=says)


def rules_on(id: str = "d1", outcome: str = "leave", **more: Any) -> Event:
    """A `dispute-ruled` event of judge Jo: `leave` changes nothing, `fix` and `back-up` have fields in `more`."""
    return said("dispute-ruled", dispute=id, by="Jo", outcome=outcome, **more)


def appeals(id: str = "d1") -> Event:
    """A `dispute-appealed` event: Bo appeals the ruling in dispute `id`."""
    return said("dispute-appealed", dispute=id, by="Bo")


def closes(id: str = "d1", outcome: str = "leave") -> Event:
    """A `dispute-closed` event: judge Jo closes dispute `id` with its final `outcome`."""
    return said("dispute-closed", dispute=id, by="Jo", outcome=outcome)
