"""Begins a record in the middle of a game, if a Forge log leaves open whether it was day or night."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from daynight.events import ControlChanged, Designation, GameJoined, Permanent, PermanentsEntered, PermanentsLeft
from daynight.importers.frame import Confidence, Item, Observed


def taken_up(items: Sequence[Item], at: int, key: str, line: int) -> tuple[list[Item], int]:
    """Return the items of a game from the turn at index `at` on, and the turn's new index.

    Before the turn come the game-started, a game-joined with every designation possible, and the permanents on the
    battlefield. Other earlier events are dropped, warnings are kept. The new items have the line of the turn's first
    event, or `line` if it has none.
    """
    before, turn = items[:at], items[at:]
    line = next((item.line for item in turn if isinstance(item, Observed)), line)
    taken: list[Item] = [item for index, item in enumerate(before) if not index or not isinstance(item, Observed)]
    taken.append(Observed(key, GameJoined(possible=tuple(Designation)), line, Confidence.INFERRED))
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
