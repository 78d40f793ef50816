"""The words of the game that events, rules and projections share."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal

from msgspec import Meta

__all__ = ["NAME_LENGTH", "Count", "Designation", "Face", "Keyword", "Name", "Number", "Step", "Switch"]

NAME_LENGTH = 200
"""The most characters a name may have."""

Name = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
"""A name of a player, permanent, card, source or speaker: 1 to 200 characters."""

Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A turn or an event: whole, not negative, exact in every JSON reader."""

Count = Number
"""How many spells."""


class Designation(str, Enum):
    """What the game is: neither day nor night, or one of the two."""

    NEITHER = "neither"
    DAY = "day"
    NIGHT = "night"

    # Enum hashes by name, in Python; these are keys of every table that is asked in a long replay.
    __hash__ = str.__hash__

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"Designation.{self.name}"


class Face(str, Enum):
    """Which side of a double-faced permanent is up. Being face down is another thing altogether."""

    FRONT = "front"
    BACK = "back"

    # Enum hashes by name, in Python; these are keys of every table that is asked in a long replay.
    __hash__ = str.__hash__

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"Face.{self.name}"


Keyword = Literal["daybound", "nightbound"]
Switch = Literal["day", "night", "switch"]
Step = Literal[
    "untap",
    "upkeep",
    "draw",
    "precombat-main",
    "beginning-of-combat",
    "declare-attackers",
    "declare-blockers",
    "combat-damage",
    "end-of-combat",
    "postcombat-main",
    "end",
    "cleanup",
]
