"""The chain of a game's states: which ones were read, which one a state follows, and how things stood after each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from zlib import crc32

from daynight.importers.arena_board import Standing
from daynight.importers.arena_messages import GameState

__all__ = ["Chain", "Checkpoint"]

KEPT = 512
"""How many checkpoints are kept: of the older half every other one goes when there are more."""

SEEN = 20_000
"""How many states are known again: no game has as many."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How things stood after a state, for when Arena takes back what came after it."""

    state: int
    count: int
    turn: int
    active: int
    over: bool
    lost: bool
    permanents: Mapping[int, Standing]
    phased: frozenset[int]
    designations: Mapping[int, int]


class Chain:
    """The states of one game, in the order in which they were read: `first` and `last` are the first and highest id."""

    def __init__(self) -> None:
        self.first = 0
        self.last = 0
        self._seen: dict[int, tuple[int, ...]] = {}
        self._checkpoints: list[Checkpoint] = []

    def follows(self, state: GameState) -> bool:
        """Whether nothing is missing between the last state and this one; where it names none, by its number."""
        before = state.prevGameStateId
        return before == self.last or (not before and state.gameStateId <= self.last + 1)

    def has(self, state: GameState) -> bool:
        """Whether this very state was read before: by what is in it, since the states of all games have like ids."""
        return self._seen.get(state.gameStateId) == _content(state)

    def add(self, state: GameState) -> None:
        """This state is being read."""
        self.first = self.first or state.gameStateId
        self.last = max(state.gameStateId, self.last)
        self._seen[state.gameStateId] = _content(state)
        if len(self._seen) > SEEN:
            del self._seen[next(iter(self._seen))]

    def keep(self, checkpoint: Checkpoint) -> None:
        """How things stand now. The first one of all is kept for ever, and the latest ones are all there."""
        self._checkpoints.append(checkpoint)
        if len(self._checkpoints) > KEPT:
            half = KEPT // 2
            self._checkpoints[:half] = self._checkpoints[:half:2]

    def back_to(self, number: int) -> Checkpoint:
        """The newest checkpoint that is not after the state of that number; the later ones are let go."""
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
