"""A stored game to attack: 200 events, signed at every turn, with snapshots, commands and a row in the library.

The game is made once for each test session; each attack gets a copy of the file, or undoes its changes.
"""

import atexit
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from daynight.games import Store
from daynight.projections.library import Library
from daynight.store import Key
from daynight.store.database.rows import BULK
from daynight.store.database.settings import Settings
from daynight.store.proving.chain import ORIGIN, digest
from daynight.store.proving.verify import Verified, verify_game

__all__ = [
    "AT", "EVENTS", "GAME", "KEY", "OTHER", "STRANGER", "code", "copied", "exported", "forged", "laid_open",
    "of_event", "opened", "rows", "settings", "told", "verified",
]  # fmt: skip

Json = dict[str, Any]

GAME, OTHER = "friday", "saturday"
EVENTS = 200
AT = "WHERE originator_id = ? AND originator_version = ?"

KEY = Key(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
STRANGER = Key(Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33))))
"""`KEY` signs the victim's store; `STRANGER` is the key of the attacker."""


def told(game: str = GAME, events: int = EVENTS, spell: str = "Opt") -> list[Json]:
    """Return a game with seven kinds of events; with another `spell` it differs from event 11 on."""
    found: list[Json] = [
        {"type": "game-started", "format": 1, "game": game, "players": ["Ana", "Bo"]},
        {"type": "turn-began", "turn": 1, "active": ["Ana"]},
        {
            "type": "permanents-entered",
            "permanents": [{"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}],
            "note": "Größe ☾",
        },
    ]
    turn = 1
    while len(found) < events:
        number = len(found) + 1
        if number % 9 == 0:
            turn += 1
            found.append({"type": "turn-began", "turn": turn, "active": [("Bo", "Ana")[turn % 2]]})
        elif number % 9 == 1:
            found.append({"type": "step-began", "step": "untap"})
        elif number == 100:
            found.append({"type": "game-backed-up", "to": 90, "by": "judge"})
        elif number % 31 == 0:
            found.append({"type": "designation-claimed", "designation": "day", "by": "Ana"})
        else:
            card = "Opt" if number < 10 else spell
            found.append({"type": "spell-cast", "player": ("Ana", "Bo")[number % 2], "card": card, "note": f"{number}"})
    return found[:events]


def settings(path: Path) -> Settings:
    return Settings(kind="sqlite", path=str(path), snapshots=40, timeout=5)


def opened(path: Path, key: Key | None = KEY) -> Store:
    return Store(settings(path), key=key)


@cache
def _made(spell: str = "Opt") -> Path:
    folder = tempfile.mkdtemp(prefix="daynight-victim-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder, "games.db")
    with opened(path) as store:
        for game, events in ((GAME, told(GAME, EVENTS, spell)), (OTHER, told(OTHER, 60, spell))):
            at = 0
            while at < len(events):
                many = at % 4 + 1
                store.append(game, events[at : at + many], command=f"{game}-{at}")
                at += many
        Library(store).catch_up()
    return path


def copied(folder: Path, spell: str = "Opt") -> Path:
    """A copy of the store; with another `spell`, of a store in which the same games went differently."""
    return Path(shutil.copy(_made(spell), folder / "games.db"))


@cache
def code() -> str:
    """Return the code of the game's last event, as its owner would note it to verify the game later."""
    with opened(_made()) as store:
        return store.code(GAME)


@cache
def exported() -> bytes:
    """Return the stored lines of the game, one after another, as a record file contains them."""
    with laid_open(_made()) as raw:
        return b"".join(row[3] + b"\n" for row in rows(raw))


@contextmanager
def laid_open(path: Path) -> Iterator[sqlite3.Connection]:
    """A plain SQL connection to the file, as an attacker has without daynight."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("PRAGMA synchronous = OFF")
        yield raw


def rows(raw: sqlite3.Connection, game: str = GAME) -> list[tuple[Any, ...]]:
    """The rows of a game: name, number, tag, line, digest."""
    statement = (
        "SELECT originator_id, originator_version, topic, state, digest FROM stored_events WHERE originator_id = ?"
        " ORDER BY originator_version"
    )
    return raw.execute(statement, (game,)).fetchall()


def of_event(raw: sqlite3.Connection, column: str, event: int) -> Any:
    """The value of a column for an event of the game."""
    return raw.execute(f"SELECT {column} FROM stored_events {AT}", (GAME, event)).fetchone()[0]


def forged(raw: sqlite3.Connection, game: str = GAME) -> None:
    """Recompute all digests of a game, as an attacker who knows the algorithm can."""
    before = ORIGIN
    for name, number, tag, line, _digest in rows(raw, game):
        before = digest(before, name, number, tag, line)
        raw.execute(f"UPDATE stored_events SET digest = ? {AT}", (before, name, number))


def verified(store: Store, noted: str | None = None, game: str = GAME) -> Verified:
    return verify_game(store.recorder, game, code=noted)


assert BULK > EVENTS
