"""Counts how many turns of a game were day or night, how often that changed, and how many spells were cast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from msgspec import Struct, field

from daynight.cards import Catalogue
from daynight.events import Designation, Event, GameBackedUp, GameRestarted, TurnBegan
from daynight.framework.language.codec import document_of
from daynight.framework.language.source import Source
from daynight.projections.tallies import TWO
from daynight.projections.turns import Turn
from daynight.referee.assumption import assuming
from daynight.referee.referee import HANDLERS, Found, Handler, Handlers
from daynight.referee.state import State
from daynight.replay import Replayer
from daynight.rules.becoming import ASSUMED


class Statistics(Struct, frozen=True):
    """Counts over the turns, not undone, of a game or of several; a turn counts as it ended.

    `shares`: how many turns ended as each designation (None: several were possible). `flips`: how often day became
    night or night day, in any possibility. `casts`: in how many turns the active players cast no spell, one, or two or
    more (key 2); None if that is not certain. `spells` are all recorded casts. `assumed` is the designation that was
    assumed from the beginning, None if no game needed it.
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
        """Return the share of turns that ended so, from 0 to 1; 0 if there was no turn."""
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
    """Add up several statistics; the sum has no name."""
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
    """What is kept of a turn that is over."""

    last: int
    designation: Designation | None
    casts: int | None
    spells: int


class Taken:
    """Counts each turn as it ends, while a record is replayed with its `handlers`."""

    def __init__(self, handlers: Handlers) -> None:
        self.turns: list[_Over] = []
        self.handlers: Handlers = {
            **handlers,
            TurnBegan: partial(self._ended, handlers[TurnBegan]),
            GameRestarted: partial(self._ended, handlers[GameRestarted]),
            GameBackedUp: partial(self._backed_up, handlers[GameBackedUp]),
        }

    def begin(self) -> None:
        """Start counting, or start again."""
        self.turns.clear()

    def concluded(self, state: State, record: str, assumed: Designation | None = None) -> Statistics:
        """Return the statistics so far; `state` is the state after the last event, with its changes."""
        self.turn_ends(state, state.event + 1)
        changes = state.timeline.changes
        return Statistics(
            record=record,
            game=state.game,
            turns=len(self.turns),
            flips=sum([change.was is not Designation.NEITHER for change in changes]),
            spells=sum([turn.spells for turn in self.turns]),
            shares=Counter([turn.designation for turn in self.turns]),
            casts=Counter([turn.casts for turn in self.turns]),
            assumed=assumed if ASSUMED in [change.rule for change in changes] else None,
        )

    def turn_ends(self, state: State, event: int) -> None:
        """Count the present turn, if there is one: it is over."""
        if not state.turn:
            return
        tally = state.tallies.current
        assert tally is not None
        casts = tally.most if tally.doubts is None else Turn.at(state, event - 1).casts
        one = state.possibilities
        designation = one[0].designation if len(one) == 1 else state.designation
        self.turns.append(_Over(event - 1, designation, casts, sum(tally.spells.values())))

    def _ended(self, handle: Handler, state: State, event: Event, number: int) -> Found:
        self.turn_ends(state, number)
        return handle(state, event, number)

    def _backed_up(self, handle: Handler, state: State, event: GameBackedUp, number: int) -> Found:
        # Turns that ended after that event are undone.
        while self.turns and self.turns[-1].last >= event.to:
            self.turns.pop()
        return handle(state, event, number)


class Counting:
    """Counts records one by one; with `assume` each game as though it had begun so.

    `catalogue` completes what arrives (None: the bundled one).
    """

    def __init__(self, *, assume: Designation | None = None, catalogue: Catalogue | None = None) -> None:
        self._assumed = assume
        self._taken = Taken(HANDLERS if assume is None else assuming(assume))
        self._replayer = Replayer(self._taken.handlers, catalogue)

    def record(self, record: Source, *, progress: Callable[[int], None] = lambda events: None) -> Statistics:
        """Count a record while reading it.

        Raises:
            RecordError: at the first line that is refused.
            NotFoundError: where there is no such record.
        """
        state = self._replayer.replay(record, begin=self._taken.begin, progress=progress)
        return self._taken.concluded(state, record.shown, self._assumed)
