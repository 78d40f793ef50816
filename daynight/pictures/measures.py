"""How wide the columns of a timeline have to be, and where in them things are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import accumulate

from daynight.pictures.course import Answer, Column
from daynight.pictures.drawing.drawing import MONO, Drawing, wide
from daynight.pictures.story import numbers, turn_word
from daynight.projections.turns import Run

EDGE, NAMES, NARROW = 22.0, 92.0, 30.0
"""How wide the margin, the names of the rows, and the narrowest column are, in pixels."""

CELL, PLAYER, EXTRA, LANE = 36.0, 21.0, 24.0, 29.0
"""How high the designation, a player's row, each row below these, and a line of labels are."""

LEAST, SHARE = 19.0, 33.0
"""How wide a designation is at the least, in a column of one turn and in one of many."""

MOST_RUNS = 8
"""How many stretches, and changes, of a turn are shown; of more, the first ones and the last stretch."""

_SIGNS: dict[Answer, str] = {"wrong": "✗", "open": "?", "right": "✓"}


@dataclass(frozen=True, slots=True)
class Sheet:
    """What all rows of a picture share."""

    drawing: Drawing
    every: list[Column]
    widths: list[float]
    players: tuple[str, ...]
    edition: str
    here: int | None
    extra: tuple[str, ...]
    """Which rows there are below the players': changes, acts (both of gathered columns alone), claims."""

    @property
    def height(self) -> float:
        """Of a row without the labels above it."""
        return 20 + CELL + 6 + PLAYER * max(len(self.players), 1) + EXTRA * len(self.extra)


def shown(column: Column) -> list[Run]:
    """The stretches of a turn that are drawn."""
    runs = column.runs
    return runs if len(runs) <= MOST_RUNS else [*runs[: MOST_RUNS - 1], runs[-1]]


def answered(column: Column) -> dict[Answer, str]:
    """What came of the claims and rulings of a column: ✗2 for two that differ, and so on."""
    many = Counter(claim.answer for claim in column.claims)
    return {name: f"{sign}{many[name]}" if many[name] > 1 else sign for name, sign in _SIGNS.items() if many[name]}


def natural_width(column: Column, players: tuple[str, ...]) -> float:
    """The least width that a column needs for all that is in it."""
    runs = sum(LEAST * len(run.possible) for run in shown(column)) + 2
    shares = share(column) + 2 if column.turns > 1 else 0.0
    count = max(
        (wide(numbers(column.spells[player]), 11, MONO) for player in players if player in column.spells), default=0
    )
    turn = min(wide(turn_word(column), 11, MONO), 90.0)
    return max(NARROW, runs, shares, count + 14, turn + 8, wide(" ".join(answered(column).values())) + 8)


def share(column: Column) -> float:
    """The least width of what the turns of a gathered column ended as."""
    return SHARE * len(column.ended)


def edges(column: Column, x: float, width: float) -> list[float]:
    """Where each run that is shown begins, and where the last one ends."""
    needs = [LEAST * len(run.possible) for run in shown(column)]
    spare = max(width - sum(needs), 0.0) / max(len(needs), 1)
    return list(accumulate((need + spare for need in needs), initial=x))


def beginning(column: Column, event: int, x: float, width: float) -> float:
    """Where what a change began is drawn."""
    runs = shown(column)
    place = max((place for place, run in enumerate(runs) if run.event <= event), default=0)
    return edges(column, x + 1, width - 2)[place]


def across(column: Column, event: int, x: float, width: float) -> float:
    """Where an event is, within what was drawn of its column."""
    begins = [run.event for run in shown(column)]
    places = edges(column, x + 1, width - 2)
    place = max((place for place, begin in enumerate(begins) if begin <= event), default=0)
    first, after = begins[place], [*begins, column.last + 1][place + 1]
    return places[place] + (places[place + 1] - places[place]) * (event - first) / max(after - first, 1)
