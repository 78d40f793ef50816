"""The battlefield: what was recorded of every permanent. Which face is up is in `possibilities`."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from daynight.events.permanents import Characteristics, Permanent
from daynight.events.terms import Keyword

__all__ = ["Battlefield", "Status"]

_NOTHING = Characteristics()


class Status(Struct, frozen=True, kw_only=True, gc=False):
    """A permanent on the battlefield, with everything that befell it since it entered.

    `losses` are the named effects that take its abilities away; `lost` an unnamed one; `entered_without` the
    unnamed one it entered under. `arrived` is the number of the event that brought it. The last ones are found out
    from the others: `acts`, whether its abilities work (it is phased in, not face down, and has them); whether any
    of its faces, or what it copies, `holds` others or `watches`, or in any way `matters` to day and night; whether
    it could turn `to_back` or `to_front`, if nothing forbids it: it is double-faced, phased in and not face down,
    and that face is a permanent's.
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
    acts: bool = False
    matters: bool = False
    holds: bool = False
    watches: bool = False
    to_back: bool = False
    to_front: bool = False

    def __post_init__(self) -> None:
        """Find out once what the rules ask again and again."""
        lacks = self.losses or self.lost or self.entered_without
        force_setattr(self, "acts", self.phased_in and not self.face_down and not lacks)
        permanent = self.permanent
        turns = permanent.double_faced is True and self.phased_in and not self.face_down
        force_setattr(self, "to_back", turns and permanent.back is not None and permanent.back.permanent)
        force_setattr(self, "to_front", turns and permanent.front is not None and permanent.front.permanent)
        holds = watches = matters = False
        for face in (permanent.front, permanent.back, self.copy):
            if face is not None:
                holds = holds or face.holds is not None
                watches = watches or face.watches
                matters = matters or bool(face.keywords or face.day_if_neither)
        force_setattr(self, "holds", holds)
        force_setattr(self, "watches", watches)
        force_setattr(self, "matters", matters or holds or watches)

    @property
    def id(self) -> str:
        """Its name among the permanents."""
        return self.permanent.id

    @property
    def double_faced(self) -> bool:
        """Whether a double-faced card or token represents it; only those transform."""
        return self.permanent.double_faced is True

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


class Battlefield:
    """All permanents in order of arrival, and the effects that forbid some to transform.

    Copies share their permanents until one of them changes. `found` is for what the rules found out of just these
    permanents and want to remember: it is empty again after any change of one that matters.
    """

    __slots__ = ("_forbidden", "_mattering", "_permanents", "_shared", "found")

    def __init__(self) -> None:
        self._permanents: dict[str, Status] = {}
        self._mattering: dict[str, Status] = {}
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
    def holding(self) -> tuple[Status, ...]:
        """Those of which some face or copied value holds others, or the night."""
        try:
            holding: tuple[Status, ...] = self.found["holding"]
        except KeyError:
            holding = tuple([status for status in self._mattering.values() if status.holds])
            self.found["holding"] = holding
        return holding

    @property
    def watching(self) -> tuple[Status, ...]:
        """Those of which some face or copied value watches for day and night."""
        try:
            watching: tuple[Status, ...] = self.found["watching"]
        except KeyError:
            watching = tuple([status for status in self._mattering.values() if status.watches])
            self.found["watching"] = watching
        return watching

    def is_forbidden(self, id: str) -> bool:
        """Whether a recorded effect says that this permanent can't transform."""
        return bool(self._forbidden) and any(id in ids for ids in self._forbidden.values())

    def copy(self) -> Battlefield:
        """The same battlefield, apart."""
        other = Battlefield.__new__(Battlefield)
        other._permanents = self._permanents
        other._mattering = self._mattering
        other._forbidden = self._forbidden
        other.found = self.found
        other._shared = self._shared = True
        return other

    def put(self, *statuses: Status) -> None:
        """New permanents, or other statuses of such as are there."""
        self._own()
        begins = False
        for status in statuses:
            id = status.permanent.id
            known = id in self._permanents
            self._permanents[id] = status
            if status.matters:
                begins = begins or (known and id not in self._mattering)
                self._mattering[id] = status
                self.found = {}
            elif id in self._mattering:
                del self._mattering[id]
                self.found = {}
        if begins:
            # In order of arrival again.
            self._mattering = {id: status for id, status in self._permanents.items() if status.matters}

    def remove(self, *ids: str) -> None:
        """They left; a new permanent of the same id is a new object."""
        self._own()
        gone = frozenset(ids)
        for id in gone:
            del self._permanents[id]
            if id in self._mattering:
                del self._mattering[id]
                self.found = {}
        if self._forbidden:
            self._forbidden = {source: held - gone for source, held in self._forbidden.items()}

    def forbid(self, source: str, ids: Iterable[str]) -> None:
        """An effect forbids exactly these to transform."""
        self._own()
        self.found = {}
        self._forbidden[source] = frozenset(ids)

    @property
    def forbidding(self) -> Collection[str]:
        """The sources of the recorded effects that forbid anything to transform."""
        return self._forbidden.keys()

    def allow(self, source: str) -> None:
        """That effect ended, if it was there."""
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

    def _own(self) -> None:
        if self._shared:
            self._permanents = self._permanents.copy()
            self._mattering = self._mattering.copy()
            self._forbidden = self._forbidden.copy()
            self._shared = False
