"""The answers after each event of a game: why the designation is what it is, and what the next untap step will do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from daynight.events import Changed
from daynight.game import Game
from daynight.projections.audit.doubts import doubts
from daynight.questions.almost import Almost, almost
from daynight.questions.explain import explained
from daynight.questions.forecast import forecast_of

MOST = 400
"""In how many moments at most *almost* is searched for: each needs a search of its own."""


def nearly(game: Game) -> dict[int, Almost | None]:
    """Return what would almost have been, by event; for a long game after changes, claims and the last event alone."""
    numbers = [*range(1, len(game) + 1)]
    if len(numbers) > MOST:
        said = game.mechanic.says
        told = [
            moment.number
            for moment in game.moments()
            if any(isinstance(one, Changed) for one in moment.consequences) or any(True for _said in said(moment.event))
        ]
        numbers = [*told[: MOST - 1], len(game)]
    return {number: almost(game.what_if(number, ()), number) for number in numbers}


def answered(game: Game, near: dict[int, Almost | None]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the documents of `why` and of `forecast` after each event, as the commands of those names print them."""
    edition, whole = game.edition, doubts(game)
    for moment, state in game.walk():
        number = moment.number
        kept = doubts(game.what_if(number, ())) if whole else whole
        why = replace(explained(state, number, edition), almost_edit=near.get(number), doubts=kept)
        yield why.document(), forecast_of(state).document(edition)
