"""The permanents on Arena's battlefield, in the form in which the record has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from msgspec.structs import replace as replaced

from daynight.events import Characteristics, Face, Permanent
from daynight.importers.arena.cards import known_cards
from daynight.importers.arena.messages import GameObject
from daynight.importers.frame import Options

_CARDS = frozenset({"GameObjectType_Card", "GameObjectType_Token"})

KNOWN = 20_000
"""The most objects whose cards a board remembers (then it forgets half of them), and the most unknown numbers."""


@dataclass(frozen=True, slots=True)
class BoardPermanent:
    """A permanent in its recorded form: `front` and `back` are card numbers, `back` 0 where there is none.

    `daybound`: it has daybound, so the rules determine its face, and the face that Arena shows is a claim.
    `double_faced`: its own card is double-faced, even while it copies a card that is not.
    """

    id: str
    front: int
    back: int
    controller: int
    face: Face
    face_down: bool
    daybound: bool
    double_faced: bool = False


class Board:
    """The permanents by Arena's instance ids, and the card that every object last showed.

    `unknown` are the numbers of unknown cards, which may have to do with day and night. `starts`: a permanent arrived
    that may make it day or night.
    """

    def __init__(self, options: Options) -> None:
        self.permanents: dict[int, BoardPermanent] = {}
        self.unknown: set[int] = set()
        self.starts = False
        self._options = options
        cards = options.cards
        self._names, self._backs = ({}, {}) if cards is None else (cards.names, cards.backs)
        self._daybound = frozenset[int]() if cards is None else cards.daybound
        self._shown: dict[int, int] = {}
        self._before: dict[int, int] | None = None

    def see(self, objects: Iterable[GameObject]) -> None:
        """Remember the cards that objects show; for an ability, the card that it comes from."""
        shown = self._shown
        for each in objects:
            shown[each.instanceId] = each.objectSourceGrpId if each.type == "GameObjectType_Ability" else each.grpId
        if len(shown) > KNOWN:
            for instance in list(shown)[: KNOWN // 2]:
                del shown[instance]

    def agreement(self, objects: Iterable[GameObject]) -> int:
        """Return how many objects show the same card as before, minus those that show another card.

        Within a game an instance id never changes its card; two games use the same ids for different cards. While
        another game is suspected, only cards seen before the suspicion are compared.
        """
        found, shown = 0, self._shown if self._before is None else self._before
        for each in objects:
            before = shown.get(each.instanceId, 0)
            if before and each.type in _CARDS and each.grpId:
                found += 1 if before in (each.grpId, each.othersideGrpId) else -1
        return found

    def suspect(self, suspected: bool) -> None:
        """Note whether another game may have begun; while `suspected`, `agreement` uses the cards shown before that."""
        self._before = (self._before or self._shown.copy()) if suspected else None

    def forget(self, instances: Iterable[int]) -> None:
        """Forget the cards that these objects, which no longer exist, last showed."""
        for instance in instances:
            self._shown.pop(instance, None)

    def card(self, instance: int) -> str | None:
        """Return the name of the card that an object last showed; None if it was never seen."""
        number = self.number(instance)
        return self.name(number) if number > 0 else None

    def number(self, instance: int) -> int:
        """Return the number of the card that an object last showed; 0 if it was never seen."""
        return self._shown.get(instance, 0)

    def front_of(self, instance: int) -> str | None:
        """Return the name of the front face of the card that an object last showed; None if it was never seen."""
        name = self.card(instance)
        return None if name is None else self._options.catalogued.get(name, name)

    def name(self, number: int) -> str:
        """Return the name of the card with this number; `grpId 12345` if no name is known."""
        return self._named(number) or f"grpId {number}"

    def doubt(self, number: int, other: int = 0) -> int:
        """Return 0 if `number` or that of the other side is known; else return `number`, and add it to `unknown`."""
        if number <= 0 or self._is_known(number) or (other > 0 and self._is_known(other)):
            return 0
        if len(self.unknown) < KNOWN:
            self.unknown.add(number)
        return number

    def _named(self, number: int) -> str | None:
        return self._names.get(number) or known_cards().names.get(number)

    def _is_known(self, number: int) -> bool:
        return number in self._names or number in known_cards()

    # ------------------------------------------------------------------------------------------------------ arriving

    def arrive(self, each: GameObject, player: str, was: int = 0) -> Permanent:
        """Put an object on the battlefield under `player`; return it for the record. `was`: its previous instance id.

        An object that showed another card before, and is neither face down nor a token, is recorded as a copy.
        """
        before = self._shown.get(was or each.instanceId, 0)
        options = self._options
        front, back = self._sides(each)
        token = each.type == "GameObjectType_Token"
        copies = before > 0 and before not in (front, back) and not each.isFacedown and not token
        if copies:
            standing = BoardPermanent(
                str(each.instanceId), each.grpId, 0, each.controllerSeatId, Face.FRONT, False, False
            )
            self.permanents[each.instanceId] = standing
            copied = self.copied(each.grpId)
            self.starts = self.starts or bool(copied.keywords)
            return Permanent(
                id=standing.id, card=self.name(before), controller=player, double_faced=False, front=copied
            )
        name = self.name(front)
        first = options.catalogued.get(name)
        daybound = (back != 0 or not token) and (first in options.daybound or front in self._daybound)
        self.starts = self.starts or daybound or first in options.daybound or first in options.starting
        face = Face.BACK if back and each.grpId == back else Face.FRONT
        standing = BoardPermanent(
            str(each.instanceId), front, back, each.controllerSeatId, face, each.isFacedown, daybound, back != 0
        )
        self.permanents[each.instanceId] = standing
        permanent = Permanent(
            id=standing.id,
            card=name,
            controller=player,
            # A daybound permanent enters as the rules say; the face that Arena shows becomes a claim.
            face=Face.FRONT if daybound else face,
            face_down=each.isFacedown,
            token=token,
        )
        if first is None and back:
            return replaced(
                permanent,
                double_faced=True,
                front=Characteristics(name=name, keywords=("daybound",) if daybound else ()),
                back=Characteristics(name=self._back_name(front, back), keywords=("nightbound",) if daybound else ()),
            )
        if first is not None and token and not back:
            # This object has only one side, whatever the catalogue says of the card of that name.
            return replaced(permanent, double_faced=False, front=self.copied(front))
        return permanent

    def copied(self, number: int) -> Characteristics:
        """Return the copied face with this card number: its name, and daybound or nightbound if it has one of them."""
        name = self.name(number)
        first = self._options.catalogued.get(name)
        if number in self._daybound or (first == name and first in self._options.daybound):
            return Characteristics(name=name, keywords=("daybound",))
        if first is not None and first != name and first in self._options.daybound:
            return Characteristics(name=name, keywords=("nightbound",))
        return Characteristics(name=name)

    def _back_name(self, front: int, back: int) -> str:
        return self._named(back) or self._backs.get(front) or self.name(back)

    def _sides(self, each: GameObject) -> tuple[int, int]:
        """Return the card numbers of front and back (0: none). If no table tells them apart, the lower is the front."""
        shown, other = each.grpId, each.othersideGrpId
        if not other or other == shown:
            return shown, 0
        catalogued = self._options.catalogued
        for front, back in ((shown, other), (other, shown)):
            if front in self._backs:
                return front, back
            name = self._named(front)
            if name is not None and name in catalogued:
                return (front, back) if catalogued[name] == name else (back, front)
            if name is not None and self._named(back) is None:
                return front, back
        return (shown, other) if shown < other else (other, shown)

    # ------------------------------------------------------------------------------------------------------- changing

    def change(self, instance: int, **changes: Any) -> BoardPermanent:
        """Change fields of a permanent, such as its face or controller, and return the changed permanent."""
        self.permanents[instance] = standing = replace(self.permanents[instance], **changes)
        return standing
