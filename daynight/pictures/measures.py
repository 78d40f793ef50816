"""Measures the widths of a timeline's columns, and the positions in them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import accumulate

from daynight.pictures.course import Answer, Column
from daynight.pictures.drawing.drawing import MONO, Drawing, wide
from daynight.pictures.story import numbers, turn_word
from daynight.projections.turns import Run

EDGE, NAMES, NARROW = 22.0, 92.0, 30.0
"""The widths of the margin, of the names of the rows, and of the narrowest column, in pixels."""

CELL, PLAYER, EXTRA, LANE = 36.0, 21.0, 24.0, 29.0
"""The heights of the designation, a player's row, a row below these, and a line of labels, in pixels."""

LEAST, SHARE = 19.0, 33.0
"""The least width of a designation in a column of one turn, and in one of many turns, in pixels."""

MOST_RUNS = 8
"""The most runs (from change to change) and changes of a turn that are drawn: the first ones, and the last run."""

_SIGNS: dict[Answer, str] = {"wrong": "✗", "open": "?", "right": "✓"}


@dataclass(frozen=True, slots=True)
class Sheet:
    """The measures that all rows of a picture share."""

    drawing: Drawing
    every: list[Column]
    widths: list[float]
    players: tuple[str, ...]
    edition: str
    here: int | None
    extra: tuple[str, ...]
    """The rows below those of the players, from: changes, acts (both only if columns are gathered), claims."""

    @property
    def height(self) -> float:
        """The height of a row without the labels above it, in pixels."""
        return 20 + CELL + 6 + PLAYER * max(len(self.players), 1) + EXTRA * len(self.extra)


def shown(column: Column) -> list[Run]:
    """Return the runs of a turn that are drawn: at most MOST_RUNS, the first ones and the last."""
    runs = column.runs
    return runs if len(runs) <= MOST_RUNS else [*runs[: MOST_RUNS - 1], runs[-1]]


def answered(column: Column) -> dict[Answer, str]:
    """Return a text for each answer to the claims and rulings of a column: `✗2` for two that contradict the rules."""
    many = Counter(claim.answer for claim in column.claims)
    return {name: f"{sign}{many[name]}" if many[name] > 1 else sign for name, sign in _SIGNS.items() if many[name]}


def natural_width(column: Column, players: tuple[str, ...]) -> float:
    """Return the least width that a column needs for everything in it, in pixels."""
    runs = sum(LEAST * len(run.possible) for run in shown(column)) + 2
    shares = share(column) + 2 if column.turns > 1 else 0.0
    count = max(
        (wide(numbers(column.spells[player]), 11, MONO) for player in players if player in column.spells), default=0
    )
    turn = min(wide(turn_word(column), 11, MONO), 90.0)
    return max(NARROW, runs, shares, count + 14, turn + 8, wide(" ".join(answered(column).values())) + 8)


def share(column: Column) -> float:
    """Return the least width of a gathered column in pixels: it has a box for each designation at a turn's end."""
    return SHARE * len(column.ended)


def edges(column: Column, x: float, width: float) -> list[float]:
    """Return the x position of each shown run's beginning, and of the last one's end, in pixels."""
    needs = [LEAST * len(run.possible) for run in shown(column)]
    spare = max(width - sum(needs), 0.0) / max(len(needs), 1)
    return list(accumulate((need + spare for need in needs), initial=x))


def beginning(column: Column, event: int, x: float, width: float) -> float:
    """Return the x position of the run that a change began."""
    runs = shown(column)
    place = max((place for place, run in enumerate(runs) if run.event <= event), default=0)
    return edges(column, x + 1, width - 2)[place]


def across(column: Column, event: int, x: float, width: float) -> float:
    """Return the x position of an event in its column."""
    begins = [run.event for run in shown(column)]
    places = edges(column, x + 1, width - 2)
    place = max((place for place, begin in enumerate(begins) if begin <= event), default=0)
    first, after = begins[place], [*begins, column.last + 1][place + 1]
    return places[place] + (places[place + 1] - places[place]) * (event - first) / max(after - first, 1)
