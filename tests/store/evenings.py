"""Plays a game called friday with a key, forges its rows without the key, and checks that the key then refuses."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from daynight.games import Store
from daynight.store import Key
from daynight.store.database.settings import Settings
from daynight.store.errors import NotSignedError, StoreError
from daynight.store.proving.proof import prove
from tests.rules.words import cast, turn
from tests.store.conftest import KEPT
from tests.store.rewriting import rewritten, rows_of, unsigned_after

__all__ = ["GAME", "both", "forged", "identity", "play", "refused"]

GAME = "friday"

both = pytest.mark.parametrize(
    "place", [KEPT[0], *(pytest.param(place, marks=pytest.mark.slow) for place in KEPT[1:])], indirect=True
)
"""Runs a test on SQLite, and as a slow test on PostgreSQL."""


def play(place: Settings, file: Path, *numbers: int, begin: bool = False) -> list[str]:
    """Play turns of the game, and open the store again for each turn; return what the store told its user."""
    said: list[str] = []
    if begin:
        with Store(place, key=Key.read(file)) as store:
            store.recorder.tell = said.append
            store.new(GAME, ["Ana", "Bo"])
    for number in numbers:
        with Store(place, key=Key.read(file)) as store:
            store.recorder.tell = said.append
            store.append(GAME, [turn(number), cast()])
    return said


def identity(place: Settings) -> bytes:
    """Return the digest of the game's first event, by which a key recognizes the game."""
    return rows_of(place, GAME)[0][2]


def _append(store: Store) -> object:
    return store.append(GAME, [turn(50)])


def _export(store: Store) -> object:
    return prove(store, GAME)


def refused(
    place: Settings, file: Path, says: str, error: type[StoreError] = NotSignedError, *more: Callable[[Store], object]
) -> list[Any]:
    """Assert that append, export and `more` are refused and that nothing is stored or signed; return the errors."""
    found: list[Any] = []
    for ask in (_append, _export, *more):
        with Store(place, key=Key.read(file)) as store:
            before = store.games(), store.head(GAME), store.recorder.signatures(GAME)
            with pytest.raises(error, match=says) as caught:
                ask(store)
            assert before == (store.games(), store.head(GAME), store.recorder.signatures(GAME))
        found.append(caught.value)
    return found


def opt(lines: list[bytes]) -> None:
    """Name a card in the cast of turn 2, in the list `lines` itself."""
    lines[4] = lines[4].replace(b'"}', b'","card":"Opt"}')


def forged(place: Settings, change: Callable[[list[bytes]], None] = opt) -> None:
    """Apply `change` to the lines of the game in its store, recompute the digests, and remove signatures after event
    3."""
    rewritten(place, GAME, change)
    unsigned_after(place, GAME, 3)
