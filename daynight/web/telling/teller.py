"""Tellers: how the records of a mechanic become the documents of a page of moments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from daynight.framework.folding.moment import Moment
from daynight.game import played
from daynight.web.file_game import Played
from daynight.web.shelf import Shelved
from daynight.web.telling.games import Games
from daynight.web.telling.parts import PartsTeller


class Teller(Protocol):
    """How the moments of a mechanic's records become documents."""

    def now(self, game: Played, number: int, state: Any) -> dict[str, Any]:
        """Return the state after event `number`."""
        ...

    def walk(self, game: Played, after: int, until: int) -> Iterator[tuple[Moment[Any, Any], dict[str, Any]]]:
        """Yield the moments after event `after` up to event `until`, each with the state after it."""
        ...

    def sentence(self, game: Played, number: int, event: Any) -> str:
        """Return the event as a sentence, in the language that is set."""
        ...

    def consequence(self, game: Played, consequence: Any) -> Any:
        """Return what followed from an event."""
        ...

    def claim(self, game: Played, number: int, event: Any) -> dict[str, Any] | None:
        """Return what an event claims or rules, beside what is derived; None if it claims nothing."""
        ...

    def delta(self, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any] | None:
        """Return what changed between two states; None if a delta cannot say it."""
        ...

    def starts_over(self, event: Any) -> bool:
        """Return whether the state after an event is not made from the one before it."""
        ...


def teller_of(shelved: Shelved) -> Teller:
    """Return the teller for a record."""
    return Games() if shelved.mechanic.language is played().language else PartsTeller(shelved.mechanic)
