"""Which permanents are on the battlefield while a file is read, and who controls them: for `both of Bo's creatures`."""

from __future__ import annotations

from msgspec.structs import replace

from daynight.cards import Catalogue
from daynight.cards.names import BASICS, basic
from daynight.events import (
    ControlChanged,
    Event,
    GameBackedUp,
    GameJoined,
    GameRestarted,
    GameStarted,
    Permanent,
    PermanentsLeft,
    PlayerLeft,
)


class There:
    """The permanents on the battlefield, with their controllers; unknown after a back-up, or after a player left."""

    def __init__(self) -> None:
        self.permanents: dict[str, Permanent] = {}
        self._known = True

    def noted(self, event: Event) -> None:
        """Note which permanents leave or change controller, and when all become unknown; `Names` adds arrivals."""
        if isinstance(event, GameStarted):
            self.permanents, self._known = {}, True
        elif isinstance(event, (GameBackedUp, GameRestarted, GameJoined, PlayerLeft)):
            self._known = False
        elif isinstance(event, PermanentsLeft):
            for id in event.permanents:
                self.permanents.pop(id, None)
        elif isinstance(event, ControlChanged):
            for id in event.permanents:
                if (one := self.permanents.get(id)) is not None:
                    self.permanents[id] = replace(one, controller=event.controller)

    def creatures(self, player: str | None, catalogue: Catalogue) -> list[str]:
        """Return the ids of permanents that may be creatures, of `player` or (None) of all; [] if they are unknown."""
        return [
            id
            for id, one in self.permanents.items()
            if self._known and player in (None, one.controller) and may_be_creature(one.card, catalogue)
        ]


def may_be_creature(card: str, catalogue: Catalogue) -> bool:
    """Return whether a card may be a creature: it is no basic land, and the catalogue knows no other type of it.

    >>> from daynight.cards import bundled
    >>> may_be_creature("Storm Crow", bundled()), may_be_creature("Forest", bundled())
    (True, False)
    """
    known = catalogue[card].front.types if card in catalogue else ()
    return card not in BASICS["fr"] and basic(card) is None and (not known or "Creature" in known)
