"""All event types of the language in unions, and which events show that the untap step is over."""

from __future__ import annotations

from typing import TypeAlias, get_args

from daynight.events import actions, claims, disputes, rulings

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
"""An event that players or the game caused."""

Claim: TypeAlias = claims.DesignationClaimed | claims.FaceClaimed | claims.TallyClaimed
"""A statement by somebody about what the state was."""

JudgeAct: TypeAlias = rulings.JudgeRuled | rulings.GameBackedUp
"""An act of a judge: a ruling or a back-up."""

DisputeAct: TypeAlias = (
    disputes.DisputeOpened
    | disputes.DisputeClaimed
    | disputes.DisputeRuled
    | disputes.DisputeAppealed
    | disputes.DisputeClosed
)
"""An event of a dispute, by a judge or by one side; it changes nothing in the game."""

OfTheRecord: TypeAlias = DisputeAct | disputes.NoteAdded
"""Events about the record, not about the game: nothing follows from them, and no back-up undoes them."""

Event: TypeAlias = Action | Claim | JudgeAct | OfTheRecord
"""Every event that a record may hold."""

_UNTAP_MAY_COME = frozenset(
    (
        actions.PermanentsLeft,
        actions.ControlChanged,
        actions.AbilitiesLost,
        actions.AbilitiesRegained,
        actions.CopyEnded,
        actions.TransformForbidden,
        actions.TransformAllowed,
        actions.PlayerLeft,
        *get_args(OfTheRecord),
        # These two replace the state.
        actions.GameRestarted,
        rulings.GameBackedUp,
    )
)


def untap_is_over(event: Event) -> bool:
    """Return whether an event shows that the turn's untap step is over, even if the record has no event for that step.

    Nobody gets priority before the end of that step, so most events show it. Events that may happen without anybody's
    action (a permanent leaves), events about the record, a restart and a back-up do not.
    """
    return event.step != "untap" if type(event) is actions.StepBegan else type(event) not in _UNTAP_MAY_COME
