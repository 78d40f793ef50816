"""Parts: every aspect of a game, what it is, and how it came about.

A way is what brought about a designation or a face: a consequence, or None where it was so from the beginning. Where a
part has no event, the state does not keep it: the record knows, and `Recorded` finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from daynight.events.consequences import Changed, EnteredTransformed, Transformed, Triggered
from daynight.events.terms import Designation, Face
from daynight.framework.mechanic import Between, Derived, Part, Way
from daynight.projections.battlefield import Status
from daynight.projections.possibilities import Possibility
from daynight.projections.tallies import Tally
from daynight.referee.state import Line, State, own_line, possible_in

How: TypeAlias = Transformed | EnteredTransformed
"""How a permanent came to the face that is up."""


def designation_ways(possibilities: Iterable[Possibility]) -> tuple[Changed | None, ...]:
    """What may have brought about the designations of these possibilities, each once, the oldest first."""
    causes = [cause for possibility in possibilities for cause in possibility.causes]
    # A change from neither and one from day are the same to whoever asks what made it night.
    return _once((way and (way.event, way.rule, way.because, way.became), way) for way in causes)


def face_ways(possibilities: Iterable[Possibility], id: str) -> tuple[How | None, ...]:
    """How this permanent may have come to its face in these possibilities, each once, the oldest first."""
    ways = [how for possibility in possibilities for how in possibility.came_to(id)]
    return _once((way and (way.event, way.rule, way.because), way) for way in ways)


def only_as_ruled(state: State, id: str | None = None) -> bool:
    """Whether the designation, or the face of a permanent, is or came about otherwise by the rules' own line."""
    if state.unruled is None or state.unruled is state.possibilities:
        return False
    lines = (state.possibilities, state.unruled)
    if id is None:
        return len({(frozenset(possible_in(line)), designation_ways(line)) for line in lines}) > 1
    return len({(frozenset(one.face(id) for one in line), face_ways(line, id)) for line in lines}) > 1


def _once(ways: Iterable[tuple[object, Any]]) -> tuple[Any, ...]:
    """Each way once, by its key, the oldest first."""
    found: dict[object, Any] = {}
    for key, way in ways:
        found.setdefault(key, way)
    return tuple(sorted(found.values(), key=lambda way: 0 if way is None else way.event))


def _ways(ways: Sequence[Changed | How | None], began: int, rule: str | None = None) -> tuple[Way, ...]:
    return tuple([Way(began, rule, (began,)) if way is None else Way(way.event, way.rule, way.because) for way in ways])


# --------------------------------------------------------------------------------------------- of the whole game


def _since_the_turn(state: State, value: Any) -> Derived:
    began = state.began if state.tallies.current is None else state.tallies.current.began
    return Derived((value,), (Way(began, None, (began,)),))


def _player(state: State, player: str) -> Derived | None:
    return Derived((player in state.present,)) if player in state.known else None


def grounds(line: Line, state: State) -> Derived:
    """The designation in some of the possibilities of a state."""
    ways = designation_ways(line)
    # Where nothing ever changed it is neither, unless the record began midway.
    rule = "no-designation" if ways == (None,) and not state.joined else None
    return Derived(possible_in(line), _ways(ways, state.began, rule))


def _tally(state: State, subject: str | tuple[str, int]) -> Derived | None:
    """Of a player in this turn, or of a player in the latest turn of that number."""
    player, turn = subject if isinstance(subject, tuple) else (subject, None)
    tally = state.tallies.current if turn is None else _turn(state, turn)
    if tally is None or player not in state.known:
        return None
    return Derived(Between(*tally.range(player)), (Way(None, None, tally.told_of(player)),))


def bounds(counted: Derived) -> tuple[int, int | None]:
    """The fewest and the most that a tally, or a number of triggers, may be; None: no bound."""
    assert isinstance(counted.values, Between)
    return counted.values.least, counted.values.most


def _turn(state: State, turn: int) -> Tally | None:
    """The latest turn of that number, as far as the state remembers."""
    previous = state.tallies.previous
    found = state.tallies.find(turn)
    return previous if found is None and previous is not None and previous.turn == turn else found


def _tallies(state: State) -> list[tuple[str, int]]:
    tallies = (state.tallies.current, state.tallies.previous)
    return [(player, tally.turn) for tally in tallies if tally is not None for player in state.players]


Trigger: TypeAlias = tuple[str, Designation | None, Designation | None]
"""The permanent that triggers, what it was and what it became."""


def _trigger(state: State, key: Trigger) -> Derived | None:
    """How often a permanent triggered in this turn: surely, and at the most."""
    found = [trigger for trigger in state.triggers.latest(state.turn, state.began) if _key(trigger) == key]
    if not found:
        return None
    ways = (Way(found[0].event, found[0].rule, found[0].because),)
    return Derived(Between(sum(trigger.certain for trigger in found), len(found)), ways)


def _key(trigger: Triggered) -> Trigger:
    return trigger.permanent, trigger.was, trigger.became


def _triggers(state: State) -> Iterable[Trigger]:
    return dict.fromkeys(map(_key, state.triggers.latest(state.turn, state.began)))


# --------------------------------------------------------------------------------------------- of a permanent


def _ids(state: State) -> Iterable[str]:
    return state.battlefield.permanents


def _status(state: State, id: str) -> Status | None:
    return state.battlefield.get(id)


def _of_a_permanent(value: Callable[[Status], Any]) -> Part[State]:
    """A part that only events change: the record knows which one did."""

    def derive(state: State, id: str) -> Derived | None:
        status = state.battlefield.get(id)
        return None if status is None else Derived((value(status),))

    return Part(derive, _ids, _status)


def _card(state: State, id: str) -> Derived | None:
    status = state.battlefield.get(id)
    return None if status is None else Derived((status.permanent.card,), _ways((None,), status.arrived))


def _face(state: State, id: str) -> Derived | None:
    """The side that is up, whether or not it is face down as well."""
    status = state.battlefield.get(id)
    if status is None:
        return None
    there = {possibility.face(id) for possibility in state.possibilities}
    return Derived(
        tuple([face for face in Face if face in there]), _ways(face_ways(state.possibilities, id), status.arrived)
    )


def _keywords(state: State, id: str) -> Derived | None:
    status = state.battlefield.get(id)
    if status is None:
        return None
    shown = {status.shows(possibility.backs).keywords for possibility in state.possibilities}
    return Derived(tuple(sorted(shown)) if status.acts else ((),))


def _hold(state: State, id: str) -> Derived | None:
    """What its own ability holds, where it surely does."""
    status = state.battlefield.get(id)
    if status is None or not status.acts:
        return None
    holds = {status.shows(possibility.backs).holds for possibility in state.possibilities}
    return None if holds == {None} or len(holds) > 1 else Derived(tuple(holds))


def _forbids(state: State, source: str) -> Derived | None:
    ids = state.battlefield.forbidden.get(source)
    return Derived((tuple(sorted(ids)),)) if ids else None


def _forbidden(state: State, subject: tuple[str, str]) -> Derived | None:
    """Whether an effect, by its source, keeps a permanent from transforming."""
    source, id = subject
    return Derived((True,)) if id in state.battlefield.forbidden.get(source, ()) else None


PARTS: dict[str, Part[State]] = {
    "turn": Part(lambda state, _subject: _since_the_turn(state, state.turn)),
    "active": Part(lambda state, _subject: _since_the_turn(state, state.active)),
    "player": Part(_player, lambda state: state.players, lambda state, _player: state.present),
    "game": Part(lambda state, _subject: Derived((not state.over,))),
    "designation": Part(lambda state, _subject: grounds(state.possibilities, state)),
    "ruled": Part(lambda state, _subject: grounds(own_line(state), state)),
    "card": Part(_card, _ids),
    "face": Part(_face, _ids),
    "face-down": _of_a_permanent(lambda status: status.face_down),
    "controller": _of_a_permanent(lambda status: status.controller),
    "abilities": _of_a_permanent(lambda status: not (status.losses or status.lost or status.entered_without)),
    "phasing": _of_a_permanent(lambda status: status.phased_in),
    "copy": _of_a_permanent(lambda status: status.copy),
    "keywords": Part(_keywords, _ids),
    "hold": Part(_hold, lambda state: state.battlefield.holding),
    "forbids": Part(_forbids, lambda state: state.battlefield.forbidden),
    "forbidden": Part(
        _forbidden,
        lambda state: [(one, id) for one, ids in state.battlefield.forbidden.items() for id in sorted(ids)],
        lambda state, subject: state.battlefield.forbidden.get(subject[0]),
    ),
    "tally": Part(_tally, _tallies),
    "trigger": Part(_trigger, _triggers),
}
"""The parts of a game: what `blame`, `diff`, `why` and the audit speak of.

`ruled` is the rules' own line. `hold` is what a permanent's ability holds, `forbids` what a source of an effect keeps
from transforming, `forbidden` the same of one source and one permanent. A `tally` is of a player, or of a player and a
turn.
"""
