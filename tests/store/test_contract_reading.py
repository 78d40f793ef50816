"""The contract for the three kinds of stores, second part: reading games, and importing whole games.

| promise | tests |
| --- | --- |
| a game is read at any event, with snapshots and without | test_every_position, test_live_... |
| the eventsourcing library's own way to load gives the same state | test_every_position, test_library_path |
| a missing game or event is reported in one sentence | test_no_..., test_positions |
| a record is imported whole, once, under any free name | test_import_..., test_two_imports_at_once |
"""

import io
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from daynight import Game
from daynight.framework.language.codec import encode
from daynight.framework.language.errors import NotFoundError, RecordError, UnreadableError
from daynight.games import Store
from daynight.records import Record
from daynight.store import ConflictError, DamagedError
from daynight.store.proving.verify import verify_store
from tests.store.playing import CAST, TURN, WEREWOLF, begun, everything, lines
from tests.store.told import document, told

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "games").glob("*.jsonl"))


@cache
def example(path):
    return told(path.read_bytes().splitlines())


# ----------------------------------------------------------------------------------------------------------- reading


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("to", [3, 12])
def test_a_long_append_that_backs_up(place, to):
    """A long append with a back-up, to an event before it or in it, and a claim gives the same state as in memory."""
    with Store(replace(place, snapshots=5)) as store:
        begun(store, WEREWOLF, CAST)
        turns = [{"type": "turn-began", "turn": turn, "active": [["Ana", "Bo"][turn % 2]]} for turn in range(2, 17)]
        back = {"type": "game-backed-up", "to": to, "by": "judge"}
        claim = {"type": "tally-claimed", "player": "Ana", "spells": 0, "by": "Ana", "turn": 1}
        store.append("g", [*turns, back, claim, {"type": "turn-began", "turn": 30, "active": ["Bo"]}])
        again = Game(lines(store).splitlines())
        agrees(document(store.at("g")), document(again.state), whole=False)
        assert [None] == [found.fault for found in verify_store(store)]


def games(*, fast):
    """The example games; those that are not for the fast tests are marked."""
    return [pytest.param(path, id=path.stem, marks=() if fast(path) else pytest.mark.slow) for path in EXAMPLES]


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("snapshots, path", [
    pytest.param(snapshots, *path.values, id=f"{snapshots}-{path.id}", marks=path.marks)
    for snapshots, most in ((7, 3_000), (1000, 1_400))
    for path in games(fast=lambda path, most=most: path.stat().st_size < most)
])  # fmt: skip
def test_every_position(place, path, snapshots):
    """After each event a stored game equals the game in memory; appends have one to five events."""
    record, given = example(path), path.read_bytes().splitlines()
    with Store(replace(place, snapshots=snapshots)) as store:
        at = 0
        while at < len(given):
            store.append("g", given[at : at + 1 + at % 5])
            at += 1 + at % 5
        taken = store.recorder.snapshot_numbers("g")
        assert len(taken) >= (len(given) // 12 if snapshots == 7 else 0)
        for number in range(1, len(given) + 1):
            agrees(document(store.at("g", number)), record.documents[number], whole=not taken)
        assert store.load("g") == Game(given)
        assert lines(store) == b"".join(encode(event) + b"\n" for event in record.events)
        agrees(document(store.application.repository.get("g").state), record.documents[-1], whole=not taken)


def agrees(found, expected, *, whole):
    if whole:
        assert found == expected
        return
    for forgotten in ("changes", "triggers"):
        # A state restored from a snapshot only has later changes; of triggers, also those still waiting.
        assert all(one in expected[forgotten] for one in found[forgotten])
    assert found | {"changes": [], "triggers": []} == expected | {"changes": [], "triggers": []}


def test_live_game_looks_back(place):
    """A game continued from a snapshot accepts claims about earlier turns, and back-ups to before the snapshot."""
    with Store(replace(place, snapshots=7)) as store:
        begun(store)
        game = store.load("g")
        for turn in range(2, 20):
            new = [CAST | {"player": ["Ana", "Bo"][turn % 2]}, {"type": "turn-began", "turn": turn, "active": ["Bo"]}]
            store.append("g", new)
            for event in new:
                game.record(event)
        store.application.writer.lives.clear()
        assert store.recorder.snapshot_numbers("g")
        claim = {"type": "tally-claimed", "turn": 3, "player": "Ana", "spells": 1, "by": "table"}
        back = {"type": "game-backed-up", "to": 5, "by": "judge"}
        for event in (claim, back | {"to": 25}, CAST, claim, back | {"to": 4}, claim | {"turn": 1}, CAST):
            assert store.append("g", [event]).moments[0].consequences == game.record(event).consequences
            agrees(document(store.at("g")), game.document(), whole=False)
        with pytest.raises(RecordError):
            store.append("g", [claim | {"turn": 999}])
        assert store.load("g") == game


def test_library_path(store):
    begun(store, WEREWOLF, CAST)
    game = store.application.repository.get("g")
    assert document(game.state) == document(store.at("g")) == store.load("g").document()
    assert store.application.repository.get("g", version=2).version == 2


def test_positions(store):
    begun(store, WEREWOLF, {"type": "turn-began", "turn": 2, "active": ["Bo"]})
    assert [store.at("g", at).event for at in (None, 1, "e2", "turn:2", "3")] == [4, 1, 2, 4, 3]
    for wrong in (0, 5, "turn:9"):
        with pytest.raises(NotFoundError):
            store.at("g", wrong)


def test_a_missing_event(store):
    """If a row is missing, each way to read the game raises DamagedError that names the missing event."""
    begun(store, CAST, CAST, CAST)
    with store.recorder.transaction(write=True) as cursor:
        cursor.execute("DELETE FROM stored_events WHERE originator_version = 3")
    for ask in (store.load, store.at, lambda game: lines(store, game), lambda game: list(store.events(game))):
        with pytest.raises(DamagedError, match="event 3 is missing"):
            ask("g")


ASKED = [
    lambda store: store.at("nobody"), lambda store: store.head("nobody"), lambda store: store.code("nobody"),
    lambda store: store.load("nobody"), lambda store: store.record("nobody"),
    lambda store: store.lines("nobody", io.BytesIO()), lambda store: list(store.events("nobody")),
]  # fmt: skip


@pytest.mark.parametrize("ask", ASKED)
def test_no_such_game(store, ask):
    with pytest.raises(NotFoundError, match="no game 'nobody'"):
        ask(store)


@pytest.mark.parametrize("name", ["", "a\0", "a\n", "x" * 201, "\ud800", "\u202e"])
def test_no_such_name(store, name):
    for ask in (store.head, store.load, store.at, lambda name: store.append(name, [TURN])):
        with pytest.raises(UnreadableError, match="name"):
            ask(name)


# ------------------------------------------------------------------------------------------------------------ import


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_import_is_the_record(store, path):
    head = store.import_record(Record(path), "g")
    assert head == store.head("g")
    assert lines(store) == b"".join(encode(event) + b"\n" for event in example(path).events)
    before = everything(store.recorder)
    assert store.import_record(Record(path), "g") == head
    assert everything(store.recorder) == before
    assert [found.fault for found in verify_store(store)] == [None]


def test_import_of_another_game_of_the_name(store):
    first = store.import_record(Record(EXAMPLES[0]))
    with pytest.raises(ConflictError, match="another game of that name"):
        store.import_record(Record(EXAMPLES[1]), store.games()[0][0])
    assert [number for _name, number in store.games()] == [first.number]
    assert store.import_record(Record(EXAMPLES[0]), "another").number == first.number


def test_import_of_a_beginning(store, tmp_path):
    head = store.import_record(Record(EXAMPLES[0]), "g")
    shorter = tmp_path / "shorter.jsonl"
    shorter.write_bytes(b"".join(EXAMPLES[0].read_bytes().splitlines(keepends=True)[:3]))
    with pytest.raises(ConflictError, match=f"the store has a longer copy of this record, up to event {head.number};"):
        store.import_record(Record(shorter), "g")
    shorter.write_bytes(EXAMPLES[1].read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(ConflictError, match="another game of that name"):
        store.import_record(Record(shorter), "g")
    assert store.head("g") == head


@pytest.mark.parametrize("other", EXAMPLES[:2], ids=["the same", "another"])
def test_two_imports_at_once(kept, other):
    """If two stores import at once, the second gets the same head for the same record, ConflictError for another."""
    with Store(kept) as first, Store(kept) as second, ThreadPoolExecutor() as threads:
        waiting = []

        def progress(number):
            if not waiting:
                waiting.append(threads.submit(second.import_record, Record(other), "g"))
                # It has time to look for the game and then waits for this transaction.
                time.sleep(0.3)

        head = first.import_record(Record(EXAMPLES[0]), "g", progress=progress)
        if other == EXAMPLES[0]:
            assert waiting[0].result() == head
        else:
            with pytest.raises(ConflictError, match="another game of that name"):
                waiting[0].result()
        assert first.games() == [("g", head.number)]
        assert [found.fault for found in verify_store(first)] == [None]


def test_import_refused_whole(store, tmp_path):
    record = tmp_path / "bad.jsonl"
    record.write_bytes(EXAMPLES[0].read_bytes() + b'{"type":"spell-cast","player":"Nobody"}\n')
    with pytest.raises(RecordError):
        store.import_record(Record(record))
    assert store.games() == []


def test_goes_on_after_an_import(store):
    store.import_record(Record("demo"), "g")
    game = Game.load("demo")
    cast = {"type": "spell-cast", "player": game.state.players[0]}
    game.record(cast)
    store.append("g", [cast])
    assert store.load("g") == game
