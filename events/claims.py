"""Claims: what a player, a client or a helper card says the state was. The audit compares that with the rules."""

from __future__ import annotations

from daynight.events.terms import Designation, Face
from daynight.framework.language.happening import Unmarked
from daynight.framework.language.kinds import Count, Name, Number

__all__ = ["DesignationClaimed", "FaceClaimed", "TallyClaimed"]


class DesignationClaimed(Unmarked, frozen=True, kw_only=True, tag="designation-claimed"):
    """ "It is night", said here by a player, a client, a helper card."""

    designation: Designation
    by: Name


class FaceClaimed(Unmarked, frozen=True, kw_only=True, tag="face-claimed"):
    """This permanent shows this face, said here."""

    permanent: Name
    face: Face
    by: Name


class TallyClaimed(Unmarked, frozen=True, kw_only=True, tag="tally-claimed"):
    """This player cast so many spells in that turn (in this one if no turn is given)."""

    player: Name
    spells: Count
    by: Name
    turn: Number | None = None
