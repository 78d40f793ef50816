"""Every event of the language in one union, and its tag."""

from __future__ import annotations

from typing import TypeAlias

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
