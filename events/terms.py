"""The words of the game that events, rules and projections share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta

__all__ = [
    "NAME_LENGTH",
    "SAYING_LENGTH",
    "Count",
    "Designation",
    "Face",
    "Keyword",
    "Name",
    "Number",
    "Saying",
    "Step",
    "Switch",
    "Time",
]

NAME_LENGTH = 200
"""The most characters a name may have."""

SAYING_LENGTH = 2000
"""The most characters that somebody's words may have."""

Name = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
"""A name of a player, permanent, card, source or speaker: 1 to 200 characters."""

Saying = Annotated[str, Meta(min_length=1, max_length=SAYING_LENGTH)]
"""What somebody said, in their words: 1 to 2,000 characters, on one line."""

Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A turn or an event: whole, not negative, exact in every JSON reader."""

Count = Number
"""How many spells."""


_LEAP = "[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00"
_DATE = (
    "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    f"|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:{_LEAP})-02-29)"
)
_CLOCK = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:[.][0-9]+)?"
_OFFSET = "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"

Time = Annotated[str, Meta(pattern=f"^{_DATE}[Tt ]{_CLOCK}{_OFFSET}$(?!\n)")]
"""An RFC 3339 time with its offset, kept as it was written."""


class Designation(StrEnum):
    """What the game is: neither day nor night, or one of the two."""

    NEITHER = "neither"
    DAY = "day"
    NIGHT = "night"

    # Enum hashes by name, in Python; these are keys of every table that is asked in a long replay.
    __hash__ = str.__hash__

    def __repr__(self) -> str:
        return f"Designation.{self.name}"


class Face(StrEnum):
    """Which side of a double-faced permanent is up. Being face down is another thing altogether."""

    FRONT = "front"
    BACK = "back"

    # Enum hashes by name, in Python; these are keys of every table that is asked in a long replay.
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
