"""Writes a state as bytes and reads it back, so that a game can continue without its earlier events.

The bytes are JSON of one shape. Their size depends on the battlefield, the turn and the possibilities, and not on the
length of the record, because they hold no history (see `thaw`). Values that follow from the rest (faces, the players
who may cast, views of the battlefield) are left out.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec
from msgspec import Struct

from daynight.events import Changed, EnteredTransformed, Event, Face, GameStarted, TallyClaimed, Transformed, Triggered
from daynight.framework.language.names import forbidden_character
from daynight.framework.language.wording import _
from daynight.projections.battlefield import Status
from daynight.projections.tallies import TWO, Tallies, Tally
from daynight.referee.refusals import check_opening
from daynight.referee.snapshots.shapes import Change, Derived, Possible, Snapshot, There, Turn, Turning, Waiting
from daynight.referee.state import State
from daynight.referee.worlds.chains import chained, unchained
from daynight.referee.worlds.possibilities import Possibility
from daynight.rules.citations import KEYS

S = TypeVar("S", bound=Struct)

_BACK = Face.BACK
_PLAIN = ("event", "game", "edition", "players", "teams", "joined", "began", "step", "due", "over")
_TOLD = ("turn", "began", "active", "spells", "doubts", "unknown")
"""`_PLAIN`: the fields that a state and its snapshot share; `_TOLD`: those that a tally and its `Turn` share."""


_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(Snapshot)


def freeze(state: State) -> bytes:
    """Return the snapshot of a state. Equal states give equal bytes."""
    return _ENCODER.encode(_written(state))


def thaw(data: bytes) -> State:
    """Return the state of a snapshot. Later events have the same consequences as from the original state.

    The state has no history: its timeline is empty, its triggers are those that wait, and `state.tallies.find` returns
    None for turns before the previous one. An event for which `forgets` is true therefore needs a state replayed from
    the beginning.

    Raises:
        ValueError, RecordError: where `freeze` cannot have written the data; not every change of the data is detected.
    """
    # `freeze` escapes nothing but quotation marks, backslashes and control characters.
    snapshot = _DECODER.decode(data)
    _check(snapshot)
    try:
        state = _read(snapshot)
    except IndexError:
        raise ValueError(_("a consequence that is not there")) from None
    before = state.tallies.previous
    if before is not None and not all([before.casts() & possible.casts for possible in _every(snapshot)]):
        raise ValueError(_("a possibility that cannot be"))
    if forbidden_character(data.decode()) or b"\\" in data.replace(rb"\\", b"").replace(rb"\"", b""):
        raise ValueError(_("a name with a character that may not stand in one"))
    return state


def forgets(event: Event, state: State) -> bool:
    """Return whether an event claims the tally of a turn that a thawed state may not know."""
    return isinstance(event, TallyClaimed) and event.turn is not None and state.tallies.find(event.turn) is None


def _written(state: State) -> Snapshot:
    changes: dict[Changed, int] = {}
    turnings: dict[Transformed | EnteredTransformed, int] = {}

    def possible(possibility: Possibility) -> Possible:
        causes, turned, ways = possibility.causes, possibility.turned, possibility.ways
        return Possible(
            designation=possibility.designation,
            casts=possibility.casts,
            causes=tuple([None if cause is None else changes.setdefault(cause, len(changes)) for cause in causes]),
            turned={id: turnings.setdefault(turned[id], len(turnings)) for id in sorted(turned)},
            ways={
                id: tuple([None if how is None else turnings.setdefault(how, len(turnings)) for how in ways[id]])
                for id in sorted(ways)
            },
            found=tuple(sorted(possibility.backs - turned.keys())),
        )

    tallies, battlefield = state.tallies, state.battlefield
    return Snapshot(
        possibilities=tuple(map(possible, state.possibilities)),
        unruled=None if state.unruled is None else tuple(map(possible, state.unruled)),
        left=tuple(sorted(state.known - state.present)),
        current=None if tallies.current is None else _turn(tallies.current),
        previous=None if tallies.previous is None else _turn(tallies.previous),
        battlefield=tuple(map(_there, battlefield)),
        forbidding={source: tuple(sorted(ids)) for source, ids in battlefield.forbidden.items()},
        changes=tuple([_alike(change, Change) for change in changes]),
        turnings=tuple([_alike(turning, Turning) for turning in turnings]),
        waiting=tuple([_alike(trigger, Waiting) for trigger in state.triggers.waiting]),
        **{name: getattr(state, name) for name in _PLAIN},
    )


def _alike(value: Struct, shape: type[S]) -> S:
    """Return a struct of type `shape` with the fields that it shares with `value`."""
    return msgspec.convert(value, shape, from_attributes=True)


def _there(status: Status) -> There:
    fields = msgspec.structs.asdict(status)
    fields["controller"] = None if status.controller == status.permanent.controller else status.controller
    fields["nobodys"] = status.controller is None
    fields["losses"] = tuple(sorted(status.losses))
    return There(**fields)


def _turn(tally: Tally) -> Turn:
    told = {name: getattr(tally, name) for name in _TOLD}
    return Turn(**told, evidence=unchained(tally.evidence), others=unchained(tally.others))


def _check(snapshot: Snapshot) -> None:
    """Raise a ValueError or RecordError if the snapshot is impossible.

    It is, if it names a permanent, player, event or rule that does not exist, or if its players or turns cannot be.
    """
    if snapshot.event:
        game, players, teams, edition = snapshot.game, snapshot.players, snapshot.teams, snapshot.edition
        check_opening(GameStarted(format=1, game=game, players=players, teams=teams, edition=edition))
    events, named = _named(snapshot)
    if not 1 <= min(events) <= max(events) <= max(snapshot.event, 1):
        raise ValueError(_("an event that is not there"))
    if not named.issubset(snapshot.players):
        raise ValueError(_("a player who is not there"))
    there = {there.permanent.id for there in snapshot.battlefield}
    held = [*snapshot.forbidding.values()]
    held += [(*possible.turned, *possible.ways, *possible.found) for possible in _every(snapshot)]
    if not all([there.issuperset(ids) for ids in held]):
        raise ValueError(_("a permanent that is not there"))
    if not all([derived.rule in KEYS for derived in _derived(snapshot)]):
        raise ValueError(_("a rule that is not there"))
    turn, before = snapshot.current, snapshot.previous
    if turn.unknown if turn is not None else before is not None and not before.unknown:
        raise ValueError(_("turns that cannot be"))


def _every(snapshot: Snapshot) -> tuple[Possible, ...]:
    return *snapshot.possibilities, *(snapshot.unruled or ())


def _derived(snapshot: Snapshot) -> tuple[Derived, ...]:
    return *snapshot.changes, *snapshot.turnings, *snapshot.waiting


def _named(snapshot: Snapshot) -> tuple[set[int], set[str]]:
    """Return the event numbers and the players that a snapshot names."""
    events = {snapshot.began}
    players: set[str] = set()
    for there in snapshot.battlefield:
        events.add(there.arrived)
        players |= {there.permanent.controller, there.controller or there.permanent.controller}
        if there.out_under:
            players.add(there.out_under)
    for derived in _derived(snapshot):
        events |= {derived.event, *derived.because}
    for change in snapshot.changes:
        players |= {*change.players, *[player for _event, player, _card in change.uncounted]}
        events |= {event for event, _player, _card in change.uncounted}
    players.update([trigger.controller for trigger in snapshot.waiting if trigger.controller is not None])
    for turn in (snapshot.current, snapshot.previous):
        if turn is not None:
            events |= {turn.began, *turn.evidence, *[other[0] for other in turn.others]}
            players |= {*turn.active, *turn.spells, *(turn.doubts or ()), *[other[1] for other in turn.others]}
    return events, players


def _read(snapshot: Snapshot) -> State:
    state = State()
    for name in _PLAIN:
        setattr(state, name, getattr(snapshot, name))
    state.known = frozenset(state.players)
    state.present = state.known.difference(snapshot.left)
    state.tallies = Tallies.restored(_tally(snapshot.current), _tally(snapshot.previous))
    if snapshot.current is not None:
        state.turn = snapshot.current.turn
        state.active = snapshot.current.active
        state.casters = frozenset() if state.over else state.present
    state.battlefield.put(*map(_status, snapshot.battlefield))
    for source, ids in snapshot.forbidding.items():
        state.battlefield.forbid(source, ids)
    changes = [_alike(change, Changed) for change in snapshot.changes]
    turnings: list[Transformed | EnteredTransformed] = [
        _alike(turning, Transformed) if turning.face is not None else _alike(turning, EnteredTransformed)
        for turning in snapshot.turnings
    ]

    def possibility(possible: Possible) -> Possibility:
        turned = {id: turnings[how] for id, how in possible.turned.items()}
        backs = [id for id, how in turned.items() if getattr(how, "face", _BACK) is _BACK]
        return Possibility(
            designation=possible.designation,
            backs=frozenset(backs).union(possible.found),
            casts=possible.casts,
            causes=tuple([None if cause is None else changes[cause] for cause in possible.causes]),
            turned=turned,
            ways={
                id: tuple([None if how is None else turnings[how] for how in ways])
                for id, ways in possible.ways.items()
            },
        )

    state.possibilities = tuple(map(possibility, snapshot.possibilities))
    state.unruled = None if snapshot.unruled is None else tuple(map(possibility, snapshot.unruled))
    state.triggers.waiting = tuple([_alike(trigger, Triggered) for trigger in snapshot.waiting])
    return state


def _status(there: There) -> Status:
    fields = msgspec.structs.asdict(there)
    fields["controller"] = None if fields.pop("nobodys") else there.controller or there.permanent.controller
    fields["losses"] = frozenset(there.losses)
    return Status(**fields)


def _tally(turn: Turn | None) -> Tally | None:
    if turn is None:
        return None
    return Tally(
        **{name: getattr(turn, name) for name in _TOLD},
        most=min(max([turn.spells.get(player, 0) for player in turn.active], default=0), TWO),
        evidence=chained(turn.evidence),
        others=chained(turn.others),
    )
