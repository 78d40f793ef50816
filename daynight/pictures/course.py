"""Puts the course of a game into columns: one for each turn, several for a turn of which a part was undone.

In a very long game, a column stands for many turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from daynight.events import Changed, Designation, Event, GameBackedUp, GameRestarted, GameStarted, JudgeRuled
from daynight.projections.audit.findings import Audit
from daynight.projections.turns import Bounds, Run, Turn
from daynight.referee.parts import says
from daynight.referee.state import PlayedRecord

MOST_COLUMNS, GATHERED = 400, 120
"""The most columns of one turn each. A game of more turns has at most GATHERED columns, of several turns each."""

Answer: TypeAlias = Literal["right", "wrong", "open"]
"""Whether a claim or ruling agrees with the rules; `open`: the record leaves that open."""


@dataclass(frozen=True, slots=True)
class MarkedClaim:
    """A claim or ruling at an event: its kind (`about`), its value, and whether it agrees with the rules (`answer`)."""

    event: int
    about: str
    claimed: str
    answer: Answer
    by: str


@dataclass(frozen=True, slots=True)
class MarkedAct:
    """An act at an event: a ruling, a back-up `to` an event, a restart, or one of a dispute (`dispute` is its id)."""

    event: int
    kind: str
    to: int | None = None
    dispute: str | None = None


@dataclass(slots=True)
class Column:
    """Events `first` to `last` of one turn, of which none or all are `undone`; a gathered column has `turns` turns.

    `turn` is None before the first turn. `goes_on`: the turn began in an earlier column. In a gathered column `ended`
    counts the turns by the designations that were possible as they ended; None counts the undone ones.
    """

    first: int
    turn: int | None = None
    active: tuple[str, ...] = ()
    undone: bool = False
    goes_on: bool = False
    last: int = 0
    runs: list[Run] = field(default_factory=list)
    spells: dict[str, Bounds] = field(default_factory=dict)
    changes: list[Changed] = field(default_factory=list)
    claims: list[MarkedClaim] = field(default_factory=list)
    acts: list[MarkedAct] = field(default_factory=list)
    turns: int = 1
    last_turn: int | None = None
    ended: Counter[tuple[Designation, ...] | None] = field(default_factory=Counter)


def columns(game: PlayedRecord, audit: Audit, parts: Sequence[Turn]) -> list[Column]:
    """Return a column for each of `parts`, the stretches of a game: whole turns, and parts of those partly undone.

    The time before the first turn has a column only if something happened in it.
    """
    answers: dict[int, Answer] = {finding.event: "open" for finding in audit.unsettled}
    answers |= {finding.event: "wrong" for finding in audit.findings}
    found: list[Column] = []
    for part in parts:
        column = Column(
            first=part.first,
            turn=part.number or None,
            active=part.active,
            undone=part.undone,
            goes_on=part.goes_on,
            last=part.last,
            runs=_shown(part),
            spells=part.spells,
            changes=part.changes,
        )
        for number in range(part.first, part.last + 1):
            _note(column, game.events[number - 1], number, answers.get(number, "right"))
        if column.turn is not None or _says_something(game, column):
            found.append(column)
    return found


def _shown(part: Turn) -> list[Run]:
    """Return the runs (stretches with the same designation) of a turn to draw.

    A run that began with the check of this turn's untap step is drawn from the turn's beginning on, instead of others.
    """
    begins = part.number and not part.goes_on
    runs: list[Run] = []
    for run in part.runs:
        runs = [Run(part.first, run.possible)] if run.checked and begins else [*runs, run]
    return runs


def _note(column: Column, event: Event, number: int, answer: Answer) -> None:
    for said in says(event):
        about = "ruling" if said.part == "ruled" else said.part
        column.claims.append(MarkedClaim(number, about, str(said.value), answer, said.by or ""))
    if isinstance(event, JudgeRuled):
        column.acts.append(MarkedAct(number, "ruling"))
    elif isinstance(event, GameBackedUp):
        column.acts.append(MarkedAct(number, "back-up", to=event.to))
    elif isinstance(event, GameRestarted):
        column.acts.append(MarkedAct(number, "restart"))
    else:
        tag = str(event.__struct_config__.tag)
        if tag.startswith("dispute-"):
            column.acts.append(MarkedAct(number, tag, dispute=str(getattr(event, "dispute", ""))))


def _says_something(game: PlayedRecord, column: Column) -> bool:
    if column.changes or column.claims or column.acts or len(column.runs) > 1:
        return True
    return column.last > column.first or not isinstance(game.events[column.first - 1], GameStarted)


def gathered(every: Sequence[Column]) -> list[Column]:
    """Return the columns; if there are more than MOST_COLUMNS, join them, so that at most GATHERED are left."""
    if len(every) <= MOST_COLUMNS:
        return list(every)
    size = -(-len(every) // GATHERED)
    return [_together(every[start : start + size]) for start in range(0, len(every), size)]


def _together(some: Sequence[Column]) -> Column:
    numbered = [column.turn for column in some if column.turn is not None]
    ended = Counter(None if column.undone else column.runs[-1].possible for column in some)
    places = tuple(Designation)
    order = sorted(ended, key=lambda one: (one is None, len(one or ()), [places.index(each) for each in one or ()]))
    return Column(
        first=some[0].first,
        last=some[-1].last,
        turn=numbered[0] if numbered else None,
        last_turn=numbered[-1] if numbered else None,
        undone=all(column.undone for column in some),
        runs=[Run(some[0].first, some[-1].runs[-1].possible)],
        spells=_sums(column.spells for column in some if not column.undone),
        changes=[change for column in some for change in column.changes if not column.undone],
        claims=[claim for column in some for claim in column.claims],
        acts=[act for column in some for act in column.acts],
        turns=len(some),
        ended=Counter({one: ended[one] for one in order}),
    )


def _sums(tallies: Iterable[dict[str, Bounds]]) -> dict[str, Bounds]:
    sums: dict[str, Bounds] = {}
    for player, (least, most) in ((player, bounds) for tally in tallies for player, bounds in tally.items()):
        fewest, greatest = sums.get(player, (0, 0))
        sums[player] = (fewest + least, None if most is None or greatest is None else greatest + most)
    return sums
