"""The words of the game that events, rules and projections share."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal


class Designation(StrEnum):
    """What the game is: neither day nor night, or one of the two."""

    NEITHER = "neither"
    DAY = "day"
    NIGHT = "night"

    # Enum's own hash is a slow Python function; these are keys of dictionaries that a long replay asks all the time.
    __hash__ = str.__hash__

    def __repr__(self) -> str:
        return f"Designation.{self.name}"


class Face(StrEnum):
    """Which side of a double-faced permanent is up. Being face down is another thing altogether."""

    FRONT = "front"
    BACK = "back"

    # Enum's own hash is a slow Python function; these are keys of dictionaries that a long replay asks all the time.
    __hash__ = str.__hash__

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


TOKENS_TRANSFORM = "2023-04-14"
"""The edition since which there are double-faced tokens."""


def tokens_transform(edition: str | None) -> bool:
    """Return whether `edition` of the rules has double-faced tokens; True too if a record names no edition (None)."""
    return edition is None or edition >= TOKENS_TRANSFORM
