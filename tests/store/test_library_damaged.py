"""The library of a store that was tampered with: impossible events and foreign rows are refused."""

import pytest

from daynight.games import Store
from daynight.projections.library import Library
from daynight.store import DamagedError
from tests.rules.words import cast, started, turn
from tests.store.projecting import TRACKED
from tests.store.rows_of_games import expected


@pytest.fixture
def store():
    with Store.open("memory:") as store:
        yield store


@pytest.mark.parametrize(
    "change, event, sentence",
    [
        ("UPDATE stored_events SET topic = 'os.system' WHERE originator_version = 3", None, "unknown tag 'os.system'"),
        ("UPDATE stored_events SET topic = 'turn-began' WHERE originator_version = 3", 3, "line says spell-cast"),
        ("UPDATE stored_events SET state = CAST('{}' AS BLOB) WHERE originator_version = 3", 3, "type"),
        ("UPDATE stored_events SET originator_version = 7 WHERE originator_version = 3", None, "events are missing"),
        (
            """UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), 'Ana', 'Eve') AS BLOB)
            WHERE originator_version = 3""",
            3,
            "no player",
        ),
        (
            """UPDATE stored_events SET topic = 'game-backed-up',
            state = CAST('{"type":"game-backed-up","to":5,"by":"x"}' AS BLOB) WHERE originator_version = 3""",
            3,
            "not an earlier one",
        ),
    ],
)
def test_damaged(store, change, event, sentence):
    """A rebuild stops at an impossible event with DamagedError; the rows of earlier batches stay."""
    library = Library(store)
    store.append("fine", [started()])
    store.append("g", [started(), turn(1), cast(), cast()])
    assert library.catch_up(batch=2) == 5
    with store.recorder.transaction(write=True) as cursor:
        cursor.execute(change)
    for _again in range(2):
        with pytest.raises(DamagedError, match=sentence) as caught:
            library.rebuild(batch=2)
        assert caught.value.game == "g"
        assert event is None or caught.value.event == event
        assert [entry.events for entry in library.rows()] == [1, 1]


@pytest.mark.parametrize("change", ["possible = 'dusk'", "possible = ''", "verdict = 'true'"])
def test_foreign_row(store, change):
    """A row that daynight did not write raises DamagedError, and a rebuild repairs it."""
    library = Library(store)
    store.append("g", [started()])
    library.catch_up()
    with store.recorder.transaction(write=True) as cursor:
        cursor.execute(f"UPDATE library SET {change}")
    for ask in (library.rows, library.totals):
        with pytest.raises(DamagedError, match="rebuild it"):
            ask()
    library.rebuild()
    assert library.rows() == [expected("g", store.load("g"))]


@pytest.mark.parametrize("position", ["7", "'far'"])
def test_foreign_position(store, position):
    """A position beyond the last event, or an invalid one, is refused: events would be skipped for ever."""
    library = Library(store)
    store.append("g", [started(), turn(1)])
    library.catch_up()
    with store.recorder.transaction(write=True) as cursor:
        cursor.execute(f"UPDATE tracking SET notification_id = {position} WHERE application_name = '{TRACKED}'")
    with pytest.raises(DamagedError, match="rebuild it"):
        library.catch_up()
    library.rebuild()
    assert library.rows() == [expected("g", store.load("g"))]
