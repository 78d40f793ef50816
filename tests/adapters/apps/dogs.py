"""An application without aggregate classes: the function `project` makes the state, a `Dog`, from the events."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import singledispatch
from uuid import UUID, uuid4

from eventsourcing.application import Application


@dataclass(frozen=True)
class Event:
    originator_id: UUID
    originator_version: int
    timestamp: datetime


@dataclass(frozen=True)
class Registered(Event):
    name: str


@dataclass(frozen=True)
class Trained(Event):
    trick: str


@dataclass(frozen=True)
class Dog:
    id: UUID
    version: int
    name: str
    tricks: tuple[str, ...] = ()


@singledispatch
def changed(event, dog):
    raise TypeError(event)


@changed.register
def _(event: Registered, dog):
    return Dog(event.originator_id, event.originator_version, event.name)


@changed.register
def _(event: Trained, dog):
    return Dog(dog.id, event.originator_version, dog.name, (*dog.tricks, event.trick))


def project(dog, events):
    for event in events:
        dog = changed(event, dog)
    return dog


class DogSchool(Application):
    def register(self, name, *tricks):
        id = uuid4()
        now = datetime.now(UTC)
        events = [Registered(id, 1, now, name), *(Trained(id, n, now, one) for n, one in enumerate(tricks, 2))]
        self.events.put(events)
        return id
