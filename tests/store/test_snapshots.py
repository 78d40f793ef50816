"""Snapshots: a thawed state gives the same results as the original one."""

import hashlib
import json
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from daynight.cards import bundled
from daynight.events import decode
from daynight.events.claims import TallyClaimed
from daynight.framework.folding.standing import Standing
from daynight.framework.language.errors import ImpossibleError
from daynight.game import Game
from daynight.projections.battlefield import Battlefield
from daynight.referee import alternatives
from daynight.referee.mechanic import DAYNIGHT
from daynight.referee.referee import restores, step
from daynight.referee.state import State
from daynight.referee.turns import untap_unwritten
from daynight.rules import RULES
from tests.oracle.walks import random_walk
from tests.rules import words
from tests.rules.judges import claim_tally, ruled
from tests.rules.placing import enter
from tests.rules.words import cast, doubt, started, untap
from tests.sampling import few_or_all
from tests.store.told import RICH, advance, document, freeze, looks_back, rich, thaw, told

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "games").glob("*.jsonl"))
WALKS = tuple(range(200))
FEW = (*range(16), 28, 34, 38)
"""The seeds of random walks that together cover everything, for the fast tests."""


@cache
def examples():
    return tuple(told(path.read_bytes().splitlines()) for path in EXAMPLES)


@cache
def walks(seeds):
    return tuple(told(map(json.dumps, random_walk(seed, 32))) for seed in seeds)


MANY = pytest.mark.parametrize("seeds", few_or_all(FEW, WALKS), ids=["few", "many"])


def go_on(record, start):
    """Thaw the state after event `start`, and compare the results of the rest of the record."""
    state, standing, docket = thaw(record.frozen[start])
    kept = {start: state.copy()}
    for number, event in enumerate(record.events[start:], start + 1):
        to = restores(event)
        if to is not None:
            assert looks_back(event, state)
            if to < start:
                return  # the state that it backs up to is another snapshot's
            state = kept[to].copy()
        elif looks_back(event, state):
            assert isinstance(event, TallyClaimed)
            assert event.turn is not None
            assert event.turn < state.turn
            # A claim changes nothing, but it shows that a pending untap step is over.
            if state.due:
                untap_unwritten(state, number)
            state.event = number
            kept[number] = state.copy()
            continue
        assert record.consequences[number] == advance(state, standing, docket, event, number), (start, number)
        assert record.since(start, number) == document(state), (start, number)
        kept[number] = state.copy()
    assert record.frozen[-1] == freeze(state, standing, docket), start


def everything(state):
    """All fields of a state except its history and its caches."""
    tallies, battlefield = state.tallies, state.battlefield
    parts = {
        "tallies": [
            None if tally is None else replace(tally, earlier=None, back=None, depth=0)
            for tally in (tallies.current, tallies.previous)
        ],
        "battlefield": [list(battlefield)]
        + [getattr(battlefield, name) for name in Battlefield.__slots__ if name not in ("found", "_shared")],
        "triggers": state.triggers.waiting,
        "timeline": None,
    }
    return {name: parts[name] if name in parts else getattr(state, name) for name in State.__slots__}


def relay(record):
    """Thaw a snapshot at each moment and continue from it: anything that one snapshot loses stays lost."""
    for number, data in enumerate(record.frozen):
        state, standing, docket = thaw(data)
        assert data == freeze(state, standing, docket), number
        assert everything(record.states[number]) == everything(state), number
        assert record.since(number, number) == document(state), number
        if number == len(record.events):
            break
        event = record.events[number]
        if (to := restores(event)) is not None:
            state, *_beside = thaw(record.frozen[to])
        elif looks_back(event, state):
            continue
        assert record.consequences[number + 1] == advance(state, standing, docket, event, number + 1), number
        assert record.frozen[number + 1] == freeze(state, standing, docket), number


# ---------------------------------------------------------------------------------------------------- what is thawed


@pytest.mark.parametrize("every", few_or_all(6, 1))
def test_examples(every):
    """At every moment of every example game, thawing and freezing give the same bytes and the same further results."""
    assert len(examples()) >= 10
    for number, record in enumerate(examples()):
        relay(record)
        for start in range(number % every, len(record.frozen), every):
            go_on(record, start)


@pytest.mark.wide
@MANY
def test_from_one_moment_of_a_walk_to_the_next(seeds):
    """At every moment of many walks, thawing and freezing give the same bytes, and the next event the same result."""
    for record in walks(seeds):
        relay(record)
    assert sum(len(record.frozen) for record in walks(seeds)) > 31.5 * len(seeds)


@MANY
def test_from_some_moments_of_the_walks(seeds):
    """From every twelfth moment of the walks, the thawed state gives the same results for the rest."""
    for seed, record in enumerate(walks(seeds)):
        for start in range(seed % 12, len(record.frozen), 12):
            go_on(record, start)


@pytest.mark.slow
def test_from_every_moment_of_the_walks():
    """From every moment of the walks, the thawed state gives the same results for the rest."""
    for record in walks(WALKS):
        for start in range(len(record.frozen)):
            go_on(record, start)


@MANY
def test_walks_have_everything(seeds):
    """Every field of a snapshot occurs in one of the walks; otherwise the tests above would not cover it."""
    found = set()

    def look(value, path):
        if isinstance(value, dict):
            free = path in ("turned", "spells", "doubts", "forbidding")
            for key, inner in value.items():
                found.add(path if free else key)
                look(inner, path if free else key)
        elif isinstance(value, list):
            for inner in value:
                look(inner, path)

    for record in walks(seeds):
        for data in record.frozen[::5]:
            look(json.loads(data), "")
    assert found >= {
        *("game", "edition", "players", "teams", "left", "joined", "began", "step", "over", "current", "previous"),
        *("active", "spells", "doubts", "evidence", "others", "unknown", "unruled", "casts", "causes", "turned"),
        *("arrived", "controller", "face_down", "out_under", "nobodys", "due", "losses", "lost"),
        *("entered_without", "copy", "token"),
        *("forbidding", "changes", "turnings", "waiting", "checked_turn", "certain", "face", "without_abilities"),
    }


def test_no_history():
    """A thawed state has no changes, only the waiting triggers, and no tally before the previous turn's."""
    turns = [{"type": "turn-began", "turn": turn, "active": ["Ana"]} for turn in (1, 2, 3)]
    record = told(map(json.dumps, [*RICH[:1], *RICH[2:], *[turn | {"turn": turn["turn"] + 4} for turn in turns]]))
    assert record.documents[-1]["changes"]
    assert record.documents[-1]["triggers"]
    state, *_beside = thaw(record.frozen[-1])
    assert state.timeline.changes == state.triggers.triggered == ()
    assert [turn for turn in range(9) if state.tallies.find(turn) is not None] == [6, 7]


def test_what_looks_back():
    """Only a back-up, and a claim about a forgotten turn, need events from before a snapshot."""
    state, *_beside = rich()
    claim = {"type": "tally-claimed", "player": "Ana", "spells": 0, "by": "Bo"}
    asked = [claim, claim | {"turn": 4}, claim | {"turn": 3}, claim | {"turn": 2}, claim | {"turn": 9}]
    backs_up = {"type": "game-backed-up", "to": 2, "by": "judge"}
    quiet = {"type": "spell-cast", "player": "Ana"}
    found = [looks_back(decode(json.dumps(event)), state) for event in (*asked, backs_up, quiet)]
    assert found == [False, False, False, True, True, True, False]


def long_record(turns):
    """The snapshot after many turns, with a change in each, triggers on it, and casts by everybody."""
    state, standing, number = State(), Standing(), 0

    def happens(**event):
        nonlocal number
        number += 1
        step(state, bundled().fill(decode(json.dumps(event))), number)

    happens(type="game-started", format=1, game="long", players=["Ana", "Bo"])
    cards = ("Tavern Ruffian", "Brimstone Vandal", "Immerwolf", "Forest")
    permanents = [{"id": f"p{place}", "card": card, "controller": "Ana"} for place, card in enumerate(cards)]
    happens(type="permanents-entered", permanents=permanents)
    for turn in range(1, turns + 1):
        happens(type="turn-began", turn=100_000 + turn, active=["Ana"])
        happens(type="step-began", step="untap")
        happens(type="step-began", step="upkeep")
        for player in ("Ana", "Ana", "Bo") if turn % 2 else ("Bo",):
            happens(type="spell-cast", player=player)
        happens(type="permanents-entered", permanents=[{"id": "guest", "card": "Forest", "controller": "Bo"}])
        happens(type="transform-forbidden", source="Moonsilver", permanents=["p0"])
        happens(type="transform-allowed", source="Moonsilver")
        happens(type="permanents-left", permanents=["guest"])
    return freeze(state, standing)


@pytest.mark.wide
def test_the_size_is_bounded():
    """A record a hundred times as long has an equally long snapshot, except for more digits in numbers."""
    short, long = long_record(10), long_record(1000)
    digits = sum(one.isdigit() for one in long.decode()) - sum(one.isdigit() for one in short.decode())
    assert len(long) - len(short) == digits <= 40


def test_what_was_undone_is_one_interval():
    """Undone events, however many in sequence, add only two numbers to a snapshot."""
    one, two = Standing(), Standing()
    for standing in (one, two):
        standing.back_up(1000, 10)
    two.back_up(5000, 1010)
    assert one.bounds == (1, 10, 1000)
    assert two.bounds == (1, 10, 1000, 1010, 5000)
    again = Standing.restored(two.bounds)
    assert [again.stands(number, 5002) for number in (1, 10, 11, 999, 1000, 1010, 1011, 5000, 5001, 5002)] == [
        *(True, True, False, False, True, True, False, True, True, False)
    ]


# ---------------------------------------------------------------------------------------------------- the version

RECORDED = (4, "ae42a065a18023db", "b89466ff5acb3679")
"""RULES, and the digests of the results of the rules and of the format of snapshots."""


def test_the_version_of_the_rules():
    """If you change the results of the rules or the format of snapshots, raise RULES and update this test's table."""
    led, written = hashlib.sha256(), hashlib.sha256()
    for record in examples():
        for number, whole in enumerate(record.documents):
            led.update(json.dumps(whole, sort_keys=True).encode())
            written.update(record.frozen[number])
    rules, documents, snapshots = RECORDED
    found = f"RECORDED = ({RULES}, {led.hexdigest()[:16]!r}, {written.hexdigest()[:16]!r})"
    assert (rules, documents) == (RULES, led.hexdigest()[:16]), (
        f"the rules lead elsewhere than before: raise RULES and record the new digest: {found}"
    )
    assert snapshots == written.hexdigest()[:16], (
        f"snapshots are written otherwise than before: raise RULES and record the new digest: {found}"
    )


def test_what_several_possibilities_came_by(monkeypatch):
    """The reasons of each possibility survive freezing: uncounted casts, the turn of the change, a face's causes."""
    monkeypatch.setattr(alternatives, "APART", 0)
    events = [
        started(), enter("w1"), words.turn(1), cast("Bo") | {"card": "Opt"}, doubt("Ana", 0, 1), words.turn(2, "Bo"),
        untap(), ruled("night"), cast() | {"card": "Shock"}, cast(), words.turn(3),
    ]  # fmt: skip
    state = Game(events).state
    (possibility,) = state.possibilities
    assert 2 == len(possibility.ways["w1"])
    assert 2 == len(state.tallies.previous.uncounted())
    thawed, _standing, _docket = thaw(freeze(state, Standing()))
    assert possibility.ways == thawed.possibilities[0].ways
    assert possibility.causes == thawed.possibilities[0].causes
    assert ((4, "Bo", "Opt"),) == possibility.causes[0].uncounted
    assert state.tallies.previous.uncounted() == thawed.tallies.previous.uncounted()


def test_a_tally_of_a_turn_that_is_forgotten():
    """A thawed state accepts a stored claim about a forgotten turn; a whole record refuses one about a missing turn."""
    turns = [started(), *[words.turn(number, "Ana") for number in range(1, 6)]]
    assert DAYNIGHT.freeze is not None
    assert DAYNIGHT.thaw is not None
    thawed = DAYNIGHT.thaw(DAYNIGHT.freeze(Game(turns).state))
    assert [] == [*step(thawed, TallyClaimed(player="Ana", spells=0, turn=1, by="Bo"), 7)]
    with pytest.raises(ImpossibleError):
        Game([*turns, claim_tally("Ana", 0, 9)])
