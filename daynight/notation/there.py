"""Which permanents are on the battlefield while a file is read, and who controls them: for `both of Bo's creatures`."""

from __future__ import annotations

from collections.abc import Iterable

from daynight.cards import Catalogue
from daynight.cards.names import basic
from daynight.events import (
    ControlChanged,
    Event,
    GameBackedUp,
    GameJoined,
    GameRestarted,
    GameStarted,
    PermanentsEntered,
    PermanentsLeft,
    PlayerLeft,
)


class There:
    """The permanents that are there, with their controllers; unknown after a back-up or the leaving of a player."""

    def __init__(self) -> None:
        self._there: dict[str, tuple[str, str]] | None = {}

    def noted(self, event: Event) -> None:
        """Note what entered, left, or got another controller."""
        if isinstance(event, GameStarted):
            self._there = {}
        elif self._there is None or isinstance(event, (GameBackedUp, GameRestarted, GameJoined, PlayerLeft)):
            self._there = None
        elif isinstance(event, PermanentsEntered):
            self._there |= {one.id: (one.controller, one.card) for one in event.permanents}
        elif isinstance(event, ControlChanged):
            moved = (id for id in event.permanents if id in self._there)
            self._there |= {id: (event.controller, self._there[id][1]) for id in moved}
        elif isinstance(event, PermanentsLeft):
            self.left(event.permanents)

    def left(self, ids: Iterable[str]) -> None:
        """Note what has left."""
        there = self._there or {}
        for id in ids:
            there.pop(id, None)

    def creatures(self, player: str | None, catalogue: Catalogue) -> list[str]:
        """Return the ids of the permanents there, or of a player's, that may be creatures; none where it is unknown."""
        there = {} if self._there is None else self._there
        return [id for id, (who, card) in there.items() if player in (None, who) and may_be_creature(card, catalogue)]


def may_be_creature(card: str, catalogue: Catalogue) -> bool:
    """Return whether a card may be a creature: it is no basic land, and the catalogue knows no other type of it.

    >>> from daynight.cards import bundled
    >>> may_be_creature("Storm Crow", bundled()), may_be_creature("Forest", bundled())
    (True, False)
    """
    known = catalogue[card].front.types if card in catalogue else ()
    return basic(card) is None and (not known or "Creature" in known)
