"""Cuts a record into turns: when each began and ended, the possible designations, the spells cast, and the changes.

No other module decides what a turn of a record is. A stretch is a turn, or a part of one; either all its events are
undone, or none is. If a record leaves out an untap step, a change in it may show only as the next turn begins; that
change belongs to the turn of the untap step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from daynight.events import Changed, Consequence, Designation, Event, GameBackedUp, OfTheRecord
from daynight.events.actions import GameRestarted, GameStarted, SpellCast, SpellsUncertain, StepBegan, TurnBegan
from daynight.framework.folding.moment import Moment
from daynight.projections.tallies import TWO, Tallies
from daynight.projections.timeline import Timeline
from daynight.referee.worlds.possibilities import Possibility

Bounds: TypeAlias = tuple[int, int | None]
"""The fewest and the most spells; None: no upper bound."""


class Played(Protocol):
    """The fields that this module reads of the state after an event."""

    turn: int
    active: tuple[str, ...]
    players: tuple[str, ...]
    possibilities: tuple[Possibility, ...]
    tallies: Tallies
    timeline: Timeline

    @property
    def possible(self) -> tuple[Designation, ...]: ...  # noqa: D102


class Walked(Protocol):
    """The members that this module reads of a game."""

    @property
    def events(self) -> tuple[Event, ...]: ...  # noqa: D102

    @property
    def state(self) -> Played: ...  # noqa: D102

    def walk(self) -> Iterator[tuple[Moment[Event, Consequence], Played]]: ...  # noqa: D102

    def stands(self, number: int) -> bool: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Run:
    """The designations that were possible from event `event` on; `checked`: the check in the untap step set them."""

    event: int
    possible: tuple[Designation, ...]
    checked: bool = False


@dataclass(slots=True)
class Turn:
    """Events `first` to `last` of a turn or, from `stretches`, of a part of it; all of them are `undone`, or none is.

    `number` is 0 before the first turn of a game; `game` is the number of restarts before this turn. `goes_on`: the
    turn began in an earlier stretch. `runs` says which designations were possible, with a new run after each change.
    The last run may begin at the event after `last`, if only that event shows that the record leaves out this turn's
    untap step. `spells` has for each player the fewest and the most casts.
    """

    number: int
    active: tuple[str, ...]
    first: int
    last: int
    runs: list[Run]
    spells: dict[str, Bounds]
    undone: bool = False
    goes_on: bool = False
    game: int = 0
    changes: list[Changed] = field(default_factory=list)

    @classmethod
    def at(cls, state: Played, number: int, *, undone: bool = False, goes_on: bool = False) -> Turn:
        """Return a turn that has only event `number`; `state` is the state after it. `stretches` extends it later."""
        runs = [Run(number, state.possible)]
        return cls(state.turn, state.active, number, number, runs, spells_of(state), undone, goes_on)

    @property
    def possible(self) -> tuple[Designation, ...]:
        """The designations that were possible at the end of the turn."""
        return self.runs[-1].possible

    @property
    def designation(self) -> Designation | None:
        """The designation at the end of the turn; None if several were possible."""
        return self.possible[0] if len(self.possible) == 1 else None

    @property
    def casts(self) -> int | None:
        """How many spells the active player who cast most has cast, which the next check counts; 2 for two or more.

        None if the number is not certain, and before the first turn.
        """
        if not self.active:
            return None
        bounds = [self.spells[player] for player in self.active]
        least = min(max(fewest for fewest, _most in bounds), TWO)
        most = min(max(TWO if most is None else most for _fewest, most in bounds), TWO)
        return least if least == most else None


def spells_of(state: Played) -> dict[str, Bounds]:
    """Return for each player the fewest and the most casts in the present turn; an empty dict before the first turn."""
    tally = state.tallies.current
    return {} if tally is None else {player: tally.range(player) for player in state.players}


def stretches(game: Walked) -> list[Turn]:
    """Return the stretches of a record in order, undone ones too: its turns, cut where only a part of one is undone.

    Disputes and notes are never undone, and begin no stretch.
    """
    found: list[Turn] = []
    standing = frozenset(game.state.timeline.changes)
    cut = any([type(event) is GameBackedUp for event in game.events])
    seen: tuple[Possibility, ...] = ()
    for moment, state in game.walk():
        event, number = moment.event, moment.number
        if not (cut or moment.consequences or type(event) in _TELLING) and state.possibilities is seen:
            # Most events begin no turn and change nothing.
            found[-1].last = number
            continue
        seen = state.possibilities
        now = found[-1] if found else Turn.at(state, number)
        undone = now.undone if isinstance(event, OfTheRecord) else not game.stands(number)
        changes = [one for one in moment.consequences if isinstance(one, Changed) and (undone or one in standing)]
        begins = isinstance(event, (TurnBegan, GameRestarted))
        if isinstance(event, TurnBegan) and changes and undone is now.undone:
            now.runs.append(Run(number, state.possible, checked=True))
            now.changes += changes
            changes = []
        if begins or undone is not now.undone or not found:
            now = Turn.at(state, number, undone=undone, goes_on=bool(found) and not begins)
            found.append(now)
        elif isinstance(event, (SpellCast, SpellsUncertain, GameBackedUp)):
            now.spells = spells_of(state)
        if now.possible != state.possible:
            written = isinstance(event, StepBegan) and event.step == "untap"
            checked = written or (bool(changes) and all(change.implied for change in changes))
            now.runs.append(Run(number, state.possible, checked))
        # In an undone stretch, a back-up that is itself undone goes back to another turn.
        now.last, now.number, now.active = number, state.turn, state.active
        now.changes += changes
    return found


_TELLING = frozenset((GameStarted, TurnBegan, GameRestarted, SpellCast, SpellsUncertain))
"""The types of events that begin a game or a turn, or count as casts: `stretches` never skips these."""


def turns(parts: Iterable[Turn]) -> list[Turn]:
    """Join the stretches that were not undone into turns. Turn 0 is everything before the first turn.

    >>> from daynight import Game
    >>> found = turns(stretches(Game.load("demo")))
    >>> [(turn.number, turn.first, turn.last, turn.changes[0].became.value) for turn in found if turn.changes]
    [(17, 88, 95, 'day'), (19, 105, 110, 'night'), (24, 148, 153, 'day')]
    """
    found: list[Turn] = []
    for part in parts:
        if part.undone:
            continue
        if part.goes_on:
            turn = found[-1]
            runs, changes = [*turn.runs, *part.runs], [*turn.changes, *part.changes]
            found[-1] = replace(turn, last=part.last, runs=runs, spells=part.spells, changes=changes)
        else:
            part.game = found[-1].game + (part.number == 0) if found else 0
            found.append(part)
    return found
