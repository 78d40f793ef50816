"""Obstacles: why a permanent does not show the face of day or night, where it does not."""

from __future__ import annotations

from daynight.events.terms import Designation, Face, Keyword
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _, card_word
from daynight.projections.battlefield import Status
from daynight.projections.sentences import names
from daynight.referee.state import State
from daynight.rules.holding import holding


def obstacle(state: State, status: Status) -> str:
    """What keeps a permanent that has daybound or nightbound from its other face, in a sentence.

    Empty where it shows the face of day or night, or has neither keyword, or where the record leaves either open.
    """
    face = state.face(status.id)
    keyword = _keyword(state.designation, face)
    if keyword is None or status.face_down or not _concerned(status, keyword):
        return ""
    backs = state.possibilities[0].backs
    permanent = status.permanent
    other = permanent.back if face is Face.FRONT else permanent.front
    if not status.phased_in:
        return _("It is phased out, and what is phased out does not follow day and night.")
    if status.controller is None:
        return _("Its controller left the game; until the record says who controls it, it can't transform.")
    if not status.acts:
        return _("It has lost its abilities, and does not follow day and night without them.")
    if status.copy is not None and keyword not in status.copy.keywords:
        return _("It is a copy, and follows day and night only as what it copies does.")
    if not status.double_faced:
        return _("It is not double-faced, and only what is double-faced transforms.")
    if other is not None and not other.permanent:
        return _("Its other face is an instant or sorcery, and nothing transforms into that.")
    sources = [card_word(source) for source, ids in state.battlefield.forbidden.items() if status.id in ids]
    there = {id: state.battlefield[id].permanent for id in holding(state.battlefield, backs, status.controller)}
    sources += [names((id,), there) for id in there]
    return _("It can't transform, because of {sources}.").format(sources=commas(sources)) if sources else ""


def _keyword(designation: Designation | None, face: Face | None) -> Keyword | None:
    """What would turn this face over: daybound by night, nightbound by day; None where that face is the right one."""
    if designation is Designation.NIGHT and face is Face.FRONT:
        return "daybound"
    return "nightbound" if designation is Designation.DAY and face is Face.BACK else None


def _concerned(status: Status, keyword: Keyword) -> bool:
    """Whether the face that is up has this keyword, or what it copies has."""
    printed = status.permanent.front if keyword == "daybound" else status.permanent.back
    return any(face is not None and keyword in face.keywords for face in (printed, status.copy))
