"""Games for several tests of this folder, and ways to save them as files."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path

from daynight.game import Game
from tests.rules.judges import (
    appeals,
    argues,
    back_up,
    claim,
    claim_face,
    claim_tally,
    closes,
    noted,
    opens,
    ruled,
    rules_on,
)
from tests.rules.placing import control, leave, lose, permanent, phase_in, phase_out, regain, together
from tests.rules.turning import allow, copy, face_down, face_up, forbid, transform, uncopy
from tests.rules.wolves import OLD_WEREWOLF, VANDAL
from tests.rules.words import (
    Event,
    cast,
    copied,
    doubt,
    effect,
    ended,
    joined,
    quits,
    restarted,
    started,
    turn,
    untap,
    upkeep,
)

ROOT = Path(__file__).resolve().parents[2]

CONTRACT: list[Event] = [
    {"type": "game-started", "format": 1, "game": "g1", "players": ["Ana", "Bo"]},
    {"type": "turn-began", "turn": 1, "active": ["Ana"]},
    {"type": "spell-cast", "player": "Ana", "card": "Tavern Ruffian"},
    {"type": "permanents-entered", "permanents": [{"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}]},
    {"type": "turn-began", "turn": 2, "active": ["Bo"]},
    {"type": "spell-cast", "player": "Ana", "card": "Opt", "note": "on Bo's turn: it does not count"},
    {"type": "turn-began", "turn": 3, "active": ["Ana"]},
    {"type": "step-began", "step": "untap"},
]
"""A short record: it becomes day in turn 1, and night in turn 3, because Bo casts no spell in his turn 2."""

EVERY_TYPE: list[Event] = [
    started("Ana", "Bo", "Cy") | {"at": "2024-06-07T19:30:00Z", "note": "a sentence", "meta": {"table": 7}},
    joined("day") | {"permanents": [permanent("j1", controller="Cy", phased_out=True)]},
    turn(1, skips=["draw"]),
    untap(stays_out=["j1"]),
    cast() | {"card": "Opt", "spell": "s1"},
    copied() | {"card": "Opt", "spell": "s2"},
    doubt("Bo", 0, 1),
    together(
        permanent("w1"),
        permanent("v1", VANDAL),
        permanent("o1", OLD_WEREWOLF),
        {"id": "b1", "card": "Runeclaw Bear", "controller": "Ana"},
    ),
    control("Bo", "w1"),
    lose("w1", source="Humility"),
    regain("w1", source="Humility"),
    copy({"name": "Tavern Ruffian", "keywords": ["daybound"], "subtypes": ["Werewolf"]}, "b1"),
    uncopy("b1"),
    face_down("b1"),
    face_up("b1"),
    phase_out("o1"),
    phase_in("o1"),
    forbid("Bound by Moonsilver", "o1"),
    allow("Bound by Moonsilver"),
    transform("o1", own_since=8) | {"source": "Moonmist"},
    effect("switch", "day") | {"source": "The Celestus"},
    claim("night"),
    claim_face("w1", "back"),
    claim_tally("Ana", 1, 1),
    ruled("day"),
    leave("b1") | {"to": "graveyard"},
    back_up(24),
    upkeep(),
    quits("Cy", "j1"),
    restarted(),
    turn(1, "Bo"),
    ended("Ana"),
    opens(about=25),
    argues(designation="night", says="it was night"),
    rules_on(outcome="back-up", to=24),
    appeals(),
    rules_on(outcome="fix", designation="day", says="so it stays"),
    closes(outcome="fix"),
    noted(about=25),
]
"""The events of a game with every type of event."""


def lines(events: Iterable[Event]) -> bytes:
    """Events in the form of a file."""
    return b"".join(json.dumps(event, ensure_ascii=False).encode() + b"\n" for event in events)


def kept(path: Path, events: Iterable[Event]) -> Path:
    """Write events to a file, compressed if its name ends with .gz, and return its path."""
    data = lines(events)
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def told(*events: Event) -> Game:
    """A game of Ana and Bo with these events; the first of them is event 2."""
    return Game([started(), *events])
