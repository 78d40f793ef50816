"""A state as bytes, so that a game can go on from there without all that came before.

A snapshot is JSON of one shape, written one way: thawing takes only bytes that freezing could have written. It grows
with the battlefield, the turn and the possibilities, and by one interval for each stretch that was undone; not with
the length of the record. So it has no history: see `thaw`. What follows from the rest (faces, who may cast, views of
the battlefield) is not in it; it is found again.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NoReturn, TypeVar

import msgspec
from msgspec import Struct

from daynight.disputes.docket import Docket
from daynight.events.actions import GameStarted
from daynight.events.claims import TallyClaimed
from daynight.events.consequences import Changed, EnteredTransformed, Transformed, Triggered
from daynight.events.terms import Face
from daynight.events.vocabulary import Event
from daynight.framework.language.errors import RecordError
from daynight.framework.language.kinds import Number
from daynight.framework.language.names import forbidden_character
from daynight.framework.language.wording import _
from daynight.framework.standing import Standing
from daynight.projections.battlefield import Status
from daynight.projections.possibilities import Possibility
from daynight.projections.tallies import TWO, Chain, OthersChain, Tallies, Tally, unchained
from daynight.referee.referee import restores
from daynight.referee.refusals import check_opening
from daynight.referee.state import State
from daynight.rules import RULES
from daynight.rules.citations import KEYS
from daynight.store.errors import DamagedError
from daynight.store.moments.shapes import Change, Derived, Possible, Snapshot, There, Turn, Turning, Waiting

SIZE = 2**23
"""The most bytes a snapshot may have. Where `freeze` answers more, keep none: the record leads there too."""

S = TypeVar("S", bound=Struct)

_BACK = Face.BACK
_PLAIN = ("event", "game", "edition", "players", "teams", "joined", "began", "step", "due", "over")
_TOLD = ("turn", "began", "active", "spells", "doubts", "unknown")
"""What a state and its snapshot have in common, and what a tally and its turn have."""


class OutdatedError(Exception):
    """A snapshot that other rules took: they may have led elsewhere, so it is ignored."""


class _Version(Struct):
    """All that is asked of a snapshot before its shape is."""

    rules: Number


_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(Snapshot)
_VERSION = msgspec.json.Decoder(_Version)
_HEAD = b'{"rules":%d,' % RULES


def freeze(state: State, standing: Standing, docket: Docket | None = None) -> bytes:
    """The snapshot of a state, of which events stand after it, and of its record's disputes: always the same bytes."""
    return _ENCODER.encode(_written(state, standing, Docket() if docket is None else docket))


def thaw(data: bytes) -> tuple[State, Standing, Docket]:
    """The state of a snapshot, which events stand after it, and its record's disputes.

    From there everything follows as from the state that was frozen. But it remembers nothing of what came before:
    its timeline is empty, its triggers are those that wait, and it finds no tally of a turn before the previous one
    (`state.tallies.find` answers None). So an event that `looks_back` needs a state folded from the beginning.

    Raises:
        OutdatedError: where it was taken by other rules.
        DamagedError: where `freeze` cannot have written it.
    """
    if len(data) > SIZE:
        _refuse(_("more than {most} bytes").format(most=SIZE))
    try:
        version = RULES if data.startswith(_HEAD) else _VERSION.decode(data).rules
        if version != RULES:
            raise OutdatedError(_("taken by rules {found}; these are {ours}").format(found=version, ours=RULES))
        snapshot = _DECODER.decode(data)
        _check(snapshot)
        state, standing = _read(snapshot), Standing.restored(snapshot.standing)
        docket = Docket.restored(snapshot.docket)
    except (msgspec.MsgspecError, RecordError, ValueError) as error:
        _refuse(str(error))
    except IndexError:
        _refuse(_("a consequence that is not there"))
    except RecursionError:
        _refuse(_("nested too deep"))
    before = state.tallies.previous
    if before is not None and not all([before.casts() & possible.casts for possible in _every(snapshot)]):
        _refuse(_("a possibility that cannot be"))
    if freeze(state, standing, docket) != data:
        _refuse(_("written otherwise than daynight writes it"))
    # Written as we write it, what is escaped is a quotation mark, a backslash or a control character.
    if forbidden_character(data.decode()) or b"\\" in data.replace(rb"\\", b"").replace(rb"\"", b""):
        _refuse(_("a name with a character that may not stand in one"))
    return state, standing, docket


def looks_back(event: Event, state: State) -> bool:
    """Whether an event asks for something that a thawed state may not remember.

    That is backing up, and a claim about a turn that the state does not find.
    """
    if isinstance(event, TallyClaimed):
        return event.turn is not None and state.tallies.find(event.turn) is None
    return restores(event) is not None


def _refuse(reason: str) -> NoReturn:
    raise DamagedError(_("a damaged snapshot: {reason}").format(reason=reason)) from None


def _written(state: State, standing: Standing, docket: Docket) -> Snapshot:
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
        rules=RULES,
        standing=standing.bounds,
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
        docket=docket.rows,
        **{name: getattr(state, name) for name in _PLAIN},
    )


def _alike(value: Struct, shape: type[S]) -> S:
    """A struct with the fields of another."""
    return msgspec.convert(value, shape, from_attributes=True)


def _there(status: Status) -> There:
    fields = msgspec.structs.asdict(status)
    fields["controller"] = None if status.controller == status.permanent.controller else status.controller
    fields["nobodys"] = status.controller is None
    fields["losses"] = tuple(sorted(status.losses))
    return There(**fields)


def _turn(tally: Tally) -> Turn:
    others: list[tuple[int, str, str | None]] = []
    at = tally.others
    while at is not None:
        others.append(at[:3])
        at = at[3]
    return Turn(
        **{name: getattr(tally, name) for name in _TOLD},
        evidence=unchained(tally.evidence),
        others=tuple(reversed(others)),
    )


def _check(snapshot: Snapshot) -> None:
    """What the shapes do not say: everything that is named is there, and what stands is in order."""
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
    bounds = snapshot.standing
    inside = [start <= end for start, end in pairwise(bounds)][::2]
    between = [end < start for end, start in pairwise(bounds)][1::2]
    if len(bounds) % 2 == 0 or bounds[0] != 1 or not all(inside + between):
        raise ValueError(_("events that cannot stand"))


def _every(snapshot: Snapshot) -> tuple[Possible, ...]:
    return *snapshot.possibilities, *(snapshot.unruled or ())


def _derived(snapshot: Snapshot) -> tuple[Derived, ...]:
    return *snapshot.changes, *snapshot.turnings, *snapshot.waiting


def _named(snapshot: Snapshot) -> tuple[set[int], set[str]]:
    """The events and the players that it names."""
    events = {snapshot.began, *snapshot.standing}
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
        return Possibility(
            designation=possible.designation,
            backs=frozenset([id for id, how in turned.items() if getattr(how, "face", _BACK) is _BACK]).union(
                possible.found
            ),
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
    evidence: Chain | None = None
    for event in turn.evidence:
        evidence = (event, evidence)
    others: OthersChain | None = None
    for event, player, card in turn.others:
        others = (event, player, card, others)
    return Tally(
        **{name: getattr(turn, name) for name in _TOLD},
        most=min(max([turn.spells.get(player, 0) for player in turn.active], default=0), TWO),
        evidence=evidence,
        others=others,
    )
