"""Games whose beginning is missing: collects the data of their states until a turn begins in which to join the game."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from daynight.importers.arena.messages import Annotation, GameInfo, GameObject, GameState, numbers_of
from daynight.importers.arena.numbers import BEGAN

OBJECTS = 20_000
"""The most objects that are remembered. No game has that many."""

SEATS = (1, 2)
"""The seats of a game that names no other seats."""

_BATTLEFIELD = "ZoneType_Battlefield"
_PERMANENT = frozenset({"GameObjectType_Card", "GameObjectType_Token"})


class Unbegun:
    """The known facts of a game whose beginning is missing.

    `zones`: the type of each zone, by its id; `teams`: the team of each seat; `info`: the latest `GameInfo`; `turn` and
    `active`: the number of the turn and the seat whose turn it is, 0 if the log does not say.
    """

    def __init__(self) -> None:
        self.zones: dict[int, str] = {}
        self.teams: dict[int, int] = dict(zip(SEATS, SEATS, strict=True))
        self.info = GameInfo()
        self.turn = 0
        self.active = 0
        self._objects: dict[int, GameObject] = {}
        self._there: set[int] | None = None

    def see(self, state: GameState) -> None:
        """Add the facts of a state."""
        self.info = state.gameInfo or self.info
        if state.turnInfo is not None:
            self.turn = max(state.turnInfo.turnNumber, self.turn)
            self.active = state.turnInfo.activePlayer or self.active
        for player in state.players:
            if 0 < player.systemSeatNumber <= 16:
                self.teams[player.systemSeatNumber] = player.teamId or player.systemSeatNumber
        for zone in state.zones_told():
            self.zones[zone.zoneId] = zone.type
            if zone.type == _BATTLEFIELD:
                self._there = set(zone.objectInstanceIds)
        self._objects.update((each.instanceId, each) for each in state.gameObjects)
        for instance in state.diffDeletedInstanceIds:
            self._objects.pop(instance, None)
        if len(self._objects) > OBJECTS:
            for instance in list(self._objects)[: OBJECTS // 2]:
                del self._objects[instance]

    @property
    def objects(self) -> Sequence[GameObject]:
        """Return all objects that were seen and still exist."""
        return [*self._objects.values()]

    def standing(self, state: GameState) -> list[GameObject]:
        """Return the permanents on the battlefield before the annotations of `state`, which was read last."""
        arriving = {
            instance
            for each in state.annotations
            if "AnnotationType_TokenCreated" in each.type or self._is_arrival(each)
            for instance in each.affectedIds
        }
        return [
            each
            for instance, each in self._objects.items()
            if self.zones.get(each.zoneId) == _BATTLEFIELD
            and each.type in _PERMANENT
            and instance not in arriving
            and (self._there is None or instance in self._there)
        ]

    def _is_arrival(self, each: Annotation) -> bool:
        if "AnnotationType_ZoneTransfer" not in each.type:
            return False
        return self.zones.get(numbers_of(each).get("zone_dest", 0)) == _BATTLEFIELD


def begins_a_turn(state: GameState, seats: Collection[int] = SEATS) -> bool:
    """Return whether a turn begins in this state, and its player is known."""
    first = next((each for each in state.annotations if BEGAN in each.type), None)
    active = state.turnInfo.activePlayer if state.turnInfo else 0
    return first is not None and any(seat in seats for seat in (*first.affectedIds[:16], first.affectorId, active))


def turn_begun(found: Unbegun, state: GameState) -> int:
    """Return the number of the first turn that begins in a state, which `found` has read."""
    later = sum(BEGAN in each.type for each in state.annotations)
    if state.turnInfo is not None and state.turnInfo.turnNumber:
        return max(state.turnInfo.turnNumber - later + 1, 1)
    # Arena begins the first turn before it has a number.
    return found.turn + 1


def from_the_turn_on(state: GameState) -> GameState:
    """Return the state without the annotations that come before the beginning of its first turn."""
    first = next((at for at, each in enumerate(state.annotations) if BEGAN in each.type), 0)
    return replace(state, annotations=state.annotations[first:])
