"""A store that was opened before a fork is used after it: parent and children each get connections of their own.

| promise | test |
| --- | --- |
| four children append a hundred times each beside the parent: nothing is lost, and all verifies | test_children |
| a child that only reads does not disturb the parent's store | test_child_that_reads |
| if the parent closes first, what a child appends afterwards is stored | test_parent_closes_first |
| closing the store in a child does not close the parent's | test_child_that_closes |
| a store that was closed before the fork stays closed | test_closed_before |
| a fork inside a transaction, or of a store in memory: the child is refused, the parent continues | test_refused |
"""

import os
import time
from contextlib import nullcontext

import pytest

from daynight.games import Store
from daynight.store import Key, UnavailableError, verify_store
from daynight.store.database.settings import Settings

from .killing import forked

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")

TURN = {"type": "turn-began", "turn": 1, "active": ["Ana"]}
SPELL = {"type": "spell-cast", "player": "Ana"}
OFTEN = 100


def began(settings, key=None):
    store = Store(settings, key=key)
    store.new("friday", ["Ana", "Bo"])
    store.append("friday", [TURN])
    return store


def ended(*children: int) -> list[int]:
    return [os.waitpid(each, 0)[1] for each in children]


def cast(store, many=OFTEN):
    for _cast in range(many):
        store.append("friday", [SPELL])


def test_children(kept, tmp_path):
    with began(kept, Key.read(tmp_path / "key.pem")) as store:
        children = [forked(lambda: cast(store)) for _child in range(4)]
        cast(store)
        assert [0] * 4 == ended(*children)
        store.append("friday", [TURN | {"turn": 2}])
        assert store.last("friday") == 2 + 5 * OFTEN + 1
        assert [None] == [found.fault for found in verify_store(store)]
    with Store(kept) as again:
        assert [None] == [found.fault for found in verify_store(again)]


def test_child_that_reads(kept):
    with began(kept) as store:
        cast(store, 3)
        assert [0] == ended(forked(lambda: store.load("friday")))
        cast(store, 3)
        assert [None] == [found.fault for found in verify_store(store)]


def test_parent_closes_first(tmp_path):
    place = Settings(kind="sqlite", path=str(tmp_path / "games.db"))
    store = began(place)
    read, write = os.pipe()

    def waits():
        cast(store, 2)
        os.read(read, 1)
        cast(store, 2)

    one = forked(waits)
    cast(store, 2)
    until = time.monotonic() + 20
    while store.last("friday") < 6 and time.monotonic() < until:
        time.sleep(0.001)
    store.close()
    os.write(write, b"x")
    assert [0] == ended(one)
    with Store(place) as again:
        assert again.last("friday") == 8
        assert [None] == [found.fault for found in verify_store(again)]


def refused(store):
    with pytest.raises(UnavailableError, match="this one is a fork of it"):
        cast(store, 1)


def test_refused(place):
    with began(place) as store:
        with store.recorder.transaction(write=True):
            assert [0] == ended(forked(lambda: refused(store)))
        if place.kind == "memory":
            assert [0] == ended(forked(lambda: refused(store)))
        cast(store, 2)
        assert store.last("friday") == 4
        assert [None] == [found.fault for found in verify_store(store)]


def closes(store):
    store.close()
    with pytest.raises(UnavailableError, match=r"the store is closed|this one is a fork of it"):
        cast(store, 1)


@pytest.mark.parametrize("while_read", [False, True])
def test_child_that_closes(kept, tmp_path, while_read):
    """Closing the store in a child does not close the parent's, whether or not the parent has a connection open."""
    with began(kept, Key.read(tmp_path / "key.pem")) as store:
        with store.recorder.transaction(write=False) if while_read else nullcontext():
            assert [0, 0] == ended(forked(lambda: closes(store)), forked(store.close))
        cast(store, 3)
        assert [0] == ended(forked(lambda: (cast(store, 2), store.close())))
        cast(store, 3)
        store.append("friday", [TURN | {"turn": 2}])
        assert store.last("friday") == 11
        assert [None] == [found.fault for found in verify_store(store)]
    with Store(kept) as again:
        assert again.last("friday") == 11
        assert [None] == [found.fault for found in verify_store(again)]


def test_closed_before(kept):
    """A store that was closed before the fork stays closed in the child."""
    store = began(kept)
    store.close()
    assert [0] == ended(forked(lambda: closes(store)))
