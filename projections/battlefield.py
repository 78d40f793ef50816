"""Keeps the recorded facts about every permanent. Which face is up is kept in `possibilities`."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daynight.events.permanents import Characteristics, Permanent
from daynight.events.terms import Keyword

_NOTHING = Characteristics()


class Status(Struct, frozen=True, kw_only=True, gc=False):
    """A permanent on the battlefield, with the facts recorded about it since it entered.

    `controller` is None if its last controller left the game and no event names another one; the permanent then has no
    ability and cannot transform. `arrived` is the number of the event that brought it. `out_under` is the player under
    whose control it phased out ("": nobody's), None while it is phased in. `losses` names the effects that take its
    abilities away; `lost`: an effect without a name does; `entered_without`: one did already as it entered.
    """

    permanent: Permanent
    controller: str | None
    arrived: int
    face_down: bool = False
    out_under: str | None = None
    losses: frozenset[str] = frozenset()
    lost: bool = False
    entered_without: bool = False
    copy: Characteristics | None = None

    @property
    def id(self) -> str:
        """The id of the permanent."""
        return self.permanent.id

    @property
    def double_faced(self) -> bool:
        """Whether a double-faced card or token represents it; only those transform."""
        return self.permanent.double_faced is True

    @property
    def phased_in(self) -> bool:
        """Whether it is phased in."""
        return self.out_under is None

    @property
    def acts(self) -> bool:
        """Whether its abilities work: it is phased in, face up and controlled, and no effect took them away."""
        return (
            self.out_under is None
            and self.controller is not None
            and not (self.face_down or self.losses or self.lost or self.entered_without)
        )

    @property
    def matters(self) -> bool:
        """Whether one of its faces, or what it copies, has to do with day and night."""
        for face in (self.permanent.front, self.permanent.back, self.copy):
            if face is not None and (face.keywords or face.day_if_neither or face.watches or face.holds is not None):
                return True
        return False

    def shows(self, backs: frozenset[str]) -> Characteristics:
        """Return the characteristics that it copies, else those of its back if `backs` has its id, else its front's."""
        if self.copy is not None:
            return self.copy
        face = self.permanent.back if self.permanent.id in backs else self.permanent.front
        return face if face is not None else _NOTHING

    def has(self, keyword: Keyword, backs: frozenset[str]) -> bool:
        """Return whether its abilities work and include `keyword`, daybound or nightbound."""
        return self.acts and keyword in self.shows(backs).keywords

    def name(self, backs: frozenset[str]) -> str:
        """Return the name of the characteristics that it shows; the name of its card if they have none."""
        return self.shows(backs).name or self.permanent.card


class Battlefield:
    """All permanents in order of arrival, and the effects that keep some from transforming.

    `permanents` has all of them by id. Three views have some of them: `mattering` those whose abilities work and that
    have to do with day and night; `watching` those of `mattering` with a face that triggers as day or night changes;
    `holding` those with a face that keeps others from transforming, or the game from becoming night, even if that face
    is not up or its abilities do not work. `out` maps the ids of phased-out permanents to the player who controlled
    them then. `forbidden` has for each source of an effect the ids that it keeps from transforming. Other modules only
    read these six. A copy shares them with its original until one of the two changes. `found` is the rules' cache of
    answers about these permanents; it is emptied when `forbidden`, or a permanent that matters to day and night,
    changes.
    """

    __slots__ = ("_shared", "forbidden", "found", "holding", "mattering", "out", "permanents", "watching")

    def __init__(self) -> None:
        self.permanents: dict[str, Status] = {}
        self.mattering: dict[str, Status] = {}
        self.holding: dict[str, Status] = {}
        self.watching: dict[str, Status] = {}
        self.out: dict[str, str] = {}
        self.forbidden: dict[str, frozenset[str]] = {}
        self.found: dict[Hashable, Any] = {}
        self._shared = False

    def __contains__(self, id: str) -> bool:
        return id in self.permanents

    def get(self, id: str) -> Status | None:
        """Return the permanent with this id, or None."""
        return self.permanents.get(id)

    def __getitem__(self, id: str) -> Status:
        return self.permanents[id]

    def __iter__(self) -> Iterator[Status]:
        return iter(self.permanents.values())

    def __len__(self) -> int:
        return len(self.permanents)

    def is_forbidden(self, id: str) -> bool:
        """Return whether a recorded effect says that this permanent can't transform."""
        return bool(self.forbidden) and any(id in ids for ids in self.forbidden.values())

    def copy(self) -> Battlefield:
        """Return an independent copy."""
        other = Battlefield.__new__(Battlefield)
        other.permanents = self.permanents
        other.mattering = self.mattering
        other.holding = self.holding
        other.watching = self.watching
        other.out = self.out
        other.forbidden = self.forbidden
        other.found = self.found
        other._shared = self._shared = True
        return other

    def arrive(self, permanents: Iterable[Permanent], event: int) -> list[Status]:
        """Add the permanents that an event brought; return those that have to do with day and night."""
        if self._shared:
            self._own()
        matter: list[Status] = []
        for permanent in permanents:
            without = permanent.without_abilities
            if without or permanent.face_down or permanent.phased_out:
                status = Status(
                    permanent=permanent,
                    controller=permanent.controller,
                    arrived=event,
                    face_down=permanent.face_down,
                    out_under=permanent.controller if permanent.phased_out else None,
                    losses=frozenset((without,)) if isinstance(without, str) else frozenset(),
                    entered_without=without is True,
                )
            else:
                status = Status(permanent=permanent, controller=permanent.controller, arrived=event)
            self.permanents[permanent.id] = status
            if status.out_under is not None:
                self.out[permanent.id] = status.out_under
            if status.matters:
                self._see(status)
                matter.append(status)
        if matter:
            self.found = {}
        return matter

    def put(self, *statuses: Status) -> None:
        """Store permanents: new ones, or changed ones, which keep their place in the order."""
        if self._shared:
            self._own()
        touched = False
        for status in statuses:
            id = status.permanent.id
            self.permanents[id] = status
            if status.out_under is not None:
                self.out[id] = status.out_under
            else:
                self.out.pop(id, None)
            if status.matters or id in self.mattering or id in self.holding:
                touched = True
        if touched:
            self._view()
            self.found = {}

    def remove(self, *ids: str) -> bool:
        """Remove permanents; return whether one of them was in `holding`."""
        if self._shared:
            self._own()
        touched = held = False
        for id in ids:
            del self.permanents[id]
            self.out.pop(id, None)
            if id in self.mattering:
                touched = True
                del self.mattering[id]
                self.watching.pop(id, None)
            if id in self.holding:
                held = True
                del self.holding[id]
        if touched:
            self.found = {}
        if self.forbidden:
            gone = frozenset(ids)
            self.forbidden = {source: them - gone for source, them in self.forbidden.items()}
        return held

    def forbid(self, source: str, ids: Iterable[str]) -> None:
        """Record that the effect of `source` keeps these permanents, and no longer earlier ones, from transforming."""
        if self._shared:
            self._own()
        self.found = {}
        self.forbidden[source] = frozenset(ids)

    def allow(self, source: str) -> None:
        """End the effect of `source` that keeps permanents from transforming, if one is recorded."""
        if self._shared:
            self._own()
        self.found = {}
        self.forbidden.pop(source, None)

    def control(self, ids: Iterable[str], controller: str | None) -> None:
        """Set the controller of permanents. None: their controller left, and no event names another one."""
        self.put(*[replace(self[id], controller=controller) for id in ids])

    def phase(self, ids: Iterable[str], phased_in: bool) -> None:
        """Phase permanents in, or out under their present controllers."""
        if phased_in:
            self.put(*[replace(self[id], out_under=None) for id in ids])
        else:
            self.put(*[replace(self[id], out_under=self[id].controller or "") for id in ids])

    def turn(self, ids: Iterable[str], face_down: bool) -> None:
        """Turn permanents face down or face up."""
        self.put(*[replace(self[id], face_down=face_down) for id in ids])

    def lose_abilities(self, ids: Iterable[str], source: str | None) -> None:
        """Record that the effect of `source` (None: one without a name) takes the abilities of permanents away."""
        if source is None:
            self.put(*[replace(self[id], lost=True) for id in ids])
        else:
            self.put(*[replace(self[id], losses=self[id].losses | {source}) for id in ids])

    def regain_abilities(self, ids: Iterable[str], source: str | None) -> None:
        """End the effect of `source`, and one without a name under which they entered; None: end all such effects."""
        if source is None:
            self.put(*[replace(self[id], losses=frozenset(), lost=False, entered_without=False) for id in ids])
        else:
            self.put(*[replace(self[id], losses=self[id].losses - {source}, entered_without=False) for id in ids])

    def become_copy(self, ids: Iterable[str], copied: Characteristics | None) -> None:
        """Set the characteristics that permanents copy; None: they stop being copies."""
        self.put(*[replace(self[id], copy=copied) for id in ids])

    def _see(self, status: Status) -> None:
        permanent, acts = status.permanent, status.acts
        if acts:
            self.mattering[permanent.id] = status
        for face in (permanent.front, permanent.back, status.copy):
            if face is not None:
                if face.holds is not None:
                    self.holding[permanent.id] = status
                if acts and face.watches:
                    self.watching[permanent.id] = status

    def _view(self) -> None:
        """Build `mattering`, `holding` and `watching` anew after a change, in order of arrival."""
        self.mattering, self.holding, self.watching = {}, {}, {}
        for status in self.permanents.values():
            if status.matters:
                self._see(status)

    def _own(self) -> None:
        self.permanents = self.permanents.copy()
        self.mattering = self.mattering.copy()
        self.holding = self.holding.copy()
        self.watching = self.watching.copy()
        self.out = self.out.copy()
        self.forbidden = self.forbidden.copy()
        self._shared = False
