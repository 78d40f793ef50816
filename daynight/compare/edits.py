"""Edits of a record: events put in, left out or replaced; as values, as JSON, and as options of `daynight what-if`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from daynight.events.actions import EffectResolved, StepBegan
from daynight.events.language import Recordable, strictly
from daynight.framework.language.codec import encode
from daynight.framework.positions import Position

Place: TypeAlias = Position | str | int


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a record: events put in after a place, or in the place of events `at` to `last`."""

    kind: Literal["insert", "drop", "replace"]
    at: Place | None
    last: Place | None = None
    events: tuple[Recordable, ...] = ()

    def document(self) -> dict[str, Any]:
        """The edit as JSON: where, and the events put in or in the place, as objects or in the words given."""
        place: dict[str, Any] = {"at": self.at if self.at is None or isinstance(self.at, int) else str(self.at)}
        if self.last is not None:
            place["last"] = self.last if isinstance(self.last, int) else str(self.last)
        if self.kind == "drop":
            return place | {"drop": True}
        return place | {self.kind: [event if isinstance(event, str) else _object(event) for event in self.events]}

    @property
    def options(self) -> tuple[str, ...]:
        """The same as options of `daynight what-if`.

        >>> insert(5, EffectResolved(becomes="day")).options
        ('--insert', 'e5: it becomes day')
        """
        at = f"e{self.at}" if isinstance(self.at, int) else str(self.at or "")
        if self.kind == "drop":
            return ("--drop", at if self.last is None else f"{at}..{self.last}")
        events = [f"{at}: {_words(event)}" if at else _words(event) for event in self.events]
        return tuple(word for event in events for word in (f"--{self.kind}", event))


def insert(at: Place | None, *events: Recordable) -> Edit:
    """Events put in right after one of the record; None is its last. An event is one, its JSON, or short words."""
    return Edit("insert", at, events=events)


def drop(at: Place, last: Place | None = None) -> Edit:
    """An event of the record left out, or all from it to the `last` one."""
    return Edit("drop", at, last)


def replace(at: Place, *events: Recordable) -> Edit:
    """Other events in the place of one of the record."""
    return Edit("replace", at, events=events)


def _object(event: Recordable) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(encode(strictly(event)))
    return found


_SHORT = {
    EffectResolved(becomes="day"): "it becomes day",
    EffectResolved(becomes="night"): "it becomes night",
    StepBegan(step="untap"): "untap",
}
"""What names nobody has short words that mean the same in every game."""


def _words(event: Recordable) -> str:
    if isinstance(event, str):
        return event
    strict = strictly(event)
    return _SHORT.get(strict) or encode(strict).decode()
