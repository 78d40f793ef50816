"""A small alphabet of events, for enumerating every legal record up to a length.

A `Letter` is a function from the oracle to its next event; None means that the event is impossible now.
"""

from collections.abc import Callable, Iterator
from typing import Any

from .naive import Naive
from .vocabulary import Event

Letter = Callable[[Naive], Event | None]
Visit = Callable[[Naive, list[Event]], None]

OPENING: list[Event] = [
    {"type": "game-started", "format": 1, "game": "every", "players": ["Ana", "Bo"]},
    {"type": "turn-began", "turn": 1, "active": ["Ana"]},
]
WEREWOLF: dict[str, Any] = {"id": "w", "card": "Tavern Ruffian", "controller": "Ana"}
CLONE: dict[str, Any] = {
    "id": "c", "card": "Clone", "controller": "Bo",
    "front": {
        "name": "Tavern Ruffian", "keywords": ["daybound"], "types": ["Creature"],
        "subtypes": ["Human", "Warrior", "Werewolf"],
    },
}  # fmt: skip
IMMERWOLF: dict[str, Any] = {"id": "i", "card": "Immerwolf", "controller": "Ana"}


def present(naive: Naive, name: str) -> bool:
    """Return whether a permanent with the id `name` is on the battlefield."""
    return any(permanent["id"] == name for permanent in naive.state["battlefield"])


def next_turn(naive: Naive) -> Event | None:
    """The letter for the beginning of the other player's turn, which is always possible."""
    active = "Bo" if naive.state["active"] == ["Ana"] else "Ana"
    return {"type": "turn-began", "turn": naive.state["turn"] + 1, "active": [active]}


def untap_step(_: Naive) -> Event | None:
    """The letter for the untap step, which is always possible."""
    return {"type": "step-began", "step": "untap"}


def cast_by(player: str) -> Letter:
    """The letter for a spell that a player casts."""
    return lambda _: {"type": "spell-cast", "player": player}


def arrival_of(permanent: dict[str, Any]) -> Letter:
    """The letter for a permanent that enters; it returns None if the permanent is on the battlefield."""
    event = {"type": "permanents-entered", "permanents": [permanent]}
    return lambda naive: None if present(naive, permanent["id"]) else event


def departure_of(permanent: dict[str, Any]) -> Letter:
    """The letter for a permanent that leaves; it returns None if the permanent is not on the battlefield."""
    event = {"type": "permanents-left", "permanents": [permanent["id"]]}
    return lambda naive: event if present(naive, permanent["id"]) else None


def effect(becomes: str) -> Letter:
    """The letter for an effect that makes it day, makes it night, or switches it."""
    return lambda _: {"type": "effect-resolved", "becomes": becomes}


ALPHABET: dict[str, Letter] = {
    "next turn": next_turn, "untap step": untap_step, "Ana casts": cast_by("Ana"), "Bo casts": cast_by("Bo"),
    "werewolf enters": arrival_of(WEREWOLF), "werewolf leaves": departure_of(WEREWOLF),
    "clone enters": arrival_of(CLONE), "clone leaves": departure_of(CLONE), "Immerwolf enters": arrival_of(IMMERWOLF),
    "Immerwolf leaves": departure_of(IMMERWOLF), "becomes night": effect("night"), "becomes day": effect("day"),
    "switches": effect("switch"),
}  # fmt: skip


def opened(opening: list[Event] | None = None) -> Naive:
    """The oracle after the events of `opening`, by default `OPENING`."""
    naive = Naive()
    for event in OPENING if opening is None else opening:
        naive.apply(event)
    return naive


def steps(length: int, naive: Naive | None = None) -> Iterator[tuple[int, Event, Naive]]:
    """Walk depth first through the continuations of `naive` (by default of `OPENING`) by up to `length` letters.

    Yields `(depth, event, naive)`: the last event, its place in the continuation, counted from 1, and the oracle after
    it. The events before it are those that were yielded last for each smaller depth.
    """
    before = opened() if naive is None else naive
    pending = [(1, before, letter) for letter in reversed(ALPHABET.values())]
    while pending:
        depth, parent, letter = pending.pop()
        event = letter(parent)
        if event is None:
            continue
        child = parent.copy()
        child.apply(event)
        yield depth, event, child
        if depth < length:
            pending.extend((depth + 1, child, following) for following in reversed(ALPHABET.values()))


def sequences(length: int) -> Iterator[list[Event]]:
    """Yield every legal record: the opening and from 1 to `length` events of the alphabet."""
    record = list(OPENING)
    for depth, event, _ in steps(length):
        record[len(OPENING) + depth - 1 :] = [event]
        yield list(record)


def traverse(length: int, visit: Visit) -> int:
    """Call `visit(naive, events)` for each record of `sequences(length)`; return the number of calls."""
    record: list[Event] = []
    visits = 0
    for depth, event, naive in steps(length):
        record[depth - 1 :] = [event]
        visit(naive, [*OPENING, *record])
        visits += 1
    return visits
