"""Fixtures for the tests of the server: a shelf with games of every kind, and a client."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from daynight.games import Store
from daynight.records import Record
from daynight.web.door.certificate import certificate_of
from daynight.web.shelf import Shelf
from tests.commands.conftest import daynight, folder  # noqa: F401
from tests.web.asking import Asking, asking
from tests.web.sending import send
from tests.web.serving import Served, serving

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted((ROOT / "examples/games").glob("*.jsonl"))
"""The example games."""

ODD = ("a/b", "..", ".", "%2F", "?", "#e=1", "日本", "~x", "~", "friday/b2", "a b", "<script>", "../etc/passwd", "\\")
"""Names with characters that must be escaped in an address."""


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    """A shelf of all example games, stored; odd names; and two files, one with the name of a stored game."""
    with Store.open(tmp_path_factory.mktemp("shelf") / "games.db") as store:
        for path in GAMES:
            store.import_record(path)
        store.import_record("demo")
        for name in ODD:
            store.new(name, ["Ana", "Bo"])
        yield Shelf(store, [Record("demo"), Record(ROOT / "examples/games/kitchen-table.dn")])


@pytest.fixture(scope="session")
def ask(shelf: Shelf) -> Asking:
    """A client for this shelf."""
    return asking(shelf)


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    """A server of an empty store, without a rate limit."""
    with Store.open("memory:") as store, serving(store) as served:
        served.house.counted.writes._burst = served.house.counted.requests._burst = 10**6
        yield served


@pytest.fixture
def game(house: Served) -> str:
    """The name of a new game of Ana and Bo in its first turn: events 1 to 4."""
    name = f"g{len(house.store.games())}"
    house.store.new(name, ["Ana", "Bo"])
    send(house, name, {"command": "t1", "seen": 1, "do": "pass-turn"})
    return name


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of one file with a certificate and its private key."""
    return certificate_of(tmp_path_factory.mktemp("table"), ["127.0.0.1"]).file


@pytest.fixture(params=["plain", pytest.param("encrypted", marks=pytest.mark.wide)])
def certificate(request: pytest.FixtureRequest) -> Path | None:
    """The file of a certificate, as `daynight table` makes one, or None for connections without encryption."""
    return request.getfixturevalue("made") if request.param == "encrypted" else None
