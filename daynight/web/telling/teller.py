"""Tellers turn the records of a mechanic into the documents of a page of moments."""

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
    """Turns the moments of a mechanic's records into documents."""

    def now(self, game: Played, number: int, state: Any) -> dict[str, Any]:
        """Return the document of `state`, the state after event `number`; a `PartsTeller` reads `game` instead."""
        ...

    def walk(self, game: Played, after: int, until: int) -> Iterator[tuple[Moment[Any, Any], dict[str, Any]]]:
        """Yield the moments after event `after` up to event `until`, each with the document of the state after it."""
        ...

    def sentence(self, game: Played, number: int, event: Any) -> str:
        """Return the event as a sentence, in the chosen language."""
        ...

    def consequence(self, game: Played, consequence: Any) -> Any:
        """Return a consequence as JSON."""
        ...

    def claim(self, game: Played, number: int, event: Any) -> dict[str, Any] | None:
        """Return the claim or ruling of an event with the derived value and the verdict; None if it has none."""
        ...

    def delta(self, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any] | None:
        """Return the changes between the documents of two states; None if they cannot be given as changes."""
        ...

    def starts_over(self, event: Any) -> bool:
        """Return whether the state after an event is not based on the state before it."""
        ...


def teller_of(shelved: Shelved) -> Teller:
    """Return the teller for a record: `Games` for a game of day and night, else a `PartsTeller`."""
    return Games() if shelved.mechanic.language is played().language else PartsTeller(shelved.mechanic)
