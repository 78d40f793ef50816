"""The value of a part: its possible values, and how they came about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace as changed


class Way(Struct, frozen=True):
    """How a value came about: at `event`, by `rule` (a key of the mechanic's rules), `because` of events (numbers).

    `event` is 0 where the state does not keep it: `Recorded` then finds the event that last changed the value.
    """

    event: int
    rule: str | None = None
    because: tuple[int, ...] = ()


class Between(Struct, frozen=True):
    """The whole numbers from `least` to `most` (None: no end), as possible values. Iteration gives these two only."""

    least: int
    most: int | None

    def __len__(self) -> int:
        return len({self.least, self.most})

    def __iter__(self) -> Iterator[int | None]:
        return iter(dict.fromkeys((self.least, self.most)))

    def __contains__(self, number: Any) -> bool:
        return bool(self.least <= number and (self.most is None or number <= self.most))


Values: TypeAlias = tuple[Any, ...] | Between
"""The possible values of a part: one, or several if the record leaves it open."""


class Derived(Struct, frozen=True, repr_omit_defaults=True):
    """The value of a part of the state, and how it came about.

    Several `values` mean that the record leaves open which of them it is. `ways` are how it came about: one way, or
    each possible one; none if the state does not keep them, and `Recorded` has to find them. `earliest` is the first
    event that can have set the value: the search goes no further back.
    """

    values: Values
    ways: tuple[Way, ...] = ()
    earliest: int = 1

    @property
    def value(self) -> Any:
        """The value; None if the record leaves it open."""
        return next(iter(self.values)) if len(self.values) == 1 else None

    @property
    def way(self) -> Way | None:
        """The way it came about; None if that is not known, or if there are several."""
        return self.ways[0] if len(self.ways) == 1 else None

    @property
    def because(self) -> tuple[int, ...]:
        """The numbers of the events that the value rests on, in order."""
        return tuple(sorted({event for way in self.ways for event in way.because}))

    @property
    def traced(self) -> bool:
        """Whether the ways are known, each with its event; if not, `Recorded` has to search for that event."""
        return bool(self.ways) and all(way.event for way in self.ways)

    def since(self, event: int) -> Derived:
        """Return a copy in which `event` is the event of each way that has none; if there are no ways, it gets one."""
        ways = self.ways or (Way(0, None, (event,)),)
        return changed(self, ways=tuple([way if way.event else changed(way, event=event) for way in ways]))


def agrees(values: Values | None, value: Any) -> bool | None:
    """Return whether a part with these possible values has `value`; None if that is open.

    `values` None: the part has no value, so only the value None agrees.
    """
    if values is None:
        return value is None
    return None if value in values and len(values) > 1 else value in values


def derived(value: Any, event: int, rule: str | None = None, because: Sequence[int] = ()) -> Derived:
    """Make a `Derived` with one value and one way."""
    return Derived((value,), (Way(event, rule, tuple(because) or (event,)),))
