"""The course of a game: turn by turn what it was, how many spells were cast, what changed, and where all was open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from daynight.events.terms import Designation
from daynight.framework.language.codec import document_of
from daynight.projections.turns import Run, Turn, turns
from daynight.referee.documents import change_document, count_document

TURNS = 500
"""How many turns a table has; of a longer game those in which something changed, as far as that goes."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Events from `first` to `last`, all of which stand, after each of which the same designations were possible."""

    first: int
    last: int
    possible: tuple[Designation, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """The turns of a game in order; `turns` is how many there were, `rows` those told. `uncertain`: what was open."""

    turns: int
    rows: tuple[Turn, ...]
    uncertain: tuple[Stretch, ...]


def course(parts: Sequence[Turn]) -> Course:
    """The course of a game, made of its stretches; what is undone is left out.

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
    """A turn as JSON."""
    spells = {player: count_document(*bounds) for player, bounds in turn.spells.items()}
    changes = [change_document(change, edition) for change in turn.changes]
    names = "turn active first last possible spells changes"
    return document_of(turn, names, turn=turn.number, spells=spells, changes=changes)


def _uncertain(parts: Sequence[Turn]) -> Iterator[Stretch]:
    """The events after which several designations were possible; those in a row after which the same ones were."""
    last: Stretch | None = None
    for part in parts:
        for run, after in pairwise([*part.runs, Run(part.last + 1, ())]):
            if part.undone or len(run.possible) == 1 or run.event > part.last:
                continue
            found = Stretch(run.event, min(after.event - 1, part.last), run.possible)
            if last is not None and (last.possible, last.last) == (found.possible, found.first - 1):
                last = Stretch(last.first, found.last, found.possible)
                continue
            if last is not None:
                yield last
            last = found
    if last is not None:
        yield last
