"""Actions: events that players and the game caused. None of them is derived from other events."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from daynight.events.permanents import Characteristics, Permanent
from daynight.events.terms import Designation, Step, Switch
from daynight.framework.language.happening import Unmarked
from daynight.framework.language.kinds import Count, Name, Number

__all__ = [
    "AbilitiesLost",
    "AbilitiesRegained",
    "BecameCopy",
    "ControlChanged",
    "CopyEnded",
    "EffectResolved",
    "Forbidding",
    "GameEnded",
    "GameJoined",
    "GameRestarted",
    "GameStarted",
    "PermanentsEntered",
    "PermanentsLeft",
    "PhasedIn",
    "PhasedOut",
    "PlayerLeft",
    "SpellCast",
    "SpellCopied",
    "SpellsUncertain",
    "StepBegan",
    "TransformAllowed",
    "TransformForbidden",
    "TransformInstructed",
    "TurnBegan",
    "TurnedFaceDown",
    "TurnedFaceUp",
]


class GameStarted(Unmarked, frozen=True, kw_only=True, tag="game-started"):
    """Line 1 of every record. `teams` given: the shared team turns option is in use."""

    format: Literal[1]
    game: Name
    players: tuple[Name, ...]
    teams: tuple[tuple[Name, ...], ...] | None = None
    edition: Name | None = None


class Forbidding(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An effect of `source` that is in force: these permanents can't transform."""

    source: Name
    permanents: tuple[Name, ...]


class GameJoined(Unmarked, frozen=True, kw_only=True, tag="game-joined"):
    """An optional line 2: the record begins in the middle of a game, when the designation was one of `possible`.

    `permanents` were found on the battlefield: they do not enter. The effects in `forbids` are in force.
    """

    possible: tuple[Designation, ...]
    permanents: tuple[Permanent, ...] = ()
    forbids: tuple[Forbidding, ...] = ()


class TurnBegan(Unmarked, frozen=True, kw_only=True, tag="turn-began"):
    """A turn began; under shared team turns `active` are the players of one team still in the game.

    `skips` are the steps of this turn that an effect skips. A turn whose untap step is neither written down nor in
    `skips` had one all the same.
    """

    turn: Number
    active: tuple[Name, ...]
    skips: tuple[Step, ...] = ()


class StepBegan(Unmarked, frozen=True, kw_only=True, tag="step-began"):
    """A step began; with the untap step comes its phasing, all at once and before the check.

    What phased out under an active player phases in at the untap step, listed or not, except for `stays_out`.
    `phased_in` names what else phases in, `phased_out` what phases out.
    """

    step: Step
    phased_in: tuple[Name, ...] = ()
    phased_out: tuple[Name, ...] = ()
    stays_out: tuple[Name, ...] = ()


class _OfASpell(Unmarked, frozen=True, kw_only=True):
    """The common part of events about one spell; `spell` is its id."""

    player: Name
    card: Name | None = None
    spell: Name | None = None


class SpellCast(_OfASpell, frozen=True, kw_only=True, tag="spell-cast"):
    """A spell was cast, whatever became of it later."""


class SpellCopied(_OfASpell, frozen=True, kw_only=True, tag="spell-copied"):
    """A copy was put on the stack without being cast: it never counts."""


class SpellsUncertain(Unmarked, frozen=True, kw_only=True, tag="spells-uncertain"):
    """This player cast further spells this turn, not recorded: from `at_least` to `at_most` of them."""

    player: Name
    at_least: Count
    at_most: Count | None = None


class PermanentsEntered(Unmarked, frozen=True, kw_only=True, tag="permanents-entered"):
    """One simultaneous arrival."""

    permanents: tuple[Permanent, ...]


class _OfPermanents(Unmarked, frozen=True, kw_only=True):
    """The common part of events about permanents on the battlefield."""

    permanents: tuple[Name, ...]


class PermanentsLeft(_OfPermanents, frozen=True, kw_only=True, tag="permanents-left"):
    """They left the battlefield, to the zone `to` if it is given."""

    to: Name | None = None


class ControlChanged(_OfPermanents, frozen=True, kw_only=True, tag="control-changed"):
    """They are now controlled by `controller`."""

    controller: Name


class AbilitiesLost(_OfPermanents, frozen=True, kw_only=True, tag="abilities-lost"):
    """They lose all abilities; losses from different sources add up."""

    source: Name | None = None


class AbilitiesRegained(_OfPermanents, frozen=True, kw_only=True, tag="abilities-regained"):
    """The effect of `source` on them ended; without a source, every such effect did."""

    source: Name | None = None


class BecameCopy(_OfPermanents, frozen=True, kw_only=True, tag="became-copy"):
    """Their copiable values are now these, whichever of their sides is up."""

    front: Characteristics


class CopyEnded(_OfPermanents, frozen=True, kw_only=True, tag="copy-ended"):
    """They stop being copies, and have their own values again."""


class TurnedFaceDown(_OfPermanents, frozen=True, kw_only=True, tag="turned-face-down"):
    """They were turned face down: no abilities, no transforming."""


class TurnedFaceUp(_OfPermanents, frozen=True, kw_only=True, tag="turned-face-up"):
    """They were turned face up and show their front."""


class PhasedOut(_OfPermanents, frozen=True, kw_only=True, tag="phased-out"):
    """They phased out, outside the untap step's own phasing."""


class PhasedIn(_OfPermanents, frozen=True, kw_only=True, tag="phased-in"):
    """They phased in, outside the untap step's own phasing."""


class TransformInstructed(_OfPermanents, frozen=True, kw_only=True, tag="transform-instructed"):
    """A spell or ability tells them to transform.

    `own_since`: it is the permanent's own ability, put on the stack at that event.
    """

    source: Name | None = None
    own_since: Number | None = None


class TransformForbidden(_OfPermanents, frozen=True, kw_only=True, tag="transform-forbidden"):
    """An effect says they can't transform; a second one of the same source replaces its list."""

    source: Name


class TransformAllowed(Unmarked, frozen=True, kw_only=True, tag="transform-allowed"):
    """The effect of `source` that forbade transforming ended."""

    source: Name


class EffectResolved(Unmarked, frozen=True, kw_only=True, tag="effect-resolved"):
    """ "It becomes day", "it becomes night", or the switch: day if it is night, otherwise night."""

    becomes: Switch
    source: Name | None = None
    only_if: Designation | None = None


class PlayerLeft(Unmarked, frozen=True, kw_only=True, tag="player-left"):
    """A player left the game, and with them `permanents`: all that they owned."""

    player: Name
    permanents: tuple[Name, ...] = ()


class GameRestarted(Unmarked, frozen=True, kw_only=True, tag="game-restarted"):
    """A new game begins: neither, no permanents, no tallies, turn 0."""


class GameEnded(Unmarked, frozen=True, kw_only=True, tag="game-ended"):
    """The game is over."""

    winner: tuple[Name, ...] | None = None
