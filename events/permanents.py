"""The permanents that an event puts on the battlefield: their faces and how they enter."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from daynight.events.terms import Face, Keyword
from daynight.framework.language.kinds import Name


class Characteristics(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, repr_omit_defaults=True
):
    """One face: what the rules of day and night can see of it.

    `permanent` is False for the face of an instant or sorcery. `day_if_neither`: "if it's neither day nor
    night, it becomes day as this enters". `watches`: triggers whenever day becomes night or night becomes
    day. `holds`: a static ability that forbids others to transform, or ("night") the game to become night.
    """

    name: Name | None = None
    keywords: tuple[Keyword, ...] = ()
    types: tuple[Name, ...] = ()
    subtypes: tuple[Name, ...] = ()
    permanent: bool = True
    day_if_neither: bool = False
    watches: bool = False
    holds: Literal["non-human-werewolves-you-control", "night"] | None = None


class Permanent(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, repr_omit_defaults=True
):
    """A permanent as it enters the battlefield.

    With `card` alone the catalogue fills in `double_faced`, `front` and `back`; what is stored is always the
    filled-in form, where neither `double_faced` nor `front` is None. `face` is the face that an effect tells it
    to enter with. `without_abilities`: True, or the name of the effect that takes all abilities away.
    `phased_out`: it was found phased out; in game-joined alone.
    """

    id: Name
    card: Name
    controller: Name
    double_faced: bool | None = None
    front: Characteristics | None = None
    back: Characteristics | None = None
    face: Face = Face.FRONT
    face_down: bool = False
    without_abilities: bool | Name = False
    token: bool = False
    phased_out: bool = False
