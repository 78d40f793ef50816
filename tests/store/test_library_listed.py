"""The list by player and verdict: an index in the store, created on first use and then kept up to date.

| promise | tests |
| --- | --- |
| for a player, a verdict or both it gives the same games as a full search, in pages of any size | test_same |
| the index follows the rows: new games, new events, changed verdicts, a rebuild | test_follows, test_rebuilt |
| the index exists only after the first such query | test_made_when_asked |
| forged or deleted entries are detected, and no wrong game is shown | test_planted, test_taken_out |
| if nothing may be stored, all games are searched | test_only_read |
"""

import random

import pytest

from daynight.games import Library, Store
from daynight.store import DamagedError
from daynight.store.database.declared import LISTED
from daynight.store.database.settings import Settings
from daynight.store.proving.archive import read_archive, write_archive
from daynight.store.proving.verify import verify_store
from daynight.web.game_list import GameList, GamesQuery
from daynight.web.shelf import Shelf
from tests.rules.judges import claim
from tests.rules.words import cast, started, turn

PLAYERS = ("Ana", "Bo", "Cy", "ana", "Zoë")
VERDICTS = ("disputed", "exact", "unverified")
KEYS = [(verdict, player) for verdict in (None, *VERDICTS) for player in (None, *PLAYERS, "Nobody")]


def faults(store):
    return [found.fault for found in verify_store(store) if found.fault]


def change(store, statement, *params):
    with store.recorder.transaction(write=True) as cursor:
        cursor.execute(store.recorder.sql(statement), params)


def filled(store, games=24):
    """Store games of several players and all verdicts, and list them; return the players of each game."""
    luck, seats = random.Random(7), {}
    for number in range(games):
        name = f"g{number:02}"
        seats[name] = luck.sample(PLAYERS, luck.randrange(1, 4))
        events = [started(*seats[name]), turn(1, seats[name][0])]
        store.append(name, events + [[], [claim("neither")], [claim("night")]][number % 3])
    Library(store).catch_up()
    return seats


def naively(store, seats, verdict, player):
    return [
        entry.game
        for entry in Library(store).rows()
        if verdict in (None, entry.verdict) and (player is None or player in seats[entry.game])
    ]


def paged(library, verdict, player, most):
    found = [entry.game for entry in library.walk("", verdict, player, at_once=most)]
    names, after = [], ""
    while some := library.names(after, most, verdict, player):
        names, after = names + some, some[-1]
    assert names == found
    return found


@pytest.mark.parametrize("most", [1, 5, 500])
def test_same(kept, most):
    with Store(kept) as store:
        seats = filled(store)
        library = Library(store)
        for key in KEYS:
            assert paged(library, *key, most) == naively(store, seats, *key), key
        assert faults(store) == []


def test_follows(kept):
    """The index follows a game that becomes exact and then disputed, and new games in the same updates."""
    with Store(kept) as store:
        library = Library(store)
        store.append("a", [started("Ana", "Bo"), turn(1)])
        library.catch_up()
        assert [entry.game for entry in library.page("", 9, "unverified", "Bo")] == ["a"]
        for events, verdict in (([claim("neither")], "exact"), ([claim("night")], "disputed")):
            store.append("a", events)
            store.append(f"b {verdict}", [started("Bo"), turn(1, "Bo")])
            library.catch_up()
            there = {one: paged(library, one, "Ana", 9) for one in VERDICTS}
            assert there == {one: ["a"] if one == verdict else [] for one in VERDICTS}
        assert paged(library, None, "Bo", 9) == ["a", "b disputed", "b exact"]
        assert faults(store) == []


def test_rebuilt(kept):
    with Store(kept) as store:
        seats = filled(store)
        library = Library(store)
        assert paged(library, "exact", None, 9)
        change(store, f"INSERT INTO {LISTED} VALUES ('Eve', '', 'g00')")
        library.rebuild(batch=7)
        for key in KEYS:
            assert paged(library, *key, 9) == naively(store, seats, *key), key
        assert library.page("", 9, None, "Eve") == []


def test_made_when_asked(kept):
    with Store(kept) as store:
        filled(store, 3)
        library = Library(store)
        library.rows(), library.page("", 9), library.names("", 9), library.entry("g00")
        assert not store.recorder.has_table(LISTED)
        library.page("", 9, "exact")
        assert store.recorder.has_table(LISTED)
    with Store(kept) as store:
        assert faults(store) == []
        store.append("g00", [cast(next(iter(store.at("g00").players)))])
        Library(store).catch_up()
        assert faults(store) == []


@pytest.mark.parametrize(
    "row",
    [
        ("", "disputed", "g00"), ("Ana", "disputed", "g00"), ("Ana", "", "nowhere"), ("Zoë", "", "g00"),
        ("Zoë", "unverified", "g00"),
    ],
)  # fmt: skip
def test_planted(kept, row):
    """If an index entry names a wrong or missing game, the query raises DamagedError, which advises a rebuild.

    `verify` looks at games, so it misses an entry of a player who is in no game; a query for that player reports it.
    """
    with Store(kept) as store:
        store.append("g00", [started("Ana"), turn(1)])
        library = Library(store)
        library.catch_up()
        library.page("", 9, None, "Ana")
        change(store, f"INSERT INTO {LISTED} VALUES (?, ?, ?)", *row)
        assert len(faults(store)) == (row[0] != "Zoë")
        with pytest.raises(DamagedError, match="rebuild it"):
            library.page("", 9, row[1] or None, row[0] or None)
        served = GameList(Shelf(store))
        for words in (None, "g") if row[2] == "g00" and row[0] == "Zoë" else ():
            with pytest.raises(DamagedError, match="rebuild it"):
                served.page(GamesQuery(q=words, player=row[0], verdict=row[1] or None))
        library.rebuild()
        assert faults(store) == []
        assert [entry.game for entry in library.page("", 9, None, "Ana")] == ["g00"]


def test_taken_out(kept):
    """A game deleted from the list is listed anew; one deleted from the index is a fault until a rebuild."""
    with Store(kept) as store:
        filled(store)
        library = Library(store)
        (first, *_rest) = disputed = paged(library, "disputed", None, 9)
        change(store, "DELETE FROM library WHERE game = ?", first)
        assert paged(library, "disputed", None, 9) == disputed
        assert library.mended == [first]
        change(store, f"DELETE FROM {LISTED} WHERE game = ? AND verdict = 'disputed'", first)
        (fault,) = faults(store)
        assert "rebuild the library" in fault.sentence
        library.rebuild()
        assert paged(library, "disputed", None, 9) == disputed
        assert faults(store) == []


def test_only_read(tmp_path, monkeypatch):
    path = Settings(kind="sqlite", path=str(tmp_path / "games.db"))
    with Store(path) as store:
        seats = filled(store, 9)
        monkeypatch.setattr(store.recorder, "fixed", True)
        for key in KEYS:
            assert paged(Library(store), *key, 2) == naively(store, seats, *key), key
        assert not store.recorder.has_table(LISTED)


def test_archives(tmp_path):
    """An archive of a store with the index is imported, and the new store verifies without the index."""
    with Store.open("memory:") as store:
        filled(store, 2)
        Library(store).page("", 9, "exact")
        with (tmp_path / "a").open("wb") as stream:
            write_archive(store, stream)
    with Store.open("memory:") as store, (tmp_path / "a").open("rb") as stream:
        assert read_archive(store, stream)[0] == 2
        assert faults(store) == []
