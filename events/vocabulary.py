"""Every event of the language in one union, and its tag."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias, get_args

from msgspec.structs import fields

from daynight.events import actions, claims, disputes, rulings
from daynight.framework.language.happening import Happening

__all__ = ["TAGS", "Action", "Claim", "DisputeAct", "Event", "JudgeAct", "OfTheRecord", "field_names", "tag_of"]

Action: TypeAlias = (
    actions.GameStarted
    | actions.GameJoined
    | actions.TurnBegan
    | actions.StepBegan
    | actions.SpellCast
    | actions.SpellCopied
    | actions.SpellsUncertain
    | actions.PermanentsEntered
    | actions.PermanentsLeft
    | actions.ControlChanged
    | actions.AbilitiesLost
    | actions.AbilitiesRegained
    | actions.BecameCopy
    | actions.CopyEnded
    | actions.TurnedFaceDown
    | actions.TurnedFaceUp
    | actions.PhasedOut
    | actions.PhasedIn
    | actions.TransformInstructed
    | actions.TransformForbidden
    | actions.TransformAllowed
    | actions.EffectResolved
    | actions.PlayerLeft
    | actions.GameRestarted
    | actions.GameEnded
)
"""What players and the game did."""

Claim: TypeAlias = claims.DesignationClaimed | claims.FaceClaimed | claims.TallyClaimed
"""What somebody says the state was."""

JudgeAct: TypeAlias = rulings.JudgeRuled | rulings.GameBackedUp
"""What a judge did."""

DisputeAct: TypeAlias = (
    disputes.DisputeOpened
    | disputes.DisputeClaimed
    | disputes.DisputeRuled
    | disputes.DisputeAppealed
    | disputes.DisputeClosed
)
"""How a dispute went: judge's acts that change nothing of the game."""

OfTheRecord: TypeAlias = DisputeAct | disputes.NoteAdded
"""Of the record, not of the game: nothing follows from these, and no back-up undoes them."""

Event: TypeAlias = Action | Claim | JudgeAct | OfTheRecord
"""Everything that is ever written down."""


def tag_of(kind: type[Happening]) -> str:
    """The stable tag (`spell-cast`) of an event's type."""
    tag: Any = kind.__struct_config__.tag
    return str(tag)


TAGS: dict[str, type[Happening]] = {tag_of(kind): kind for kind in get_args(Event)}
"""Every tag and its type, in the order of the contract."""


@cache
def field_names(kind: type[Happening]) -> tuple[str, ...]:
    """The fields an event of this type may have, its own first, in their order."""
    own = tuple(field.name for field in fields(kind))
    common = tuple(field.name for field in fields(Happening))
    return tuple(name for name in own if name not in common) + common
