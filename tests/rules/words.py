"""Short names for events; each returns the JSON object of one event.

Those of permanents are in placing.py and turning.py, cards in wolves.py, claims and rulings in judges.py.
"""

from __future__ import annotations

from typing import Any

Event = dict[str, Any]


def said(kind: str, **fields: Any) -> Event:
    """An event of that tag; fields that are None are left out."""
    return {"type": kind} | {name: value for name, value in fields.items() if value is not None}


def started(*players: str, **more: Any) -> Event:
    """The first line of a record."""
    return said("game-started", format=1, game="g1", players=list(players or ("Ana", "Bo")), **more)


def joined(*possible: str, permanents: list[Event] | None = None, forbids: list[Event] | None = None) -> Event:
    """The record begins in the middle of a game, with these permanents on the battlefield."""
    return said("game-joined", possible=list(possible), permanents=permanents, forbids=forbids)


def turn(number: int, *active: str, skips: list[str] | None = None) -> Event:
    """A turn begins, Ana's by default."""
    return said("turn-began", turn=number, active=list(active or ("Ana",)), skips=skips)


def step(name: str, **more: Any) -> Event:
    """A step begins."""
    return said("step-began", step=name, **more)


def untap(
    phased_in: list[str] | None = None, phased_out: list[str] | None = None, stays_out: list[str] | None = None
) -> Event:
    """The untap step begins, with its phasing."""
    return step("untap", phased_in=phased_in, phased_out=phased_out, stays_out=stays_out)


def upkeep() -> Event:
    """The upkeep begins."""
    return step("upkeep")


def cast(player: str = "Ana") -> Event:
    """A player cast a spell."""
    return said("spell-cast", player=player)


def copied(player: str = "Ana") -> Event:
    """A copy of a spell was put on the stack."""
    return said("spell-copied", player=player)


def doubt(player: str, at_least: int, at_most: int | None = None) -> Event:
    """A player cast between these numbers of further spells."""
    return said("spells-uncertain", player=player, at_least=at_least, at_most=at_most)


def effect(becomes: str, only_if: str | None = None) -> Event:
    """An effect makes it day, or night, or switches."""
    return said("effect-resolved", becomes=becomes, only_if=only_if)


def quits(player: str, *ids: str) -> Event:
    """A player leaves the game, and with them what they own."""
    return said("player-left", player=player, permanents=list(ids) or None)


def restarted() -> Event:
    """A new game begins."""
    return said("game-restarted")


def ended(*winner: str) -> Event:
    """The game is over."""
    return said("game-ended", winner=list(winner) or None)
