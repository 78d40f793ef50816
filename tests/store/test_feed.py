"""The feed: new events, from whichever process, to any number of followers, in order and once each.

| promise | test |
| --- | --- |
| every event, in order, once, with game, number, tag and line | test_every_event |
| of one game, after an event; of all, after a place | test_of_a_game, test_after |
| as many at once as are there, or as are asked for | test_take |
| what another process stored | test_of_another_process |
| within 100 ms | test_within_a_tenth_of_a_second |
| one watches for all | test_one_watcher |
| who is slow loses nothing, and is told | test_slow |
| waiting ends: by time, by closing, by the feed's end | test_waiting_ends, test_closed |
| what is no event is not handed on | test_unknown_tag |
| a server that goes and comes back is followed again | test_server_restarted |
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
"""Seconds in which something must have come, however busy the machine is."""

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
    """So many events; fewer where no more come."""
    found = []
    while len(found) < many and (one := subscription.wait(PATIENCE)) is not None:
        found.append(one)
    return found


def stored(store, after=0):
    """What is stored, as the database says."""
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
    """All events of all games, each with its game, number, tag and line."""
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
    """A game's events after the one that is known, and nobody else's."""
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
    """What was stored before is left out, unless it is asked for: by the feed or by the subscription."""
    long_game(store, "a", 3)
    with Feed(store) as feed, feed.subscribe() as new, feed.subscribe(after=4) as later:
        store.append("a", [cast()])
        assert [one.number for one in taken(new, 1)] == [6]
        assert [one.place for one in taken(later, 2)] == [5, 6]
    with Feed(store, after=0) as feed, feed.subscribe() as all, feed.subscribe(after=100) as never:
        assert taken(all, 6) == stored(store)
        assert never.wait(0.05) is None


def test_take(store, feed):
    """All that wait, in order, and no more than asked for; it waits for the first one only."""
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
    """A game may be followed before it begins."""
    with feed.subscribe("later") as subscription:
        assert subscription.wait(0.05) is None
        long_game(store, "another", 1)
        long_game(store, "later", 1)
        assert [(one.game, one.number) for one in taken(subscription, 3)] == [("later", n) for n in (1, 2, 3)]


def test_one_watcher(store, feed):
    """However many follow, one thread watches, and it begins with the first of them."""

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
    """Who does not come along loses nothing: it is told, and reads from the store what it has missed."""
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
    """Who begins to follow while much is stored gets all of it, from before and from after."""
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
    """Several threads share the events of one subscription: each gets another one."""
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
    """A time that is given ends the waiting, and the iteration."""
    with feed.subscribe(timeout=0.1) as subscription:
        long_game(store, "a", 1)
        assert list(subscription) == stored(store)
        began = time.monotonic()
        assert subscription.wait(0.05) is None
        assert 0.04 < time.monotonic() - began < PATIENCE
        assert subscription.wait(0) is None


@pytest.mark.parametrize("how", ["subscription", "feed"])
def test_closed(store, how):
    """Who waits is let go when the subscription is closed, or the feed; then nothing comes any more."""
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
    """A feed that nobody follows ends."""
    with Feed(store):
        pass


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_unknown_tag(store, when):
    """What is no event of ours is not handed on: the reader is told of which game and event it is."""

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
    """When events were acknowledged in another process, when they came here, and their numbers in order."""
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
    """Where another process finds the store."""
    if request.param == "sqlite":
        return Settings(kind="sqlite", path=str(tmp_path / "games.db"))
    return request.getfixturevalue("schema")


def test_of_another_process(kept):
    """What another process stored comes as well, and soon."""
    said, came, numbers = written(kept, 20, 0.002)
    assert numbers == sorted(said) == list(range(3, 23))
    late = sorted(came[number] - said[number] for number in said)
    assert late[len(late) // 2] < 0.5


@pytest.mark.slow
def test_within_a_tenth_of_a_second(kept):
    """Of 200 events that another process stored, 95 in a hundred are here within 100 ms of being acknowledged."""
    said, came, numbers = written(kept, 200, 0.01)
    assert numbers == sorted(said)
    late = sorted(came[number] - said[number] for number in said)
    print(f"{kept.kind}: p50 {late[100] * 1000:.1f} ms, p95 {late[190] * 1000:.1f} ms, most {late[-1] * 1000:.1f} ms")
    assert late[190] < 0.1


@pytest.mark.slow
def test_idle(kept):
    """Where nothing is stored, following costs next to nothing."""
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
    """While the server is gone the feed says so, and goes on when it is back: nothing is lost, nothing comes twice."""
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
