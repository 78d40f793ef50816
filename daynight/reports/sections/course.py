"""The course of a game: turn by turn the designation, spells and changes, and where it was uncertain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from daynight.events.terms import Designation
from daynight.framework.language.codec import document_of
from daynight.projections.turns import Run, Turn, turns
from daynight.referee.documents import change_document, count_document

TURNS = 500
"""The most turns in a table; of a longer game it has the first turns in which the designation changed."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Events `first` to `last`, none undone, after each of which the same designations were possible."""

    first: int
    last: int
    possible: tuple[Designation, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """The turns of a game; `turns` counts them, `rows` are the listed ones, `uncertain` are the uncertain stretches."""

    turns: int
    rows: tuple[Turn, ...]
    uncertain: tuple[Stretch, ...]


def course(parts: Sequence[Turn]) -> Course:
    """Return the course of a game from its `parts`, the turns as `stretches` cuts them; undone parts are left out.

    >>> from daynight import Game
    >>> from daynight.projections.turns import stretches
    >>> [(row.number, row.changes[0].became.value) for row in course(stretches(Game.load("demo"))).rows if row.changes]
    [(17, 'day'), (19, 'night'), (24, 'day')]
    """
    played = turns(parts)
    kept = [turn for turn in played if turn.number or turn.changes]
    if len(kept) > TURNS:
        kept = [turn for turn in kept if turn.changes][:TURNS]
    return Course(sum(turn.number > 0 for turn in played), tuple(kept), tuple(_uncertain(parts)))


def turn_document(turn: Turn, edition: str) -> dict[str, Any]:
    """Return a turn as JSON."""
    spells = {player: count_document(*bounds) for player, bounds in turn.spells.items()}
    changes = [change_document(change, edition) for change in turn.changes]
    names = "turn active first last possible spells changes"
    return document_of(turn, names, turn=turn.number, spells=spells, changes=changes)


def _uncertain(parts: Sequence[Turn]) -> list[Stretch]:
    """Return the maximal runs of events after which the same designations, two or more, were possible."""
    found: list[Stretch] = []
    for part in parts:
        for run, after in pairwise([*part.runs, Run(part.last + 1, ())]):
            if part.undone or len(run.possible) == 1 or run.event > part.last:
                continue
            first = run.event
            if found and (found[-1].possible, found[-1].last) == (run.possible, first - 1):
                first = found.pop().first
            found.append(Stretch(first, min(after.event - 1, part.last), run.possible))
    return found
