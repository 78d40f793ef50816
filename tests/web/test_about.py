"""The description of a game, from the library if the library has the game, and otherwise the same from its events."""

import pytest

from daynight.framework.language.codec import versioned
from daynight.games import Store
from daynight.records import Held
from daynight.web.shelf import Shelf, StoredGame
from daynight.web.telling.about import _read, _stored, about_game
from tests.bench.records import lines
from tests.sampling import few_or_all
from tests.store.told import counting
from tests.web.asking import asking


@pytest.fixture
def shelf():
    """A shelf with a game that was backed up many times."""
    with Store.open("memory:") as store:
        store.new("friday", ["Ana", "Bo"])
        for turn in range(1, 9):
            player = ["Ana", "Bo"][turn % 2]
            store.append("friday", [{"type": "turn-began", "turn": turn, "active": [player]}])
            store.append("friday", [{"type": "spell-cast", "player": player}] * 2)
        for to, turns in ((12, (20, 21)), (4, (30,)), (4, ()), (3, (40,))):
            store.append("friday", [{"type": "game-backed-up", "to": to, "by": "judge"}])
            for turn in turns:
                store.append("friday", [{"type": "turn-began", "turn": turn, "active": ["Ana"]}])
        yield Shelf(store)


def stored(shelf):
    """The game `friday` as `shelf.find` returns it: a `StoredGame`."""
    found = shelf.find("friday")
    assert isinstance(found, StoredGame)
    return found


def test_what_the_library_knows_is_what_is_read(shelf, monkeypatch):
    """If the library is up to date, the game itself is not read."""
    assert shelf.store is not None
    assert shelf.library is not None
    shelf.library.catch_up()
    whole = _read(stored(shelf))
    assert whole.undone
    assert _stored(shelf, stored(shelf)) == whole
    told = about_game(shelf, stored(shelf))
    monkeypatch.setattr(StoredGame, "game", None)
    assert about_game(shelf, stored(shelf)) == told


def test_a_few_events_that_the_library_does_not_have_are_looked_at(shelf):
    """If the library lacks a few events, only these are read; if one of them is a back-up, the whole game is read."""
    assert shelf.store is not None
    assert shelf.library is not None
    assert _stored(shelf, stored(shelf)) is None
    shelf.library.catch_up()
    for turn in (50, 51):
        shelf.store.append("friday", [{"type": "turn-began", "turn": turn, "active": ["Ana"]}])
        assert _stored(shelf, stored(shelf)) == _read(stored(shelf))
    shelf.store.append("friday", [{"type": "game-backed-up", "to": 1, "by": "judge"}])
    assert _stored(shelf, stored(shelf)) is None
    assert about_game(shelf, stored(shelf))["turns"] == _read(stored(shelf)).turns


def test_of_other_mechanics_as_well():
    from examples.monarch import MECHANIC
    from tests.web.conftest import ROOT

    with Store.open("memory:", mechanic=MECHANIC) as store:
        store.import_record(ROOT / "examples/monarch.jsonl", "m")
        store.append("m", [{"type": "backed-up", "to": 4}] if "backed-up" in MECHANIC.language.tags else [])
        shelf = Shelf(store)
        assert shelf.library is None
        found = shelf.find("m")
        assert isinstance(found, StoredGame)
        whole = _read(found)
        assert _stored(shelf, found) == whole
        assert about_game(shelf, found)["events"] == len(found.game())


@pytest.mark.wide
@pytest.mark.parametrize("events", few_or_all(12_000, 100_000))
def test_the_state_of_a_long_game_is_not_a_replay(events, tmp_path):
    """`/state` with its history folds at most a twentieth of a long game's events, and caches no game."""
    with Store.open(tmp_path / "long.db") as store:
        store.import_record(Held("long", lines(events)), "long")
        whole = store.load("long")
    mechanic, folded = counting()
    with Store.open(tmp_path / "long.db", mechanic=mechanic) as store:
        shelf = Shelf(store)
        for target, number in (("", events), (f"?at={events - 1}", events - 1)):
            folded[0] = 0
            assert asking(shelf).document(f"/v1/games/long/state{target}") == versioned(whole.document(number))
            assert folded[0] <= events / 20
            assert shelf._kept.held(store, "long", 1) is None
    assert len(whole.document()["changes"]) > events / 400
