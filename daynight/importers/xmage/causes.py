"""Possible causes of day or night in a turn: the log reports the change, but not its cause."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from daynight.events.terms import Designation, Switch

_SWITCHES = re.compile(r"\bif it['’]s night, it becomes day\. Otherwise, it becomes night\b", re.I)
_BECOMES = re.compile(r"\bit becomes (day|night)\b", re.I)
_IF_NEITHER = re.compile(r"\bneither day nor night\b", re.I)


@dataclass(frozen=True, slots=True)
class Cause:
    """An effect that may be on the stack: its card, what it makes, and the spell's `key`, empty for an ability."""

    card: str
    becomes: Switch
    key: str


class Causes:
    """The effects of a turn that have not happened yet."""

    def __init__(self, effects: Mapping[str, Switch]) -> None:
        self._effects = effects
        self._open: list[Cause] = []

    def forget(self) -> None:
        """Begin a turn: the stack is empty."""
        self._open.clear()

    def cast(self, card: str, key: str) -> None:
        """Add the effect of a spell that was cast, if its card has one on day and night."""
        becomes = self._effects.get(card)
        if becomes is not None:
            self._open.append(Cause(card, becomes, key))

    def ability(self, card: str, key: str, says: str) -> None:
        """Add the effect of an ability on the stack if its text `says` that it becomes day or night."""
        if _IF_NEITHER.search(says) is not None:
            return
        becomes = _BECOMES.search(says)
        if _SWITCHES.search(says) is not None:
            self._open.append(Cause(card, "switch", key))
        elif becomes is not None:
            self._open.append(Cause(card, "day" if becomes[1].lower() == "day" else "night", key))

    def resolved(self, key: str) -> None:
        """Note that a spell left the stack, so it can no longer be a cause."""
        self._open = [each for each in self._open if each.key != key]

    def of(self, designation: Designation) -> Cause | None:
        """Remove and return the last effect that makes this designation; None if there is none."""
        for each in reversed(self._open):
            if each.becomes in ("switch", designation.value):
                self._open.remove(each)
                return each
        return None
