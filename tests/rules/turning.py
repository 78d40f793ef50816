"""Short names for events: permanents get another face, or are forbidden to transform."""

from __future__ import annotations

from .words import Event, said


def copy(front: Event, *ids: str) -> Event:
    """The permanents become copies."""
    return said("became-copy", permanents=list(ids), front=front)


def uncopy(*ids: str) -> Event:
    """The permanents stop being copies."""
    return said("copy-ended", permanents=list(ids))


def face_down(*ids: str) -> Event:
    """The permanents are turned face down."""
    return said("turned-face-down", permanents=list(ids))


def face_up(*ids: str) -> Event:
    """The permanents are turned face up."""
    return said("turned-face-up", permanents=list(ids))


def transform(*ids: str, own_since: int | None = None) -> Event:
    """A spell or ability tells the permanents to transform."""
    return said("transform-instructed", permanents=list(ids), own_since=own_since)


def forbid(source: str, *ids: str) -> Event:
    """An effect says that the permanents can't transform."""
    return said("transform-forbidden", permanents=list(ids), source=source)


def allow(source: str) -> Event:
    """The effect that forbade transforming ended."""
    return said("transform-allowed", source=source)
