"""Consequences of events: derived again on each replay, never stored in a record.

Every consequence names the `rule` (a key of the citation table), the `event` that caused it and, in `because`,
the events from which it follows. `certain` is False where it happened in only some of the possibilities. `implied`
is True where it came from an untap step that the record leaves out: `event` is then the first event after that step.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from msgspec import Struct

from daynight.events.terms import Designation, Face

__all__ = [
    "Caused",
    "Changed",
    "Consequence",
    "EnteredTransformed",
    "PhasedBack",
    "PutOnStack",
    "Refused",
    "Restored",
    "Transformed",
    "Triggered",
]


class Caused(Struct, frozen=True, kw_only=True, repr_omit_defaults=True, gc=False):
    """The common part of all consequences."""

    event: int
    rule: str
    because: tuple[int, ...]
    certain: bool = True
    implied: bool = False

    @property
    def type(self) -> str:
        """The kind of consequence, as JSON documents spell it: `changed`, `entered-transformed`."""
        return re.sub("(?<!^)(?=[A-Z])", "-", self.__class__.__name__).lower()


class Changed(Caused, frozen=True, kw_only=True):
    """The designation changed from `was` to `became`, in turn `turn`.

    If the untap step's check changed it: `checked_turn` is the previous turn, whose spells it counted (None: unknown),
    `players` are the active players of that turn, and `uncounted` the spells that others cast in it: event, player,
    card.
    """

    turn: int
    was: Designation
    became: Designation
    checked_turn: int | None = None
    players: tuple[str, ...] = ()
    uncounted: tuple[tuple[int, str, str | None], ...] = ()


class _OfPermanents(Caused, frozen=True, kw_only=True):
    """The common part of consequences that several permanents may have at once."""

    permanents: tuple[str, ...]


class Transformed(_OfPermanents, frozen=True, kw_only=True):
    """These permanents transformed, all at once; `face` is the one now up."""

    face: Face


class EnteredTransformed(_OfPermanents, frozen=True, kw_only=True):
    """These permanents entered with their back face up; that is not transforming."""


class Refused(_OfPermanents, frozen=True, kw_only=True):
    """These permanents were told to transform and did not; `rule` names the rule that kept them from it."""


class Triggered(Caused, frozen=True, kw_only=True):
    """An ability of `permanent` triggered as the designation changed.

    `was` and `became` are None where the possibilities do not agree on them. `controller` controlled the permanent as
    it triggered. `stacked` is the first event by which the record shows the ability on the stack, or None where the
    record does not show when, or it never went there.
    """

    turn: int
    permanent: str
    was: Designation | None
    became: Designation | None
    controller: str | None = None
    stacked: int | None


class PhasedBack(_OfPermanents, frozen=True, kw_only=True):
    """These permanents phased in as an untap step began: its player had controlled them when they phased out."""


class PutOnStack(Caused, frozen=True, kw_only=True):
    """Triggers that waited since the untap step went on the stack; `because` lists the events that triggered them."""


class Restored(Caused, frozen=True, kw_only=True):
    """The state is again what it was after event `to`."""

    to: int


Consequence: TypeAlias = (
    Changed | Transformed | EnteredTransformed | Refused | Triggered | PhasedBack | PutOnStack | Restored
)
"""Whatever may follow from an event of day and night."""
