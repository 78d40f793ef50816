"""Which events still count after all back-ups."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.wording import _


class UndoneError(ValueError):
    """A back-up goes to an event that does not come before the back-up, or that an earlier back-up has undone."""


class Standing:
    """Knows which events stand, that is, were not undone by a back-up.

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
        """Make a `Standing` from its `bounds`.

        Raises:
            ValueError: where these are not valid bounds.
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
        """The first and last event of each run that stands, in one tuple; of the last run, only the first event."""
        ends = zip(self._starts, self._ends, strict=True)
        return *[number for stretch in ends for number in stretch], self._open

    def back_up(self, number: int, to: int) -> None:
        """Note that event `number` undoes the events after `to` and before itself.

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
        """Return an independent copy."""
        other = Standing()
        other._starts, other._ends, other._open = self._starts.copy(), self._ends.copy(), self._open
        return other

    def stands(self, number: int, now: int) -> bool:
        """Return whether event `number` comes before event `now` and was not undone."""
        if number >= self._open:
            return number < now
        place = bisect_right(self._starts, number) - 1
        return place >= 0 and number <= self._ends[place]


def never_stood(to: int, number: int) -> ImpossibleError:
    """Return the refusal of event `number`, a back-up to event `to`, which was undone or is not an earlier event."""
    sentence = (
        _("the state after event {to} was undone by backing up; back up to one that stands")
        if 1 <= to < number
        else _("event {to} is not an earlier one")
    )
    return ImpossibleError(sentence.format(to=to), path="$.to", line=number)
