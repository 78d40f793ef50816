"""The facts about a game: its players, its length, its branches, and what can be undone."""

from __future__ import annotations

from typing import Any, NamedTuple

from daynight.events import GameStarted, TurnBegan
from daynight.rules.citations import DEFAULT_EDITION
from daynight.store.branches import branches
from daynight.store.proving.chain import code_of
from daynight.titles import occasion_of
from daynight.web.file_game import Played
from daynight.web.shelf import Shelf, Shelved, StoredGame, id_of
from daynight.web.telling.heads import head_of, identity_of
from daynight.web.telling.teller import teller_of
from daynight.web.writing.undo import undoable

NEAR = 1_000
"""The most events of a game that the library (the stored list of games) may lack: they are read from the store."""


SENTENCES = 3
"""The most events of an undo that its sentence describes."""


class Outline(NamedTuple):
    """The first event of a game, its number of events, and its number of `turns` that are not undone.

    `undone` are the stretches that back-ups have undone, each as its first and last event.
    """

    first: Any
    events: int
    turns: int
    undone: list[list[int]]


def about_game(shelf: Shelf, shelved: Shelved) -> dict[str, Any]:
    """Return a game as `GET /v1/games/{id}` answers it."""
    found = (_stored(shelf, shelved) if isinstance(shelved, StoredGame) else None) or _read(shelved)
    first, started = found.first, isinstance(found.first, GameStarted)
    digest = shelved.digest(found.events) if shelved.kind == "stored" else None
    number = found.events
    return {
        "id": id_of(shelved.name),
        "game": shelved.name,
        "identity": identity_of(shelved),
        "head": head_of(shelved, number),
        "undoable": _undoable(shelf, shelved, number) if isinstance(shelved, StoredGame) and started else None,
        "players": list(first.players) if started else [],
        "edition": (first.edition or DEFAULT_EDITION) if started else None,
        "events": found.events,
        "turns": found.turns if started else None,
        "code": None if digest is None else code_of(found.events, digest),
        "branches": _branches(shelf, shelved),
        "undone": found.undone,
        "kind": shelved.kind,
        **(shelved.asked(number, _left) if started else {}),
        **({"title": titled} if (titled := occasion_of(first)) else {}),
        **shelved.more,
    }


def _read(shelved: Shelved) -> Outline:
    """Return the outline of a game from all its events, which are read into memory if they are not there."""
    game = shelved.game()
    turns = [number for number, event in enumerate(game.events, 1) if isinstance(event, TurnBegan)]
    return Outline(game.events[0], len(game), sum(game.stands(number) for number in turns), undone(game))


def _stored(shelf: Shelf, shelved: StoredGame) -> Outline | None:
    """Return the outline of a stored game without reading all of it.

    None if the library lacks more than `NEAR` of its events, or one of those that it lacks is a back-up.
    """
    assert shelf.store is not None
    last = shelved.last
    entry = None if shelf.library is None else shelf.library.entry(shelved.name)
    turns = 0 if entry is None else entry.turns
    if shelf.is_of_games:
        if entry is None or not last - NEAR <= entry.events <= last:
            return None
        for event in shelf.store.events(shelved.name, entry.events, last):
            if shelf.mechanic.restores(event) is not None:
                return None
            turns += isinstance(event, TurnBegan)
    (first,) = shelf.store.events(shelved.name, 0, 1)
    ends = shelved.standing(last).bounds[1:]
    gaps = zip(ends[::2], ends[1::2], strict=True)
    return Outline(first, last, turns, [[end + 1, start - 1] for end, start in gaps if end + 1 < start])


def _undoable(shelf: Shelf, shelved: StoredGame, last: int) -> dict[str, Any] | None:
    """Return the last command that can be undone: id, sender, events and their sentence; None if none can."""
    assert shelf.store is not None
    found = undoable(shelf.store, shelved.name, shelved.standing(last), last)
    if found is None or not found.events:
        return None
    teller = teller_of(shelved)
    sentences = shelved.asked(
        last, lambda game: [teller.sentence(game, number, event) for number, event in found.events[:SENTENCES]]
    )
    return {
        "command": found.command.id,
        "by": found.by,
        "first": found.command.first,
        "last": found.command.last,
        "sentence": "; ".join([*sentences, *(["…"] if len(found.events) > SENTENCES else [])]),
    }


def _left(game: Any) -> dict[str, list[str]]:
    """Return `left`, the players who have left, in the order of `players`; an empty dictionary if nobody has."""
    left = [player for player in game.state.players if player not in game.state.present]
    return {"left": left} if left else {}


def _branches(shelf: Shelf, shelved: Shelved) -> list[dict[str, Any]]:
    if shelved.kind != "stored" or shelf.store is None or not shelf.is_of_games:
        return []
    return [
        {"id": id_of(one.game), "name": one.origin.name, "parted": one.origin.event}
        for one in branches(shelf.store, shelved.name)
        if shelf.serves(one.game)
    ]


def undone(game: Played, until: int | None = None) -> list[list[int]]:
    """Return the stretches that back-ups have undone, up to event `until`, each as its first and last event."""
    stretches: list[list[int]] = []
    for number in range(1, (until or len(game)) + 1):
        if not game.stands(number):
            if stretches and stretches[-1][1] == number - 1:
                stretches[-1][1] = number
            else:
                stretches.append([number, number])
    return stretches
