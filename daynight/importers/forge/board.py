"""The permanents in Forge's log, by card number, or by name while the number is unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from daynight.events.terms import Face
from daynight.importers.forge.lines import Reference

MOST = 5_000
"""The most permanents that are kept: more than in any real game, and no more than a record may have."""


@dataclass(slots=True)
class BoardPermanent:
    """A permanent: its id in the record, its card by the front's name, its controller, and the face shown last.

    `said`: the turn and the face of the last claim, so that the lines of one turn do not repeat the same claim.
    """

    id: str
    front: str
    controller: str
    face: Face = Face.FRONT
    said: tuple[int, Face] | None = None


class Board:
    """The permanents. Newer logs do not give the number of a card when it is cast, but later or never."""

    def __init__(self, catalogued: Mapping[str, str]) -> None:
        self._catalogued = catalogued
        self._backed = frozenset(front for name, front in catalogued.items() if name != front)
        self._numbered: dict[str, BoardPermanent] = {}
        self._unnumbered: dict[str, list[BoardPermanent]] = {}
        self._count = 0
        self._met = 0

    def __len__(self) -> int:
        return self._count

    def front(self, name: str) -> str:
        """Return the front of the card with this name, less the ending ` Token`; an unknown name is its own front."""
        name = name.removesuffix(" Token")
        return self._catalogued.get(name, name)

    def put(self, name: str, number: str | None, controller: str) -> BoardPermanent:
        """Add a permanent and return it; no other one may have its `number` (None: the number is unknown)."""
        self._met += 1
        standing = BoardPermanent(number or f"#{self._met}", self.front(name), controller)
        if number is None:
            self._unnumbered.setdefault(standing.front, []).append(standing)
        else:
            self._numbered[number] = standing
        self._count += 1
        return standing

    def at(self, number: str) -> BoardPermanent | None:
        """Return the permanent with that number, if it is known to be on the battlefield."""
        return self._numbered.get(number)

    def meet(self, card: Reference, controller: str | None = None) -> BoardPermanent | None:
        """Return the permanent that a reference names, and save its number if that was unknown.

        Of several permanents of the same card and controller, the first is returned. None if there is none, or if no
        `controller` is given and several players control one; in this second case `doubtful` returns True.
        """
        if (standing := self._numbered.get(card.number)) is not None:
            return standing
        found = self._candidates(card, controller)
        if not found or len({each.controller for each in found}) > 1:
            return None
        standing = found[0]
        self._unnumbered[standing.front].remove(standing)
        self._numbered[card.number] = standing
        return standing

    def doubtful(self, card: Reference) -> bool:
        """Return whether no permanent has the number of `card`, but one without a known number is the same card."""
        return card.number not in self._numbered and bool(self._candidates(card, None))

    def leave(self, number: str) -> None:
        """Remove the permanent with that number."""
        if self._numbered.pop(number, None) is not None:
            self._count -= 1

    def of(self, player: str) -> list[BoardPermanent]:
        """The permanents that a player controls."""
        unnumbered = [each for several in self._unnumbered.values() for each in several]
        return [each for each in (*self._numbered.values(), *unnumbered) if each.controller == player]

    def shown(self, standing: BoardPermanent, name: str) -> Face | None:
        """Return the face of a permanent that has this name; None if its card has no such face, or no back."""
        if name == standing.front:
            return Face.FRONT if standing.front in self._backed else None
        return Face.BACK if self._catalogued.get(name) == standing.front and " // " not in name else None

    def _candidates(self, card: Reference, controller: str | None) -> list[BoardPermanent]:
        several = self._unnumbered.get(self.front(card.name), [])
        return [each for each in several if controller in (None, each.controller)]
