"""Edits of a record: events put in, left out or replaced; as values and as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import msgspec

from daynight.framework.positions import Position

Place: TypeAlias = Position | str | int

Recordable: TypeAlias = Any
"""An event, its JSON object, its line, or short words that the mechanic reads as events."""


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
        return place | {self.kind: [_object(event) for event in self.events]}


def insert(at: Place | None, *events: Recordable) -> Edit:
    """Events put in right after one of the record; None is its last. An event is one, its JSON, or short words."""
    return Edit("insert", at, events=events)


def drop(at: Place, last: Place | None = None) -> Edit:
    """An event of the record left out, or all from it to the `last` one."""
    return Edit("drop", at, last)


def replace(at: Place, *events: Recordable) -> Edit:
    """Other events in the place of one of the record."""
    return Edit("replace", at, events=events)


def _object(event: Recordable) -> Any:
    if isinstance(event, str):
        return event
    return json.loads(event if isinstance(event, bytes) else msgspec.json.encode(event))
