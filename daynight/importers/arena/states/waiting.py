"""Keeps states that the log has too early, until the state before them is read or they have waited too long."""

from __future__ import annotations

import time
from dataclasses import dataclass

from daynight.importers.arena.messages import GameState, milliseconds

STATES = 64
"""A state stops waiting when more than this number of later states have come and `TIME` has passed."""

TIME = 2_000
"""Milliseconds by the log's time stamps in which a state keeps waiting, even if more than `STATES` states come."""

PATIENCE = 2.0
"""The seconds that a state waits if a followed log has no more data."""

MOST = 512
"""The most states that wait at a time."""

ROOM = 2**24
"""The most bytes of the lines of waiting states."""


@dataclass(slots=True, eq=False)
class Received:
    """A state with the `line` of the current source where it was read, and the `seat` it was sent to (0: to several).

    `stamp` is the time in the log's form, `size` the bytes of its line. `stating`: that line mentions designations. A
    waiting state also has the values of the moment when it began to wait: `number`, the count of states so far, `last`,
    the game's highest state id, and `since`, the seconds of a monotonic clock.
    """

    state: GameState
    line: int
    seat: int = 0
    stating: bool = True
    stamp: str | int | None = None
    size: int = 0
    number: int = 0
    last: int = 0
    since: float = 0.0

    @property
    def time(self) -> int:
        """The state's time, in milliseconds since 1970; 0 if the log does not say it."""
        return milliseconds(self.stamp) or 0


class WaitingStates:
    """The waiting states of the current game. `number` counts all states so far, `time` is their latest time."""

    def __init__(self) -> None:
        self.number = 0
        self.time = 0
        self._held: dict[int, Received] = {}
        self._by_before: dict[int, list[Received]] = {}
        self._size = 0

    def __len__(self) -> int:
        return len(self._held)

    def count(self, each: Received) -> None:
        """Count a state, whether it waits or not."""
        self.number += 1
        self.time = max(self.time, each.time)

    def hold(self, each: Received, last: int) -> None:
        """Let a state wait until the state before it is read; `last` is the game's highest state now."""
        each.number, each.last, each.since = self.number, last, time.monotonic()
        self._held[id(each)] = each
        self._by_before.setdefault(each.state.prevGameStateId, []).append(each)
        self._size += each.size

    def after(self, state: int) -> list[Received]:
        """Remove and return the waiting states whose predecessor is the state with this id."""
        found = self._by_before.get(state, [])[:]
        for each in found:
            self._take(each)
        return found

    def lowest(self, below: int | None = None) -> Received | None:
        """Remove and return the state with the lowest id (below the given one); None if there is none."""
        each = min(self._held.values(), key=lambda each: each.state.gameStateId, default=None)
        if each is None or (below is not None and each.state.gameStateId >= below):
            return None
        self._take(each)
        return each

    @property
    def overdue(self) -> bool:
        """Return whether a state has waited for over `STATES` states and `TIME`, or `MOST` or `ROOM` is exceeded."""
        oldest = next(iter(self._held.values()), None)
        if oldest is None:
            return False
        if len(self._held) > MOST or self._size > ROOM:
            return True
        return self.number - oldest.number > STATES and not 0 < oldest.time <= self.time <= oldest.time + TIME

    @property
    def forsaken(self) -> bool:
        """Return whether a state has waited `PATIENCE` seconds; asked when a followed log has no more data."""
        oldest = next(iter(self._held.values()), None)
        return oldest is not None and time.monotonic() - oldest.since >= PATIENCE

    def _take(self, each: Received) -> None:
        del self._held[id(each)]
        others = self._by_before[each.state.prevGameStateId]
        others.remove(each)
        if not others:
            del self._by_before[each.state.prevGameStateId]
        self._size -= each.size
