"""Grounds: what a part of the state rests on, where every possibility that led to it says the same.

A way is what brought about a designation or a face: a consequence, or None where it was so from the beginning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from daynight.events.consequences import Changed, Derived, EnteredTransformed, Transformed
from daynight.events.terms import Designation
from daynight.projections.possibilities import Possibility
from daynight.referee.state import State

How: TypeAlias = Transformed | EnteredTransformed
"""How a permanent came to the face that is up."""

_Way = TypeVar("_Way")


@dataclass(frozen=True, slots=True)
class Grounds:
    """Since which event, by which rule, and because of which events.

    `since` and `rule` are None where the record leaves open which of several ways it was; `because` then has the events
    of all of them. `rule` is None too where no rule says so.
    """

    since: int | None
    rule: str | None
    because: tuple[int, ...]


def designation_ways(possibilities: Iterable[Possibility]) -> tuple[Changed | None, ...]:
    """What may have brought about the designations of these possibilities, each once, the oldest first."""
    causes = [cause for possibility in possibilities for cause in possibility.causes]
    # A change from neither and one from day are the same answer to the question what made it night.
    return tuple(_once((way and (way.event, way.rule, way.because, way.became), way) for way in causes))


def face_ways(possibilities: Iterable[Possibility], id: str) -> tuple[How | None, ...]:
    """How this permanent may have come to its face in these possibilities, each once, the oldest first."""
    ways = [how for possibility in possibilities for how in possibility.came_to(id)]
    return tuple(_once((way and (way.event, way.rule, way.because), way) for way in ways))


def designation_grounds(ways: Sequence[Changed | None], state: State) -> Grounds:
    """The grounds of a designation that came about in one of these ways."""
    # Where nothing ever changed it is neither, unless the record began midway.
    return _grounds(ways, state.began, None if state.joined else "no-designation")


def face_grounds(ways: Sequence[How | None], arrived: int) -> Grounds:
    """The grounds of a face; without a change it is the one with which the permanent entered, at event `arrived`."""
    return _grounds(ways, arrived, None)


def only_as_ruled(state: State, id: str | None = None) -> bool:
    """Whether the designation, or the face of a permanent, is or came about otherwise by the rules' own line."""
    if state.unruled is None or state.unruled is state.possibilities:
        return False
    lines = (state.possibilities, state.unruled)
    if id is None:
        return len({(_designations(line), designation_ways(line)) for line in lines}) > 1
    return len({(frozenset(one.face(id) for one in line), face_ways(line, id)) for line in lines}) > 1


def _once(ways: Iterable[tuple[object, _Way]]) -> list[_Way]:
    """Each way once, by its key, the oldest first."""
    found: dict[object, _Way] = {}
    for key, way in ways:
        found.setdefault(key, way)
    return sorted(found.values(), key=_event)


def _event(way: object) -> int:
    return way.event if isinstance(way, Derived) else 0


def _grounds(ways: Sequence[Changed | How | None], began: int, rule: str | None) -> Grounds:
    if len(ways) == 1:
        (way,) = ways
        return Grounds(began, rule, (began,)) if way is None else Grounds(way.event, way.rule, way.because)
    looked_at = {event for way in ways for event in ((began,) if way is None else way.because)}
    return Grounds(None, None, tuple(sorted(looked_at)))


def _designations(line: Iterable[Possibility]) -> frozenset[Designation]:
    return frozenset(possibility.designation for possibility in line)
