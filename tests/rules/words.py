"""Events in short words, as a player would say them; each answers the JSON object of one event."""

from __future__ import annotations

from typing import Any

Event = dict[str, Any]

RUFFIAN: Event = {"card": "Tavern Ruffian"}
OLD_WEREWOLF: Event = {"card": "Grizzled Outcasts"}
VANDAL: Event = {"card": "Brimstone Vandal"}
IMMERWOLF: Event = {"card": "Immerwolf"}
ANGEL: Event = {"card": "Angel of Eternal Dawn"}
DAYBOUND_FACE: Event = {"name": "Tavern Ruffian", "keywords": ["daybound"], "subtypes": ["Human", "Werewolf"]}
NIGHTBOUND_FACE: Event = {"name": "Tavern Smasher", "keywords": ["nightbound"], "subtypes": ["Werewolf"]}
CLONE_OF_DAYBOUND: Event = {"card": "Clone", "front": DAYBOUND_FACE}
CLONE_OF_NIGHTBOUND: Event = {"card": "Clone", "front": NIGHTBOUND_FACE}


def said(kind: str, **fields: Any) -> Event:
    """An event of that tag; fields that are None are left out."""
    return {"type": kind} | {name: value for name, value in fields.items() if value is not None}


def started(*players: str, **more: Any) -> Event:
    """The first line of a record."""
    return said("game-started", format=1, game="g1", players=list(players or ("Ana", "Bo")), **more)


def joined(*possible: str, permanents: list[Event] | None = None, forbids: list[Event] | None = None) -> Event:
    """The record takes the game up midway, with what was found on the battlefield."""
    return said("game-joined", possible=list(possible), permanents=permanents, forbids=forbids)


def turn(number: int, *active: str, skips: list[str] | None = None) -> Event:
    """A turn begins; Ana's if nobody is named."""
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
    """A player cast between so many and so many further spells."""
    return said("spells-uncertain", player=player, at_least=at_least, at_most=at_most)


def permanent(id: str, like: Event | None = None, **more: Any) -> Event:
    """A permanent as it enters: Ana's Tavern Ruffian, if nothing else is said."""
    return {"id": id, "controller": "Ana"} | (RUFFIAN if like is None else like) | more


def enter(id: str, like: Event | None = None, **more: Any) -> Event:
    """One permanent enters."""
    return together(permanent(id, like, **more))


def together(*permanents: Event) -> Event:
    """Permanents enter at once."""
    return said("permanents-entered", permanents=list(permanents))


def leave(*ids: str) -> Event:
    """They leave the battlefield."""
    return said("permanents-left", permanents=list(ids))


def control(controller: str, *ids: str) -> Event:
    """Another player controls them."""
    return said("control-changed", permanents=list(ids), controller=controller)


def lose(*ids: str, source: str | None = None) -> Event:
    """They lose all abilities."""
    return said("abilities-lost", permanents=list(ids), source=source)


def regain(*ids: str, source: str | None = None) -> Event:
    """An effect that took their abilities ended; all such effects if no source is named."""
    return said("abilities-regained", permanents=list(ids), source=source)


def copy(front: Event, *ids: str) -> Event:
    """They become copies."""
    return said("became-copy", permanents=list(ids), front=front)


def uncopy(*ids: str) -> Event:
    """They are themselves again."""
    return said("copy-ended", permanents=list(ids))


def face_down(*ids: str) -> Event:
    """They are turned face down."""
    return said("turned-face-down", permanents=list(ids))


def face_up(*ids: str) -> Event:
    """They are turned face up."""
    return said("turned-face-up", permanents=list(ids))


def phase_out(*ids: str) -> Event:
    """They phase out, not in an untap step."""
    return said("phased-out", permanents=list(ids))


def phase_in(*ids: str) -> Event:
    """They phase in, not in an untap step."""
    return said("phased-in", permanents=list(ids))


def transform(*ids: str, own_since: int | None = None) -> Event:
    """They are told to transform."""
    return said("transform-instructed", permanents=list(ids), own_since=own_since)


def forbid(source: str, *ids: str) -> Event:
    """An effect says they can't transform."""
    return said("transform-forbidden", permanents=list(ids), source=source)


def allow(source: str) -> Event:
    """That effect ended."""
    return said("transform-allowed", source=source)


def effect(becomes: str, only_if: str | None = None) -> Event:
    """An effect makes it day, or night, or switches."""
    return said("effect-resolved", becomes=becomes, only_if=only_if)


def quits(player: str, *ids: str) -> Event:
    """A player leaves the game, and with them what they own."""
    return said("player-left", player=player, permanents=list(ids) or None)


def noted(about: int | None = None) -> Event:
    """A note for people."""
    return said("note-added", by="Jo", says="a note", about=about)


def restarted() -> Event:
    """A new game begins."""
    return said("game-restarted")


def ended(*winner: str) -> Event:
    """The game is over."""
    return said("game-ended", winner=list(winner) or None)


def ruled(designation: str) -> Event:
    """A judge rules."""
    return said("judge-ruled", by="Jo", designation=designation)


def back_up(to: int) -> Event:
    """A judge backs the game up to after event `to`."""
    return said("game-backed-up", to=to, by="Jo")


def claim(designation: str) -> Event:
    """Somebody says what it is."""
    return said("designation-claimed", designation=designation, by="Ana")


def claim_face(id: str, face: str) -> Event:
    """Somebody says which face is up."""
    return said("face-claimed", permanent=id, face=face, by="Ana")


def claim_tally(player: str, spells: int, turn: int | None = None) -> Event:
    """Somebody says how many spells a player cast."""
    return said("tally-claimed", player=player, spells=spells, by="Ana", turn=turn)


def opens(id: str = "d1", about: int | None = None) -> Event:
    """A judge is called."""
    return said("dispute-opened", dispute=id, by="Ana", about=about)


def argues(id: str = "d1", designation: str | None = None, says: str | None = None) -> Event:
    """One side of a dispute speaks."""
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
