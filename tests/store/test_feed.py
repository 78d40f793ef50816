"""The feed delivers new events from all processes to any number of followers, in order and exactly once.

| promise | test |
| --- | --- |
| every event, in order, once, with game, number, tag and line | test_every_event |
| it can start after an event of one game, or after a position in the whole store | test_of_a_game, test_after |
| `take` returns all waiting events, or at most as many as asked for | test_take |
| events that another process stored are delivered | test_of_another_process |
| these events are delivered within 100 ms | test_within_a_tenth_of_a_second |
| one thread polls for all subscriptions | test_one_watcher |
| a slow follower loses nothing, and is told that it is late | test_slow |
| waiting ends by a timeout, by closing the subscription, or by closing the feed | test_waiting_ends, test_closed |
| an invalid event is not delivered | test_unknown_tag |
| the feed continues after the server restarts | test_server_restarted |
"""

import json
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from signal import Signals

import pytest

from daynight.games import Store
from daynight.store import DamagedError, UnavailableError
from daynight.store import feed as feed_module
from daynight.store.database.settings import Settings
from daynight.store.feed import Feed, Notification
from tests import processes
from tests.behaviour.games import EVERY_TYPE
from tests.rules.words import cast, started, turn
from tests.store.conftest import KEPT

PATIENCE = 20
"""Seconds within which an event must have arrived, however busy the machine is."""

WRITER = """
import json, sys, time
from daynight.games import Store
from daynight.store.database.settings import Settings

with Store(Settings(**json.loads(sys.argv[1]))) as store:
    for _event in range(int(sys.argv[2])):
        time.sleep(float(sys.argv[3]))
        appended = store.append("other", [{"type": "spell-cast", "player": "Ana"}])
        print(appended.last, time.time(), flush=True)
"""


@pytest.fixture
def feed(store):
    with Feed(store) as feed:
        yield feed


def taken(subscription, many):
    """Take this many events; fewer if none arrives for `PATIENCE` seconds."""
    found = []
    while len(found) < many and (one := subscription.wait(PATIENCE)) is not None:
        found.append(one)
    return found


def stored(store, after=0):
    """A list of the events after the global position `after`, read from the table by SQL."""
    place = store.recorder.place
    found = store.recorder.select(
        f"SELECT {place}, originator_id, originator_version, topic, state FROM stored_events"
        f" WHERE {place} > ? ORDER BY {place}",
        after,
    )
    return [Notification(*row) for row in found]


def long_game(store, game, casts):
    store.append(game, [started(), turn(1), *[cast()] * casts])


def test_every_event(store, feed):
    """The feed delivers all events of all games, each with its game, number, tag and line."""
    with feed.subscribe() as subscription:
        for game in ("a", "b"):
            store.append(game, EVERY_TYPE[:10])
        for game in ("b", "a"):
            for event in EVERY_TYPE[10:]:
                store.append(game, [event])
        found = taken(subscription, 2 * len(EVERY_TYPE))
        assert found == stored(store)
        assert [one.number for one in found if one.game == "b"] == list(range(1, len(EVERY_TYPE) + 1))
        assert [json.loads(one.line)["type"] for one in found] == [one.tag for one in found]
        assert subscription.wait(0.05) is None
        assert not subscription.behind


def test_of_a_game(store, feed):
    """A subscription to a game after an event delivers only later events of that game."""
    long_game(store, "a", 3)
    long_game(store, "b", 3)
    with feed.subscribe("b", after=3) as known, feed.subscribe("b", after=0) as all, feed.subscribe("b") as new:
        store.append("b", [cast()])
        store.append("a", [cast()])
        store.append("b", [cast()])
        assert [(one.game, one.number) for one in taken(known, 4)] == [("b", number) for number in (4, 5, 6, 7)]
        assert [one.number for one in taken(all, 7)] == [1, 2, 3, 4, 5, 6, 7]
        assert [one.number for one in taken(new, 2)] == [6, 7]
        assert [one.wait(0.05) for one in (known, all, new)] == [None, None, None]


def test_after(store):
    """Earlier events are left out unless the feed or the subscription asks for them."""
    long_game(store, "a", 3)
    with Feed(store) as feed, feed.subscribe() as new, feed.subscribe(after=4) as later:
        store.append("a", [cast()])
        assert [one.number for one in taken(new, 1)] == [6]
        assert [one.place for one in taken(later, 2)] == [5, 6]
    with Feed(store, after=0) as feed, feed.subscribe() as all, feed.subscribe(after=100) as never:
        assert taken(all, 6) == stored(store)
        assert never.wait(0.05) is None


def test_take(store, feed):
    """`take` returns all waiting events in order, at most as many as asked for; it waits only for the first one."""
    long_game(store, "a", 8)
    with feed.subscribe(after=0) as all, feed.subscribe("a", after=0) as some:
        assert all.take(PATIENCE) == stored(store)
        assert [one.number for one in some.take(PATIENCE, 4)] == [1, 2, 3, 4]
        one = some.wait(PATIENCE)
        assert one is not None
        assert one.number == 5
        assert [one.number for one in some.take(PATIENCE)] == [6, 7, 8, 9, 10]
        assert (all.take(0.05), some.take(0)) == ([], [])
        store.append("a", [cast()])
        assert [one.number for one in all.take(PATIENCE)] == [11]


def test_a_game_to_come(store, feed):
    """A game can be followed before it begins."""
    with feed.subscribe("later") as subscription:
        assert subscription.wait(0.05) is None
        long_game(store, "another", 1)
        long_game(store, "later", 1)
        assert [(one.game, one.number) for one in taken(subscription, 3)] == [("later", n) for n in (1, 2, 3)]


def test_one_watcher(store, feed):
    """One thread polls for all subscriptions; it starts with the first of them."""

    def watching():
        return sum(thread.name == "daynight-feed" for thread in threading.enumerate())

    before = watching()
    followers = [feed.subscribe() for _follower in range(20)]
    assert watching() == before + 1
    long_game(store, "a", 5)
    assert [taken(one, 7) for one in followers] == [stored(store)] * 20
    feed.close()
    assert watching() == before


@pytest.mark.parametrize("game", ["long", pytest.param(None, marks=pytest.mark.wide)])
def test_slow(store, monkeypatch, game):
    """A slow follower loses nothing: `behind` and `overruns` tell it, and it reads the rest from the store."""
    monkeypatch.setattr(feed_module, "PAGE", 64)
    store.append("other", [started(), turn(1)])
    with (
        Feed(store) as feed,
        feed.subscribe(game, queue=10) as slow,
        feed.subscribe(game) as quick,
        feed.subscribe("other", queue=10) as another,
    ):
        long_game(store, "long", 0)
        before = [*taken(slow, 2), *taken(quick, 2)]
        assert (slow.overruns, slow.behind) == (0, False)
        for _append in range(5):
            store.append("long", [cast()] * 40)
            if game is None:
                store.append("other", [cast()])
            assert taken(quick, 40 + (game is None))[-1].place == store.recorder.max_notification_id()
        assert slow.overruns >= 1
        assert slow.behind
        assert (quick.overruns, another.overruns) == (0, 0)
        wanted = [one for one in stored(store, 2) if game in (None, one.game)]
        assert before[:2] + taken(slow, len(wanted) - 2) == wanted
        assert slow.wait(0.05) is None
        assert not slow.behind
        store.append("long", [cast()])
        assert [one.number for one in taken(slow, 1)] == [203]


def test_in_the_midst(store):
    """A subscription that begins while many events are being stored gets every event, old and new."""
    errors = []

    def write():
        try:
            for _append in range(40):
                store.append("a", [cast()] * 5)
        except BaseException as error:
            errors.append(error)
            raise

    long_game(store, "a", 0)
    writer = threading.Thread(target=write)
    with Feed(store) as feed:
        writer.start()
        followers = []
        for _follower in range(8):
            followers.append(feed.subscribe(after=0))
            followers.append(feed.subscribe("a", after=2, queue=7))
            time.sleep(0.01)
        found = [taken(one, 202 if one.game is None else 200) for one in followers]
        writer.join()
    assert errors == []
    assert found == [stored(store), stored(store, 2)] * 8


def test_several_readers(store, feed):
    """Threads that share a subscription each get different events."""
    found = []

    def read():
        found.extend(subscription)

    with feed.subscribe(timeout=None) as subscription:
        readers = [threading.Thread(target=read) for _reader in range(4)]
        for reader in readers:
            reader.start()
        long_game(store, "a", 98)
        until = time.monotonic() + PATIENCE
        while len(found) < 100 and time.monotonic() < until:
            time.sleep(0.01)
    for reader in readers:
        reader.join(PATIENCE)
    assert sorted(found, key=lambda one: one.place) == stored(store)


def test_waiting_ends(store, feed):
    """`wait` returns None after its timeout; a loop over a subscription ends after the subscription's timeout."""
    with feed.subscribe(timeout=0.1) as subscription:
        long_game(store, "a", 1)
        assert list(subscription) == stored(store)
        began = time.monotonic()
        assert subscription.wait(0.05) is None
        assert 0.04 < time.monotonic() - began < PATIENCE
        assert subscription.wait(0) is None


@pytest.mark.parametrize("how", ["subscription", "feed"])
def test_closed(store, how):
    """Closing the subscription or the feed ends the waiting; nothing is delivered afterwards."""
    with Feed(store) as feed, feed.subscribe() as subscription, feed.subscribe() as other:
        answers = []
        waiter = threading.Thread(target=lambda: answers.append(subscription.wait()))
        waiter.start()
        time.sleep(0.05)
        assert answers == []
        (subscription if how == "subscription" else feed).close()
        waiter.join(PATIENCE)
        assert answers == [None]
        long_game(store, "a", 1)
        assert subscription.wait(0.05) is None
        assert list(subscription) == []
        if how == "subscription":
            assert len(taken(other, 3)) == 3
        else:
            assert other.wait(0.05) is None
            with pytest.raises(UnavailableError, match="closed"):
                feed.subscribe()


def test_never_begun(store):
    """A feed without subscriptions can be closed."""
    with Feed(store):
        pass


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_unknown_tag(store, when):
    """An event with an unknown tag is not delivered: DamagedError names its game and number."""

    def forge():
        with store.recorder.transaction(write=True) as cursor:
            cursor.execute(
                store.recorder.sql("UPDATE stored_events SET topic = 'os:system' WHERE originator_version = ?"), (3,)
            )

    long_game(store, "a", 1)
    if when == "before":
        forge()
    with Feed(store, after=0) as feed, feed.subscribe() as subscription:
        if when == "meanwhile":
            assert len(taken(subscription, 3)) == 3
            with store.recorder.transaction(write=True):
                long_game(store, "b", 1)
                forge()
            assert [one.number for one in taken_until_refused(subscription)] in ([], [1, 2])
        with pytest.raises(DamagedError, match="unknown tag 'os:system'") as caught:
            subscription.wait(PATIENCE)
        assert (caught.value.game, caught.value.event) == ("a" if when == "before" else "b", 3)


def taken_until_refused(subscription):
    found = []
    try:
        while (one := subscription.wait(PATIENCE)) is not None:
            found.append(one)
    except DamagedError:
        pass
    return found


def written(place, many, pause):
    """Store events in another process; return dicts from number to time (acknowledged, arrived), and the numbers."""
    came = {}
    with Store(place) as store, Feed(store) as feed:
        store.append("other", [started(), turn(1)])
        command = [sys.executable, "-c", WRITER, json.dumps(asdict(place)), str(many), str(pause)]
        with feed.subscribe("other") as heard, processes.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            numbers = []
            for _event in range(many):
                one = heard.wait(PATIENCE)
                assert one is not None
                came[one.number] = time.time()
                numbers.append(one.number)
            assert writer.stdout is not None
            said = [line.split() for line in writer.stdout]
    assert writer.returncode == 0
    return {int(number): float(at) for number, at in said}, came, numbers


@pytest.fixture(params=KEPT)
def kept(request, tmp_path):
    """The settings of a store that another process can open: a SQLite file or a schema."""
    if request.param == "sqlite":
        return Settings(kind="sqlite", path=str(tmp_path / "games.db"))
    return request.getfixturevalue("schema")


def test_of_another_process(kept):
    """Events that another process stored are delivered in order, half of them within 0.5 seconds."""
    said, came, numbers = written(kept, 20, 0.002)
    assert numbers == sorted(said) == list(range(3, 23))
    late = sorted(came[number] - said[number] for number in said)
    assert late[len(late) // 2] < 0.5


@pytest.mark.slow
def test_within_a_tenth_of_a_second(kept):
    """Of 200 events that another process stored, 95 percent arrive within 100 ms of their acknowledgement."""
    said, came, numbers = written(kept, 200, 0.01)
    assert numbers == sorted(said)
    late = sorted(came[number] - said[number] for number in said)
    print(f"{kept.kind}: p50 {late[100] * 1000:.1f} ms, p95 {late[190] * 1000:.1f} ms, most {late[-1] * 1000:.1f} ms")
    assert late[190] < 0.1


@pytest.mark.slow
def test_idle(kept):
    """Following an idle store uses less than 5 percent of a core."""
    with Store(kept) as store, Feed(store) as feed, feed.subscribe() as subscription:
        store.append("g", [started()])
        assert len(taken(subscription, 1)) == 1
        began, used = time.monotonic(), time.process_time()
        time.sleep(3)
        share = (time.process_time() - used) / (time.monotonic() - began)
        print(f"{kept.kind}: {share:.2%} of a core")
        assert share < 0.05


@pytest.mark.slow
def test_server_restarted(server, schema):
    """While the server is down, `trouble` has the error; afterwards nothing is lost and nothing comes twice."""
    with Store(schema) as store, Feed(store) as feed, feed.subscribe() as subscription:
        long_game(store, "a", 0)
        found = taken(subscription, 2)
        server.kill(Signals.SIGQUIT)
        until = time.monotonic() + PATIENCE
        while feed.trouble is None and time.monotonic() < until:
            time.sleep(0.02)
        assert isinstance(feed.trouble, UnavailableError)
        server.start()
        with Store(schema) as other:
            other.append("a", [cast()] * 3)
        found += taken(subscription, 3)
        assert found == stored(store)
        assert feed.trouble is None
        store.append("a", [cast()])
        assert [one.number for one in taken(subscription, 1)] == [6]
