"""The states of a game: which were read, which one each follows, and checkpoints to return to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from zlib import crc32

from daynight.importers.arena.board import BoardPermanent
from daynight.importers.arena.messages import GameState

KEPT = 512
"""The most checkpoints that are kept. If there are more, every other one of the older half is dropped."""

SEEN = 20_000
"""The most states that are recognised when they are read again. No game has that many."""

GAPS = 1_000
"""The most gaps that are remembered. If there are more, the older half is dropped."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The situation after a state, to return to if Arena retracts later states."""

    state: int
    count: int
    turn: int
    active: int
    over: bool
    lost: bool
    due: bool
    permanents: Mapping[int, BoardPermanent]
    phased: Mapping[int, int]
    designations: Mapping[int, int]


class Chain:
    """The states of one game, in the order of reading; `first` is the first id, `last` the highest one."""

    def __init__(self) -> None:
        self.first = 0
        self.last = 0
        self._seen: dict[int, tuple[int, ...]] = {}
        self._checkpoints: list[Checkpoint] = []
        # Each gap lies between two states: by the later one, the earlier one.
        self._gaps: dict[int, int] = {}
        self._ends: list[int] = []

    def follows(self, state: GameState) -> bool:
        """Return whether this state directly follows the last one, by the predecessor it names, else by its own id."""
        before = state.prevGameStateId
        return before == self.last or (not before and state.gameStateId <= self.last + 1)

    def is_early(self, state: GameState) -> bool:
        """Return whether this state follows a state that was not read."""
        before = state.prevGameStateId
        return 0 < before != self.last < state.gameStateId and before not in self._seen

    def is_late(self, state: GameState) -> bool:
        """Return whether this state is new, and its id lies in a gap."""
        at = bisect_left(self._ends, state.gameStateId)
        if at == len(self._ends) or not self._gaps[self._ends[at]] < state.gameStateId < self._ends[at]:
            return False
        return not self.has(state)

    def is_foreign(self, state: GameState, turn: int, over: bool) -> bool:
        """Return whether a state that names no game cannot belong to this game, which is now in turn `turn`.

        The ids of every game's states begin at 1, so a state with an id up to `last` is foreign unless it was read
        before or lies in a gap. A higher id is foreign if states before it are missing and it is of an earlier turn or,
        after the end (`over`), if states before it are missing or it is of another turn.
        """
        if state.gameStateId <= self.last:
            return state.gameStateId > 0 and not self.has(state) and not self.is_late(state)
        says, follows = state.turnInfo.turnNumber if state.turnInfo else 0, self.follows(state)
        return not follows or says not in (0, turn) if over else 0 < says < turn and not follows

    def has(self, state: GameState) -> bool:
        """Return whether this state was read before, compared by content, because all games use the same ids."""
        return self._seen.get(state.gameStateId) == _content(state)

    def add(self, state: GameState, *, gap: bool = False) -> None:
        """Add a state. `gap`: states between the last one and this one are missing, or were retracted."""
        if gap and state.gameStateId > self.last + 1:
            self._gaps[state.gameStateId] = self.last
            self._ends.append(state.gameStateId)
            if len(self._ends) > GAPS:
                for end in self._ends[: GAPS // 2]:
                    del self._gaps[end]
                del self._ends[: GAPS // 2]
        self.first = self.first or state.gameStateId
        self.last = max(state.gameStateId, self.last)
        self._seen[state.gameStateId] = _content(state)
        if len(self._seen) > SEEN:
            del self._seen[next(iter(self._seen))]

    def keep(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint. The first one and the latest ones are never dropped."""
        self._checkpoints.append(checkpoint)
        if len(self._checkpoints) > KEPT:
            half = KEPT // 2
            self._checkpoints[:half] = self._checkpoints[:half:2]

    def back_to(self, number: int) -> Checkpoint:
        """Return the newest checkpoint up to the state with that number; drop later ones."""
        while len(self._checkpoints) > 1 and self._checkpoints[-1].state > number:
            self._checkpoints.pop()
        return self._checkpoints[-1]


def _content(state: GameState) -> tuple[int, ...]:
    told = crc32(state.persistentAnnotations, crc32(state.zones))
    about: list[int] = []
    for each in state.annotations:
        told = crc32(each.details, told)
        about += each.affectedIds
    about += [each.instanceId for each in state.gameObjects]
    turn = state.turnInfo.turnNumber if state.turnInfo is not None else 0
    return state.prevGameStateId, turn, len(state.annotations), told, hash(tuple(about))
