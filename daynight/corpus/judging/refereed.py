"""Has the ordinary referee tell of a game what its columns do not tell: its verdict, and what each turn was."""

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


class TurnRow(NamedTuple):
    """A row of the table of turns, without the number of its game.

    `active` are places in the list of players; `began` and `ended` are places in `ENDED`. `active_casts` is -1 where
    it is uncertain or turn 0.
    """

    turn: int
    event: int
    last: int
    active: list[int]
    began: int
    ended: int
    flips: int
    casts: int
    active_casts: int
    undone: bool


class Told(NamedTuple):
    """What the ordinary referee says of a game; `verdict` is a place in `VERDICTS`."""

    verdict: int
    findings: int
    unsettled: int
    turns: list[TurnRow]


class Referee:
    """Replays one game after another; each is audited in the same replay."""

    def __init__(self) -> None:
        self._auditor = Auditor()
        self._turned = _Turned()
        self._replayer = Replayer((self._turned, self._auditor), about=self._auditor.about)

    def told(self, data: bytes, events: Sequence[Event] | None = None) -> Told:
        """Return what the referee says of a record; `events` are its events, if they are read.

        Raises:
            RecordError: at the first line that is refused.
        """
        record = Held("", data)
        state = self._replayer.replay(record, events=events)
        audit = self._auditor.concluded(state, record).held
        rows = [*_cut(Game.load(record))] if self._turned.backed_up else self._turned.concluded(state)
        return Told(VERDICTS.index(audit.verdict), len(audit.disputes), standing(audit.unsettled), rows)


def standing(findings: Iterable[Any]) -> int:
    """Return how many findings were not undone."""
    return sum([not finding.undone for finding in findings])


class _Turned:
    """Notes each turn as it ends. A record that backs up is left to `_cut`, which knows every state."""

    def __init__(self) -> None:
        self.before: dict[type, Watch] = {TurnBegan: self._began, GameRestarted: self._restarted}
        self.begin()

    def begin(self) -> None:
        """Forget everything."""
        self._rows: list[TurnRow] = []
        self._first, self._then = 1, _CODE[Designation.NEITHER]
        self._begins: list[bool] = []
        self.backed_up = False

    def back_up(self, number: int, to: int) -> None:
        """Note that the record backs up."""
        self.backed_up = True

    def concluded(self, state: State) -> list[TurnRow]:
        """Return the turns; `state` is the state after the last event, with its changes."""
        rows = [*self._rows, self._over(state, state.event)]
        flips = [0] * len(rows)
        at = 0
        for change in state.timeline.changes:
            if change.was is Designation.NEITHER:
                continue
            # What changes at a `turn-began` is the untap step of the turn before.
            while at + 1 < len(rows) and rows[at + 1].event + self._begins[at] <= change.event:
                at += 1
            flips[at] += 1
        return [row._replace(flips=count) if count else row for row, count in zip(rows, flips, strict=True)]

    def _began(self, state: State, event: TurnBegan, number: int) -> None:
        row = self._over(state, number - 1)
        self._rows.append(row)
        self._begins.append(True)
        self._first, self._then = number, row.ended

    def _restarted(self, state: State, event: GameRestarted, number: int) -> None:
        self._rows.append(self._over(state, number - 1))
        self._begins.append(False)
        self._first, self._then = number, _CODE[Designation.NEITHER]

    def _over(self, state: State, last: int) -> TurnRow:
        tally, one = state.tallies.current, state.possibilities
        casts, active_casts = 0, -1
        if tally is not None:
            if tally.doubts is None:
                casts, active_casts = sum(tally.spells.values()), tally.most
            else:
                casts, active_casts = _fewest(spells_of(state)), _certain(Turn.at(state, last).casts)
        active = [*map(state.players.index, state.active)]
        ended = _CODE[one[0].designation] if len(one) == 1 else _code(state.possible)
        # Fields by place: there is one for every turn of a corpus.
        return TurnRow(state.turn, self._first, last, active, self._then, ended, 0, casts, active_casts, False)


def _cut(game: Game) -> list[TurnRow]:
    """Return the turns of a game that backs up, and the stretches that were undone, in the order of their events."""
    parts = stretches(game)
    undone = [part for part in parts if part.undone]
    rows = [_row(turn, game.state.players) for turn in (*undone, *turns(parts))]
    return sorted(rows, key=lambda row: row.event)


def _row(turn: Turn, players: tuple[str, ...]) -> TurnRow:
    return TurnRow(
        turn=turn.number,
        event=turn.first,
        last=turn.last,
        active=[players.index(player) for player in turn.active],
        began=_code(turn.runs[0].possible),
        ended=_code(turn.possible),
        flips=sum([change.was is not Designation.NEITHER for change in turn.changes]),
        casts=_fewest(turn.spells),
        active_casts=_certain(turn.casts),
        undone=turn.undone,
    )


def _certain(casts: int | None) -> int:
    return -1 if casts is None else casts


def _fewest(spells: dict[str, Bounds]) -> int:
    return sum([least for least, _most in spells.values()])


def _code(possible: tuple[Designation, ...]) -> int:
    return _CODE[possible[0]] if len(possible) == 1 else _UNCERTAIN
