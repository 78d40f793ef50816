"""The course of a game: turn by turn what it was, how many spells were cast, what changed, and where all was open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from daynight.events.actions import GameRestarted, TurnBegan
from daynight.events.consequences import Changed
from daynight.events.terms import Designation
from daynight.game import Game
from daynight.referee.documents import change_document, count_document
from daynight.referee.state import State

TURNS = 500
"""How many turns a table has; of a longer game those in which something changed, as far as that goes."""


@dataclass(slots=True)
class TurnRow:
    """A turn that stands: its events, what was possible at its end, spells cast by each player, and what changed in it.

    Turn 0 is what comes before the first one. A number of spells is its bounds; None: no upper one.
    """

    turn: int
    active: tuple[str, ...]
    first: int
    last: int
    possible: tuple[Designation, ...] = ()
    spells: dict[str, tuple[int, int | None]] = field(default_factory=dict)
    changes: tuple[Changed, ...] = ()

    def document(self, edition: str) -> dict[str, Any]:
        """The turn as JSON."""
        return {
            "turn": self.turn,
            "active": list(self.active),
            "first": self.first,
            "last": self.last,
            "possible": [designation.value for designation in self.possible],
            "spells": {player: count_document(*bounds) for player, bounds in self.spells.items()},
            "changes": [change_document(change, edition) for change in self.changes],
        }


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
    rows: tuple[TurnRow, ...]
    uncertain: tuple[Stretch, ...]


def course(game: Game) -> Course:
    """The course of a game, undone stretches left out.

    >>> [(row.turn, row.changes[0].became.value) for row in course(Game.load("demo")).rows if row.changes]
    [(17, 'day'), (19, 'night'), (24, 'day')]
    """
    rows = [TurnRow(0, (), 1, 1)]
    uncertain: list[Stretch] = []
    for moment, state in game.walk():
        number = moment.number
        if not game.stands(number):
            continue
        changes = tuple(one for one in moment.consequences if isinstance(one, Changed))
        if isinstance(moment.event, TurnBegan):
            # An untap step that is not written down may show only as the next turn begins.
            rows[-1].possible = state.possible
            rows[-1].changes += changes
            changes = ()
        if isinstance(moment.event, (TurnBegan, GameRestarted)):
            rows.append(TurnRow(state.turn, state.active, number, number))
        row = rows[-1]
        _taken(row, state, number)
        row.changes += changes
        if len(row.possible) > 1:
            _open(uncertain, number, row.possible)
    turns = sum(1 for row in rows if row.turn)
    kept = [row for row in rows if row.turn or row.changes]
    if len(kept) > TURNS:
        kept = [row for row in kept if row.changes][:TURNS]
    return Course(turns, tuple(kept), tuple(uncertain))


def _taken(row: TurnRow, state: State, number: int) -> None:
    row.last = number
    row.possible = state.possible
    tally = state.tallies.current
    if tally is not None:
        row.spells = {player: tally.range(player) for player in state.players}


def _open(found: list[Stretch], number: int, possible: tuple[Designation, ...]) -> None:
    last = found[-1] if found else None
    if last is not None and last.possible == possible and last.last == number - 1:
        found[-1] = Stretch(last.first, number, possible)
    else:
        found.append(Stretch(number, number, possible))
