"""The store and the framework know no Magic.

| promise | test |
| --- | --- |
| importing them loads only modules of their own rooms and of `machine` | test_loads |
| opening a store without a mechanic is refused, and the message names the store of games | test_no_mechanic |
| the store of games needs none | test_games |
"""

import subprocess
import sys

import pytest

import daynight
from daynight.store import Games, Store
from daynight.store.database.settings import Settings


@pytest.mark.parametrize(
    "asked, rooms",
    [("daynight.store", {"store", "framework", "machine"}), ("daynight.framework", {"framework"}), ("daynight", set())],
)
def test_loads(asked, rooms):
    """Importing `asked` in a new process loads only modules of `rooms` (the tests' own process has loaded all)."""
    program = f"import sys, {asked}; print(*[name for name in sys.modules if name.startswith('daynight.')])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert rooms == {name.split(".")[1] for name in ran.stdout.split()}


def test_no_mechanic():
    """Opening a store without a mechanic raises TypeError, whose message names `daynight.Store`."""
    sentence = "mechanic: say what the records are of; for games of day and night use daynight.Store"
    with pytest.raises(TypeError) as refused:
        Store.open("memory:")
    assert sentence == str(refused.value)
    with pytest.raises(TypeError, match=r"daynight\.Store"):
        Games(Settings(kind="memory").env)


def test_games():
    """`daynight.Store` needs only a place; otherwise it is a store like any other."""
    with daynight.Store.open("memory:") as store:
        assert isinstance(store, Store)
        assert 1 == store.new("friday", ["Ana", "Bo"]).last
        assert "friday" == store.load("friday").title
