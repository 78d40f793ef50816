"""Standing: which events still count after all backing up."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.wording import _


class UndoneError(ValueError):
    """The event to go back to is not an earlier one, or was itself undone by backing up."""


class Standing:
    """Which events stand after all backing up.

    >>> standing = Standing()
    >>> standing.back_up(10, to=4)
    >>> [number for number in range(1, 12) if standing.stands(number, 12)]
    [1, 2, 3, 4, 10, 11]
    """

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._open = 1

    @classmethod
    def restored(cls, bounds: Sequence[int]) -> Standing:
        """What stands, from its `bounds`.

        Raises:
            ValueError: where these are no bounds.
        """
        inside = [start <= end for start, end in pairwise(bounds)][::2]
        between = [end < start for end, start in pairwise(bounds)][1::2]
        if len(bounds) % 2 == 0 or bounds[0] != 1 or not all(inside + between):
            raise ValueError(_("events that cannot stand"))
        standing = cls()
        standing._starts, standing._ends = list(bounds[:-1:2]), list(bounds[1::2])
        standing._open = bounds[-1]
        return standing

    @property
    def bounds(self) -> tuple[int, ...]:
        """The first and the last event of each stretch that stands, in order; the last stretch is still open."""
        ends = zip(self._starts, self._ends, strict=True)
        return *[number for stretch in ends for number in stretch], self._open

    def back_up(self, number: int, to: int) -> None:
        """Event `number` undoes what comes after `to` and before itself.

        Raises:
            UndoneError: where `to` is not an earlier event that stands.
        """
        if not self.stands(to, number):
            raise UndoneError(to)
        if to >= self._open:
            self._starts.append(self._open)
            self._ends.append(to)
        else:
            keep = bisect_right(self._starts, to)
            del self._starts[keep:], self._ends[keep:]
            self._ends[-1] = to
        self._open = number

    def copy(self) -> Standing:
        """The same, apart."""
        other = Standing()
        other._starts, other._ends, other._open = self._starts.copy(), self._ends.copy(), self._open
        return other

    def stands(self, number: int, now: int) -> bool:
        """Whether event `number` is one before `now` that was not undone."""
        if number >= self._open:
            return number < now
        place = bisect_right(self._starts, number) - 1
        return place >= 0 and number <= self._ends[place]


def never_stood(to: int, number: int) -> ImpossibleError:
    """The refusal of backing up to what is not an earlier event that stands."""
    sentence = (
        _("the state after event {to} was undone by backing up; back up to one that stands")
        if 1 <= to < number
        else _("event {to} is not an earlier one")
    )
    return ImpossibleError(sentence.format(to=to), path="$.to", line=number)
