"""Live streams: every listener gets every event once and in order, and no slow listener delays the others."""

import threading
import time
from contextlib import ExitStack, contextmanager

import pytest

from daynight.games import Store
from daynight.web.limits import Limits
from tests.web.sending import refused
from tests.web.serving import deaf, serving, until

CAST = {"type": "spell-cast", "player": "Ana"}
LONG = {"type": "spell-cast", "player": "Ana", "note": "x" * 10_000}


@contextmanager
def housed(limits, certificate):
    with Store.open("memory:") as store, serving(store, limits=limits, certificate=certificate) as served:
        served.house.counted.writes._burst = served.house.counted.requests._burst = 10**6
        store.new("friday", ["Ana", "Bo"])
        store.append("friday", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
        yield served


@pytest.fixture
def house(certificate):
    with housed(Limits(), certificate) as served:
        yield served


@pytest.fixture
def tight(certificate):
    """A server that queues at most 64 KiB for a client that does not read."""
    with housed(Limits(listener_bytes=2**16), certificate) as served:
        yield served


def numbers(frames):
    assert {frame["event"] for frame in frames} == {"moment"}
    assert [int(frame["id"]) for frame in frames] == [frame["data"]["event"] for frame in frames]
    return [frame["data"]["event"] for frame in frames]


def test_a_listener_hears_what_is_stored_from_now_on_by_whomever(house):
    with house.listening() as frames:
        assert frames.answer.headers["content-type"].startswith("text/event-stream")
        assert frames.answer.headers["cache-control"] == "no-store"
        house.store.append("friday", [CAST, CAST])
        body = {"command": "c", "seen": 4, "words": ["Bo casts Opt"]}
        with house.client(house.owner) as client:
            answer = client.post("/v1/games/friday/commands", json=body)
            found = frames.take(3)
            assert numbers(found) == [3, 4, 5]
            before = [frame["data"].pop("before") for frame in found]
            assert found[2]["data"] == answer.json()["moments"][0]
            page = client.get("/v1/games/friday/moments?from=2").json()
            assert [frame["data"] for frame in found] == page["moments"][1:]
            assert before == [moment["head"] for moment in page["moments"][:-1]]


def test_from_after_on_there_is_no_gap_no_event_twice_and_order(house):
    """From `after` on there are no gaps and no doubled events, in order, while others store as fast as they can."""
    stop = threading.Event()

    def store():
        while not stop.wait(0.003):
            house.store.append("friday", [CAST])

    writer = threading.Thread(target=store)
    writer.start()
    try:
        for after in (0, 1, 7):
            with house.listening(path=f"/v1/games/friday/live?after={after}") as frames:
                assert numbers(frames.take(30)) == [*range(after + 1, after + 31)]
    finally:
        stop.set()
        writer.join()


def test_the_last_event_id_wins_over_after(house):
    house.store.append("friday", [CAST] * 5)
    with house.listening(path="/v1/games/friday/live?after=1", **{"Last-Event-ID": "5"}) as frames:
        assert numbers(frames.take(2)) == [6, 7]
    for given in ("x", "-1", "1.5"):
        with house.client() as client:
            refused(client.get(f"/v1/games/friday/live?after={given}"), 400, "bad-parameter")
            refused(client.get("/v1/games/friday/live", headers={"Last-Event-ID": given}), 400, "bad-parameter")


def test_who_is_too_far_behind_or_ahead_has_to_begin_again(house):
    house.store.append("friday", [CAST] * 500)
    with house.listening(path="/v1/games/friday/live?after=2") as frames:
        assert numbers(frames.take(500)) == [*range(3, 503)]
    for after in (1, 503):
        with house.listening(path=f"/v1/games/friday/live?after={after}") as frames:
            assert frames.next() == {"event": "reset", "data": {"last": 502}}
            with pytest.raises(EOFError):
                frames.next()


def test_the_head_of_a_stream_is_answered_at_once(house):
    with house.client() as client:
        for path in ("/v1/games/friday/live", "/v1/live"):
            answer = client.head(path)
            assert (answer.status_code, answer.content) == (200, b"")
            assert answer.headers["content-type"].startswith("text/event-stream")
        assert not house.house.hub._listeners


def test_what_is_too_large_to_wait_is_read_elsewhere(house):
    huge = {"type": "spell-cast", "player": "Ana", "note": "x" * 300_000}
    with house.listening() as frames:
        house.store.append("friday", [huge])
        assert frames.next() == {"event": "reset", "data": {"last": 3}}
    with house.listening(path="/v1/games/friday/live?after=1") as frames:
        assert numbers([frames.next()]) == [2]
        assert frames.next() == {"event": "reset", "data": {"last": 3}}
    with house.listening(path="/v1/games/friday/live?after=3") as frames:
        house.store.append("friday", [CAST])
        assert numbers([frames.next()]) == [4]


@pytest.mark.wide
def test_twelve_listen_and_all_hear_the_same(house):
    with ExitStack() as stack:
        listeners = [stack.enter_context(house.listening()) for _one in range(12)]
        house.store.append("friday", [CAST] * 20)
        heard = [frames.take(20) for frames in listeners]
        assert all(found == heard[0] for found in heard)
        assert numbers(heard[0]) == [*range(3, 23)]


def test_each_hears_it_in_their_language(house):
    with (
        house.listening(path="/v1/games/friday/live?lang=fr") as french,
        house.listening(**{"Accept-Language": "ja"}) as japanese,
    ):
        house.store.append("friday", [{"type": "step-began", "step": "upkeep"}])
        assert french.next()["data"]["sentence"] == "entretien"
        assert japanese.next()["data"]["sentence"] == "アップキープ・ステップ"


def test_other_games_are_not_heard_and_all_games_are_where_all_may_be_read(house):
    house.store.new("a/b", ["Cy", "Di"])
    with house.listening() as frames, house.listening(path="/v1/live") as everything:
        house.store.append("a/b", [{"type": "turn-began", "turn": 1, "active": ["Cy"]}])
        house.store.append("friday", [CAST])
        assert numbers([frames.next()]) == [3]
        found = everything.take(2)
        games = [{"id": "a%2Fb", "game": "a/b", "last": 2}, {"id": "friday", "game": "friday", "last": 3}]
        assert [frame["data"] for frame in found] == games
        assert {frame["event"] for frame in found} == {"game"}
        assert all("id" not in frame for frame in found)


def test_a_revoked_key_ends_its_streams_within_a_second_and_no_other(house):
    link, key = house.house.keys.add("friday", "player", "Ana")
    with house.listening(key) as frames, house.listening(house.link("player", "Bo")) as others:
        with house.client(house.owner) as owner:
            began = time.monotonic()
            assert owner.delete(f"/v1/links/{link.link}").status_code == 204
        assert frames.next() == {"event": "closing", "data": {}}
        assert time.monotonic() - began < 1
        with pytest.raises(EOFError):
            frames.next()
        house.store.append("friday", [CAST])
        assert numbers([others.next()]) == [3]


@pytest.mark.slow
def test_a_link_that_ends_ends_its_streams(house):
    with house.listening(house.link("player", "Ana", hours=0.5 / 3600)) as frames:
        assert frames.next()["event"] == "closing"


def test_when_the_server_stops_it_says_so(certificate):
    with Store.open("memory:") as store:
        store.new("friday", ["Ana", "Bo"])
        heard = []
        with serving(store, certificate=certificate) as served, ExitStack() as stack:
            frames = stack.enter_context(served.listening())
            everything = stack.enter_context(served.listening(path="/v1/live"))
            listener = threading.Thread(target=lambda: heard.extend([frames.next(), everything.next()]))
            listener.start()
            began = time.monotonic()
            served.stop()
            assert time.monotonic() - began < 3
            listener.join(5)
        assert [frame["event"] for frame in heard] == ["closing", "closing"]


def test_a_key_has_so_many_listeners_and_the_server_has(certificate):
    limits = Limits(listeners=3, listeners_key=2)
    with Store.open("memory:") as store, serving(store, limits=limits, certificate=certificate) as served:
        store.new("friday", ["Ana", "Bo"])
        ana, bo = served.link("player", "Ana"), served.link("player", "Bo")
        with ExitStack() as stack:
            first = stack.enter_context(served.listening(ana))
            stack.enter_context(served.listening(ana))
            with served.client(ana) as client:
                answer = client.get("/v1/games/friday/live")
                refused(answer, 503, "busy")
                assert answer.headers["retry-after"]
            stack.enter_context(served.listening(bo))
            with served.client(served.owner) as client:
                refused(client.get("/v1/games/friday/live"), 503, "busy")
            first.answer.close()
            for _time in range(100):
                if len(served.house.hub._listeners) < 3:
                    break
                time.sleep(0.05)
            with served.listening(served.owner) as frames:
                store.append("friday", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
                assert numbers([frames.next()]) == [2]


def test_a_file_is_listened_to_in_silence(tmp_path):
    from daynight.records import Record

    file = tmp_path / "kept.jsonl"
    file.write_text('{"type":"game-started","format":1,"game":"kept","players":["Ana","Bo"]}\n')
    with serving(None, [Record(file)]) as served, served.listening(path="/v1/games/kept/live?after=0") as frames:
        assert numbers([frames.next()]) == [1]


@pytest.mark.slow
def test_a_comment_is_sent_where_nothing_else_is(house, monkeypatch):
    monkeypatch.setattr("daynight.web.live.hub.COMMENTS", 0.3)
    with house.client() as client, client.stream("GET", "/v1/games/friday/live") as answer:
        found = answer.iter_raw()
        assert next(found) == b"retry: 1000\n\n"
        assert next(found) == b":\n\n"
        assert next(found) == b":\n\n"


def test_over_an_encrypted_connection_too(made):
    """A listener gets each new event; one that disconnects no longer counts for the limit of two for each key."""
    with Store.open("memory:") as store, serving(store, limits=Limits(listeners_key=2), certificate=made) as served:
        store.new("friday", ["Ana", "Bo"])
        store.append("friday", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
        for time in range(4):
            with served.listening(served.owner) as frames:
                store.append("friday", [CAST])
                assert numbers([frames.next()]) == [3 + time]
            until(lambda: not served.house.hub._listeners)


# ----------------------------------------------------------------------------------------------------- who never reads


def read_all(connection):
    data = b""
    while piece := connection.recv(2**20):
        data += piece
    return data


@pytest.mark.slow
def test_who_never_reads_holds_nobody_up_and_costs_little(tight):
    """Other clients get all events; for a client that does not read, little is queued, and then its stream ends."""
    with deaf(tight) as _connection, tight.listening() as frames:
        listener = next(iter(tight.house.hub._listeners))
        most = 0
        for _time in range(20):
            tight.store.append("friday", [LONG] * 4)
            numbers(frames.take(4))
            most = max(most, sum(len(frame.data) for frame in listener._waiting) + listener.unsent())
            assert len(listener._waiting) <= 64
        assert listener.ending == "reset"
        assert not listener._waiting
        assert 0 < most <= tight.house.limits.listener_bytes
        assert tight.store.last("friday") == 82


@pytest.mark.slow
def test_who_never_reads_is_cut_off(certificate):
    limits = Limits(stalled_seconds=0.5)
    with Store.open("memory:") as store, serving(store, limits=limits, certificate=certificate) as served:
        store.new("friday", ["Ana", "Bo"])
        store.append("friday", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
        with deaf(served) as connection:
            for _time in range(60):
                store.append("friday", [LONG] * 4)
                time.sleep(0.05)
                if not served.house.hub._listeners:
                    break
            assert not served.house.hub._listeners
            connection.settimeout(5)
            data = read_all(connection)
            assert data
            assert not data.endswith(b"0\r\n\r\n")


def test_who_never_reads_does_not_hold_up_the_end(tight):
    with deaf(tight):
        for _time in range(10):
            tight.store.append("friday", [LONG] * 4)
        began = time.monotonic()
        tight.stop()
        assert time.monotonic() - began < 2


def test_who_is_slow_is_told_to_begin_again_and_may(tight):
    with deaf(tight) as connection, tight.listening() as others:
        listener = next(iter(tight.house.hub._listeners))
        for _time in range(10):
            tight.store.append("friday", [LONG] * 4)
            # A client that got these knows that all were rendered: the ones that begin below get no event twice.
            others.take(4)
        until(lambda: listener.ending)
        connection.settimeout(10)
        data = read_all(connection)
        assert b"event: reset\ndata: {" in data[-300:]
        # On a busy machine it may be so slow that none of them was sent yet.
        last = data.count(b"event: moment")
        assert last < 40
    # As much as may wait at once: the rest is not rendered.
    some = min(4, 40 - last)
    with tight.listening(path=f"/v1/games/friday/live?after={last + 2}") as frames:
        assert numbers(frames.take(some)) == [*range(last + 3, last + 3 + some)]
