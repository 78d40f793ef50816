"""Edits of a record as values and as JSON: events inserted, dropped or replaced."""

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
    """One edit: insert `events` after event `at`, drop the events `at` to `last`, or replace `at` with `events`."""

    kind: Literal["insert", "drop", "replace"]
    at: Place | None
    last: Place | None = None
    events: tuple[Recordable, ...] = ()

    def document(self) -> dict[str, Any]:
        """Return the edit as JSON: `at`, `last`, and its kind with the events, as objects or in the caller's words."""
        place: dict[str, Any] = {"at": self.at if self.at is None or isinstance(self.at, int) else str(self.at)}
        if self.last is not None:
            place["last"] = self.last if isinstance(self.last, int) else str(self.last)
        if self.kind == "drop":
            return place | {"drop": True}
        return place | {self.kind: [_object(event) for event in self.events]}


def insert(at: Place | None, *events: Recordable) -> Edit:
    """Return the edit that inserts `events` directly after event `at` (None: the last event of the record)."""
    return Edit("insert", at, events=events)


def drop(at: Place, last: Place | None = None) -> Edit:
    """Return the edit that drops event `at`, or all events from `at` to `last`."""
    return Edit("drop", at, last)


def replace(at: Place, *events: Recordable) -> Edit:
    """Return the edit that replaces event `at` with `events`."""
    return Edit("replace", at, events=events)


def _object(event: Recordable) -> Any:
    if isinstance(event, str):
        return event
    return json.loads(event if isinstance(event, bytes) else msgspec.json.encode(event))
