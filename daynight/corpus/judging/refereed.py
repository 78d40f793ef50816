"""Uses the ordinary referee for facts that a game's columns do not have: its verdict, and the result of each turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from daynight.corpus.schema import ENDED, VERDICTS
from daynight.events import Designation, Event, GameRestarted, TurnBegan
from daynight.framework.folding.fold import Watch
from daynight.game import Game
from daynight.projections.audit.audit import Auditor
from daynight.projections.turns import Bounds, Turn, spells_of, stretches, turns
from daynight.records import Held
from daynight.referee.state import State
from daynight.replay import Replayer

_CODE = {designation: ENDED.index(designation.value) for designation in Designation}
_UNCERTAIN = ENDED.index("uncertain")


NUMBERS = ("turn", "event", "last", "began", "ended", "flips", "casts", "active_casts", "undone")
"""The columns of the table of turns that are numbers in a row of `Told`.

`began` and `ended` are indices into `ENDED`. `active_casts` is -1 where it is uncertain or turn 0. `undone` is 0 or 1.
"""

_EVENT, _FLIPS = NUMBERS.index("event"), NUMBERS.index("flips")


class Told(NamedTuple):
    """The ordinary referee's result for a game; `verdict` is an index into `VERDICTS`.

    `findings` counts the claims and rulings that the derived state contradicts, `unsettled` those that the record
    leaves open; neither counts undone ones.
    `turns` has a row for each turn: a number for each of `NUMBERS`. `active` has the active players of each turn, as
    indices into the list of players.
    """

    verdict: int
    findings: int
    unsettled: int
    turns: list[list[int]]
    active: list[list[int]]


class Referee:
    """Replays one game after another; each is audited in the same replay."""

    def __init__(self) -> None:
        self._auditor = Auditor()
        self._turned = _Turned()
        self._replayer = Replayer((self._turned, self._auditor), about=self._auditor.about)

    def told(self, data: bytes, events: Sequence[Event] | None = None) -> Told:
        """Return the referee's result for a record; `events` are its events, if they are read already.

        Raises:
            RecordError: at the first line that is refused.
        """
        record = Held("", data)
        state = self._replayer.replay(record, events=events)
        audit = self._auditor.concluded(state, record).held
        rows, active = _cut(Game.load(record)) if self._turned.backed_up else self._turned.concluded(state)
        return Told(VERDICTS.index(audit.verdict), len(audit.disputes), standing(audit.unsettled), rows, active)


def standing(findings: Iterable[Any]) -> int:
    """Return how many findings were not undone."""
    return sum([not finding.undone for finding in findings])


class _Turned:
    """An observer that notes each turn as it ends. If the record backs up, its rows are wrong: use `_cut` then."""

    def __init__(self) -> None:
        self.before: dict[type, Watch] = {TurnBegan: self._began, GameRestarted: self._restarted}
        self.begin()

    def begin(self) -> None:
        """Forget everything."""
        self._rows: list[list[int]] = []
        self._active: list[list[int]] = []
        self._first, self._then = 1, _CODE[Designation.NEITHER]
        self._restarts: set[int] = set()
        self.backed_up = False

    def back_up(self, number: int, to: int) -> None:
        """Note only that the record backs up, whatever `number` and `to` are: `_cut` then makes all rows anew."""
        self.backed_up = True

    def concluded(self, state: State) -> tuple[list[list[int]], list[list[int]]]:
        """Return `turns` and `active` of `Told`; `state` is the state after the last event, with its changes."""
        rows = self._rows
        self._over(state, state.event)
        at = 0
        for change in state.timeline.changes:
            if change.was is Designation.NEITHER:
                continue
            while at + 1 < len(rows) and self._is_in(rows[at + 1][_EVENT], change.event):
                at += 1
            rows[at][_FLIPS] += 1
        return rows, self._active

    def _is_in(self, first: int, event: int) -> bool:
        """Return whether a change at an event belongs to the turn whose `first` event is given, or to a later one.

        A change at a `turn-began` belongs to the turn before, whose untap step ends there; one at a restart belongs to
        the turn 0 that the restart begins.
        """
        return first < event or (first == event and first in self._restarts)

    def _began(self, state: State, event: TurnBegan, number: int) -> None:
        self._then = self._over(state, number - 1)
        self._first = number

    def _restarted(self, state: State, event: GameRestarted, number: int) -> None:
        self._over(state, number - 1)
        self._restarts.add(number)
        self._first, self._then = number, _CODE[Designation.NEITHER]

    def _over(self, state: State, last: int) -> int:
        """Add the row of the turn that ends with event `last`; return its `ended`, an index into `ENDED`."""
        tally, one = state.tallies.current, state.possibilities
        casts, active_casts = 0, -1
        if tally is not None:
            if tally.doubts is None:
                casts, active_casts = sum(tally.spells.values()), tally.most
            else:
                casts, active_casts = _fewest(spells_of(state)), _certain(Turn.at(state, last).casts)
        ended = _CODE[one[0].designation] if len(one) == 1 else _code(state.possible)
        self._rows.append([state.turn, self._first, last, self._then, ended, 0, casts, active_casts, 0])
        self._active.append([*map(state.players.index, state.active)])
        return ended


def _cut(game: Game) -> tuple[list[list[int]], list[list[int]]]:
    """Return `turns` and `active` of a game that backs up; an undone stretch of a turn has its own row."""
    parts = stretches(game)
    undone = [part for part in parts if part.undone]
    found = sorted([*undone, *turns(parts)], key=lambda turn: turn.first)
    players = game.state.players
    return [*map(_row, found)], [[players.index(player) for player in turn.active] for turn in found]


def _row(turn: Turn) -> list[int]:
    flips = sum([change.was is not Designation.NEITHER for change in turn.changes])
    began, ended = _code(turn.runs[0].possible), _code(turn.possible)
    casts, active_casts = _fewest(turn.spells), _certain(turn.casts)
    return [turn.number, turn.first, turn.last, began, ended, flips, casts, active_casts, int(turn.undone)]


def _certain(casts: int | None) -> int:
    return -1 if casts is None else casts


def _fewest(spells: dict[str, Bounds]) -> int:
    return sum([least for least, _most in spells.values()])


def _code(possible: tuple[Designation, ...]) -> int:
    return _CODE[possible[0]] if len(possible) == 1 else _UNCERTAIN
