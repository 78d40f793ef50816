"""The rules for a permanent as it enters the battlefield, before it is there."""

from __future__ import annotations

from collections.abc import Sequence

from daynight.events import Changed, Characteristics, Designation, EnteredTransformed, Face, Permanent
from daynight.projections.battlefield import Status
from daynight.rules.designation import Circumstances, fired

_FRONT, _BACK = Face
_NIGHT = Designation.NIGHT
_NOTHING = Characteristics()


def told_to_enter(permanents: Sequence[Permanent], *, event: int) -> EnteredTransformed | None:
    """Return the permanents that an effect makes enter back face up, but not face down; None if there are none."""
    ids: tuple[str, ...] = ()
    for permanent in permanents:
        if permanent.face is _BACK and not permanent.face_down:
            ids = (*ids, permanent.id)
    return EnteredTransformed(event=event, rule="told-to-enter", because=(event,), permanents=ids) if ids else None


def day_if_neither(designation: Designation, entering: Sequence[Status], *, event: int, turn: int) -> Changed | None:
    """Return the change by "if it's neither day nor night, it becomes day as this enters"; else None.

    A permanent has this ability as it enters if it would have it on the battlefield.
    """
    for status in entering:
        if status.acts and _entering_face(status).day_if_neither:
            return fired("day-if-neither", designation, Circumstances(), event, turn)
    return None


def enters_transformed(
    designation: Designation, entering: Sequence[Status], *, event: int
) -> EnteredTransformed | None:
    """Return the daybound double-faced cards that enter back face up because it is night; None if there are none.

    A token is not a card: it enters front face up and turns over at once. A card stays front face up if its back is an
    instant or sorcery, or if it enters face down or without abilities.
    """
    if designation is not _NIGHT:
        return None
    ids = tuple([status.id for status in entering if _turns_as_it_enters(status)])
    return EnteredTransformed(event=event, rule="daybound-enters", because=(event,), permanents=ids) if ids else None


def _turns_as_it_enters(status: Status) -> bool:
    permanent = status.permanent
    return (
        status.acts
        and status.double_faced
        and not permanent.token
        and permanent.face is _FRONT
        and "daybound" in _entering_face(status).keywords
        and permanent.back is not None
        and permanent.back.permanent
    )


def _entering_face(status: Status) -> Characteristics:
    permanent = status.permanent
    face = permanent.back if permanent.face is _BACK else permanent.front
    return face if face is not None else _NOTHING
