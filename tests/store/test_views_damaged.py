"""Views whose rows or tables were changed, and views of a read-only store.

| promise | test |
| --- | --- |
| verify finds a changed row, and a rebuild repairs it | test_tampered_rows |
| only the exact table of a registered view is accepted, with no triggers or indexes added | test_tampered_tables |
| if nothing may be stored, the view is computed in memory for each query | test_read_only |
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from daynight.store import DamagedError, verify_store
from daynight.store.database.settings import Settings
from tests.store.lamp import HUNG, PRESSED
from tests.store.viewing import TABLE, lamps, opened


def test_tampered_rows(place):
    with lamps(place) as store:
        view = opened(store)
        store.append("hall", [HUNG, PRESSED])
        for change in ("SET presses = 5", "SET events = 9", "SET last = NULL"):
            with store.recorder.transaction(write=True) as cursor:
                cursor.execute(f"UPDATE {TABLE} {change}")
            (found,) = verify_store(store)
            assert found.fault is not None
            assert found.fault.sentence == "its row in the presses does not follow from its events; rebuild the presses"
            view.rebuild()
            assert [each.fault for each in verify_store(store)] == [None]
        with store.recorder.transaction(write=True) as cursor:
            cursor.execute(f"INSERT INTO {TABLE} VALUES ('stray', 1, 1, 1, 'x')")
        assert [(each.game, each.fault is None) for each in verify_store(store)] == [("hall", True), ("stray", False)]


SQLITE = [
    f"ALTER TABLE {TABLE} ADD COLUMN more TEXT", f"DROP TABLE {TABLE}",
    f"CREATE TRIGGER t AFTER INSERT ON {TABLE} BEGIN DELETE FROM stored_events; END",
    f"CREATE INDEX i ON {TABLE} (presses)", "CREATE TABLE daynight_view_other (game TEXT)",
    "CREATE VIEW other AS SELECT 1", "DELETE FROM daynight_views",
    "UPDATE daynight_views SET columns = 'presses INTEGER'",
    "INSERT INTO daynight_views VALUES ('x; DROP TABLE stored_events', 1, 'a INTEGER')",
    "UPDATE daynight_views SET columns = 'presses INTEGER DEFAULT (load_extension(1)), dims INTEGER, last TEXT'",
    "UPDATE daynight_views SET columns = x'00'",
]  # fmt: skip


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("statement", SQLITE)
def test_tampered_tables(tmp_path, statement):
    place = Settings(kind="sqlite", path=str(tmp_path / "lamps.db"))
    with lamps(place) as store:
        opened(store)
        store.append("hall", [HUNG])
    with lamps(place):
        pass
    with closing(sqlite3.connect(place.path)) as connection:
        connection.execute(statement)
        connection.commit()
    with pytest.raises(DamagedError):
        lamps(place)


POSTGRES = [
    f"ALTER TABLE {TABLE} ADD COLUMN more text",
    f"DROP TABLE {TABLE}",
    f"CREATE RULE r AS ON INSERT TO {TABLE} DO ALSO DELETE FROM stored_events",
    "UPDATE daynight_views SET columns = 'presses INTEGER'",
    "INSERT INTO daynight_views VALUES ('x; DROP TABLE stored_events', 1, 'a INTEGER')",
    "ALTER TABLE daynight_views ADD COLUMN more text",
]


@pytest.mark.wide
def test_tampered_tables_of_a_server(schema):
    from daynight.store.database.server import connected

    with lamps(schema) as store:
        opened(store)
        store.append("hall", [HUNG])
    for statement in POSTGRES:
        with connected(schema) as connection, connection.transaction(force_rollback=True):
            connection.execute(statement.encode())
            from daynight.store.database.server import inspect

            with pytest.raises(DamagedError):
                inspect(connection.cursor(), schema)
    with lamps(schema):
        pass


def test_read_only(tmp_path, monkeypatch):
    place = Settings(kind="sqlite", path=str(tmp_path / "lamps.db"))
    with lamps(place) as store:
        opened(store)
        store.append("hall", [HUNG, PRESSED])
    with lamps(place) as store:
        store.append("hall", [PRESSED])
    before = Path(place.path).read_bytes()
    with lamps(place) as store:
        monkeypatch.setattr(type(store.recorder), "fixed", True)
        monkeypatch.setattr(store.recorder, "fixed", True)
        assert opened(store).rows() == [{"game": "hall", "events": 3, "presses": 2, "dims": 0, "last": "Ana"}]
        fresh = store.view("fresh", int, lambda value, moment, state: value + 1)
        assert fresh.rows() == [{"game": "hall", "events": 3, "value": 3}]
        assert [found.fault for found in verify_store(store)] == [None]
    assert Path(place.path).read_bytes() == before
