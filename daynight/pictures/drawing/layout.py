"""Lays out columns in rows of nearly the same length, and labels so that they do not touch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def broken(widths: Sequence[float], available: float) -> list[range]:
    """Return for each row the indexes of its columns: as few rows as possible, of nearly equal width.

    >>> broken([10, 10, 10, 10, 10], 40)
    [range(0, 3), range(3, 5)]
    """
    rows = _filled(widths, available)
    low, high = max(widths, default=0), available
    for _step in range(24):
        middle = (low + high) / 2
        if len(_filled(widths, middle)) > len(rows):
            low = middle
        else:
            high = middle
    return _filled(widths, high)


def _filled(widths: Sequence[float], available: float) -> list[range]:
    starts, used = [0], 0.0
    for place, width in enumerate(widths):
        if used + width > available and place > starts[-1]:
            starts.append(place)
            used = 0.0
        used += width
    return [range(start, end) for start, end in pairwise([*starts, len(widths)])]


def lanes(spans: Sequence[tuple[float, float]], gap: float = 6) -> list[int]:
    """Return a lane number for each span (from, to; in order); 0 is the lowest lane.

    No span touches another one of its lane, nor the line that leads down from the beginning of a span in a higher lane.

    >>> lanes([(0, 30), (10, 40), (50, 80)])
    [1, 0, 0]
    """
    found: list[int] = []
    begins: list[float] = []
    for start, end in reversed(spans):
        # Above every label that it would touch, or whose line it would cross.
        lane = max((lane + 1 for lane, begin in enumerate(begins) if begin < end + gap), default=0)
        begins[lane : lane + 1] = [start]
        found.append(lane)
    return found[::-1]
