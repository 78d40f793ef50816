"""The parts of a game: its aspects, each with its value and the cause of that value.

A way is the consequence that set a designation or a face; None stands for a value that no event has changed.
For some parts the state does not keep which event set the value; `Recorded` then finds the event in the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from daynight.events import Changed, EnteredTransformed, Face, Transformed, Triggered, claims, rulings
from daynight.framework.language.happening import ByType
from daynight.framework.mechanic import Between, Derived, Part, Said, Values, Way
from daynight.projections.battlefield import Status
from daynight.projections.tallies import Tally
from daynight.referee.state import Line, State, own_line, possible_in
from daynight.referee.worlds.possibilities import Possibility

How: TypeAlias = Transformed | EnteredTransformed
"""The consequence by which a permanent came to show its present face."""


def designation_ways(possibilities: Iterable[Possibility]) -> tuple[Changed | None, ...]:
    """Return the changes that may have led to the designations of these possibilities, each once, oldest first."""
    causes = [cause for possibility in possibilities for cause in possibility.causes]
    if len(causes) == 1:
        return (causes[0],)
    # "What made it night?" has one answer, whether it was day or neither before.
    return _once((way and (way.event, way.rule, way.because, way.became), way) for way in causes)


def face_ways(possibilities: Iterable[Possibility], id: str) -> tuple[How | None, ...]:
    """Return the ways in which a permanent may have come to its face in these possibilities, once, oldest first."""
    ways = [how for possibility in possibilities for how in possibility.came_to(id)]
    return _once((way and (way.event, way.rule, way.because), way) for way in ways)


def only_as_ruled(state: State, id: str | None = None) -> bool:
    """Return whether a ruling made the difference: the rules alone give another designation, or another cause of it.

    With `id` it is about the face of that permanent instead.
    """
    if state.unruled is None or state.unruled is state.possibilities:
        return False
    lines = (state.possibilities, state.unruled)
    if id is None:
        return len({(frozenset(possible_in(line)), designation_ways(line)) for line in lines}) > 1
    return len({(frozenset(one.face(id) for one in line), face_ways(line, id)) for line in lines}) > 1


def _once(ways: Iterable[tuple[object, Any]]) -> tuple[Any, ...]:
    """Return the ways of these pairs of key and way, one for each key, oldest first."""
    found: dict[object, Any] = {}
    for key, way in ways:
        found.setdefault(key, way)
    return tuple(sorted(found.values(), key=lambda way: 0 if way is None else way.event))


def _ways(ways: Sequence[Changed | How | None], began: int, rule: str | None = None) -> tuple[Way, ...]:
    # The switch made it day or night, in one way: which of the two is left open, and not how.
    found = [Way(began, rule, (began,)) if way is None else Way(way.event, way.rule, way.because) for way in ways]
    return tuple(dict.fromkeys(found))


def _part(
    values: Callable[[State, Any], Values | None],
    ways: Callable[[State, Any], tuple[Way, ...]] = lambda _state, _subject: (),
    subjects: Callable[[State], Iterable[Any]] = lambda _state: (None,),
    rests: Callable[[State, Any], object] | None = None,
    earliest: Callable[[State, Any], int] = lambda _state, _subject: 1,
) -> Part[State]:
    def derive(state: State, subject: Any) -> Derived | None:
        found = values(state, subject)
        return None if found is None else Derived(found, ways(state, subject), earliest(state, subject))

    return Part(derive, subjects, values, rests)


# --------------------------------------------------------------------------------------------- of the whole game


def _as_the_turn_began(state: State, _subject: None) -> tuple[Way, ...]:
    return _ways((None,), state.began if state.tallies.current is None else state.tallies.current.began)


def _player(state: State, player: str) -> Values | None:
    return (player in state.present,) if player in state.known else None


def grounds(line: Line, state: State) -> Derived:
    """Return the possible designations of `line`, with or without rulings, and the ways that led to them."""
    return Derived(possible_in(line), _line_ways(line, state))


def _line_ways(line: Line, state: State) -> tuple[Way, ...]:
    ways = designation_ways(line)
    # Where nothing ever changed it is neither, unless the record began midway.
    found = _ways(ways, state.began, "no-designation" if ways == (None,) and not state.joined else None)
    if not 1 < len(found) < len(values := possible_in(line)):
        return found
    # Two of the designations came about in one way, and another in another way: name the way of each.
    each = [designation_ways(one for one in line if one.designation == value) for value in values]
    return tuple(sorted([way for some in each for way in _ways(some, state.began)], key=lambda way: way.event))


def spelled(name: str, *more: object) -> str:
    """Join a name and words with slashes to a subject such as `Ana/12`. In the name / is written %2F and % is %25."""
    name = name.replace("%", "%25").replace("/", "%2F")
    return "/".join([name, *map(str, more)])


def words(subject: str) -> tuple[str, str]:
    """Split a subject such as `Ana/12` into the name, as it was before `spelled`, and the text after the slash."""
    name, _slash, more = subject.partition("/")
    return name.replace("%2F", "/").replace("%25", "%"), more


def _designation_claimed(event: claims.DesignationClaimed) -> tuple[Said]:
    return (Said("designation", None, event.designation, event.by),)


def _face_claimed(event: claims.FaceClaimed) -> tuple[Said]:
    return (Said("face", event.permanent, event.face, event.by),)


def _tally_claimed(event: claims.TallyClaimed) -> tuple[Said]:
    turn = () if event.turn is None else (event.turn,)
    return (Said("tally", spelled(event.player, *turn), event.spells, event.by),)


def _judge_ruled(event: rulings.JudgeRuled) -> tuple[Said]:
    return (Said("ruled", None, event.designation, event.by),)


says: ByType[tuple[Said, ...]] = ByType(
    {
        claims.DesignationClaimed: _designation_claimed,
        claims.FaceClaimed: _face_claimed,
        claims.TallyClaimed: _tally_claimed,
        rulings.JudgeRuled: _judge_ruled,
    },
    lambda event: (),
)
"""Returns what a claim or a ruling says about parts; for other events an empty tuple."""


def _tally(state: State, subject: str) -> tuple[Tally | None, str]:
    """Return the tally that a subject names, and its player; the tally is None if there is no such turn.

    `Ana` means the present turn, `Ana/12` the latest turn 12.
    """
    tallies = state.tallies
    player, more = words(subject)
    if not more.isdecimal():
        return None if more else tallies.current, player
    turn = int(more)
    found = tallies.find(turn)
    before = found is None and tallies.previous is not None and tallies.previous.turn == turn
    return tallies.previous if before else found, player


def _spells(state: State, subject: str) -> Values | None:
    tally, player = _tally(state, subject)
    return None if tally is None or player not in state.known else Between(*tally.range(player))


def _told(state: State, subject: str) -> tuple[Way, ...]:
    tally, player = _tally(state, subject)
    return () if tally is None else (Way(0, None, tally.told_of(player)),)


def _turn_began(state: State, subject: str) -> int:
    tally, _player = _tally(state, subject)
    return 1 if tally is None else tally.began


def _tallies(state: State) -> list[str]:
    tallies = (state.tallies.current, state.tallies.previous)
    return [spelled(player, tally.turn) for tally in tallies if tally is not None for player in state.players]


def bounds(counted: Derived) -> tuple[int, int | None]:
    """Return the fewest and the most that a tally, or a number of triggers, may be. None: no upper bound."""
    assert isinstance(counted.values, Between)
    return counted.values.least, counted.values.most


def _key(trigger: Triggered) -> str:
    """Return the subject of a trigger: permanent, designation before and after, such as `w1/day/night`.

    It is `w1/None/None` where the record leaves open which of the two changes it was.
    """
    return spelled(trigger.permanent, trigger.was, trigger.became)


def _triggered(state: State, key: str) -> list[Triggered]:
    return [trigger for trigger in state.triggers.latest(state.turn, state.began) if _key(trigger) == key]


def _times(state: State, key: str) -> Values | None:
    """Return the fewest and the most times that an ability triggered in this turn; None if it did not."""
    found = _triggered(state, key)
    return Between(sum(trigger.certain for trigger in found), len(found)) if found else None


# --------------------------------------------------------------------------------------------- of a permanent


def _ids(state: State) -> Iterable[str]:
    return state.battlefield.permanents


def _status(state: State, id: str) -> Status | None:
    return state.battlefield.permanents.get(id)


def _arrived(state: State, id: str) -> int:
    return state.battlefield[id].arrived


def _of_a_permanent(value: Callable[[Status], Any]) -> Part[State]:
    """Make a part from a value of a permanent that only recorded events change; so `Recorded` finds its event."""

    def values(state: State, id: str) -> Values | None:
        status = state.battlefield.permanents.get(id)
        return None if status is None else (value(status),)

    return _part(values, subjects=_ids, rests=_status, earliest=_arrived)


def _card(state: State, id: str) -> Values | None:
    return (state.battlefield[id].permanent.card,) if id in state.battlefield else None


def _faces(state: State, id: str) -> Values | None:
    """Return the faces that may be up, also if the permanent is face down; None if it is not on the battlefield."""
    if id not in state.battlefield:
        return None
    if len(state.possibilities) == 1:
        return (state.possibilities[0].face(id),)
    there = {possibility.face(id) for possibility in state.possibilities}
    return tuple([face for face in Face if face in there])


def _keywords(state: State, id: str) -> Values | None:
    status = state.battlefield.get(id)
    if status is None or not status.acts:
        return None if status is None else ((),)
    if len(state.possibilities) == 1:
        return (status.shows(state.possibilities[0].backs).keywords,)
    return tuple(sorted({status.shows(possibility.backs).keywords for possibility in state.possibilities}))


def _hold(state: State, id: str) -> Values | None:
    """Return the one value of the part `hold` (see `PARTS`); None if there is none, or possibilities differ."""
    status = state.battlefield.get(id)
    if status is None or not status.acts:
        return None
    holds = {status.shows(possibility.backs).holds for possibility in state.possibilities}
    return None if holds == {None} or len(holds) > 1 else tuple(holds)


def _forbids(state: State, source: str) -> Values | None:
    ids = state.battlefield.forbidden.get(source)
    return (tuple(sorted(ids)),) if ids else None


def _forbidden(state: State, subject: str) -> Values | None:
    """Return the value True if, for a subject `source/id`, the effect of `source` keeps `id` from transforming."""
    source, id = words(subject)
    return (True,) if id in state.battlefield.forbidden.get(source, ()) else None


PARTS: dict[str, Part[State]] = {
    "turn": _part(lambda state, _subject: (state.turn,), _as_the_turn_began),
    "active": _part(lambda state, _subject: (state.active,), _as_the_turn_began),
    "player": _part(_player, subjects=lambda state: state.players, rests=lambda state, _player: state.present),
    "game": _part(lambda state, _subject: (not state.over,)),
    "designation": _part(
        lambda state, _subject: state.possible, lambda state, _subject: _line_ways(state.possibilities, state)
    ),
    "ruled": _part(
        lambda state, _subject: possible_in(own_line(state)), lambda state, _subject: _line_ways(own_line(state), state)
    ),
    "card": _part(_card, lambda state, id: _ways((None,), _arrived(state, id)), _ids),
    "face": _part(_faces, lambda state, id: _ways(face_ways(state.possibilities, id), _arrived(state, id)), _ids),
    "face-down": _of_a_permanent(lambda status: status.face_down),
    "controller": _of_a_permanent(lambda status: status.controller),
    "abilities": _of_a_permanent(lambda status: not (status.losses or status.lost or status.entered_without)),
    "phasing": _of_a_permanent(lambda status: status.phased_in),
    "copy": _of_a_permanent(lambda status: status.copy),
    "keywords": _part(_keywords, subjects=_ids, earliest=_arrived),
    "hold": _part(_hold, subjects=lambda state: state.battlefield.holding, earliest=_arrived),
    "forbids": _part(_forbids, subjects=lambda state: state.battlefield.forbidden),
    "forbidden": _part(
        _forbidden,
        subjects=lambda state: [
            spelled(source, id) for source, ids in state.battlefield.forbidden.items() for id in sorted(ids)
        ],
        rests=lambda state, subject: state.battlefield.forbidden.get(words(subject)[0]),
        earliest=lambda state, subject: _arrived(state, words(subject)[1]),
    ),
    "tally": _part(_spells, _told, _tallies, earliest=_turn_began),
    "trigger": _part(
        _times,
        lambda state, key: tuple([Way(one.event, one.rule, one.because) for one in _triggered(state, key)[:1]]),
        lambda state: dict.fromkeys(map(_key, state.triggers.latest(state.turn, state.began))),
    ),
}
"""The parts of a game, which `blame`, `diff`, `why` and the audit use.

`ruled` is the designation by the rules alone, without rulings. `hold` is what a permanent's own ability prevents:
`night` (it can't become night) or `non-human-werewolves-you-control` (these can't transform).
`forbids` are the permanents that an effect's source keeps from transforming; `forbidden` has a source and one of
these permanents as its subject. The subject of a `tally` is a player, or a player and a turn: `Ana`, `Ana/12`.
"""
