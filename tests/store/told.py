"""Records with the state, snapshot and consequences after each of their events, for the tests of snapshots."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from daynight.cards import bundled
from daynight.disputes.docket import ACTS, Docket
from daynight.disputes.mechanic import GAME
from daynight.events import Event, decode
from daynight.events.consequences import Consequence
from daynight.framework.folding.standing import Standing
from daynight.framework.joining import Pair
from daynight.referee.documents import state_document
from daynight.referee.referee import restores, step
from daynight.referee.snapshots.frozen import forgets
from daynight.referee.state import State
from daynight.rules.citations import DEFAULT_EDITION
from daynight.store.moments import snapshots

Json = dict[str, Any]


def freeze(state: State, standing: Standing, docket: Docket | None = None) -> bytes:
    pair = Pair(state, Docket() if docket is None else docket, standing)
    return snapshots.freeze(GAME, state.event, pair, standing)


def thaw(data: bytes) -> tuple[State, Standing, Docket]:
    _number, pair, standing, _rules = snapshots.thaw(GAME, data)
    return pair.first, standing, pair.second


def again(data: bytes) -> bytes:
    """Thaw the snapshot `data`, and return it frozen again."""
    return snapshots.freeze(GAME, *snapshots.thaw(GAME, data))


def looks_back(event: Event, state: State) -> bool:
    return restores(event) is not None or forgets(event, state)


def put(*path: str | int, value: Any) -> Callable[[Json], None]:
    """Return a change for `changed`: it sets `value` at `path` in the fields of a snapshot."""

    def change(snapshot: Any) -> None:
        for key in path[:-1]:
            snapshot = snapshot[key]
        snapshot[path[-1]] = value

    return change


def changed(data: bytes, change: Callable[[Json], None]) -> bytes:
    """Return the snapshot `data` after a change; `change` gets the fields of all its levels in one object."""
    snapshot = json.loads(data)
    outer = {name: snapshot[name] for name in ("rules", "standing")}
    together = {**outer, **snapshot["state"]["first"], "docket": snapshot["state"]["second"]}
    change(together)
    outer = {name: together.pop(name) for name in outer}
    pair = {"second": together.pop("docket"), "standing": snapshot["state"]["standing"]}
    found = {"rules": outer["rules"], "event": snapshot["event"], "standing": outer["standing"]}
    found["state"] = {"first": together, **pair}
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()


@dataclass
class Told:
    """A record with the state, snapshot, document and consequences after each event; index 0 is before event 1."""

    events: list[Event]
    states: list[State] = field(default_factory=list)
    frozen: list[bytes] = field(default_factory=list)
    documents: list[Json] = field(default_factory=list)
    consequences: list[tuple[Consequence, ...]] = field(default_factory=list)
    waiting: list[set[int]] = field(default_factory=list)
    """For each index, the events whose triggered abilities are not on the stack yet."""

    def take(self, state: State, standing: Standing, docket: Docket, consequences: tuple[Consequence, ...]) -> None:
        self.states.append(state.copy())
        self.frozen.append(freeze(state, standing, docket))
        self.documents.append(document(state))
        self.consequences.append(consequences)
        self.waiting.append({trigger.event for trigger in state.triggers.waiting})

    def since(self, start: int, number: int) -> Json:
        """Return document `number` with only changes and triggers after `start`, and triggers waiting at `start`."""
        whole, waited = self.documents[number], self.waiting[start]
        return whole | {
            "changes": [one for one in whole["changes"] if one["event"] > start],
            "triggers": [one for one in whole["triggers"] if one["event"] > start or one["event"] in waited],
        }


def document(state: State) -> Json:
    return state_document(state, state.edition or DEFAULT_EDITION)


def advance(state: State, standing: Standing, docket: Docket, event: Event, number: int) -> tuple[Consequence, ...]:
    """Process `event`, return its consequences. For a back-up, `state` must already be the restored state."""
    if (to := restores(event)) is not None:
        standing.back_up(number, to)
    if type(event) in ACTS:
        docket.take(event, number, standing.stands)
    return step(state, event, number)


def told(lines: Iterable[bytes | str]) -> Told:
    found = Told([bundled().fill(decode(line)) for line in lines])
    state, standing, docket = State(), Standing(), Docket()
    found.take(state, standing, docket, ())
    for number, event in enumerate(found.events, 1):
        if (to := restores(event)) is not None:
            state = found.states[to].copy()
        found.take(state, standing, docket, advance(state, standing, docket, event, number))
    return found


def counting() -> tuple[Any, list[int]]:
    """Return the mechanic of games, and a list whose only item counts the events that it has folded."""
    folded = [0]
    run, step = GAME.run, GAME.step
    assert run is not None

    def counted_run(state: Any, events: Any, number: int, found: Any) -> None:
        folded[0] += len(events)
        run(state, events, number, found)

    def counted_step(state: Any, event: Any, number: int) -> Any:
        folded[0] += 1
        return step(state, event, number)

    return replace(GAME, run=counted_run, step=counted_step), folded


RICH: list[Json] = [
    {"type": "game-started", "format": 1, "game": "Fünf", "players": ["Ana", "Bo"], "edition": "2024-06-07"},
    {"type": "game-joined", "possible": ["day", "night"]},
    {"type": "turn-began", "turn": 2, "active": ["Bo"]},
    {"type": "permanents-entered", "permanents": [
        {"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"},
        {"id": "v1", "card": "Brimstone Vandal", "controller": "Bo"},
        {"id": "b1", "card": 'The "Bear" \\', "controller": "Ana", "without_abilities": "Humility"},
    ]},
    {"type": "became-copy", "permanents": ["b1"], "front": {"name": "Immerwolf"}},
    {"type": "transform-forbidden", "source": "Moonsilver", "permanents": ["v1", "b1"]},
    {"type": "turn-began", "turn": 3, "active": ["Ana"]},
    {"type": "spell-cast", "player": "Ana"},
    {"type": "spells-uncertain", "player": "Ana", "at_least": 0, "at_most": 1},
    {"type": "judge-ruled", "designation": "night", "by": "judge"},
    {"type": "turn-began", "turn": 4, "active": ["Bo"]},
    {"type": "step-began", "step": "untap"},
    {"type": "spell-cast", "player": "Ana"},
    {"type": "spells-uncertain", "player": "Bo", "at_least": 0},
]  # fmt: skip
"""A record whose snapshot has nearly every field."""


def rich() -> tuple[State, Standing, Docket]:
    state, *_beside = thaw(told(map(json.dumps, RICH)).frozen[-1])
    standing = Standing()
    standing.back_up(8, 5)
    return state, standing, Docket.restored([("d1", "appealed", "back-up"), ("d2", "opened", None)])


@cache
def rich_bytes() -> bytes:
    return freeze(*rich())
