"""The permanents in XMage's log."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from daynight.events.terms import Designation, Face
from daynight.importers.xmage.messages import Reference

MOST = 1_000
"""The most permanents that are kept: far more than any game has."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A permanent: its id in the record, its card by the front's name, its controller, and the face shown last.

    `copied` is the name that it shows while it copies another card. `full` is the log's id, `short` its first digits.
    """

    id: str
    front: str
    controller: str
    full: str = ""
    short: str = ""
    face: Face = Face.FRONT
    copied: str | None = None
    phased_out: bool = False
    token: bool = False

    def is_called(self, front: str, copied: str) -> bool:
        """Return whether `front` is the front of its card, or `copied` the name of the card that it copies."""
        return front == self.front or copied == self.copied


Kept: TypeAlias = tuple[dict[str, Standing], dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Before:
    """The situation just before a turn began: `events`: how many events came, `before`: the number of the turn then."""

    events: int
    before: int
    active: str
    board: Kept
    designation: Designation | None
    lost: bool
    left: frozenset[str]


class Board:
    """The permanents, by the log's ids if it has them, else by their names."""

    def __init__(self, catalogued: Mapping[str, str]) -> None:
        self._catalogued = catalogued
        self._backed = frozenset(front for name, front in catalogued.items() if name != front)
        self._all: dict[str, Standing] = {}
        self._by_short: dict[str, tuple[str, ...]] = {}
        self._by_front: dict[str, tuple[str, ...]] = {}
        self._used: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._all)

    def standing(self) -> list[Standing]:
        """Return all permanents, phased-out ones too, in the order of their arrival."""
        return [*self._all.values()]

    def front(self, name: str) -> str:
        """Return the front of the card with this name, less the ending ` Token`; an unknown name is its own front."""
        return self._catalogued.get(name) or self._catalogued.get(name.removesuffix(" Token"), name)

    def kept(self) -> Kept:
        """Return the present permanents, to be restored later."""
        return dict(self._all), dict(self._by_short), dict(self._by_front)

    def restore(self, kept: Kept) -> None:
        """Restore the permanents."""
        standing, by_short, by_front = kept
        self._all, self._by_short, self._by_front = dict(standing), dict(by_short), dict(by_front)

    def new_id(self, card: Reference) -> str:
        """Return a new id for a permanent: its short id, with a number if used before; `#` and a number without one."""
        name = card.short or "#"
        self._used[name] = count = self._used.get(name, 0) + 1
        if name == "#":
            return f"#{count}"
        return name if count == 1 else f"{name}-{count}"

    def put(self, standing: Standing) -> None:
        """Add a permanent, or change it."""
        if standing.id not in self._all:
            for index, key in ((self._by_short, standing.short), (self._by_front, standing.front)):
                index[key] = (*index.get(key, ()), standing.id)
        self._all[standing.id] = standing

    def take(self, standing: Standing) -> None:
        """Remove a permanent."""
        del self._all[standing.id]
        for index, key in ((self._by_short, standing.short), (self._by_front, standing.front)):
            index[key] = tuple(each for each in index[key] if each != standing.id)

    def alike(self, card: Reference) -> list[Standing]:
        """Return the permanents of the card with this name or, if there are none, those that copy it."""
        front = self.front(card.name)
        named = [self._all[id] for id in self._by_front.get(front, ())]
        return named or [each for each in self._all.values() if each.copied == card.name]

    def meet(self, card: Reference, controller: str | None = None) -> Standing | None:
        """Return the permanent that `card` means; None if none is known.

        A full id suffices. With a short id the name has to match too, because two cards may share its three digits. If
        `card` has no id, return the first permanent of its name that `controller` controls (None: any player); but None
        if several players control one.
        """
        if not card.short and not card.full:
            several = [each for each in self.alike(card) if controller in (None, each.controller)]
            return several[0] if len({each.controller for each in several}) == 1 else None
        # Where the digits are not written, they begin the full id.
        several = [self._all[id] for id in self._by_short.get(card.short or card.full[:3], ())]
        if card.full and (sure := [each for each in several if each.full == card.full]):
            return sure[0]
        front = self.front(card.name)
        return next(
            (each for each in several if each.is_called(front, card.name) and not (card.full and each.full)), None
        )

    def phase(self, active: str, inside: Collection[str], outside: Collection[str]) -> None:
        """Phase as in an untap step: `outside` phases out, `inside` and all others of the active player phase in."""
        for each in [each for each in self._all.values() if each.phased_out or each.id in outside]:
            if each.id in outside:
                self.change(each, phased_out=True)
            elif each.id in inside or each.controller == active:
                self.change(each, phased_out=False)

    @staticmethod
    def copy(standing: Standing, of: str) -> Standing:
        """Return `standing` changed into a copy of the card named `of`; the board stays as it is."""
        return replace(standing, copied=of)

    @staticmethod
    def turned(standing: Standing, face: Face) -> Standing:
        """Return `standing` with that face up; the board stays as it is."""
        return replace(standing, face=face)

    def change(self, standing: Standing, **fields: Any) -> Standing:
        """Change fields of a permanent; return the changed one."""
        changed = replace(standing, **fields)
        self.put(changed)
        return changed

    def shown(self, standing: Standing, name: str) -> Face | None:
        """Return the face with this name; None if the card has no such face or no back, or is a copy."""
        if standing.copied is not None:
            return None
        name = name.removesuffix(" Token") if name not in self._catalogued else name
        if name == standing.front:
            return Face.FRONT if name in self._backed else None
        return Face.BACK if self._catalogued.get(name) == standing.front and " // " not in name else None

    def is_back(self, name: str) -> bool:
        """Return whether this is the name of a back."""
        return self._catalogued.get(name, name) != name and " // " not in name
