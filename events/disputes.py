"""Disputes and notes: events about the record, not about the game.

Nothing follows from these events, and backing up does not undo them. In a dispute a judge is called, both sides speak,
the judge rules, the ruling is perhaps appealed, and the dispute is closed. A ruling only says what is to happen: a
`judge-ruled` or a `game-backed-up` directly before or after these events carries it out.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from daynight.events.terms import Designation
from daynight.framework.language.happening import Unmarked
from daynight.framework.language.kinds import Name, Number, Saying

__all__ = [
    "DisputeAppealed",
    "DisputeClaimed",
    "DisputeClosed",
    "DisputeOpened",
    "DisputeRuled",
    "NoteAdded",
    "Outcome",
]

Outcome: TypeAlias = Literal["leave", "fix", "back-up"]
"""What a judge orders: leave the game as it is, put its present state right (`fix`), or back it up."""


class _OfADispute(Unmarked, frozen=True, kw_only=True):
    """The fields of every event of a dispute: the name of the dispute, and the person who spoke or acted, `by`."""

    dispute: Name
    by: Name


class DisputeOpened(_OfADispute, frozen=True, kw_only=True, tag="dispute-opened"):
    """A judge was called, about event `about` (the one before if none is given)."""

    about: Number | None = None


class DisputeClaimed(_OfADispute, frozen=True, kw_only=True, tag="dispute-claimed"):
    """What one side says: a designation, free words, or both."""

    designation: Designation | None = None
    says: Saying | None = None


class DisputeRuled(_OfADispute, frozen=True, kw_only=True, tag="dispute-ruled"):
    """The ruling: `leave`, `fix` (with a `designation`, where it is that), or `back-up` to event `to`."""

    outcome: Outcome
    designation: Designation | None = None
    to: Number | None = None
    says: Saying | None = None


class DisputeAppealed(_OfADispute, frozen=True, kw_only=True, tag="dispute-appealed"):
    """The last ruling was appealed: it waits for another."""


class DisputeClosed(_OfADispute, frozen=True, kw_only=True, tag="dispute-closed"):
    """The dispute ended with what was ruled last."""

    outcome: Outcome


class NoteAdded(Unmarked, frozen=True, kw_only=True, tag="note-added"):
    """A note for people on event `about` (the one before if none is given)."""

    by: Name
    says: Saying
    about: Number | None = None
