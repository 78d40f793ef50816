"""Roles, and the acts that each may do. The type of an event decides which role may store it, on every route."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from daynight.events import DisputeClosed, DisputeRuled, JudgeRuled
from daynight.framework.mechanic import Mechanic
from daynight.web.door.grants import Grant, Role

Act: TypeAlias = Literal["read", "try", "act", "undo", "rule", "own"]
"""The kinds of requests, called acts.

`read`: read a game. `try`: try a what-if and store nothing. `act`: store game events, a claim, a note or a dispute.
`undo`: undo a command. `rule`: store a ruling, a back-up or the end of a dispute. `own`: requests of the owner alone.
"""

MAY: dict[str, frozenset[Role]] = {
    "read": frozenset({"reader", "spectator", "player", "judge", "owner"}),
    "try": frozenset({"reader", "spectator", "player", "judge", "owner"}),
    "act": frozenset({"player", "judge", "owner"}),
    "undo": frozenset({"player", "judge", "owner"}),
    "rule": frozenset({"judge", "owner"}),
    "own": frozenset({"owner"}),
}
"""The roles that may do each act. A reader has no key, and is on this machine."""

_RULINGS = (JudgeRuled, DisputeRuled, DisputeClosed)


def may(role: Role, act: str) -> bool:
    """Return whether a role may send requests of the kind `act`."""
    return role in MAY[act]


def may_store(mechanic: Mechanic[Any, Any, Any], event: Any, grant: Grant) -> bool:
    """Return whether a caller may store an event. A player with `rules` may store a `JudgeRuled` too."""
    return may(grant.role, act_of(mechanic, event)) or (grant.rules and isinstance(event, JudgeRuled))


def act_of(mechanic: Mechanic[Any, Any, Any], event: Any) -> Act:
    """Return the act needed to store an event: `rule` for a ruling, the end of a dispute or a back-up, else `act`."""
    return "rule" if isinstance(event, _RULINGS) or mechanic.restores(event) is not None else "act"
