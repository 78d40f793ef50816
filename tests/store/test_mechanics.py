"""A store keeps records of any mechanic, and remembers which one.

| promise | test |
| --- | --- |
| append, at, load, code, commands, record, feed, archive and verify work on every kind of store | test_everything |
| an impossible first event is refused with the mechanic's own sentence | test_braces_in_a_sentence |
| after a back-up the state is that of the target event, from memory and from snapshots | test_backing_up |
| a mechanic without `freeze` is replayed from event 1 | test_no_snapshots |
| heads are signed after the events that the mechanic's `seals` names | test_seals, test_long_without_turns |
| turns without numbers are counted, undone ones too; a back-up restores the turn | test_turns |
| whole records are imported, each completely or not at all | test_import |
| branches are stored beside their parent | test_branches |
| the store remembers its mechanic and refuses another, empty or not | test_remembers, test_refuses |
| a store of games keeps no name of its mechanic, and its tables are as in older stores | test_unmarked |
| if two open an empty store for different mechanics, one is refused, at the latest on its first append | test_race |
| a forged name of the mechanic is detected | test_tampered |
"""

import sqlite3
from contextlib import closing
from dataclasses import replace
from io import BytesIO

import pytest

from daynight.cli.commands import run
from daynight.framework.edits import drop
from daynight.framework.language.errors import ImpossibleError, NotFoundError, UnreadableError
from daynight.framework.recorded import Recorded
from daynight.game import Game, played
from daynight.games import Store
from daynight.records import Record
from daynight.referee.mechanic import DAYNIGHT
from daynight.store import (
    DamagedError,
    Feed,
    Key,
    StoreError,
    prove,
    read_archive,
    read_proof,
    verify_record,
    write_archive,
)
from daynight.store.branches import branches, keep
from daynight.store.database.rows import BULK
from daynight.store.database.settings import Settings
from daynight.store.proving.signatures import SignedTurns
from examples.monarch import MECHANIC as MONARCH
from examples.monarch import BackedUp, EndStepBegan, Started, TurnBegan
from tests.framework.storing import whole
from tests.rules.words import started
from tests.store.lamp import HUNG, LAMP, PRESSED, Lamp, counted, dimmed

RECORD = [HUNG, PRESSED, PRESSED, counted(2), PRESSED, dimmed(2), PRESSED, counted(2)]
STATELESS = replace(LAMP, freeze=None, thaw=None)


def test_braces_in_a_sentence():
    """A mechanic's sentence about the first event is printed verbatim: {} and {game} in it are not filled in."""

    def begins(event):
        raise ImpossibleError("expected {} or {game}", path="$.type")

    store = Store.open("memory:", mechanic=replace(LAMP, begins=begins))
    with store, pytest.raises(NotFoundError) as caught:
        store.append("yard", [PRESSED])
    assert "no game 'yard': expected {} or {game}" == str(caught.value)


def test_everything(place):
    with Store(place, mechanic=LAMP) as store:
        with Feed(store) as feed, feed.subscribe() as subscription:
            appended = store.append("hall", [HUNG, PRESSED], command="c1")
            assert [one.number for one in subscription.take(30, 2)] in ([1, 2], [1])
        assert (appended.last, appended.moments[1].consequences[0].on) == (2, True)
        assert store.append("hall", [HUNG, PRESSED], command="c1").repeated
        store.append("hall", RECORD[2:])
        with pytest.raises(ImpossibleError) as caught:
            store.append("hall", [PRESSED, HUNG])
        assert (caught.value.line, caught.value.sentence) == (10, "it hangs already")
        with pytest.raises(UnreadableError, match="spell-cast"):
            store.append("hall", [{"type": "spell-cast", "player": "Ana"}])
        with pytest.raises(NotFoundError, match=r"no game 'yard': .*a lamp is hung first"):
            store.append("yard", [PRESSED])
        record = store.load("hall")
        assert type(record) is Recorded
        assert record == Recorded(LAMP, RECORD)
        assert [store.at("hall", number) for number in range(1, 9)] == [record.at(number) for number in range(1, 9)]
        assert [finding.event for finding in record.audited().disputes] == []
        assert store.code("hall").startswith("e8 ")
        whole(store)
        stream = BytesIO()
        write_archive(store, stream)
        with Store.open("memory:", mechanic=LAMP) as other:
            assert read_archive(other, BytesIO(stream.getvalue())) == (1, 8)
            assert other.code("hall") == store.code("hall")
        with Store.open("memory:") as other, pytest.raises(DamagedError, match="unknown tag 'lamp-hung'"):
            read_archive(other, BytesIO(stream.getvalue()))


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("mechanic", [LAMP, STATELESS], ids=["snapshots", "none"])
def test_backing_up(place, mechanic):
    events = [HUNG]
    for number in range(2, 60, 3):
        events += [PRESSED, dimmed(number - 1 if number % 4 else 1), PRESSED]
    with Store(replace(place, snapshots=7), mechanic=mechanic) as store:  # type: ignore[arg-type]
        for at in range(0, len(events), 4):
            store.append("hall", events[at : at + 4])
            store.application.writer.lives.clear()
        record = Recorded(LAMP, events)
        for number in range(1, len(events) + 1):
            assert store.at("hall", number) == record.at(number)
        assert bool(store.recorder.snapshot_numbers("hall")) is (mechanic is LAMP)
        assert store.take_snapshots("hall") == 0
        whole(store)


def test_no_snapshots(tmp_path):
    """Snapshots of a mechanic that no longer freezes, or of another version, are ignored."""
    settings = Settings(kind="sqlite", path=str(tmp_path / "lamps.db"), snapshots=2)
    with Store(settings, mechanic=LAMP) as store:
        store.append("hall", RECORD)
        assert store.recorder.snapshot_numbers("hall") == [8]
    for mechanic in (STATELESS, replace(LAMP, version=2)):
        with Store(settings, mechanic=mechanic) as store:
            assert store.at("hall") == Lamp(2, 7)
            whole(store)


def test_seals(tmp_path):
    with Store.open(tmp_path / "lamps.db", mechanic=LAMP, key=Key.generate()) as store:
        store.append("hall", RECORD)
        # Hung at 1, counted at 4 and 8; the back-up at 6 undid event 5, and the claim's author is known.
        assert [event for event, _key, _signature in store.recorder.signatures("hall")] == [1, 4, 5, 6, 8]
        proof = read_proof(BytesIO(prove(store, "hall")))
        stream = BytesIO()
        store.lines("hall", stream)
        (tmp_path / "hall.jsonl").write_bytes(stream.getvalue())
        found = verify_record(Record(tmp_path / "hall.jsonl"), proof=proof, mechanic=LAMP)
        assert (found.fault, found.events) == (None, 8)
        assert verify_record(Record(tmp_path / "hall.jsonl"), proof=proof, mechanic=played()).fault is not None
        whole(store)


def test_turns():
    turns = SignedTurns(MONARCH)
    began, game = TurnBegan(player="Ana"), Started(game="g", players=("Ana",))
    turns.take(1, [game, began, began, EndStepBegan(), BackedUp(to=2), EndStepBegan(), began])
    found = turns.signatures((), 7, {5: bytes(32)})
    assert [(0, 1), (1, 2), (1, 6), (3, 7)] == [(end.turn, end.event) for end in found.unsigned]
    assert [(5, "backed-up")] == [(act.event, act.type) for act in found.unsigned_acts]


def test_import(tmp_path):
    path, bad = tmp_path / "hall.jsonl", tmp_path / "bad.jsonl"
    Recorded(LAMP, RECORD).save(path)
    bad.write_bytes(path.read_bytes() + b'{"type":"lamp-hung","lamp":"x"}\n')
    with Store(Settings(kind="memory", snapshots=3), mechanic=LAMP) as store:
        with pytest.raises(ImpossibleError) as caught:
            store.import_record(bad)
        assert (caught.value.file, caught.value.line) == (str(bad), 9)
        assert store.games() == []
        assert store.import_record(path) == store.import_record(path)
        assert store.games() == [("hall", 8)]
        assert store.recorder.snapshot_numbers("hall") == [3, 6]
        with pytest.raises(ImpossibleError):
            store.import_record(bad)
        whole(store)


def test_branches(place):
    with Store(place, mechanic=LAMP) as store:
        store.append("hall", RECORD)
        keep(store, store.load("hall").branch(drop(3), name="b2", leave_out=True), "hall")
        assert store.at("hall", "branch:b2").presses == 2
        assert [(kept.game, kept.intact) for kept in branches(store, "hall")] == [("hall/b2", True)]
        whole(store)


def test_remembers(place):
    if place.kind == "memory":
        pytest.skip("a store in memory is gone when it is closed")
    with Store(place, mechanic=LAMP) as store:
        store.append("hall", RECORD)
    with pytest.raises(StoreError) as caught:
        Store(place)
    assert str(caught.value) == f"{place.shown}: a store of lamp, not of daynight; open it with its own mechanic"
    with pytest.raises(StoreError, match="a store of lamp, not of torch"):
        Store(place, mechanic=replace(LAMP, name="torch"))
    with Store(place, mechanic=LAMP) as store:
        assert store.at("hall") == Lamp(2, 7)
        whole(store)


def test_refuses(place, tmp_path, capsys):
    with Store(place) as store:
        store.append("g", [started()])
        assert type(store.load("g")) is Game
        if place.kind == "memory":
            return
    with pytest.raises(StoreError, match="a store of daynight, not of lamp; open it with its own mechanic"):
        Store(place, mechanic=LAMP)
    with pytest.raises(StoreError, match="a store of daynight, not of day-and-night; open it with its own mechanic"):
        # The rules without the disputes could not read every event that this store may contain.
        Store(place, mechanic=DAYNIGHT)
    if place.kind == "sqlite":
        with Store.open(tmp_path / "lamps.db", mechanic=LAMP):
            pass
        assert run(["list", "--db", str(tmp_path / "lamps.db")]) == 5
        assert "a store of lamp, not of daynight" in capsys.readouterr().err


def test_unmarked(tmp_path):
    with Store.open(tmp_path / "games.db") as store:
        store.append("g", [started()])
    with closing(sqlite3.connect(tmp_path / "games.db")) as connection:
        found = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    assert found == {"stored_events", "tracking", "commands", "heads", "snapshots", "library"}


def test_race(place):
    if place.kind == "memory":
        pytest.skip("a store in memory has one user alone")
    with Store(place) as games, Store(place, mechanic=LAMP) as lamps:
        with pytest.raises(StoreError, match="a store of lamp"):
            games.append("g", [started()])
        lamps.append("hall", RECORD)
        whole(lamps)


@pytest.mark.parametrize("statement", [
    "INSERT INTO daynight_mechanic VALUES ('daynight')", "DELETE FROM daynight_mechanic",
    "UPDATE daynight_mechanic SET name = x'00'", "ALTER TABLE daynight_mechanic ADD COLUMN more TEXT",
    "CREATE TRIGGER t AFTER INSERT ON daynight_mechanic BEGIN DELETE FROM stored_events; END",
    "CREATE TABLE mechanic (name TEXT)",
])  # fmt: skip
def test_tampered(tmp_path, statement):
    with Store.open(tmp_path / "lamps.db", mechanic=LAMP) as store:
        store.append("hall", RECORD)
    with closing(sqlite3.connect(tmp_path / "lamps.db")) as connection:
        connection.execute(statement)
        connection.commit()
    with pytest.raises(DamagedError):
        Store.open(tmp_path / "lamps.db", mechanic=LAMP)


@pytest.mark.wide
def test_long_without_turns(tmp_path):
    """Records without seals are signed after thousands of events, so that few are read the next time."""
    where, key = tmp_path / "lamps.db", Key.read(tmp_path / "key.pem")
    for events in (RECORD[:1], [RECORD[1]] * (BULK + 9), [RECORD[1]], [RECORD[1]]):
        with Store.open(where, mechanic=LAMP, key=key) as store:
            store.append("hall", events)
    with Store.open(where, mechanic=LAMP) as store:
        assert [event for event, *_signed in store.recorder.signatures("hall")] == [1, BULK + 10]
