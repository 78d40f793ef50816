"""Tellers: what a page of moments needs to know of a mechanic, as documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from daynight.framework.history import Moment
from daynight.web.shelf import Played, Shelf
from daynight.web.telling.games import Games
from daynight.web.telling.parts import Parts


class Teller(Protocol):
    """Tells the moments of the records of a mechanic."""

    def now(self, game: Played, number: int, state: Any) -> dict[str, Any]:
        """The state after event `number`, without what led there."""
        ...

    def walk(self, game: Played, after: int, until: int) -> Iterator[tuple[Moment[Any, Any], dict[str, Any]]]:
        """The moments after event `after` up to event `until`, each with the state after it."""
        ...

    def sentence(self, game: Played, number: int, event: Any) -> str:
        """What was written down, in the reader's language."""
        ...

    def consequence(self, game: Played, consequence: Any) -> Any:
        """What followed from an event."""
        ...

    def claim(self, game: Played, number: int, event: Any) -> dict[str, Any] | None:
        """What an event claims or rules, beside what is derived; None where it says nothing."""
        ...

    def delta(self, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any] | None:
        """What is no longer as it was; None where that cannot be said in less than all of it."""
        ...

    def starts_over(self, event: Any) -> bool:
        """Whether the state after an event is not made of the one before it."""
        ...


def teller_of(shelf: Shelf) -> Teller:
    """The teller of what a shelf serves."""
    return Games() if shelf.is_of_games else Parts(shelf.mechanic)
