"""Stores and archives that were written before stores kept records of other mechanics.

| promise | test |
| --- | --- |
| old stores open with the same games, codes and commands; the list of games is rebuilt | test_opens |
| reading such a file changes no byte of it | test_stays |
| old stores verify, and their games are signed | test_verifies |
| old stores can be appended to, new snapshots are used, and the result verifies | test_appends |
| outdated snapshots are ignored, and taken again | test_snapshots |
| an old archive is imported, and exported again with the same bytes | test_archive |
"""

import shutil
from io import BytesIO
from pathlib import Path

import pytest
from psycopg.sql import SQL, Identifier

from daynight.games import Library, Store
from daynight.store import read_archive, verify_store, write_archive
from daynight.store.branches import branches
from daynight.store.database.settings import Settings
from tests.behaviour.games import EVERY_TYPE
from tests.rules.words import turn

BEFORE = Path(__file__).parent / "before"
CODES = {
    "backed up": "e26 WK0C-MQDN-JDHC-F6KK", "backed up/b2": "e27 EW1M-P67B-JPA9-0V42",
    "disputed": "e9 FCRD-SHS1-Z38Y-KSFE", "every type": "e39 N9CD-FTBQ-X2RY-PR4Y",
}  # fmt: skip


@pytest.fixture(params=["sqlite", "postgresql"])
def before(request, tmp_path):
    """The settings of a copy of an old store: a SQLite file or a schema on the server."""
    if request.param == "sqlite":
        shutil.copy(BEFORE / "games.db", tmp_path / "games.db")
        return Settings(kind="sqlite", path=str(tmp_path / "games.db"))
    from daynight.store.database.server import connected

    settings = request.getfixturevalue("bare")
    with connected(settings) as connection:
        connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(settings.schema)))
        connection.execute((BEFORE / "games.sql").read_bytes())
    return settings


@pytest.fixture
def store(before):
    with Store(before) as store:
        yield store


def codes(store):
    return {game: store.code(game) for game, _last in store.games()}


def test_opens(store):
    assert codes(store) == CODES
    assert store.append("every type", list(EVERY_TYPE), command="tablet-1/1").repeated
    assert [(branch.game, branch.intact) for branch in branches(store, "backed up")] == [("backed up/b2", True)]
    library = Library(store)
    # Its rows do not name the rules that made them, so they are rebuilt.
    assert library.behind() == library.catch_up() == sum(last for _game, last in store.games())
    assert library.replaced == ""
    assert [(row.game, row.events, row.verdict) for row in library.rows()] == [
        ("backed up", 26, "disputed"), ("backed up/b2", 27, "disputed"), ("disputed", 9, "disputed"),
        ("every type", 39, "disputed"),
    ]  # fmt: skip
    before = library.rows()
    library.rebuild()
    assert library.rows() == before


def test_stays(tmp_path):
    path = tmp_path / "games.db"
    shutil.copy(BEFORE / "games.db", path)
    with Store.open(path) as store:
        assert codes(store) == CODES
        assert store.load("disputed").designation is not None
        assert [found.fault for found in verify_store(store)] == [None] * 4
    assert path.read_bytes() == (BEFORE / "games.db").read_bytes()


def test_verifies(store):
    found = list(verify_store(store))
    assert [(one.game, one.code, one.fault) for one in found] == [(*each, None) for each in CODES.items()]
    assert all(one.signatures.signers for one in found)


def test_appends(before):
    settings = Settings(**{**vars(before), "snapshots": 10})
    with Store(settings) as store:
        last = store.last("disputed")
        number = store.at("disputed").turn + 1
        for more in range(5):
            store.append("disputed", [turn(number + more)])
        assert store.recorder.snapshot_numbers("disputed")[-1] == 10
        assert store.at("disputed").turn == number + 4
        assert store.last("disputed") == last + 5
        assert [found.fault for found in verify_store(store)] == [None] * 4
    with Store(settings) as store:
        assert store.at("disputed", 12).turn == store.load("disputed").at(12).turn


def test_snapshots(store):
    assert (numbers := store.recorder.snapshot_numbers("every type"))
    assert store.at("every type").event == store.load("every type").state.event == 39
    store.settings = Settings(kind="memory", snapshots=10)
    assert store.take_snapshots("every type") >= len(numbers)
    assert store.take_snapshots("every type") == 0
    assert [found.fault for found in verify_store(store)] == [None] * 4


def test_archive():
    data = (BEFORE / "games.archive").read_bytes()
    with Store.open("memory:") as store:
        assert read_archive(store, BytesIO(data)) == (4, 101)
        assert codes(store) == CODES
        again = BytesIO()
        write_archive(store, again)
        assert again.getvalue() == data
