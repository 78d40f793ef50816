"""Short names for events: permanents get another face, or may not."""

from __future__ import annotations

from .words import Event, said


def copy(front: Event, *ids: str) -> Event:
    """They become copies."""
    return said("became-copy", permanents=list(ids), front=front)


def uncopy(*ids: str) -> Event:
    """They are themselves again."""
    return said("copy-ended", permanents=list(ids))


def face_down(*ids: str) -> Event:
    """They are turned face down."""
    return said("turned-face-down", permanents=list(ids))


def face_up(*ids: str) -> Event:
    """They are turned face up."""
    return said("turned-face-up", permanents=list(ids))


def transform(*ids: str, own_since: int | None = None) -> Event:
    """They are told to transform."""
    return said("transform-instructed", permanents=list(ids), own_since=own_since)


def forbid(source: str, *ids: str) -> Event:
    """An effect says they can't transform."""
    return said("transform-forbidden", permanents=list(ids), source=source)


def allow(source: str) -> Event:
    """That effect ended."""
    return said("transform-allowed", source=source)
