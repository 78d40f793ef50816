"""Functions that return events as JSON objects: permanents get another face, or are forbidden to transform."""

from __future__ import annotations

from .words import Event, said


def copy(front: Event, *ids: str) -> Event:
    """The permanents become copies of an object with the face `front`."""
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
    """The permanents are told to transform; `own_since`: by their own ability, put on the stack at that event."""
    return said("transform-instructed", permanents=list(ids), own_since=own_since)


def forbid(source: str, *ids: str) -> Event:
    """An effect of the card `source` says that the permanents can't transform."""
    return said("transform-forbidden", permanents=list(ids), source=source)


def allow(source: str) -> Event:
    """The effect of `source` that forbade transforming ended."""
    return said("transform-allowed", source=source)
