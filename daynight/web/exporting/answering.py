"""The answers to `why` and `forecast` after each event of a game, for its exported file."""

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
"""The most moments for which the smallest change to another answer (`Almost`) is searched, because this is slow."""


def nearly(game: Game) -> dict[int, Almost | None]:
    """Return by event number the smallest change that would have given another designation, None if none was found.

    In a game of more than `MOST` events, only these are searched: the first `MOST` - 1 events that changed the
    designation, made a claim or gave a ruling, and the last event.
    """
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
    """Yield for each event the JSON documents of `why` and `forecast` after it; `near` is what `nearly` returns."""
    edition, whole = game.edition, doubts(game)
    for moment, state in game.walk():
        number = moment.number
        kept = doubts(game.what_if(number, ())) if whole else whole
        why = replace(explained(state, number, edition), almost_edit=near.get(number), doubts=kept)
        yield why.document(), forecast_of(state).document(edition)
