"""Day and night as Arena's states say it."""

from __future__ import annotations

from daynight.events.terms import Designation
from daynight.importers.arena.messages import GameState, numbers_of, persistent_annotations
from daynight.importers.arena.numbers import DESIGNATIONS

_KEPT = 64


class Designations:
    """`known` are the designations that are there, by the ids of the annotations that say so."""

    def __init__(self) -> None:
        self.known: dict[int, int] = {}

    def stated(self, state: GameState, annotated: bool) -> Designation | None:
        """What a state says it is now: gained, or there under a new id, or another one under an old id."""
        found: Designation | None = None
        for each in persistent_annotations(state):
            if "AnnotationType_Designation" in each.type:
                kind = numbers_of(each).get("DesignationType", 0)
                if self.known.get(each.id) != kind:
                    found = DESIGNATIONS.get(kind, found)
                if kind in DESIGNATIONS:
                    self.known[each.id] = kind
                    if len(self.known) > _KEPT:
                        del self.known[next(iter(self.known))]
        for annotation in state.annotations if annotated else ():
            if "AnnotationType_GainDesignation" in annotation.type:
                found = DESIGNATIONS.get(numbers_of(annotation).get("DesignationType", 0), found)
        return found
