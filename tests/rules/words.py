"""Functions that return events: each returns the JSON object of one event.

Those of permanents are in placing.py and turning.py, cards in wolves.py, claims and rulings in judges.py.
"""

from __future__ import annotations

from typing import Any

Event = dict[str, Any]


def said(kind: str, **fields: Any) -> Event:
    """An event with the tag `kind`; fields that are None are left out."""
    return {"type": kind} | {name: value for name, value in fields.items() if value is not None}


def started(*players: str, **more: Any) -> Event:
    """The first event of a record, game-started; the players are Ana and Bo by default."""
    return said("game-started", format=1, game="g1", players=list(players or ("Ana", "Bo")), **more)


def joined(*possible: str, permanents: list[Event] | None = None, forbids: list[Event] | None = None) -> Event:
    """A record that begins in the middle of a game. `forbids`: effects that say that permanents can't transform."""
    return said("game-joined", possible=list(possible), permanents=permanents, forbids=forbids)


def turn(number: int, *active: str, skips: list[str] | None = None) -> Event:
    """A turn begins; Ana is the active player by default. `skips` names the steps that it skips."""
    return said("turn-began", turn=number, active=list(active or ("Ana",)), skips=skips)


def step(name: str, **more: Any) -> Event:
    """The step `name` begins."""
    return said("step-began", step=name, **more)


def untap(
    phased_in: list[str] | None = None, phased_out: list[str] | None = None, stays_out: list[str] | None = None
) -> Event:
    """The untap step begins; the ids are those of permanents that phase in, phase out, or stay phased out."""
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
    """A player cast further spells: between `at_least` and `at_most`, which is None if there is no limit."""
    return said("spells-uncertain", player=player, at_least=at_least, at_most=at_most)


def effect(becomes: str, only_if: str | None = None) -> Event:
    """An effect makes it day or night, or switches them (`becomes`); `only_if`: only from this designation."""
    return said("effect-resolved", becomes=becomes, only_if=only_if)


def quits(player: str, *ids: str) -> Event:
    """A player leaves the game, and with them the permanents that they own, by their ids."""
    return said("player-left", player=player, permanents=list(ids) or None)


def restarted() -> Event:
    """The game is restarted: a new game begins in the same record."""
    return said("game-restarted")


def ended(*winner: str) -> Event:
    """The game ends, with these winners."""
    return said("game-ended", winner=list(winner) or None)
