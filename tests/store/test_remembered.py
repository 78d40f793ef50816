"""Full snapshots: some snapshots also contain the history of the state, which is then read without the record.

| promise | test |
| --- | --- |
| a state from a full snapshot has all changes and triggers, and freezes to the same bytes | test_recalls |
| the format changes only together with RULES | test_written |
| invalid bytes are refused; a mechanic without history refuses all full snapshots | test_refused, test_none |
| the history equals that of a replay, however the events were appended | test_stored, test_backed_up |
| reading the history folds few events, at any moment of the game | test_folded |
| older snapshots without history are used, and become full when taken again | test_of_before |
| a forged full snapshot is found by verify, and refused when it is read | test_forged |
| the total size of full snapshots grows linearly with the record | test_size |
"""

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from daynight.disputes.docket import Docket
from daynight.disputes.mechanic import GAME
from daynight.framework.folding.standing import Standing
from daynight.framework.joining import Pair
from daynight.games import Store
from daynight.records import Held
from daynight.referee.mechanic import DAYNIGHT
from daynight.rules import RULES
from daynight.store import DamagedError
from daynight.store.database.settings import Settings
from daynight.store.moments import snapshots
from daynight.store.moments.past import Past
from daynight.store.proving.chain import sealed, unsealed
from daynight.store.proving.verify import verify_game
from tests.bench.records import lines
from tests.oracle.walks import random_walk
from tests.sampling import few_or_all
from tests.store.told import counting, document, put, told

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "games").glob("*.jsonl"))
RECORDED = (4, "d28754e00b016f5c")
"""RULES, and the digest of the format of the history."""


def full(record, number):
    return snapshots.freeze(GAME, number, Pair(record.states[number], Docket(), Standing()), Standing(), full=True)


def records(walks):
    yield from (told(path.read_bytes().splitlines()) for path in EXAMPLES)
    yield from (told(map(json.dumps, random_walk(seed, 32))) for seed in walks)


@pytest.mark.parametrize("walks", few_or_all(range(12), range(200)), ids=["few", "many"])
def test_recalls(walks):
    triggers = 0
    for record in records(walks):
        for number in range(len(record.events) + 1):
            data = full(record, number)
            assert snapshots.is_full(GAME, data)
            event, pair, standing, _rules = snapshots.thaw(GAME, data, recalls=True)
            assert event == number
            assert document(pair.first) == record.documents[number]
            assert pair.first.triggers.waiting == record.states[number].triggers.waiting
            assert snapshots.freeze(GAME, number, pair, standing, full=True) == data
            assert snapshots.thaw(GAME, data)[1].first.timeline.changes == ()
        triggers += len(record.documents[-1]["triggers"])
    assert triggers > 5


def test_written():
    written = hashlib.sha256()
    for record in records(()):
        written.update(full(record, len(record.events)))
    assert (RULES, written.hexdigest()[:16]) == RECORDED, "raise RULES, and record the new digest"


CHANGE = [8, "check-day", [5], True, False, 3, "day", "night", 2, ["Ana"], []]
REFUSED = {
    "no arrays": ({}, "Expected `array`"),
    "one array": ([[]], "length 2"),
    "a third array": ([[], [], []], "length 2"),
    "a number for a text": ([[[8, 1, *CHANGE[2:]]], []], "Expected `str`"),
    "an unknown designation": ([[[*CHANGE[:6], "dusk", *CHANGE[7:]]], []], "Invalid enum value"),
    "an event that is not there": ([[[99, *CHANGE[1:]]], []], "an event that is not there"),
    "evidence that is not there": ([[[*CHANGE[:2], [99], *CHANGE[3:]]], []], "an event that is not there"),
    "event 0": ([[[0, *CHANGE[1:]]], []], "an event that is not there"),
    "a rule that is not there": ([[[8, "dusk", *CHANGE[2:]]], []], "a rule that is not there"),
    "a name that hides": (
        [[[*CHANGE[:9], ["Ana\u202e"], []]], []],
        "a name with a character that may not stand in one",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what):
    record = told(EXAMPLES[0].read_bytes().splitlines())
    number = len(record.events)
    assert number < 99
    outer = json.loads(full(record, number))
    value, why = REFUSED[what]
    assert thawed(outer | {"remembered": [[CHANGE], []]})
    with pytest.raises(DamagedError, match=rf"(?<!\w){re.escape(why)}(?!\w)"):
        thawed(outer | {"remembered": value})


def thawed(snapshot, mechanic=GAME):
    data = json.dumps(snapshot, ensure_ascii=False, separators=(",", ":")).encode()
    return snapshots.thaw(mechanic, data, recalls=True)


def test_none():
    record = told(EXAMPLES[0].read_bytes().splitlines())
    forgetful = replace(GAME, remember=None, recall=None)
    with pytest.raises(DamagedError, match="more than the mechanic remembers"):
        snapshots.thaw(forgetful, full(record, 3))
    with pytest.raises(ValueError, match="remember and recall: one of them is missing"):
        replace(DAYNIGHT, recall=None)


# ------------------------------------------------------------------------------------------------------- in a store


def recalled(store, game, number):
    return document(Past(store.recorder, game, checked=True).recalling().live(number).state)


def everything(store, game, every=1):
    """Compare the history read from snapshots with that of a replay; return the events with full snapshots."""
    whole, last = store.load(game), store.last(game)
    for number in {*range(1, last + 1, every), last}:
        assert recalled(store, game, number) == whole.document(number), number
    assert verify_game(store.recorder, game).fault is None
    kept = {number: next(store.recorder.snapshot(game, number))[1] for number in store.recorder.snapshot_numbers(game)}
    return [number for number, data in kept.items() if snapshots.is_full(GAME, data)]


def at_once(settings, data):
    with Store(settings) as store:
        store.import_record(Held("g", b"\n".join(data)), "g")


def by_one(settings, data):
    with Store(settings) as store:
        for line in data:
            store.append("g", [json.loads(line)])


def by_many(settings, data):
    for at in range(0, len(data), 3):
        with Store(settings) as store:
            store.append("g", [json.loads(line) for line in data[at : at + 3]])


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("way", [at_once, by_one, by_many])
@pytest.mark.parametrize("seeds", few_or_all((3, 28), range(40)), ids=["few", "many"])
def test_stored(way, seeds, tmp_path):
    for seed in seeds:
        first, *others = random_walk(seed, 60)
        # Under early rules tokens have one face, and the walks have others.
        first = {name: value for name, value in first.items() if name != "edition"} | {"game": "g"}
        data = [json.dumps(event).encode() for event in (first, *others)]
        settings = Settings(kind="sqlite", path=str(tmp_path / f"{seed}.db"), snapshots=5)
        way(settings, data)
        with Store(settings) as store:
            assert len(everything(store, "g")) > len(data) / 8


def backing_up():
    """A game with many back-ups, to places within the last snapshot interval and far before it."""
    events = [{"type": "game-started", "format": 1, "game": "g", "players": ["Ana", "Bo"]}]
    events += [{"type": "permanents-entered", "permanents": [
        {"id": "v1", "card": "Brimstone Vandal", "controller": "Bo"},
        {"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"},
    ]}]  # fmt: skip
    for turn in range(1, 60):
        player = ("Ana", "Bo")[turn % 2]
        events += [{"type": "turn-began", "turn": turn, "active": [player]}, {"type": "step-began", "step": "untap"}]
        events += [{"type": "spell-cast", "player": player}] * (turn % 4)
        if turn % 7 == 0:
            events.append({"type": "game-backed-up", "to": len(events) - 3, "by": "judge"})
            events.append({"type": "spell-cast", "player": player})
        if turn in (30, 50):
            events.append({"type": "game-backed-up", "to": 70 - turn, "by": "judge"})
    return events


@pytest.mark.wide
@pytest.mark.parametrize("way", [at_once, by_one, by_many])
def test_backed_up(way, tmp_path):
    """However a game with back-ups was appended, its history at each event equals that of a replay."""
    settings = Settings(kind="sqlite", path=str(tmp_path / "g.db"), snapshots=10)
    data = [json.dumps(event).encode() for event in backing_up()]
    way(settings, data)
    with Store(settings) as store:
        assert len(everything(store, "g")) > len(data) / 15


@pytest.mark.parametrize("events", few_or_all(12_000, 100_000))
def test_folded(events, tmp_path):
    """Reading folds at most 1/32 of the events that a replay would, or one snapshot interval."""
    path = tmp_path / "long.db"
    with Store.open(path) as store:
        store.import_record(Held("long", lines(events)), "long")
    mechanic, folded = counting()
    for number in (events, events - 1, events // 2 - 1, events // 3, 400):
        with Store.open(path, mechanic=mechanic) as store:
            folded[0] = 0
            state = Past(store.recorder, "long", checked=True).recalling().live(number).state
            assert state.event == number
            assert folded[0] <= max(number / 32, 250), number
            assert len(state.timeline.changes) > number / 400


@pytest.mark.wide
def test_of_before(place):
    with Store(Settings(**{**vars(place), "snapshots": 50})) as store:
        store.import_record(Held("long", lines(2_010)), "long")
        whole = store.load("long").document(2_010)
        before = [(number, next(store.recorder.snapshot("long", number))[1]) for number in range(50, 2_001, 50)]
        with store.recorder.transaction(write=True) as cursor:
            for number, data in before:
                bare, digest = snapshots.bare(unsealed(data)), store.recorder.digest("long", number)
                assert digest is not None
                assert bare != unsealed(data)
                statement = store.recorder.sql("UPDATE snapshots SET state = ? WHERE event = ?")
                cursor.execute(statement, (sealed("long", number, bare, digest), number))
        assert everything(store, "long", 97) == []
        assert recalled(store, "long", 2_010) == whole
        # The next one that is due is full, and so are those taken anew.
        turn = store.at("long").turn + 1
        store.append("long", [{"type": "turn-began", "turn": turn + more, "active": ["Ana"]} for more in range(50)])
        assert everything(store, "long", 97) == [2_060]
        with store.recorder.transaction(write=True) as cursor:
            cursor.execute("DELETE FROM snapshots WHERE event = 2060")
        assert store.take_snapshots("long") == 41
        assert store.take_snapshots("long") == 0
        assert everything(store, "long", 97) == [*range(50, 2_051, 50)]


def test_forged(tmp_path):
    with Store(Settings(kind="sqlite", path=str(tmp_path / "long.db"), snapshots=50)) as store:
        store.import_record(Held("long", lines(510)), "long")
        kept = next(store.recorder.snapshot("long", 500))[1]
        data = unsealed(kept)
        forged = json.loads(data)
        put("remembered", 0, 0, 5, value=2)(forged)
        other = json.dumps(forged, ensure_ascii=False, separators=(",", ":")).encode()
        digest = store.recorder.digest("long", 500)
        assert other != data
        assert digest is not None

        def stored(state):
            with store.recorder.transaction(write=True) as cursor:
                cursor.execute("UPDATE snapshots SET state = ? WHERE event = 500", (state,))

        stored(other + kept[-64:])
        with pytest.raises(DamagedError, match="not that of the game"):
            recalled(store, "long", 510)
        stored(sealed("long", 500, other, digest))
        fault = verify_game(store.recorder, "long").fault
        assert fault is not None
        assert (fault.event, fault.sentence) == (500, "the snapshot of event 500 is not that of the game")


@pytest.mark.wide
def test_size():
    """For four times as many events, full snapshots take at most five times as many bytes."""
    sizes = []
    for events in (3_200, 12_800):
        with Store(Settings(kind="memory", snapshots=25)) as store:
            store.import_record(Held("long", lines(events)), "long")
            found = [next(store.recorder.snapshot("long", at))[1] for at in store.recorder.snapshot_numbers("long")]
            sizes.append(sum(len(one) - len(snapshots.bare(unsealed(one))) - 64 for one in found))
    assert 0 < sizes[1] < 5 * sizes[0]
