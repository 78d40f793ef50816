"""Counts how many turns of a game were day or night, how often that changed, and how many spells were cast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from msgspec import Struct, field

from daynight.cards import Catalogue
from daynight.events import Designation, Event, GameRestarted, TurnBegan
from daynight.framework.folding.fold import Watch
from daynight.framework.language.codec import document_of
from daynight.framework.language.source import Source
from daynight.projections.tallies import TWO
from daynight.projections.turns import Turn
from daynight.referee.state import State
from daynight.replay import Replayer
from daynight.rules.becoming import ASSUMED


class Statistics(Struct, frozen=True):
    """Counts over the turns, not undone, of a game or of several; a turn counts for the designation at its end.

    `shares`: how many turns ended as each designation (None: several were possible). `flips`: how often day became
    night or night became day, in any possibility. `casts` counts turns by the spells of the active player who cast
    most: 0, 1, 2 (two or more) or None (not certain). `spells` is the number of all recorded casts. `assumed` is the
    designation that was assumed from the beginning; None if no game needed an assumption.
    """

    record: str
    game: str
    turns: int = 0
    flips: int = 0
    spells: int = 0
    shares: Counter[Designation | None] = field(default_factory=Counter[Designation | None])
    casts: Counter[int | None] = field(default_factory=Counter[int | None])
    assumed: Designation | None = None
    games: int = 1

    def share(self, designation: Designation | None) -> float:
        """Return the share of turns that ended with this designation, from 0 to 1; 0 if there was no turn."""
        return self.shares[designation] / self.turns if self.turns else 0.0

    def document(self) -> dict[str, Any]:
        """The statistics as JSON."""
        ended = {_key(designation): self.shares[designation] for designation in (*Designation, None)}
        casts = {name: self.casts[count] for name, count in _CASTS.items()}
        names = "record game games assumed turns flips spells ended active_casts"
        return document_of(self, names, ended=ended, active_casts=casts)


_CASTS = {"none": 0, "one": 1, "two_or_more": TWO, "uncertain": None}


def _key(designation: Designation | None) -> str:
    return "uncertain" if designation is None else designation.value


def together(several: Iterable[Statistics]) -> Statistics:
    """Add up several statistics; the sum has an empty name. `assumed` is None if there are several different ones."""
    given = list(several)
    assumed = {one.assumed for one in given} - {None}
    return Statistics(
        record="",
        game="",
        turns=sum(one.turns for one in given),
        flips=sum(one.flips for one in given),
        spells=sum(one.spells for one in given),
        shares=sum((one.shares for one in given), Counter()),
        casts=sum((one.casts for one in given), Counter()),
        assumed=assumed.pop() if len(assumed) == 1 else None,
        games=sum(one.games for one in given),
    )


class _Over(NamedTuple):
    """The counts of a finished turn: its last event, its designation at the end, and its casts as in `Statistics`."""

    last: int
    designation: Designation | None
    casts: int | None
    spells: int


class Taken:
    """An observer that counts each turn as it ends, while a record is replayed."""

    def __init__(self) -> None:
        self.turns: list[_Over] = []
        self.before: dict[type, Watch] = dict.fromkeys((TurnBegan, GameRestarted), self._ended)

    def begin(self) -> None:
        """Start counting, or start again."""
        self.turns.clear()

    def back_up(self, number: int, to: int) -> None:
        """Forget the turns that ended after event `to`: they are undone."""
        while self.turns and self.turns[-1].last >= to:
            self.turns.pop()

    def concluded(self, state: State, record: str, assumed: Designation | None = None) -> Statistics:
        """Return the statistics so far; `state` is the state after the last event, whose timeline has all changes."""
        changes, turns = state.timeline.changes, self.until(state)
        return Statistics(
            record=record,
            game=state.game,
            turns=len(turns),
            flips=sum([change.was is not Designation.NEITHER for change in changes]),
            spells=sum([turn.spells for turn in turns]),
            shares=Counter([turn.designation for turn in turns]),
            casts=Counter([turn.casts for turn in turns]),
            assumed=assumed if ASSUMED in [change.rule for change in changes] else None,
        )

    def until(self, state: State) -> list[_Over]:
        """Return the turns so far, the present one as though it were over; `state` follows the last event."""
        return [*self.turns, *_over(state, state.event + 1)]

    def _ended(self, state: State, event: Event, number: int) -> None:
        self.turns += _over(state, number)


def _over(state: State, event: int) -> tuple[_Over, ...]:
    """Return a tuple with the counts of the present turn, as if it ended before `event`; () before the first turn."""
    if not state.turn:
        return ()
    tally = state.tallies.current
    assert tally is not None
    casts = tally.most if tally.doubts is None else Turn.at(state, event - 1).casts
    one = state.possibilities
    designation = one[0].designation if len(one) == 1 else state.designation
    return (_Over(event - 1, designation, casts, sum(tally.spells.values())),)


class Counting:
    """Counts records one by one; with `assume` each game counts as though it had begun with that designation.

    `catalogue` adds the faces of permanents that enter (None: the bundled one).
    """

    def __init__(self, *, assume: Designation | None = None, catalogue: Catalogue | None = None) -> None:
        self._assumed = assume
        self._taken = Taken()
        self._replayer = Replayer((self._taken,), catalogue=catalogue, assume=assume)

    def record(self, record: Source, *, progress: Callable[[int], None] = lambda events: None) -> Statistics:
        """Return the statistics of a record, counted while reading it.

        Raises:
            RecordError: at the first line that is refused.
            NotFoundError: where there is no such record.
        """
        state = self._replayer.replay(record, progress=progress)
        return self._taken.concluded(state, record.shown, self._assumed)
