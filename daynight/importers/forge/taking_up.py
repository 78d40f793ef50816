"""A game that is taken up midway, where a Forge log leaves open whether it was day or night."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from daynight.events import ControlChanged, Designation, GameJoined, Permanent, PermanentsEntered, PermanentsLeft
from daynight.importers.frame import Confidence, Item, Observed

_ANY = tuple(Designation)


def taken_up(items: Sequence[Item], at: int, key: str, line: int) -> tuple[list[Item], int]:
    """The items of a game from its turn at that place on, and where that turn is now.

    Before it stand the beginning, any designation, and the permanents that were there; the events before are let go,
    warnings are not. `line` is said of what has none of its own.
    """
    before, turn = items[:at], items[at:]
    line = next((item.line for item in turn if isinstance(item, Observed)), line)
    taken: list[Item] = [item for index, item in enumerate(before) if not index or not isinstance(item, Observed)]
    taken.append(Observed(key, GameJoined(possible=_ANY), line, Confidence.INFERRED))
    if stood := _standing(before):
        taken.append(Observed(key, PermanentsEntered(permanents=tuple(stood)), line, Confidence.INFERRED))
    return [*taken, *turn], len(taken)


def _standing(items: Sequence[Item]) -> list[Permanent]:
    stood: dict[str, Permanent] = {}
    for item in items:
        event = item.event if isinstance(item, Observed) else None
        if isinstance(event, PermanentsEntered):
            stood |= {each.id: each for each in event.permanents}
        elif isinstance(event, PermanentsLeft):
            for id in event.permanents:
                stood.pop(id, None)
        elif isinstance(event, ControlChanged):
            stood |= {id: replace(stood[id], controller=event.controller) for id in event.permanents if id in stood}
    return list(stood.values())
