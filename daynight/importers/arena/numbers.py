"""Arena's numbers and their meaning."""

from __future__ import annotations

from daynight.events.terms import Designation, Step

ARENA = "arena"
"""The `by` of Arena's claims."""

BEGAN = "AnnotationType_NewTurnStarted"
"""The annotation with which a turn begins."""

STEP = "AnnotationType_PhaseOrStepModified"
"""The annotation with which a phase or a step begins."""

CASTS = frozenset({1, 10, 11, 16, 18, 21, 22, 23, 24})
"""The user actions that cast a spell: plain, split halves, adventures, modal sides, prototypes, rooms, omens."""

DESIGNATIONS = {10: Designation.DAY, 11: Designation.NIGHT}
"""Arena's numbers for day and night. All other designations are ignored."""

STEPS: dict[tuple[int, int], Step] = {
    (1, 1): "untap",
    (1, 2): "upkeep",
    (1, 3): "draw",
    (2, 0): "precombat-main",
    (3, 4): "beginning-of-combat",
    (3, 5): "declare-attackers",
    (3, 6): "declare-blockers",
    (3, 7): "combat-damage",
    (3, 11): "combat-damage",
    (3, 8): "end-of-combat",
    (4, 0): "postcombat-main",
    (5, 9): "end",
    (5, 10): "cleanup",
}
"""The steps by Arena's numbers of phase and step. Any other pair is ignored."""
