"""One contract for the three kinds of stores: memory, a SQLite file, a PostgreSQL server. First part: appending.

| promise | tests |
| --- | --- |
| an append is checked against the game, and refused as a whole | test_append_..., test_refused_... |
| nothing is stored if `expected` is not the last event | test_expected |
| a retry with a command id returns the stored answer, and stores nothing twice | test_command_... |
| all events of a store have one global order | test_notifications |
| stores on disk or a server can be reopened; a store in memory is gone | test_reopened, test_memory_is_gone |
"""

import json
import threading

import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent

from daynight import Game
from daynight.framework.language.codec import encode
from daynight.framework.language.errors import (
    DaynightError,
    ImpossibleError,
    NotFoundError,
    RecordError,
    UnreadableError,
)
from daynight.games import Store
from daynight.store import ConflictError
from daynight.store.proving.verify import verify_store
from tests.store.conftest import KEPT
from tests.store.playing import CAST, TURN, WEREWOLF, begun, everything, lines

kept = pytest.mark.parametrize("place", KEPT, indirect=True)


# -------------------------------------------------------------------------------------------------------- appending


def test_append_and_read(store):
    begun = store.new("g", ["Ana", "Bo"], command="begin")
    assert (begun.game, begun.first, begun.last, begun.command, begun.repeated) == ("g", 1, 1, "begin", False)
    appended = store.append("g", [TURN, json.dumps(WEREWOLF)])
    assert (appended.first, appended.last) == (2, 3)
    assert [moment.number for moment in appended.moments] == [2, 3]
    (change,) = appended.moments[1].consequences
    assert change.rule == "daybound-starts-day"
    assert store.games() == [("g", 3)]
    assert store.head("g").number == 3
    assert [type(event).__name__ for event in store.events("g")] == ["GameStarted", "TurnBegan", "PermanentsEntered"]
    assert [encode(event) for event in store.events("g", 1, 2)] == lines(store).splitlines()[1:2]
    assert Game(store.load("g").events) == Game(lines(store).splitlines())


def test_append_fills_in_what_the_catalogue_knows(store):
    begun(store, WEREWOLF)
    (entered,) = store.events("g", 2)
    assert entered.permanents[0].back.name == "Tavern Smasher"


def test_games_are_in_the_order_of_their_names(store):
    """Every store lists games in the order of code points, whatever the server's collation."""
    names = ["b", "B", "a", "ä", "Z", "a b", "a-b", "_", "\N{GRINNING FACE}", "\ufb00"]
    for name in names:
        store.new(name, ["Ana"])
    assert [name for name, _number in store.games()] == sorted(names)
    for name in names:
        assert store.head(name).number == 1


@pytest.mark.wide(but=5)
@pytest.mark.parametrize("events, line, sentence", [
    ([CAST | {"player": "Anna"}], 3, "no player 'Anna'"), ([CAST, WEREWOLF, TURN], 5, "turn"),
    ([CAST, {"type": "game-backed-up", "to": 9, "by": "judge"}], 4, "9"), ([{"type": "game-ended"}, CAST], 4, "ended"),
    ([WEREWOLF, WEREWOLF], 4, "w1"),
    ([{"type": "game-started", "format": 1, "game": "g", "players": ["Ana"]}], 3, "game-started"),
])  # fmt: skip
def test_refused_whole(store, events, line, sentence):
    """An append with an impossible event raises ImpossibleError and stores nothing; the game can be continued."""
    begun(store)
    before = everything(store.recorder)
    with pytest.raises(ImpossibleError, match=sentence) as caught:
        store.append("g", events, command="refused")
    assert caught.value.line == line
    assert everything(store.recorder) == before
    assert store.append("g", [CAST], command="refused").last == 3


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("event", [{"type": "spell-cost"}, "{", b"\xff", {"type": "spell-cast", "players": 1}, 7])
def test_refused_unread(store, event):
    begun(store)
    with pytest.raises(UnreadableError):
        store.append("g", [CAST, event])
    with pytest.raises(UnreadableError, match="no event"):
        store.append("g", [])
    assert store.head("g").number == 2


def test_refused_without_a_beginning(store):
    with pytest.raises(NotFoundError, match="no game 'g'"):
        store.append("g", [TURN])
    with pytest.raises(ImpossibleError):
        store.new("g", [])
    assert store.games() == []


def test_new_twice(store):
    begun(store)
    with pytest.raises(ConflictError):
        store.new("g", ["Ana", "Bo"])
    assert store.new("h", ["Ana"], teams=None, edition="2024-06-07").last == 1


def test_expected(store):
    begun(store)
    assert store.append("g", [CAST], expected=2).last == 3
    for wrong in (0, 2, 4):
        before = everything(store.recorder)
        with pytest.raises(ConflictError, match=f"the last event is 3, not {wrong}"):
            store.append("g", [CAST], expected=wrong)
        assert everything(store.recorder) == before
    assert store.append("g", [CAST], expected=3).last == 4


# ------------------------------------------------------------------------------------------------------- command ids


def test_command_sent_again(store):
    begun(store)
    first = store.append("g", [CAST, CAST], command="c-1")
    store.append("g", [CAST], command="c-2")
    before = everything(store.recorder)
    again = store.append("g", [CAST, CAST], command="c-1")
    assert (again.first, again.last, again.command) == (first.first, first.last, "c-1")
    assert (first.repeated, again.repeated, again.moments) == (False, True, ())
    # The same request in another spelling is answered, even though it would be refused now.
    assert store.append("g", ['{"player":"Ana", "type":"spell-cast"}'] * 2, command="c-1", expected=2).repeated
    assert everything(store.recorder) == before


def test_command_of_other_events(store):
    begun(store)
    store.append("g", [CAST], command="c-1")
    before = everything(store.recorder)
    with pytest.raises(ConflictError, match="'c-1' was used for other events"):
        store.append("g", [CAST, CAST], command="c-1")
    assert everything(store.recorder) == before
    store.new("h", ["Ana"], command="c-1")
    assert store.append("h", [TURN], command="c-2").last == 2


def test_command_of_a_new_game_sent_again(store):
    assert not store.new("g", ["Ana", "Bo"], command="begin").repeated
    store.append("g", [TURN])
    assert store.new("g", ["Ana", "Bo"], command="begin").repeated
    with pytest.raises(ConflictError):
        store.new("g", ["Ana", "Cy"], command="begin")


def test_no_command_is_an_unprintable_one(store):
    begun(store)
    for wrong in ("a\0b", "a\nb", "x" * 201, "\ud800"):
        with pytest.raises(DaynightError) as caught:
            store.append("g", [CAST], command=wrong)
        assert isinstance(caught.value, UnreadableError)
    assert store.head("g").number == 2


def test_command_of_many_at_once(store):
    """The same command from eight threads is stored once, and all get the same answer."""
    begun(store)
    answers = []

    def send():
        found = store.append("g", [CAST, CAST], command="c-1")
        answers.append((found.first, found.last, found.repeated))

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [(3, 4, False)] + [(3, 4, True)] * 7
    assert store.head("g").number == 4


@kept
def test_two_stores_in_one_place(place):
    with Store(place) as one, Store(place) as other:
        begun(one)
        assert other.append("g", [CAST]).last == 3
        assert one.append("g", [CAST]).last == 4
        assert other.at("g").tallies.current.spells == {"Ana": 2}
        assert one.append("g", [CAST], command="c").last == 5
        assert other.append("g", [CAST], command="c").repeated
        with pytest.raises(ConflictError):
            other.append("g", [CAST], expected=4)
        other.append("g", [{"type": "turn-began", "turn": 5, "active": ["Bo"]}])
        with pytest.raises(RecordError):
            one.append("g", [{"type": "turn-began", "turn": 5, "active": ["Ana"]}])
        assert lines(one) == lines(other)


@kept
def test_many_writers_of_one_game(place):
    """Two stores with four threads each: every command is stored once, and no two answers name the same event."""
    with Store(place) as one, Store(place) as other:
        begun(one)
        answers = []

        def write(store, writer):
            for number in range(5):
                answers.append(store.append("g", [CAST], command=f"{writer}-{number}").last)

        threads = [threading.Thread(target=write, args=((one, other)[i % 2], i)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answers) == list(range(3, 43))
        assert one.load("g").state.tallies.current.spells == {"Ana": 40}
        assert [found.fault for found in verify_store(one)] == [None]


# ---------------------------------------------------------------------------------------------- one order of all events


def test_notifications(store):
    """The notification log gives all events in the order of storing; positions grow, and each event has one."""
    begun(store)
    store.new("h", ["Ana"])
    stored = store.append("g", [CAST, WEREWOLF])
    ids = store.recorder.select_notifications(start=None, limit=100)
    assert [(found.originator_id, found.originator_version) for found in ids] == [
        ("g", 1), ("g", 2), ("h", 1), ("g", stored.first), ("g", stored.last),
    ]  # fmt: skip
    places = [found.id for found in ids]
    assert places == sorted(set(places))
    assert [found.topic for found in ids[-2:]] == ["spell-cast", "permanents-entered"]
    assert store.recorder.max_notification_id() == places[-1]
    after = store.recorder.select_notifications(start=places[2], limit=1, inclusive_of_start=False)
    assert [found.id for found in after] == [places[3]]


def test_places_are_told(store):
    """`insert_events` returns the global positions of the stored rows; the same rows again raise IntegrityError."""
    begun(store)
    rows = [StoredEvent("g", number, "spell-cast", b'{"type":"spell-cast","player":"Ana"}') for number in (3, 4)]
    told = store.recorder.insert_events(rows)
    assert list(told or ()) == [found.id for found in store.recorder.select_notifications(None, 9)][2:]
    with pytest.raises(IntegrityError):
        store.recorder.insert_events(rows)


# ----------------------------------------------------------------------------------------------------------- opening


@kept
def test_reopened(place):
    with Store(place) as store:
        begun(store, WEREWOLF)
        store.append("g", [CAST], command="c")
        code, before = store.code("g"), everything(store.recorder)
    with Store(place) as store:
        assert store.code("g") == code
        assert everything(store.recorder) == before
        assert store.append("g", [CAST], command="c").repeated
        assert store.append("g", [CAST], expected=4).last == 5


def test_memory_is_gone():
    with Store.open("memory:") as one, Store.open("memory:") as other:
        begun(one)
        assert other.games() == []
    with Store.open("memory:") as store:
        assert store.games() == []
