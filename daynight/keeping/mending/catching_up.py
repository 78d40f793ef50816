"""Catching up: makes the events of turns that nobody recorded, as far as people remember them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from daynight.events import Event, SpellCast, SpellsUncertain
from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.wording import _
from daynight.keeping.next_turn import next_turn
from daynight.referee.state import State

BETWEEN = 30
"""The most turns that may have been missed."""

MOST = 1_000
"""The most events that catching up may store."""

UNWRITTEN = {"unwritten": True}
"""The `meta` of a turn that was not recorded while it was played."""


class Remembered(NamedTuple):
    """The total casts of a player in a turn: `spells`, or at least that many if not `exactly`."""

    spells: int
    exactly: bool = True


Casts = Mapping[int, Mapping[str, Remembered]]
"""For each turn number the casts of each player; a player is missing where nobody knows the number."""

Advance = Callable[[Sequence[Event]], State]
"""Applies events to the state, and returns the new state."""


def caught_up(state: State, turn: int, casts: Casts, advance: Advance) -> list[Event]:
    """Return the missing events before the beginning of turn `turn`.

    For the current turn and every turn before `turn`, these are the beginning of the turn if it is not recorded, the
    casts that are known but not recorded, and a `SpellsUncertain` for each player whose number of casts is unknown or
    only a minimum. `advance` is called with the events as they are made.

    Raises:
        ImpossibleError: where no turn is under way, `turn` is not later than it, too many turns lie between, `casts`
            names another turn or an absent player or has fewer spells than are recorded, or too many events result.
    """
    if not state.turn:
        raise ImpossibleError(_("no turn is under way; pass to the first turn"), path="$.turn")
    if turn <= state.turn:
        sentence = _("turn {turn} is not later than turn {now}, which is under way; correct what is wrong")
        raise ImpossibleError(sentence.format(turn=turn, now=state.turn), path="$.turn")
    if turn - state.turn - 1 > BETWEEN:
        raise ImpossibleError(_("at most {most} turns may have passed between").format(most=BETWEEN), path="$.turn")
    for named in casts:
        if not state.turn <= named < turn:
            sentence = _("turn {turn} is not one of those that are caught up with")
            raise ImpossibleError(sentence.format(turn=named), path="$.casts")
    found: list[Event] = []
    first = state.turn
    for number in range(first, turn):
        if number > first:
            began: Any = next_turn(state)[0]
            found.append(replace(began, meta=dict(UNWRITTEN)))
            state = advance(found[-1:])
        new = _spells(state, number, casts.get(number, {}))
        found += new
        state = advance(new)
        if len(found) > MOST:
            raise ImpossibleError(_("catching up may store {most} events").format(most=MOST), path="$.casts")
    return found


def _spells(state: State, turn: int, casts: Mapping[str, Remembered]) -> list[Event]:
    for player in casts:
        if player not in state.present:
            sentence = _("no player {player} is in the game; players are {players}")
            names = ", ".join(player for player in state.players if player in state.present)
            raise ImpossibleError(sentence.format(player=repr(player), players=names), path="$.casts")
    found: list[Event] = []
    for player in state.players:
        if player not in state.present:
            continue
        remembered = casts.get(player)
        if remembered is None:
            found.append(SpellsUncertain(player=player, at_least=0))
            continue
        assert state.tallies.current is not None
        least, _most = state.tallies.current.range(player)
        missing = remembered.spells - least
        if missing < 0:
            sentence = _("{player} cast {least} spells in turn {turn} as recorded, not {spells}; correct that")
            told = sentence.format(player=player, least=least, turn=turn, spells=remembered.spells)
            raise ImpossibleError(told, path="$.casts")
        found += [SpellCast(player=player)] * missing
        if not remembered.exactly:
            found.append(SpellsUncertain(player=player, at_least=0))
    return found
