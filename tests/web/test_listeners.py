"""Many listeners: events are rendered once per language, and sent after the writer's answer; slow ones cost little."""

import gc
import os
import time
import tracemalloc
from contextlib import ExitStack

import pytest

from daynight.games import Store
from daynight.web.door.certificate import certificate_of
from daynight.web.limits import Limits
from daynight.web.live.hub import HOLD
from tests.web.serving import deaf, serving, until

CAST = {"type": "spell-cast", "player": "Ana"}
MINUTES = float(os.environ.get("DAYNIGHT_MINUTES", "0.25"))
"""How long a client does not read, in minutes; DAYNIGHT_MINUTES=10 is the full proof."""

DEAF = 16


@pytest.fixture
def house():
    """A server of a game whose first turn has begun."""
    with Store.open("memory:") as store, serving(store) as served:
        begin(store)
        yield served


def begin(store):
    """Start a game and its first turn."""
    store.new("friday", ["Ana", "Bo"])
    store.append("friday", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])


def test_what_is_new_is_told_once_a_language(house):
    """New events are rendered once for each language, however many clients listen."""
    hub = house.house.hub
    told = []
    tell = hub._tell

    def counted(game, first, last, language):
        told.append((first, last, language))
        return tell(game, first, last, language)

    hub._tell = counted
    with ExitStack() as stack:
        spoken = ["en", "fr", "en"]
        every = [stack.enter_context(house.listening(**{"Accept-Language": language})) for language in spoken]
        while len(hub._listeners) < len(spoken):
            time.sleep(0.01)
        house.store.append("friday", [CAST])
        heard = [frames.next() for frames in every]
    assert sorted(told) == [(3, 3, "en"), (3, 3, "fr")]
    assert [frame["id"] for frame in heard] == ["3"] * len(spoken)
    assert heard[0] == heard[2] != heard[1]


@pytest.mark.slow
def test_who_writes_is_answered_first_and_nobody_waits_for_long(house):
    """While a write is unfinished, listeners get its event only after `HOLD` seconds; later events come as usual."""
    with house.listening() as frames:
        began = time.monotonic()
        with house.house.hub.writing():
            house.store.append("friday", [CAST])
            assert frames.next()["id"] == "3"
        assert time.monotonic() - began >= HOLD
        house.store.append("friday", [CAST])
        assert frames.next()["id"] == "4"
        assert house.house.hub._writers == 0


def test_whoever_was_refused_writes_no_more(house):
    """A refused command counts as a finished write, so listeners do not wait for it."""
    with house.client(house.owner) as client:
        for body in ("{", '{"command":"c","seen":2,"events":[{"type":"spell-cast","player":"Zoe"}]}'):
            headers = {"Content-Type": "application/json"}
            answer = client.post("/v1/games/friday/commands", content=body, headers=headers)
            assert answer.status_code in (400, 422)
    # The answer may arrive before the server has finished the write.
    until(lambda: house.house.hub._writers == 0)


@pytest.mark.slow
@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
def test_who_never_reads_costs_at_most_so_much(tmp_path, *, encrypted):
    """A client that never reads costs the server a limited amount of memory, however long it stays."""
    limits = Limits(stalled_seconds=3600, listeners_key=DEAF + 1)
    certificate = certificate_of(tmp_path, ["127.0.0.1"]).file if encrypted else None
    with (
        Store.open(tmp_path / "games.db") as store,
        serving(store, limits=limits, certificate=certificate) as served,
        ExitStack() as stack,
    ):
        begin(store)
        with served.listening() as frames:
            write(store, 60)
            frames.take(60)
            tracemalloc.start()
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
            for _number in range(DEAF):
                stack.enter_context(deaf(served))
            end, most = time.monotonic() + 60 * MINUTES, 0
            while time.monotonic() < end:
                write(store, 4)
                assert len(frames.take(4)) == 4
                gc.collect()
                most = max(most, tracemalloc.get_traced_memory()[0] - before)
                time.sleep(0.05)
            tracemalloc.stop()
    assert most <= DEAF * limits.listener_bytes


def write(store, events):
    """Store this many `events`: casts with a note of four thousand characters."""
    store.append("friday", [{**CAST, "note": "x" * 4_000}] * events)
