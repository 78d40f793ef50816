"""The types into which a snapshot's JSON is decoded. `frozen` explains how they fit together."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from daynight.events.permanents import Characteristics, Permanent
from daynight.events.terms import Designation, Face, Step
from daynight.framework.language.kinds import NAME_LENGTH, Name, Number
from daynight.framework.language.wording import _
from daynight.referee.worlds.possibilities import ANY


class Shape(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The settings that all shapes share."""


class There(Shape, frozen=True, kw_only=True):
    """A permanent. `controller` is set if it differs from the one it entered under; `nobodys`: it has no controller."""

    permanent: Permanent
    arrived: Number
    controller: Name | None = None
    nobodys: bool = False
    face_down: bool = False
    out_under: Annotated[str, Meta(max_length=NAME_LENGTH)] | None = None
    losses: tuple[Name, ...] = ()
    lost: bool = False
    entered_without: bool = False
    copy: Characteristics | None = None


class Derived(Shape, frozen=True, kw_only=True):
    """The fields that the consequences in a snapshot share."""

    event: Number
    rule: Name
    because: tuple[Number, ...]
    certain: bool = True
    implied: bool = False


class Change(Derived, frozen=True, kw_only=True):
    """A change that may have led to the present designation."""

    turn: Number
    was: Designation
    became: Designation
    checked_turn: Number | None = None
    players: tuple[Name, ...] = ()
    uncounted: tuple[tuple[Number, Name, Name | None], ...] = ()


class Turning(Derived, frozen=True, kw_only=True):
    """How permanents got their present face; if no face is given, they entered back face up."""

    permanents: tuple[Name, ...]
    face: Face | None = None


class Waiting(Derived, frozen=True, kw_only=True):
    """An ability that triggered and waits."""

    turn: Number
    permanent: Name
    was: Designation | None
    became: Designation | None
    controller: Name | None = None
    stacked: None = None


class Possible(Shape, frozen=True, kw_only=True):
    """A possibility. `causes` has indices into the snapshot's `changes`, `turned` and `ways` into its `turnings`.

    `found` are the permanents whose back face was up when the record joined the game, and which have not turned since.
    """

    designation: Designation = Designation.NEITHER
    casts: Annotated[int, Meta(ge=1, le=ANY)] = ANY
    causes: Annotated[tuple[Number | None, ...], Meta(min_length=1)]
    turned: dict[Name, Number] = {}
    ways: dict[Name, Annotated[tuple[Number | None, ...], Meta(min_length=2)]] = {}
    found: tuple[Name, ...] = ()


Card: TypeAlias = Annotated[str, Meta(max_length=NAME_LENGTH)]
"""The card of a cast. An empty name says that the number of casts is uncertain."""


class Turn(Shape, frozen=True, kw_only=True):
    """The tally of a turn, its events oldest first."""

    turn: Number
    began: Number
    active: tuple[Name, ...] = ()
    spells: dict[Name, Number] = {}
    doubts: dict[Name, tuple[Number, Number | None]] | None = None
    evidence: tuple[Number, ...] = ()
    others: tuple[tuple[Number, Name, Card | None], ...] = ()
    unknown: bool = False

    def __post_init__(self) -> None:
        """Raise a ValueError if a known turn has no active player, an unknown one has, or a range has most < least."""
        ranges = (self.doubts or {}).values()
        if self.unknown is bool(self.active) or any([most is not None and most < least for least, most in ranges]):
            raise ValueError(_("a tally that cannot be"))


class Snapshot(Shape, frozen=True, kw_only=True):
    """A whole snapshot. `left` are the players who left the game."""

    event: Number
    possibilities: Annotated[tuple[Possible, ...], Meta(min_length=1)]
    unruled: Annotated[tuple[Possible, ...], Meta(min_length=1)] | None = None
    game: Annotated[str, Meta(max_length=NAME_LENGTH)] = ""
    edition: Name | None = None
    players: tuple[Name, ...] = ()
    teams: tuple[tuple[Name, ...], ...] | None = None
    left: tuple[Name, ...] = ()
    joined: bool = False
    began: Number = 1
    step: Step | None = None
    due: bool = False
    over: bool = False
    current: Turn | None = None
    previous: Turn | None = None
    battlefield: tuple[There, ...] = ()
    forbidding: dict[Name, tuple[Name, ...]] = {}
    changes: tuple[Change, ...] = ()
    turnings: tuple[Turning, ...] = ()
    waiting: tuple[Waiting, ...] = ()


class PastDerived(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """The fields that past consequences share; each is encoded as an array."""

    event: Number
    rule: Name
    because: tuple[Number, ...]
    certain: bool
    implied: bool
    turn: Number


class PastChange(PastDerived, frozen=True):
    """A change of the designation."""

    was: Designation
    became: Designation
    checked_turn: Number | None
    players: tuple[Name, ...]
    uncounted: tuple[tuple[Number, Name, Name | None], ...]


class PastTrigger(PastDerived, frozen=True):
    """An ability that triggered and no longer waits."""

    permanent: Name
    was: Designation | None
    became: Designation | None
    controller: Name | None
    stacked: Number | None


class Remembered(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Changes, the oldest first, and triggers in the order in which they stopped waiting."""

    changes: tuple[PastChange, ...]
    triggers: tuple[PastTrigger, ...]
