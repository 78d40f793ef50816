"""Finds the event that last changed each part of a record, for mechanics whose state does not store that event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from daynight.framework.folding.moment import Moment
from daynight.framework.folding.tracing import Key
from daynight.framework.recorded import PartAt
from daynight.store.threads import Lately
from daynight.web.file_game import Played


class Trace:
    """Replays a record forward, and lists each value of its parts with the event that set it; it cannot go back."""

    def __init__(self, game: Played) -> None:
        self.game = game
        self.number = 0
        self._parts = game.mechanic.parts
        self._walk: Iterator[tuple[Moment[Any, Any], Any]] = game.walk(whole=True)
        self._values: dict[Key, list[tuple[int, Any]]] = {}

    def reach(self, number: int) -> None:
        """Replay further, up to the state after event `number`; do nothing if that is reached already."""
        while self.number < number:
            moment, state = next(self._walk)
            self.number = moment.number
            if moment.restores is not None:
                self._back_up(moment.restores)
            there = {(name, subject) for name, part in self._parts.items() for subject in part.listed(state)}
            # A part that is gone is looked at until it has no value: then its return counts as a change.
            for key in there.union(key for key, values in self._values.items() if values and values[-1][1] is not None):
                values, value = self._values.setdefault(key, []), self._parts[key[0]].may_be(state, key[1])
                if value != (values[-1][1] if values else None):
                    values.append((self.number, value))

    def _back_up(self, to: int) -> None:
        for (name, _subject), values in self._values.items():
            while values and values[-1][0] > to and not self._parts[name].lasts:
                values.pop()

    def traced(self, found: PartAt) -> PartAt:
        """Return `found`, a part of the state that `reach` reached last, with the event that last changed its value."""
        if found.derived.traced:
            return found
        event, _value = self._values[found.part, found.subject][-1]
        return found._replace(derived=found.derived.since(max(event, found.derived.earliest)))


_HELD: Lately[int, Trace] = Lately(4)
"""The traces of the latest games, each by its game's `id()`; the next page of an answer continues with them."""


def parts_at(game: Played, number: int) -> list[PartAt]:
    """Return all parts of the state after event `number`, as `game.parts(number)` does, with the help of the trace."""
    found = [PartAt(*one) for one in game.mechanic.derived(game.whole(number))]
    if all(one.derived.traced for one in found):
        return found
    trace = _trace(game, number)
    trace.reach(number)
    _HELD.put(id(game), trace)
    return [trace.traced(one) for one in found]


def parts_after(game: Played, after: int) -> Iterator[tuple[Moment[Any, Any], list[PartAt]]]:
    """Yield every moment after event `after`, and the parts that `game.parts` returns for the state after it."""
    trace: Trace | None = None
    try:
        for moment, state in game.walk(after, whole=True):
            found = [PartAt(*one) for one in game.mechanic.derived(state)]
            if not all(one.derived.traced for one in found):
                trace = trace or _trace(game, after)
                trace.reach(moment.number)
                found = [trace.traced(one) for one in found]
            yield moment, found
    finally:
        if trace is not None:
            _HELD.put(id(game), trace)


def _trace(game: Played, after: int) -> Trace:
    """Remove the cached trace of a game, and return it if it has not passed event `after`; else return a new one."""
    held = _HELD.take(id(game))
    return held if held is not None and held.game is game and held.number <= after else Trace(game)
