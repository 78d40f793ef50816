"""Long records to measure with, the same every time: a game of many turns, written as plain JSON Lines."""

import json
from collections.abc import Iterator
from typing import Any

STEPS = (
    "untap", "upkeep", "draw", "precombat-main", "beginning-of-combat", "declare-attackers", "declare-blockers",
    "combat-damage", "end-of-combat", "postcombat-main", "end", "cleanup",
)  # fmt: skip
CASTS = (1, 1, 2, 1, 1, 1, 3, 1, 0, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1)
"""The casts of the active player in each turn: a change in every thirteen turns, as in the three real games.

In 26 turns it becomes night once and day once; arrivals are far rarer here than in the real games.
"""

BUSY = (1, 1, 2, 1, 0, 1, 1, 2)
"""The same with a change in every four turns."""

SPELLS = ("Lightning Bolt", "Goblin Piker", "Ranger Class", "Augur of Autumn", "Flame Slash", "Elite Spellbinder")
WEREWOLVES = ("Tavern Ruffian", "Brutal Cathar", "Village Watch", "Baneblade Scoundrel")


def long_record(
    events: int, permanents: int = 6, uncertain: bool = False, busy: bool = False
) -> Iterator[dict[str, Any]]:
    """Yield `events` events of a game: turns with all steps, up to three casts in each, and `permanents` permanents.

    Day and night change twice in 26 turns, and in every sixteenth a permanent leaves and another one arrives.
    `uncertain`: an uncertain cast in every third turn. `busy`: a change, and an arrival, in every fourth turn.
    """
    yield {"type": "game-started", "format": 1, "game": "long", "players": ["Ana", "Bo"]}
    written, turn, born, cast = 1, 0, 0, 0
    pattern = BUSY if busy else CASTS
    board: list[str] = []
    while written < events:
        turn += 1
        player = ("Ana", "Bo")[turn % 2]
        happenings: list[dict[str, Any]] = [{"type": "turn-began", "turn": turn, "active": [player]}]
        for step in STEPS:
            happenings.append({"type": "step-began", "step": step})
            if step != "precombat-main":
                continue
            for _cast in range(pattern[turn % len(pattern)]):
                cast += 1
                card = SPELLS[cast % len(SPELLS)]
                happenings.append({"type": "spell-cast", "player": player, "card": card, "spell": f"s{cast}"})
            if uncertain and turn % 3 == 0:
                happenings.append({"type": "spells-uncertain", "player": player, "at_least": 0, "at_most": 1})
            if len(board) < permanents or turn % (4 if busy else 16) == 0:
                if len(board) >= permanents:
                    happenings.append({"type": "permanents-left", "permanents": [board.pop(0)], "to": "graveyard"})
                born += 1
                board.append(f"p{born}")
                card = WEREWOLVES[born % 4] if born % 2 else "Grizzly Bears"
                new = {"id": f"p{born}", "card": card, "controller": player}
                happenings.append({"type": "permanents-entered", "permanents": [new]})
        for happening in happenings:
            if written == events:
                return
            yield happening
            written += 1


def lines(events: int, **how: Any) -> bytes:
    """Return the lines of `long_record`, with the spaces of `json.dumps`; `how` are its other parameters."""
    return b"".join(json.dumps(event).encode() + b"\n" for event in long_record(events, **how))
