"""A possibility: a designation that the game may have, and the permanents that then show their back face.

Mostly there is one. An uncertain record has several, each with its assumptions. They share all recorded facts (turns,
tallies, controllers) and differ only in the consequences.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct

from daynight.events import Changed, Consequence, Designation, EnteredTransformed, Face, Transformed

NONE_CAST, ONE_CAST, TWO_CAST = 1, 2, 4
FINDINGS = (NONE_CAST, ONE_CAST, TWO_CAST)
"""The findings of a check, a bit each: the active player of the previous turn who cast most cast 0, 1, or 2 or more."""

_FRONT, _BACK = Face

ANY = NONE_CAST | ONE_CAST | TWO_CAST


class Possibility(Struct, frozen=True, gc=False):
    """A designation, the ids of the permanents whose back face is up, and the assumptions.

    `casts` are the findings (NONE_CAST, ONE_CAST, TWO_CAST) that are still possible for the previous turn after its
    check. `causes` are the changes that may have led to the designation: mostly one; several if possibilities were
    merged; None means "so from the beginning of the game or record". `turned` has, for each permanent that transformed
    or entered back face up, the consequence that set its present face. If merged possibilities differ in that, `ways`
    has all those consequences; None among them: it did neither.
    """

    designation: Designation = Designation.NEITHER
    backs: frozenset[str] = frozenset()
    casts: int = ANY
    causes: tuple[Changed | None, ...] = (None,)
    turned: dict[str, Transformed | EnteredTransformed] = {}
    ways: dict[str, tuple[Transformed | EnteredTransformed | None, ...]] = {}

    def fold(self, consequence: Consequence) -> Possibility:
        """Return the possibility after a consequence."""
        if isinstance(consequence, Changed):
            return Possibility(consequence.became, self.backs, self.casts, (consequence,), self.turned, self.ways)
        if isinstance(consequence, Transformed) and consequence.face is _FRONT:
            backs = self.backs.difference(consequence.permanents)
        elif isinstance(consequence, (Transformed, EnteredTransformed)):
            backs = self.backs.union(consequence.permanents)
        else:
            return self
        turned = self.turned | dict.fromkeys(consequence.permanents, consequence)
        ways = self.ways and _without(self.ways, consequence.permanents)
        return Possibility(self.designation, backs, self.casts, self.causes, turned, ways)

    def without(self, ids: tuple[str, ...]) -> Possibility:
        """Return the possibility without these permanents."""
        if self.turned.keys().isdisjoint(ids) and self.backs.isdisjoint(ids):
            return self
        turned, ways = _without(self.turned, ids), self.ways and _without(self.ways, ids)
        return Possibility(self.designation, self.backs.difference(ids), self.casts, self.causes, turned, ways)

    def assuming(self, casts: int) -> Possibility:
        """Return the possibility with `casts` as the findings that are possible for the previous turn."""
        return Possibility(self.designation, self.backs, casts, self.causes, self.turned, self.ways)

    def face(self, id: str) -> Face:
        """Return which face of a permanent is up, also if it is face down."""
        return _BACK if id in self.backs else _FRONT

    def came_to(self, id: str) -> tuple[Transformed | EnteredTransformed | None, ...]:
        """Return the consequences that may have set a permanent's face; None: it never turned over."""
        return self.ways.get(id) or (self.turned.get(id),)

    def met(self, other: Possibility, causes: int) -> Possibility:
        """Merge this possibility with `other`, which no rule can tell from it.

        Of the changes that may have led to either, the result keeps the oldest ones; `causes` is how many.
        """
        both = dict.fromkeys((*self.causes, *other.causes))
        in_order = sorted(both, key=lambda change: change.event if change is not None else 0)
        turned, ways = self.turned, self.ways
        if turned != other.turned or ways != other.ways:
            ways = {}
            for id in sorted({*self.turned, *self.ways, *other.turned, *other.ways}):
                found = tuple(dict.fromkeys((*self.came_to(id), *other.came_to(id))))
                if len(found) > 1:
                    ways[id] = found[:causes]
            turned = other.turned | self.turned
        return Possibility(self.designation, self.backs, self.casts, tuple(in_order[:causes]), turned, ways)


_Value = TypeVar("_Value")


def _without(found: dict[str, _Value], ids: tuple[str, ...]) -> dict[str, _Value]:
    """Return `found` without these ids; `found` itself if it has none of them."""
    if found.keys().isdisjoint(ids):
        return found
    left = found.copy()
    for id in ids:
        left.pop(id, None)
    return left
