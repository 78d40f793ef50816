"""Decides whether an imported game is already stored, and which of the two versions has more of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from msgspec.structs import replace

from daynight.events import Event, GameJoined, GameStarted, TurnBegan
from daynight.framework.language.codec import encode

NAMES = 1_000
"""The most games of one name in a folder or a store."""


class Relation(Enum):
    """How an imported game relates to the stored one.

    `OTHER`: another game, or not known to be the same. `LESS`: the stored one has all that it has. `MORE`: it has all
    that the stored one has, and more. `PART`: the same game, but each has turns that the other lacks, so both are
    partial. If neither begins with all events of the other, their turns are compared, then how far the log was read.
    """

    OTHER = "other"
    LESS = "less"
    MORE = "more"
    PART = "part"


def candidates(name: str) -> Iterator[str]:
    """Yield a name, and then the names to try if other games have it: `game-G1`, `game-G1-2`, `game-G1-3`."""
    yield name
    for number in range(2, NAMES + 1):
        yield f"{name}-{number}"


def from_a_source(event: Event) -> bool:
    """Return whether an event comes from an importer and not from a person."""
    return "source" in (event.meta or {})


def bare(event: Event) -> Event:
    """Return an event without its `meta`; the first event also without name of the game, edition and time."""
    if isinstance(event, GameStarted):
        return replace(event, meta=None, game="", at=None, edition=None)
    return replace(event, meta=None)


def agreeing(told: Sequence[Event], there: Sequence[Event]) -> int:
    """Return how many events at the beginning are equal. The `meta` counts, too: callers give `bare` events."""
    pairs = zip(told, there, strict=False)
    return next((number for number, (one, other) in enumerate(pairs) if one != other), min(len(told), len(there)))


def compare(told: Sequence[Event], there: Sequence[Event], *, same_game: bool = False) -> Relation:
    """Return how an imported game relates to the stored one. `same_game`: the caller knows that they are one game.

    Two records are of the same game if marks of their source agree: Arena's match id, the digests of the first lines of
    Forge's log or of the first messages of XMage's. Without such a mark they are of the same game only if one begins
    with all events of the other. For a stored game that was not imported the answer is `OTHER`.
    """
    if not told or not there or not from_a_source(there[0]):
        return Relation.OTHER
    identical = True if same_game else _identical(told[0], there[0])
    ours, theirs = [bare(event) for event in told], [bare(event) for event in there]
    same = agreeing(ours, theirs)
    if identical is False or not same:
        return Relation.OTHER
    if same == len(ours):
        return Relation.LESS
    if same == len(theirs):
        return Relation.MORE
    return _parted(told, there) if identical else Relation.OTHER


def _parted(told: Sequence[Event], there: Sequence[Event]) -> Relation:
    """Return how `told` relates to `there`, another record of the game: by turns, then by how far the log was read."""
    ours, theirs = _turns(told), _turns(there)
    joined = any(isinstance(event, GameJoined) for event in told[1:2])
    already_joined = any(isinstance(event, GameJoined) for event in there[1:2])
    if ours < theirs or (joined and not already_joined and ours <= theirs):
        return Relation.LESS
    if (joined and not already_joined) or not (ours >= theirs):
        return Relation.PART
    if ours > theirs or (already_joined and not joined):
        return Relation.MORE
    # If the log retracted events, later events have higher line numbers than these. If the line numbers are
    # equal, the import that knows more card names has more.
    if _place(told) != _place(there):
        return Relation.LESS if _place(told) < _place(there) else Relation.MORE
    return Relation.LESS if _unnamed(told) > _unnamed(there) else Relation.MORE


def _unnamed(events: Sequence[Event]) -> int:
    """Return how many cards have only Arena's number instead of a name."""
    return sum(encode(event).count(b'"grpId ') for event in events)


def _turns(events: Sequence[Event]) -> frozenset[int]:
    return frozenset(event.turn for event in events if isinstance(event, TurnBegan))


def _place(events: Sequence[Event]) -> tuple[int, int]:
    source = (events[-1].meta or {}).get("source")
    if not isinstance(source, dict):
        return (0, 0)
    return _number(source.get("file", 1)), _number(source.get("line"))


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _identical(one: Event, other: Event) -> bool | None:
    """Return whether the marks in the `meta` of two first events are equal; None if they have no mark in common."""
    mine, theirs = one.meta or {}, other.meta or {}
    match, match_there = _about(mine, "arena"), _about(theirs, "arena")
    if match.get("match") and match_there.get("match"):
        return all(match.get(key) == match_there.get(key) for key in ("match", "game"))
    for program in ("forge", "xmage"):
        digests, digests_there = (_about(_about(meta, program), "beginning") for meta in (mine, theirs))
        both = [key for key in digests if key in digests_there]
        if both:
            return all(digests[key] == digests_there[key] for key in both)
    return None


def _about(meta: dict[str, Any], key: str) -> dict[str, Any]:
    found = meta.get(key)
    return found if isinstance(found, dict) else {}
