"""Roles, and what each may do. An event needs the role of its type, whatever route or words it came by."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from daynight.events import DisputeClosed, DisputeRuled, JudgeRuled
from daynight.framework.mechanic import Mechanic
from daynight.web.door.keys import Role

Act: TypeAlias = Literal["read", "try", "act", "undo", "rule", "own"]
"""What somebody wants.

To `read` a game; to `try` what would be otherwise, and keep nothing; to `act` (what happened, a claim, a note, a
dispute); to `undo` a command; to `rule` (a ruling, a back-up, the end of a dispute); or what only the owner does.
"""

MAY: dict[str, frozenset[Role]] = {
    "read": frozenset({"reader", "spectator", "player", "judge", "owner"}),
    "try": frozenset({"reader", "spectator", "player", "judge", "owner"}),
    "act": frozenset({"player", "judge", "owner"}),
    "undo": frozenset({"player", "judge", "owner"}),
    "rule": frozenset({"judge", "owner"}),
    "own": frozenset({"owner"}),
}
"""The roles that may do it; a reader has no key, and is on this machine."""

_RULINGS = (JudgeRuled, DisputeRuled, DisputeClosed)


def may(role: Role, act: str) -> bool:
    """Whether a role may do that."""
    return role in MAY[act]


def act_of(mechanic: Mechanic[Any, Any, Any], event: Any) -> Act:
    """What storing this event is: to rule, where a judge rules or the record is backed up; else to act."""
    return "rule" if isinstance(event, _RULINGS) or mechanic.restores(event) is not None else "act"
