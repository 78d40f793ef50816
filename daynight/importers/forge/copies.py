"""Recognises copies that a resolution in Forge's log puts on the stack, by the text of its line."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SPEAKS = re.compile(r"\bcop(?:y|ies|ied)\b", re.IGNORECASE)
_COPIES = re.compile(
    r"(?<!\ba )(?<!\ban )(?<!\bthe )(?<!\bthat's )(?<!\bother )\bcop(?:y|ies) (?:it|that|this|target|[A-Z])",
    re.IGNORECASE,
)
_CASTS = re.compile(
    r"\bcast (?:(?:any number|up to \w{1,9}|one|each|some) of )?(?:the|that|those|these|a) cop(?:y|ies)\b"
    r"|\bcast (?:it|them) without paying\b",
    re.IGNORECASE,
)
_STORM = re.compile(r"\bfor each (?:other )?spell (?:that was )?cast before it this turn\b", re.IGNORECASE)
_TARGETS = re.compile(r"\bmay choose (?:a )?new targets? for (?:the|that|those) cop(?:y|ies)\b", re.IGNORECASE)
_OPEN = re.compile(r"\b(?:may|if|unless|instead|up to|any number|for each|each(?! turn)|times)\b", re.IGNORECASE)
_TIMES = re.compile(r"\bCopy (.{1,200}?) \(\d{1,9}\) ?(?:(\d{1,3}) times)?\.")
_CARD = re.compile(r"\[Card: (.{1,200}?) \(\d{1,9}\)")


@dataclass(frozen=True, slots=True)
class CopiesMade:
    """Copies of a spell made by a resolution.

    `card`: the name of the copied card, if the line has it. `sure`: how many copies are certain, 0 if perhaps none;
    None: as many as spells were cast before the copied spell in this turn.
    """

    card: str | None
    sure: int | None


def speaks_of_copies(text: str) -> bool:
    """Return whether a text contains the word for copying, whatever is copied."""
    return _SPEAKS.search(text) is not None


def copying(text: str) -> CopiesMade | None:
    """Return the copies of a spell that a resolution put on the stack; None if it makes none, or casts them."""
    if _COPIES.search(text) is None or _CASTS.search(text) is not None:
        return None
    card = _CARD.search(text)
    if (told := _TIMES.search(text)) is not None:
        return CopiesMade(told[1], int(told[2] or 1))
    name = None if card is None else card[1]
    if _STORM.search(text) is not None:
        return CopiesMade(name, None)
    return CopiesMade(name, 0 if _OPEN.search(_TARGETS.sub("", text)) else 1)
