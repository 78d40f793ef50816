"""Finds where a turn, or a step of it, began in a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, get_args

from daynight.events import Event, StepBegan, TurnBegan
from daynight.events.terms import Step
from daynight.framework.language.errors import NotFoundError
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _
from daynight.framework.positions import Places, Position, PositionError, no_position, unknown_place
from daynight.projections.turns import stretches, turns
from daynight.referee.referee import restores

_MARK = re.compile(r"turn:(\d+)(?:/(.+))?")


MARKS = ("turn:4", "turn:4/untap")
"""Examples of marks, for help and refusals."""


def place(events: Iterable[Event], position: Position) -> int:
    """Return the event at which a turn, or its first step of that name, began.

    If several turns have the same number, the latest one that was not undone counts.

    Raises:
        PositionError: where the position names neither a turn nor a step.
        NotFoundError: where the record has no such turn or step.
    """
    found = _MARK.fullmatch(position.mark or "")
    if found is None:
        raise no_position(str(position), MARKS)
    if found[2] is not None and found[2] not in get_args(Step):
        sentence = _("{text} is no position; the steps of a turn are {steps}")
        raise PositionError(sentence.format(text=repr(str(position)), steps=commas(get_args(Step))))
    wanted = int(found[1])
    # (event, turn, step) for each beginning that was not undone; step None: the turn itself.
    begun: list[tuple[int, int, str | None]] = []
    for number, event in enumerate(events, 1):
        if isinstance(event, TurnBegan):
            begun.append((number, event.turn, None))
        elif isinstance(event, StepBegan) and begun:
            begun.append((number, begun[-1][1], event.step))
        elif (to := restores(event)) is not None:
            while begun and begun[-1][0] > to:
                begun.pop()
    starts = [index for index, (_number, turn, step) in enumerate(begun) if turn == wanted and step is None]
    for number, turn, step in begun[starts[-1] :] if starts else ():
        if turn == wanted and step == found[2]:
            return number
    if starts and found[2] == "untap":
        sentence = _("the untap step of turn {turn} is not written down; the turn begins at event {event}")
        raise NotFoundError(sentence.format(turn=wanted, event=begun[starts[-1]][0]))
    turns = {turn for _number, turn, step in begun if step is None}
    if not turns or wanted in turns:
        raise unknown_place(position)
    sentence = _("this record has no turn {turn} (it has {first} to {last})")
    raise NotFoundError(sentence.format(turn=wanted, first=min(turns), last=max(turns)))


def _rows(game: Any) -> Iterator[dict[str, Any]]:
    """Yield a row for each turn that was not undone. Turn 0 is everything before the first turn."""
    for turn in turns(stretches(game)):
        yield {
            "event": turn.first,
            "stands": True,
            "last": turn.last,
            "game": turn.game,
            "turn": turn.number,
            "active": turn.active,
            "possible": turn.possible,
            "designation": turn.designation,
            "casts": turn.casts,
            "spells": turn.spells,
            "changes": tuple([change.event for change in turn.changes]),
        }


PLACES = Places(place, MARKS, {"turn": _rows})
"""Finds positions such as `turn:4`, and makes the table of turns."""
