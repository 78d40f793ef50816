"""Refuses a permanent that is face down and has `face: back`."""

from __future__ import annotations

from collections.abc import Callable

from daynight.events import GameJoined, Permanent, PermanentsEntered
from daynight.events.terms import Face
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _


def check_one_side(
    event: PermanentsEntered | GameJoined, *, stored: Callable[[Permanent], bool] = lambda one: False
) -> None:
    """Refuse a permanent that is face down and has `face: back`: a face-down permanent shows no face.

    A permanent for which `stored` is true is not checked: a store may have accepted it before this check existed.

    Raises:
        UnreadableError: where there is such a permanent; `path` is that of its face.
    """
    for place, one in enumerate(event.permanents):
        if one.face_down and one.face is Face.BACK and not stored(one):
            sentence = _("{id} is face down, so no face of it is up; leave out {field}")
            path = f"$.permanents[{place}].face"
            raise UnreadableError(sentence.format(id=repr(one.id), field="face"), path=path)
