"""The referee equals the naive oracle: on every short record, in every state of a larger board, on random records.

The oracle was written from the contract alone; the two share no code.
"""

from __future__ import annotations

import json
from collections import deque
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings

from daynight.cards import bundled
from daynight.events import Event, decode
from daynight.framework.language.codec import encode, encode_lines
from daynight.game import Game
from daynight.referee.referee import step
from daynight.referee.state import State
from tests.differential.compare import Refusals, agree, comparable, ours
from tests.differential.invariants import hold
from tests.oracle.alphabet import ALPHABET, OPENING, Letter, next_turn, opened, present, steps
from tests.oracle.naive import Naive, untap_unwritten
from tests.oracle.walks import random_tries, random_walk, tries

Json = dict[str, Any]


@cache
def _decoded(line: str) -> Event:
    return bundled().fill(decode(line))


def stepped(state: State, event: Json) -> State:
    """Return the state after one more event; check the invariants."""
    after = state.copy()
    step(after, _decoded(json.dumps(event)), state.event + 1)
    hold(state, after)
    return after


def every_sequence(length: int) -> int:
    """Compare referee and oracle on every legal record of up to `length` events of the alphabet; return how many."""
    stack = [Game(OPENING).state]
    seen = 0
    for depth, event, naive in steps(length):
        del stack[depth:]
        stack.append(stepped(stack[-1], event))
        assert comparable(naive.document()) == ours(stack[-1]), event
        seen += 1
    return seen


def test_the_alphabet_has_at_least_ten_kinds() -> None:
    """The alphabet, from which the short records are made, has at least ten kinds of events."""
    assert len(ALPHABET) >= 10


def test_every_sequence_up_to_three() -> None:
    """On every legal record of up to three events, referee and oracle have the same state after each event."""
    assert every_sequence(3) == 1_110


@pytest.mark.slow
def test_every_sequence_up_to_six() -> None:
    """On every legal record of up to six events, referee and oracle have the same state after each event."""
    assert every_sequence(6) == 1_111_110


WATCHER: Json = {"id": "v", "card": "Brimstone Vandal", "controller": "Bo"}
BANDIT: Json = {"id": "b", "card": "Geier Reach Bandit", "controller": "Ana"}


def _while_there(name: str, **event: Any) -> Letter:
    return lambda naive: event if present(naive, name) else None


def _while_phased(name: str, phased_in: bool) -> Letter:
    event = {"type": "phased-out" if phased_in else "phased-in", "permanents": [name]}

    def letter(naive: Naive) -> Json | None:
        """`event`, if the due untap step leaves the permanent `name` with the status `phased_in`; otherwise None."""
        there = untap_unwritten(naive.state)["battlefield"]
        return event if any(one["id"] == name and one["phased_in"] is phased_in for one in there) else None

    return letter


def _once(permanent: Json) -> Letter:
    event = {"type": "permanents-entered", "permanents": [permanent]}
    return lambda naive: None if present(naive, permanent["id"]) else event


LARGER: dict[str, Letter] = {
    **{name: letter for name, letter in ALPHABET.items() if not name.startswith("clone")},
    "upkeep": lambda naive: {"type": "step-began", "step": "upkeep"}, "watcher enters": _once(WATCHER),
    "bandit enters": _once(BANDIT),
    "Moonmist": lambda naive: {
        "type": "transform-instructed", "permanents": [name for name in ("w", "b", "v") if present(naive, name)],
    },
    "Humility": _while_there("w", type="abilities-lost", permanents=["w"], source="Humility"),
    "Humility ends": _while_there("w", type="abilities-regained", permanents=["w"], source="Humility"),
    "next turn, no untap step": lambda naive: (next_turn(naive) or {}) | {"skips": ["untap"]},
    "werewolf phases out": _while_phased("w", True), "werewolf phases in": _while_phased("w", False),
    "Immerwolf goes over": _while_there("i", type="control-changed", permanents=["i"], controller="Bo"),
    "Immerwolf comes back": _while_there("i", type="control-changed", permanents=["i"], controller="Ana"),
}  # fmt: skip


def _shape(state: State) -> object:
    """The state as a hashable tuple, without the numbers of events and turns."""
    possibility = state.possibilities[0]
    tallies = state.tallies
    return (
        possibility.designation,
        tuple(
            (status.id, status.controller, status.phased_in, status.losses, status.id in possibility.backs)
            for status in sorted(state.battlefield, key=lambda status: status.id)
        ),
        state.active,
        tuple(tally and (tally.active, tally.most) for tally in (tallies.current, tallies.previous)),
        bool(state.triggers.waiting),
        state.due,
        tuple(state.battlefield.out.items()),
    )


def closure(most: int | None = None) -> int:
    """Compare referee and oracle after every event in every state that the events of `LARGER` reach.

    Return how many states were found; stop when there are `most`.
    """
    start = (opened(), Game(OPENING).state)
    seen = {_shape(start[1])}
    waiting = deque([start])
    while waiting and (most is None or len(seen) < most):
        naive, state = waiting.popleft()
        for letter in LARGER.values():
            event = letter(naive)
            if event is None:
                continue
            after, child = stepped(state, event), naive.copy()
            child.apply(event)
            expected, found = comparable(child.document()), ours(after)
            assert expected == found, event
            if (shape := _shape(after)) not in seen:
                seen.add(shape)
                waiting.append((child, after))
    return len(seen)


def test_reachable_states() -> None:
    """For the first two hundred states of the larger board, the referee equals the oracle under every event."""
    assert closure(200) >= 200


@pytest.mark.slow
def test_every_reachable_state() -> None:
    """For all reachable states of the larger board, the referee equals the oracle under every event."""
    assert closure() == 9064


@given(tries(50))
def test_walks(tried: tuple[list[Json], Refusals]) -> None:
    """On random records of fifty events of all types, referee and oracle give the same states, refusals and audits."""
    agree(*tried)


@pytest.mark.slow
@settings(max_examples=10_000)
@given(tries(50))
def test_ten_thousand_searched_walks(tried: tuple[list[Json], Refusals]) -> None:
    """On ten thousand random records, referee and oracle give the same states, refusals and audits."""
    agree(*tried)


def test_seeded_walks() -> None:
    """On the records of twenty fixed seeds, referee and oracle give the same states, refusals and audits."""
    for seed in range(20):
        agree(*random_tries(seed, 50))


@pytest.mark.slow
def test_ten_thousand_seeded_walks() -> None:
    """On the records of ten thousand fixed seeds, referee and oracle give the same states, refusals and audits."""
    for seed in range(10_000):
        agree(*random_tries(seed, 50))


def replays_are_prefixes(seeds: int) -> None:
    """For records of this many seeds, assert that a game at event n equals the game of its first n lines."""
    for seed in range(seeds):
        record = random_walk(seed, 50)
        game = Game(record)
        again = encode_lines(game.events).splitlines()
        for number in (1, 2, 7, 25, 49, len(record)):
            if number > len(record):
                continue
            prefix = Game(record[:number])
            assert game.document(number) == prefix.document()
            assert prefix.state.event == number
        assert [encode(event) for event in game.events] == again
        for moment, state in zip(game.moments(), (game.at(n) for n in range(1, len(record) + 1)), strict=True):
            assert moment.number == state.event


@pytest.mark.wide
def test_replay_is_a_prefix() -> None:
    """A game at event n equals the game of its first n lines, whatever comes later; event numbers never change."""
    replays_are_prefixes(8)


@pytest.mark.slow
def test_any_replay_is_a_prefix() -> None:
    """A game at event n equals the game of its first n lines, for four hundred records."""
    replays_are_prefixes(400)


def test_a_refused_event_changes_nothing() -> None:
    """After a refused event, the document of the game is the same as before."""
    naive, game = Naive(), Game()
    for event in OPENING:
        naive.apply(event)
        game.record(event)
    before = game.document()
    with pytest.raises(Exception, match="no permanent"):
        game.record({"type": "permanents-left", "permanents": ["nobody"]})
    assert before == game.document()
