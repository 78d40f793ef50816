"""Whether what was imported is the game that is there already, and whether it is more of it, or less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from msgspec.structs import replace

from daynight.events import Event, GameJoined, GameStarted, TurnBegan
from daynight.framework.language.codec import encode

NAMES = 1_000
"""How many games may go by one name in one place."""


class Relation(Enum):
    """What a telling of a game is to the telling that is there.

    `OTHER`: another game's, or not known to be the same one's. `LESS`: all of it is there. `MORE`: it goes on, or is
    told anew. `PART`: the same game's, but each has turns that the other has not, so that neither replaces the other.
    """

    OTHER = "other"
    LESS = "less"
    MORE = "more"
    PART = "part"


def candidates(name: str) -> Iterator[str]:
    """A name, and what a game is called where another has it: `game-G1`, `game-G1-2`, `game-G1-3`."""
    yield name
    for number in range(2, NAMES + 1):
        yield f"{name}-{number}"


def from_a_source(event: Event) -> bool:
    """Whether an importer told this event, and not a person."""
    return "source" in (event.meta or {})


def bare(event: Event) -> Event:
    """What happened, without where it was read, what the game is called, and when somebody began to look."""
    if isinstance(event, GameStarted):
        return replace(event, meta=None, game="", at=None)
    return replace(event, meta=None)


def agreeing(told: Sequence[Event], there: Sequence[Event]) -> int:
    """How many events from the beginning on are the same, both without their `meta`."""
    for number, (one, other) in enumerate(zip(told, there, strict=False)):
        if one != other:
            return number
    return min(len(told), len(there))


def compare(told: Sequence[Event], there: Sequence[Event], *, same_game: bool = False) -> Relation:
    """What a telling is to the one that is there; with `same_game` that they are one game's is known otherwise.

    Two tellings are one game's where their source's own words for the game say so: Arena's match, the digests of
    Forge's first lines. Where it has none, they are where one goes on where the other ends, and not where they part.
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
    """One game, told in two ways: the turns say which is more of it, then how far their sources were read."""
    ours, theirs = _turns(told), _turns(there)
    joined = any(isinstance(event, GameJoined) for event in told[1:2])
    already_joined = any(isinstance(event, GameJoined) for event in there[1:2])
    if ours < theirs or (joined and not already_joined and ours <= theirs):
        return Relation.LESS
    if (joined and not already_joined) or not (ours >= theirs):
        return Relation.PART
    if ours > theirs or (already_joined and not joined):
        return Relation.MORE
    # What a source took back is told with later lines of it than those that it took back. From the same lines, more is
    # told by who knows what more of the cards are called.
    if _place(told) != _place(there):
        return Relation.LESS if _place(told) < _place(there) else Relation.MORE
    return Relation.LESS if _unnamed(told) > _unnamed(there) else Relation.MORE


def _unnamed(events: Sequence[Event]) -> int:
    """How often a card goes by its number in Arena, for want of a name."""
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
    """Whether two first lines are of one game; None where nothing in them tells."""
    mine, theirs = one.meta or {}, other.meta or {}
    match, match_there = _about(mine, "arena"), _about(theirs, "arena")
    if match.get("match") and match_there.get("match"):
        return all(match.get(key) == match_there.get(key) for key in ("match", "game"))
    digests, digests_there = (_about(_about(meta, "forge"), "beginning") for meta in (mine, theirs))
    both = [key for key in digests if key in digests_there]
    if both:
        return all(digests[key] == digests_there[key] for key in both)
    return None


def _about(meta: dict[str, Any], key: str) -> dict[str, Any]:
    found = meta.get(key)
    return found if isinstance(found, dict) else {}
