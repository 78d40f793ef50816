"""What can't transform, and when it can't become night."""

from __future__ import annotations

from daynight.projections.battlefield import Battlefield, Status

_NOBODY: frozenset[str] = frozenset()
_HOLDS = "non-human-werewolves-you-control"


def holders(battlefield: Battlefield, backs: frozenset[str]) -> frozenset[str]:
    """The players whose non-Human Werewolves can't transform: who controls an Immerwolf that has its ability."""
    if not battlefield.holding:
        return _NOBODY
    acting = [status for status in battlefield.holding.values() if status.acts and status.shows(backs).holds == _HOLDS]
    return frozenset([status.controller for status in acting if status.controller is not None])


def holding(battlefield: Battlefield, backs: frozenset[str], player: str | None) -> list[str]:
    """The permanents by whose ability this player's non-Human Werewolves can't transform, in order of arrival."""
    found = [status for status in battlefield.holding.values() if status.acts and status.controller == player]
    return [status.id for status in found if status.shows(backs).holds == _HOLDS]


def night_is_barred(battlefield: Battlefield, backs: frozenset[str]) -> bool:
    """Whether a permanent has "it can't become night"."""
    return bool(battlefield.holding) and bool(barring(battlefield, backs))


def barring(battlefield: Battlefield, backs: frozenset[str]) -> list[str]:
    """The permanents that have "it can't become night", by their ids, in order of arrival."""
    found = battlefield.holding.values()
    return [status.permanent.id for status in found if status.acts and status.shows(backs).holds == "night"]


def can_transform(status: Status, battlefield: Battlefield, backs: frozenset[str], held: frozenset[str]) -> bool:
    """Whether this permanent could turn over, its keywords aside.

    It is double-faced, phased in and not face down, somebody controls it, its other face is a permanent's, nothing
    recorded forbids it, and it is no non-Human Werewolf of a player in `held`.
    """
    permanent = status.permanent
    if status.face_down or status.out_under is not None or status.controller is None or not permanent.double_faced:
        return False
    other = permanent.front if permanent.id in backs else permanent.back
    if other is None or not other.permanent:
        return False
    if battlefield.forbidden and battlefield.is_forbidden(permanent.id):
        return False
    if held and status.controller in held:
        subtypes = status.shows(backs).subtypes
        return "Werewolf" not in subtypes or "Human" in subtypes
    return True
