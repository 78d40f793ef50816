"""Every interface that an open store offers refuses impossible events.

| promise | tests |
| --- | --- |
| every interface refuses an impossible or invalid event, and stores nothing | test_refused |
| a misleading line given with the event does not help | test_another_line |
| a legal event is stored, chained and verified, and the next append follows it | test_stored |
| nothing is stored unless the version follows that of the last event | test_refused |
| several games at once are stored together, or not at all | test_several_games |
| a command is stored once, through whichever interface it is retried | test_commands |
| with a key, every interface signs as append does | test_signed |
| no interface stores a given snapshot: the store takes snapshots itself | test_snapshots |
"""

import json
from collections.abc import Callable

import pytest
from eventsourcing.persistence import IntegrityError, ProgrammingError, StoredEvent, Tracking

from daynight.events import decode
from daynight.framework.language.errors import ImpossibleError, NotFoundError, RecordError, UnreadableError
from daynight.games import Games, Store
from daynight.store import Key, Numbered, SettingsError, verify_store
from tests.store.playing import CAST, TURN, begun, everything

LINE = b'{"type":"spell-cast","player":"Ana"}'
NOBODY = b'{"type":"spell-cast","player":"Zoe"}'

Door = Callable[[Games, list[StoredEvent]], object]


def domain(rows):
    return [Numbered(str(row.originator_id), row.originator_version, decode(row.state)) for row in rows]


DOORS = {
    "events.put": lambda games, rows: games.events.put(domain(rows)),
    "save": lambda games, rows: games.save(*domain(rows)),
    "recorder.insert_events": lambda games, rows: games.recorder.insert_events(rows),
    "events.recorder": lambda games, rows: games.events.recorder.insert_events(rows),
    "repository.event_store": lambda games, rows: games.repository.event_store.put(domain(rows)),
    "notification_log.recorder": lambda games, rows: games.notification_log.recorder.insert_events(rows),
    "factory.application_recorder": lambda games, rows: games.factory.application_recorder().insert_events(rows),
    "factory.process_recorder": lambda games, rows: games.factory.process_recorder().insert_events(rows),
    "factory.aggregate_recorder": lambda games, rows: games.factory.aggregate_recorder().insert_events(rows),
    "factory.tracking_recorder": lambda games, rows: games.factory.tracking_recorder().insert_events(rows),
    "factory.event_store": lambda games, rows: store_of(games).put(domain(rows)),
    "with tracking": lambda games, rows: games.recorder.insert_events(
        rows, tracking=Tracking("she", rows[0].originator_version)
    ),
}


def store_of(games):
    return games.factory.event_store(mapper=games.mapper)


def inside(games, rows):
    with games.recorder.transaction(write=True):
        games.recorder.insert_events(rows)


DOORS["inside a transaction"] = inside
doors = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)


def row(line, version=3, game="g", topic="spell-cast"):
    return StoredEvent(game, version, topic, line)


REFUSED = {
    "of a player there is not": (RecordError, [row(NOBODY)]),
    "after one that can happen": (RecordError, [row(LINE), row(NOBODY, 4)]),
    "of no game": (NotFoundError, [row(LINE, 1, "h")]), "in a game of no name": (UnreadableError, [row(LINE, 1, "")]),
    "backed up to what never was": (
        ImpossibleError, [row(b'{"type":"game-backed-up","to":7,"by":"judge"}', topic="game-backed-up")]
    ),
    "a place that is taken": (IntegrityError, [row(LINE, 2)]),
    "a place behind the next": (IntegrityError, [row(LINE, 4)]), "a gap": (IntegrityError, [row(LINE), row(LINE, 5)]),
}  # fmt: skip


@pytest.mark.wide(but=5)
@doors
def test_refused(door):
    with Store.open("memory:") as store:
        begun(store)
        before = everything(store.recorder)
        for error, rows in REFUSED.values():
            with pytest.raises(error):
                door(store.application, rows)
            assert everything(store.recorder) == before
        assert store.append("g", [CAST]).last == 3


@pytest.mark.parametrize("rows", [
    [row(LINE, topic="topic1")],
    [row(LINE, topic="turn-began")],
    [row(b"state1")],
    [row(LINE + b"\n" + LINE)],
    [row(b'{"type":"spell-cast","player":"Ana","player":"Bo"}')],
    [StoredEvent(7, 3, "spell-cast", LINE)],  # type: ignore[arg-type]
], ids=["a foreign topic", "another topic", "no line", "two lines", "a key twice", "no name"])  # fmt: skip
def test_rows_refused(rows):
    """Rows that the mapper would never write raise UnreadableError, and nothing is stored."""
    with Store.open("memory:") as store:
        begun(store)
        before = everything(store.recorder)
        with pytest.raises(UnreadableError):
            store.recorder.insert_events(rows)
        assert everything(store.recorder) == before


def test_stored(store):
    begun(store)
    for number, door in enumerate(DOORS.values()):
        last = 2 + 3 * number
        door(store.application, [row(LINE, last + 1), row(LINE, last + 2)])
        assert store.append("g", [CAST]).last == last + 3
    assert store.at("g").tallies.current.spells == {"Ana": 3 * len(DOORS)}
    assert [(found.events, found.fault) for found in verify_store(store)] == [(2 + 3 * len(DOORS), None)]


def test_another_line():
    """If a given line contradicts its event, the line itself is checked, and the append is refused."""
    with Store.open("memory:") as store:
        begun(store)
        with pytest.raises(UnreadableError, match="stored as spell-cast, but the line says game-ended"):
            store.application.save(Numbered("g", 3, decode(LINE), b'{"type":"game-ended"}'))
        with pytest.raises(RecordError):
            store.application.save(Numbered("g", 3, decode(LINE), NOBODY))
        asked = store.application.writer.asked("g", [CAST])
        with pytest.raises(ProgrammingError, match="were not asked for"):
            store.application.events.put([Numbered("g", 3, decode(NOBODY))], asked=asked)
        assert store.last("g") == 2


def test_filled_in(store):
    """The recorder fills in the catalogue's fields of an inserted event: Tavern Ruffian has daybound, so it is day."""
    entered = b'{"type":"permanents-entered","permanents":[{"id":"w","card":"Tavern Ruffian","controller":"Ana"}]}'
    begun(store)
    store.recorder.insert_events([row(entered, topic="permanents-entered")])
    assert store.load("g").designation == "day"


def test_several_games(store):
    begun(store)
    store.new("h", ["Ana"])
    turn = b'{"type":"turn-began","turn":1,"active":["Ana"]}'
    places = store.recorder.insert_events([row(LINE), row(turn, 2, "h", "turn-began"), row(LINE, 4)])
    found = {(one.originator_id, one.originator_version): one.id for one in store.recorder.select_notifications(4, 9)}
    assert places == [found["g", 3], found["h", 2], found["g", 4]]
    before = everything(store.recorder)
    with pytest.raises(RecordError):
        store.recorder.insert_events([row(LINE, 5), row(NOBODY, 3, "h")])
    assert everything(store.recorder) == before
    assert [store.append(game, [CAST]).last for game in "gh"] == [5, 3]


def test_commands(store):
    begun(store)
    event = decode(LINE)
    first = store.application.save(Numbered("g", 3, event), command="c")
    assert store.append("g", [CAST], command="c").repeated
    again = store.application.save(Numbered("g", 4, event), command="c")
    assert [one.notification.id for one in first] == [one.notification.id for one in again]
    with pytest.raises(IntegrityError, match="was used for other events"):
        store.application.save(Numbered("g", 4, decode(json.dumps(TURN | {"turn": 2}))), command="c")
    assert store.last("g") == 3


def test_signed():
    with Store.open("memory:", key=Key.generate()) as store:
        begun(store)
        store.recorder.insert_events([row(b'{"type":"turn-began","turn":2,"active":["Bo"]}', 3, topic="turn-began")])
        assert [number for number, _key, _signature in store.recorder.signatures("g")] == [1, 2]
        assert [found.fault for found in verify_store(store)] == [None]


def test_snapshots(store):
    begun(store)
    assert store.application.snapshots is None
    with pytest.raises(SettingsError, match="keeps snapshots by itself"):
        store.application.factory.aggregate_recorder(purpose="snapshots")
    store.application.take_snapshot("g", version=1)
    store.application.take_snapshot("g")
    store.application.take_snapshot("g")
    assert store.recorder.snapshot_numbers("g") == [1, 2]
    assert [found.fault for found in verify_store(store)] == [None]


def test_bare_recorders_chain_whatever_they_are_given(place):
    """A bare recorder, which belongs to no open store, stores even an impossible event; verify finds it."""
    with Store(place) as store:
        begun(store)
        store.recorder.insert = None
        store.recorder.insert_events([row(NOBODY)])
        assert [found.fault and found.fault.event for found in verify_store(store)] == [3]
