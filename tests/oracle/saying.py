"""Functions with short names that make events, for the tests of the oracle itself."""

from typing import Any

from .naive import Naive
from .vocabulary import Event

RUFFIAN = {"card": "Tavern Ruffian"}
CLONE = {"card": "Clone", "front": {"name": "Tavern Ruffian", "keywords": ["daybound"]}}
LONE = {"card": "Clone", "front": {"name": "Tavern Smasher", "keywords": ["nightbound"]}}
OLD = {"card": "Geier Reach Bandit"}


def started(*players: str, **more: Any) -> Event:
    """The event game-started, by default with Ana and Bo."""
    return {"type": "game-started", "format": 1, "game": "g", "players": list(players or ("Ana", "Bo")), **more}


def turn(number: int, *active: str) -> Event:
    """A turn begins."""
    return {"type": "turn-began", "turn": number, "active": list(active)}


def step(name: str, **more: Any) -> Event:
    """A step begins."""
    return {"type": "step-began", "step": name, **more}


def cast(player: str) -> Event:
    """A spell is cast."""
    return {"type": "spell-cast", "player": player}


def enter(**permanents: dict[str, Any]) -> Event:
    """Permanents enter together, controlled by Ana by default."""
    arriving = [{"id": name, "controller": "Ana", **given} for name, given in permanents.items()]
    return {"type": "permanents-entered", "permanents": arriving}


def on(kind: str, *ids: str, **more: Any) -> Event:
    """An event of the type `kind` about the permanents `ids`."""
    return {"type": kind, "permanents": list(ids), **more}


def becomes(what: str, **more: Any) -> Event:
    """An effect makes it day or night, or switches it."""
    return {"type": "effect-resolved", "becomes": what, **more}


def played(*events: Event, opening: Event | None = None) -> Naive:
    """The oracle after `opening`, by default game-started, and these events."""
    naive = Naive()
    for event in (opening or started(), *events):
        naive.apply(event)
    return naive


def face(naive: Naive, name: str) -> Any:
    """The face of the permanent `name` that is up: "front" or "back", or None if that is uncertain."""
    return next(one["face"] for one in naive.document()["battlefield"] if one["permanent"] == name)


def rules(naive: Naive) -> list[tuple[str, str, str]]:
    """The old designation, the new one and the rule key of each change."""
    return [(one["was"], one["became"], one["rule"]) for one in naive.document()["changes"]]
