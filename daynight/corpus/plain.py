"""Decides from the events which games are plain: the vectorised referee can judge those by their columns alone.

A game for which this cannot be decided is not plain.
"""

from __future__ import annotations

from daynight.corpus.schema import WORDS
from daynight.events import actions, claims, disputes
from daynight.events.actions import PermanentsEntered
from daynight.events.permanents import Characteristics, Permanent
from daynight.events.terms import Face

NOTHING_CARES = "nothing-cares"
"""The reason given for a game that is plain only because no card in it can make it day or night."""

PLAIN = frozenset((
    actions.GameStarted, actions.TurnBegan, actions.StepBegan, actions.SpellCast, actions.SpellCopied,
    actions.PermanentsEntered, actions.PermanentsLeft, actions.ControlChanged, actions.EffectResolved,
    actions.PlayerLeft, actions.GameEnded, claims.DesignationClaimed, claims.FaceClaimed, claims.TallyClaimed,
    disputes.NoteAdded,
))  # fmt: skip
"""The types of events that every plain game may have."""

TOUCHING = frozenset((
    actions.TransformInstructed, actions.TransformForbidden, actions.TransformAllowed, actions.TurnedFaceDown,
    actions.TurnedFaceUp, actions.PhasedOut, actions.PhasedIn, actions.AbilitiesLost, actions.AbilitiesRegained,
    actions.BecameCopy, actions.CopyEnded,
))  # fmt: skip
"""The types of events that a plain game may also have if nothing can make it day or night, and no face is claimed."""

_FRONT, _BACK, _TURNS = (WORDS["shows"].index(word) + 1 for word in ("front", "back", "turns"))
_DAY, _NIGHT = (WORDS["gives"].index(word) + 1 for word in ("day", "night"))
_NOTHING = Characteristics()
_OTHER_SIDE = Face.BACK


def faces(permanent: Permanent) -> tuple[Characteristics, ...]:
    """Return those faces that the event of its arrival describes: front, back, both in this order, or none."""
    return tuple([face for face in (permanent.front, permanent.back) if face is not None])


def face_cares(face: Characteristics) -> bool:
    """Return whether a face can make it day or night."""
    return face.day_if_neither or bool(face.keywords)


def cares(permanent: Permanent) -> bool:
    """Return whether either face can make it day or night."""
    return any(face_cares(face) for face in faces(permanent))


def holds(permanent: Permanent) -> bool:
    """Return whether either face keeps permanents from transforming, or the game from becoming night."""
    return any(face.holds is not None for face in faces(permanent))


def shows(permanent: Permanent) -> int:
    """Return what a permanent shows while it stays: 1 the front, 2 the back, 3 it turns by day and night, 0 unknown.

    It turns if both faces are permanents, the front has daybound and the back nightbound, and it has its abilities and
    is face up. It stays as it entered if nothing can turn it.
    """
    front, back = permanent.front or _NOTHING, permanent.back or _NOTHING
    stays = _BACK if permanent.face is _OTHER_SIDE and not permanent.face_down else _FRONT
    if not permanent.double_faced or permanent.face_down or permanent.without_abilities or not back.permanent:
        return stays
    daybound, nightbound = "daybound" in front.keywords, "nightbound" in back.keywords
    if not daybound and not nightbound:
        return stays
    return _TURNS if daybound and nightbound and front.permanent else 0


def gives(event: PermanentsEntered) -> int:
    """Return what an arrival makes it if it is neither: 1 is day, 2 night (as in `WORDS["gives"]`), 0 nothing."""
    found = 0
    for permanent in event.permanents:
        if permanent.face_down or permanent.without_abilities:
            continue
        face = (permanent.back if permanent.face is _OTHER_SIDE else permanent.front) or _NOTHING
        if face.day_if_neither or "daybound" in face.keywords:
            return _DAY
        if "nightbound" in face.keywords:
            found = _NIGHT
    return found


TURNS = _TURNS
"""The result of `shows` for a permanent that turns."""
