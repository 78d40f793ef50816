"""Finds the permanents that can't transform, and whether it can't become night."""

from __future__ import annotations

from typing import Literal, TypeAlias

from daynight.projections.battlefield import Battlefield, Status

_NOBODY: frozenset[str] = frozenset()
_HOLDS = "non-human-werewolves-you-control"


def holders(battlefield: Battlefield, backs: frozenset[str]) -> frozenset[str]:
    """Return the players whose non-Human Werewolves can't transform: they control an Immerwolf with its ability."""
    if not battlefield.holding:
        return _NOBODY
    acting = [status for status in battlefield.holding.values() if status.acts and status.shows(backs).holds == _HOLDS]
    return frozenset([status.controller for status in acting if status.controller is not None])


def holding(battlefield: Battlefield, backs: frozenset[str], player: str | None) -> list[str]:
    """Return the permanents that keep a player's non-Human Werewolves from transforming, in order of arrival."""
    found = [status for status in battlefield.holding.values() if status.acts and status.controller == player]
    return [status.id for status in found if status.shows(backs).holds == _HOLDS]


def night_is_barred(battlefield: Battlefield, backs: frozenset[str]) -> bool:
    """Return whether it can't become night, because a permanent says so."""
    return bool(battlefield.holding) and bool(barring(battlefield, backs))


def barring(battlefield: Battlefield, backs: frozenset[str]) -> list[str]:
    """Return the ids of the permanents that have "it can't become night", in order of arrival."""
    found = battlefield.holding.values()
    return [status.permanent.id for status in found if status.acts and status.shows(backs).holds == "night"]


Obstacle: TypeAlias = Literal[
    "face-down", "phased-out", "no-controller", "one-face", "unknown-face", "no-permanent", "forbidden", "held"
]
"""Why a permanent can't transform.

`no-permanent`: its other face is an instant or sorcery. `forbidden`: a recorded effect says so. `held`: it is a
non-Human Werewolf, and its controller has an Immerwolf.
"""


def obstacle(status: Status, battlefield: Battlefield, backs: frozenset[str], held: frozenset[str]) -> Obstacle | None:
    """Return why a permanent can't transform, whatever its keywords; None if it can.

    It can if it is double-faced, phased in, not face down and controlled by somebody, if its other face is a
    permanent's, if no recorded effect forbids it, and if it is no non-Human Werewolf of a player in `held` (`holders`).
    """
    permanent = status.permanent
    if status.face_down:
        return "face-down"
    if status.out_under is not None:
        return "phased-out"
    if status.controller is None:
        return "no-controller"
    if not permanent.double_faced:
        return "one-face"
    other = permanent.front if permanent.id in backs else permanent.back
    if other is None:
        return "unknown-face"
    if not other.permanent:
        return "no-permanent"
    if battlefield.forbidden and battlefield.is_forbidden(permanent.id):
        return "forbidden"
    return "held" if held and is_held(status, backs, held) else None


def is_held(status: Status, backs: frozenset[str], held: frozenset[str]) -> bool:
    """Return whether a permanent is a non-Human Werewolf that a player in `held` controls."""
    if status.controller not in held:
        return False
    subtypes = status.shows(backs).subtypes
    return "Werewolf" in subtypes and "Human" not in subtypes
