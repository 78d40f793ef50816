"""What a game is, before anything of it is asked: its players, how long it is, what was branched from it."""

from __future__ import annotations

from typing import Any

from daynight.events import GameStarted, TurnBegan
from daynight.rules.citations import DEFAULT_EDITION
from daynight.store.branches import branches
from daynight.web.shelf import Shelf, Shelved, id_of, undone


def about_game(shelf: Shelf, shelved: Shelved) -> dict[str, Any]:
    """A game as `GET /v1/games/{id}` has it."""
    game = shelved.game()
    first = game.events[0]
    started = isinstance(first, GameStarted)
    turns = [number for number, event in enumerate(game.events, 1) if isinstance(event, TurnBegan)]
    return {
        "id": id_of(shelved.name),
        "game": shelved.name,
        "players": list(first.players) if started else [],
        "edition": (first.edition or DEFAULT_EDITION) if started else None,
        "events": len(game),
        "turns": sum(game.stands(number) for number in turns) if started else None,
        "code": shelved.code,
        "branches": _branches(shelf, shelved),
        "undone": undone(game),
        "kind": shelved.kind,
    }


def _branches(shelf: Shelf, shelved: Shelved) -> list[dict[str, Any]]:
    if shelved.kind == "file" or shelf.store is None or not shelf.is_of_games:
        return []
    return [
        {"id": id_of(one.game), "name": one.origin.name, "parted": one.origin.event}
        for one in branches(shelf.store, shelved.name)
        if shelf.serves(one.game)
    ]
