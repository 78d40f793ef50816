"""One way the game may stand: its designation, and which permanents show their back face.

As a rule there is just one. An uncertain record has several, each with what it assumed; they share everything
that was written down (turns, tallies, who controls what) and differ only in what follows from it.
"""

from __future__ import annotations

from msgspec import Struct

from daynight.events.consequences import Changed, Consequence, EnteredTransformed, Transformed
from daynight.events.terms import Designation, Face

__all__ = ["ANY", "NONE_CAST", "ONE_CAST", "TWO_CAST", "Possibility"]

NONE_CAST, ONE_CAST, TWO_CAST = 1, 2, 4
"""What a check can find of the most spells that one active player of the previous turn cast: 0, 1, 2 or more."""

_FRONT, _BACK = Face

ANY = NONE_CAST | ONE_CAST | TWO_CAST


class Possibility(Struct, frozen=True, gc=False):
    """A designation, the ids of the permanents whose back face is up, and what was assumed.

    `casts` holds which of NONE_CAST, ONE_CAST, TWO_CAST the previous turn may still have been, after what its
    check found. `causes` are the changes that may have made it so: one, as a rule; several where possibilities came
    to agree; None is among them where it may have been so from the beginning of the game, or of the record.
    `turned` has for each permanent how it came to its present face, unless the record found it so.
    """

    designation: Designation = Designation.NEITHER
    backs: frozenset[str] = frozenset()
    casts: int = ANY
    causes: tuple[Changed | None, ...] = (None,)
    turned: dict[str, Transformed | EnteredTransformed] = {}

    def fold(self, consequence: Consequence) -> Possibility:
        """The same possibility after a consequence."""
        if isinstance(consequence, Changed):
            return Possibility(consequence.became, self.backs, self.casts, (consequence,), self.turned)
        if isinstance(consequence, Transformed) and consequence.face is _FRONT:
            backs = self.backs.difference(consequence.permanents)
        elif isinstance(consequence, (Transformed, EnteredTransformed)):
            backs = self.backs.union(consequence.permanents)
        else:
            return self
        turned = self.turned | dict.fromkeys(consequence.permanents, consequence)
        return Possibility(self.designation, backs, self.casts, self.causes, turned)

    def without(self, ids: tuple[str, ...]) -> Possibility:
        """The same possibility when these permanents are no more."""
        if self.turned.keys().isdisjoint(ids) and self.backs.isdisjoint(ids):
            return self
        turned = self.turned.copy()
        for id in ids:
            turned.pop(id, None)
        return Possibility(self.designation, self.backs.difference(ids), self.casts, self.causes, turned)

    def assuming(self, casts: int) -> Possibility:
        """The same possibility, knowing that much of the previous turn's casts."""
        return Possibility(self.designation, self.backs, casts, self.causes, self.turned)

    def face(self, id: str) -> Face:
        """The face of this permanent that is up, whether or not it is face down as well."""
        return _BACK if id in self.backs else _FRONT
