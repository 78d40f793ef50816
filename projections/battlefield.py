"""The battlefield: what was recorded of every permanent. Which face is up is in `possibilities`."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daynight.events.permanents import Characteristics, Permanent
from daynight.events.terms import Keyword

__all__ = ["Battlefield", "Status"]

_NOTHING = Characteristics()


class Status(Struct, frozen=True, kw_only=True, gc=False):
    """A permanent on the battlefield, with everything that befell it since it entered.

    `losses` are the named effects that take its abilities away; `lost` an unnamed one; `entered_without` the
    unnamed one it entered under. `arrived` is the number of the event that brought it.
    """

    permanent: Permanent
    controller: str
    arrived: int
    face_down: bool = False
    phased_in: bool = True
    losses: frozenset[str] = frozenset()
    lost: bool = False
    entered_without: bool = False
    copy: Characteristics | None = None

    @property
    def id(self) -> str:
        """Its name among the permanents."""
        return self.permanent.id

    @property
    def double_faced(self) -> bool:
        """Whether a double-faced card or token represents it; only those transform."""
        return self.permanent.double_faced is True

    @property
    def acts(self) -> bool:
        """Whether its abilities work: it is phased in, not face down, and has them."""
        return self.phased_in and not (self.face_down or self.losses or self.lost or self.entered_without)

    @property
    def matters(self) -> bool:
        """Whether any of its faces, or what it copies, could ever concern day and night."""
        front, back, copy = self.permanent.front, self.permanent.back, self.copy
        return (
            (front is not None and _matters(front))
            or (back is not None and _matters(back))
            or (copy is not None and _matters(copy))
        )

    @property
    def holds(self) -> bool:
        """Whether any of its faces, or what it copies, holds others, or the night."""
        front, back, copy = self.permanent.front, self.permanent.back, self.copy
        return (
            (front is not None and front.holds is not None)
            or (back is not None and back.holds is not None)
            or (copy is not None and copy.holds is not None)
        )

    @property
    def watches(self) -> bool:
        """Whether any of its faces, or what it copies, watches for day and night."""
        front, back, copy = self.permanent.front, self.permanent.back, self.copy
        return (
            (front is not None and front.watches)
            or (back is not None and back.watches)
            or (copy is not None and copy.watches)
        )

    def turns(self, backs: frozenset[str]) -> bool:
        """Whether it could turn over if nothing forbids it.

        It is double-faced, phased in and not face down, and its other face is a permanent's.
        """
        permanent = self.permanent
        if not (permanent.double_faced is True and self.phased_in) or self.face_down:
            return False
        other = permanent.front if permanent.id in backs else permanent.back
        return other is not None and other.permanent

    def shows(self, backs: frozenset[str]) -> Characteristics:
        """Its characteristics, given which permanents show their back: those it copies, or its face's."""
        if self.copy is not None:
            return self.copy
        face = self.permanent.back if self.permanent.id in backs else self.permanent.front
        return face if face is not None else _NOTHING

    def has(self, keyword: Keyword, backs: frozenset[str]) -> bool:
        """Whether it has daybound, or nightbound, now."""
        return self.acts and keyword in self.shows(backs).keywords

    def name(self, backs: frozenset[str]) -> str:
        """The name of the face that is up; that of the card where the face was given none."""
        return self.shows(backs).name or self.permanent.card


def _matters(face: Characteristics) -> bool:
    return bool(face.keywords) or face.day_if_neither or face.watches or face.holds is not None


class Battlefield:
    """All permanents in order of arrival, and the effects that forbid some to transform.

    Copies share their permanents until one of them changes. `found` is for what the rules found out of just these
    permanents and want to remember: it is empty again after any change of one that matters.
    """

    __slots__ = ("_forbidden", "_holding", "_mattering", "_permanents", "_shared", "_watching", "found")

    def __init__(self) -> None:
        self._permanents: dict[str, Status] = {}
        self._mattering: dict[str, Status] = {}
        self._holding: dict[str, Status] = {}
        self._watching: dict[str, Status] = {}
        self._forbidden: dict[str, frozenset[str]] = {}
        self.found: dict[Hashable, Any] = {}
        self._shared = False

    def __contains__(self, id: str) -> bool:
        return id in self._permanents

    def get(self, id: str) -> Status | None:
        """The permanent of that id, or None."""
        return self._permanents.get(id)

    def __getitem__(self, id: str) -> Status:
        return self._permanents[id]

    def __iter__(self) -> Iterator[Status]:
        return iter(self._permanents.values())

    def __len__(self) -> int:
        return len(self._permanents)

    @property
    def mattering(self) -> Collection[Status]:
        """The permanents that could ever concern day and night, in order of arrival."""
        return self._mattering.values()

    @property
    def holding(self) -> Collection[Status]:
        """Those of which some face or copied value holds others, or the night."""
        return self._holding.values()

    @property
    def watching(self) -> Collection[Status]:
        """Those of which some face or copied value watches for day and night."""
        return self._watching.values()

    def is_forbidden(self, id: str) -> bool:
        """Whether a recorded effect says that this permanent can't transform."""
        return bool(self._forbidden) and any(id in ids for ids in self._forbidden.values())

    def copy(self) -> Battlefield:
        """The same battlefield, apart."""
        other = Battlefield.__new__(Battlefield)
        other._permanents = self._permanents
        other._mattering = self._mattering
        other._holding = self._holding
        other._watching = self._watching
        other._forbidden = self._forbidden
        other.found = self.found
        other._shared = self._shared = True
        return other

    def put(self, *statuses: Status) -> bool:
        """New permanents, or other statuses of such as are there. Whether any of them matters, or did."""
        if self._shared:
            self._own()
        permanents, mattering = self._permanents, self._mattering
        touched = changed = False
        for status in statuses:
            id = status.permanent.id
            known = id in permanents
            permanents[id] = status
            if status.matters:
                touched = True
                if known:
                    changed = True
                else:
                    self._see(status)
            elif id in mattering:
                touched = True
                self._overlook(id)
        if changed:
            self._view()
        if touched:
            self.found = {}
        return touched

    def remove(self, *ids: str) -> bool:
        """They left; a new permanent of the same id is a new object. Whether any of them mattered."""
        if self._shared:
            self._own()
        permanents, mattering = self._permanents, self._mattering
        touched = False
        for id in ids:
            del permanents[id]
            if id in mattering:
                self._overlook(id)
                touched = True
        if touched:
            self.found = {}
        if self._forbidden:
            gone = frozenset(ids)
            self._forbidden = {source: held - gone for source, held in self._forbidden.items()}
        return touched

    def forbid(self, source: str, ids: Iterable[str]) -> None:
        """An effect forbids exactly these to transform."""
        if self._shared:
            self._own()
        self.found = {}
        self._forbidden[source] = frozenset(ids)

    @property
    def forbidding(self) -> Collection[str]:
        """The sources of the recorded effects that forbid anything to transform."""
        return self._forbidden.keys()

    def allow(self, source: str) -> None:
        """That effect ended, if it was there."""
        if self._shared:
            self._own()
        self.found = {}
        self._forbidden.pop(source, None)

    def control(self, ids: Iterable[str], controller: str) -> None:
        """Another player controls them."""
        self.put(*[replace(self[id], controller=controller) for id in ids])

    def phase(self, ids: Iterable[str], phased_in: bool) -> None:
        """They phase in, or out."""
        self.put(*[replace(self[id], phased_in=phased_in) for id in ids])

    def turn(self, ids: Iterable[str], face_down: bool) -> None:
        """They are turned face down, or face up."""
        self.put(*[replace(self[id], face_down=face_down) for id in ids])

    def lose_abilities(self, ids: Iterable[str], source: str | None) -> None:
        """An effect takes their abilities away."""
        if source is None:
            self.put(*[replace(self[id], lost=True) for id in ids])
        else:
            self.put(*[replace(self[id], losses=self[id].losses | {source}) for id in ids])

    def regain_abilities(self, ids: Iterable[str], source: str | None) -> None:
        """That effect ended, and with it the unnamed one they entered under; without a source, all did."""
        if source is None:
            self.put(*[replace(self[id], losses=frozenset(), lost=False, entered_without=False) for id in ids])
        else:
            self.put(*[replace(self[id], losses=self[id].losses - {source}, entered_without=False) for id in ids])

    def become_copy(self, ids: Iterable[str], copied: Characteristics | None) -> None:
        """Their copiable values are these; None: their own again."""
        self.put(*[replace(self[id], copy=copied) for id in ids])

    def _see(self, status: Status) -> None:
        id = status.permanent.id
        self._mattering[id] = status
        if status.holds:
            self._holding[id] = status
        if status.watches:
            self._watching[id] = status

    def _overlook(self, id: str) -> None:
        del self._mattering[id]
        self._holding.pop(id, None)
        self._watching.pop(id, None)

    def _view(self) -> None:
        """See all of them again: one that was there has changed, and the order is that of arrival."""
        self._mattering, self._holding, self._watching = {}, {}, {}
        for status in self._permanents.values():
            if status.matters:
                self._see(status)

    def _own(self) -> None:
        self._permanents = self._permanents.copy()
        self._mattering = self._mattering.copy()
        self._holding = self._holding.copy()
        self._watching = self._watching.copy()
        self._forbidden = self._forbidden.copy()
        self._shared = False
