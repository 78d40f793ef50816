"""Rows of the list that an attacker deleted or replaced by old ones: no game is hidden, and none is shown outdated.

| promise | tests |
| --- | --- |
| `verify` finds a row that lacks events before the list's position | test_hidden, test_a_view_of_ones_own |
| the list rebuilds such a row, and names the game | test_hidden_..., test_only_read, test_list_says_so |
| a row that lacks only events after that position is right | test_behind, test_half_a_rebuild, test_no_list |
"""

import pytest

from daynight.cli.commands import run
from daynight.games import Library, Store
from daynight.store import DamagedError
from daynight.store.database.settings import Settings
from daynight.store.proving.verify import verify_store
from tests.rules.judges import claim
from tests.rules.words import cast, started, turn
from tests.store.projecting import TRACKED
from tests.store.rows_of_games import expected

NAMES = ("a", "b", "c")


def faults(store):
    return [found.fault and found.fault.sentence for found in verify_store(store)]


def change(store, statement, *params):
    with store.recorder.transaction(write=True) as cursor:
        cursor.execute(store.recorder.sql(statement), params)


def rows_of(store, game):
    return [tuple(row) for row in store.recorder.select("SELECT * FROM library WHERE game = ?", game)]


@pytest.fixture
def listed(kept):
    """A store with three games, all of them in the list."""
    with Store(kept) as store:
        for name in NAMES:
            store.append(name, [started(), turn(1)])
        Library(store).catch_up()
        yield store


def hide(store):
    change(store, "DELETE FROM library WHERE game = 'b'")


def put_back(store):
    """Dispute a game and update the list; then put the old row of the game back."""
    (old,) = rows_of(store, "b")
    store.append("b", [cast(), claim("night")])
    library = Library(store)
    library.catch_up()
    assert library.entry("b").verdict == "disputed"
    change(store, "DELETE FROM library WHERE game = 'b'")
    change(store, f"INSERT INTO library VALUES ({', '.join('?' * len(old))})", *old)


@pytest.mark.parametrize("hiding", [hide, put_back])
@pytest.mark.parametrize("ask", [
    lambda library: library.rows(), lambda library: [library.entry(name) for name in NAMES],
    lambda library: library.page("", 500), lambda library: [*library.page("", 1), *library.page("a", 2)],
    lambda library: library.entries(library.names("", 9)),
], ids=["rows", "entry", "page", "pages", "names"])  # fmt: skip
def test_hidden(listed, hiding, ask):
    hiding(listed)
    sentence = "the library has taken in events that its row lacks; rebuild the library"
    assert faults(listed) == [None, sentence, None]
    library = Library(listed)
    assert library.catch_up() == 0
    assert ask(library) == [expected(name, listed.load(name)) for name in NAMES]
    assert library.mended == ["b"]
    assert faults(listed) == [None] * 3
    again = Library(listed)
    assert (ask(again), again.mended) == (ask(library), [])


def test_hidden_of_a_verdict(listed):
    """An old row is rebuilt before it is counted under its verdict."""
    put_back(listed)
    library = Library(listed)
    assert [entry.game for entry in library.page("", 9, "unverified")] == ["a", "c"]
    assert [entry.game for entry in library.page("", 9, "disputed")] == ["b"]


def test_hidden_among_many(tmp_path):
    """The first row, the last one and several in sequence are deleted: verify finds each, the list rebuilds each."""
    with Store(Settings(kind="sqlite", path=str(tmp_path / "games.db"))) as store:
        names = [f"g{number:02}" for number in range(40)]
        for name in names:
            store.append(name, [started()])
        Library(store).catch_up()
        hidden = {"g00", "g39", *names[10:25]}
        change(store, f"DELETE FROM library WHERE game IN ({', '.join(map(repr, sorted(hidden)))})")
        assert sum(fault is not None for fault in faults(store)) == len(hidden)
        library, after, seen = Library(store), "", []
        while page := library.page(after, 3):
            after = page[-1].game
            seen += [entry.game for entry in page]
        assert seen == names
        assert set(library.mended) == hidden


def test_behind(listed):
    """Events that were stored since the list's last update are no fault, in known games and in new ones."""
    listed.append("b", [cast()])
    listed.append("d", [started()])
    assert faults(listed) == [None] * 4
    library = Library(listed)
    assert [(entry.game, entry.events) for entry in library.rows()] == [("a", 2), ("b", 2), ("c", 2)]
    assert (library.mended, library.behind()) == ([], 2)


@pytest.mark.parametrize("events", [0, -1, -7])
def test_fewer_than_none(listed, events):
    """A row with an impossible number of events is rebuilt too."""
    change(listed, "UPDATE library SET events = ? WHERE game = 'b'", events)
    library = Library(listed)
    assert library.rows() == [expected(name, listed.load(name)) for name in NAMES]
    assert library.mended == ["b"]


def test_half_a_rebuild(listed):
    def stop(events):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Library(listed).rebuild(stop, batch=3)
    assert faults(listed) == [None] * 3
    library = Library(listed)
    assert [(entry.game, entry.events) for entry in library.rows()] == [("a", 2), ("b", 1)]
    assert library.mended == []


def test_no_list(kept):
    with Store(kept) as store:
        store.append("a", [started()])
        assert faults(store) == [None]
        assert (Library(store).rows(), faults(store)) == ([], [None])


def test_tracked_at_nothing_again(listed):
    """If the list's position was set back and a row deleted, the events after that position are counted again."""
    hide(listed)
    change(listed, "UPDATE tracking SET notification_id = 1 WHERE application_name = ?", TRACKED)
    library = Library(listed)
    assert library.catch_up() == 5
    assert library.rows() == [expected(name, listed.load(name)) for name in NAMES]


def test_a_row_too_far(listed):
    """A row that counts more events than the game has is a fault, and raises DamagedError in the list."""
    change(listed, "UPDATE library SET events = 9 WHERE game = 'b'")
    assert "rebuild the library" in faults(listed)[1]
    with pytest.raises(DamagedError, match="rebuild it"):
        Library(listed).rows()


def test_what_code_could_not_read(listed):
    """Events missing in a row after a noted unreadable event are no fault, and are added; those before it are."""
    hide(listed)
    change(listed, "INSERT INTO tracking VALUES (?, 1)", f"{TRACKED} left")
    assert faults(listed) == [None] * 3
    library = Library(listed)
    library.catch_up()
    assert library.rows() == [expected(name, listed.load(name)) for name in NAMES]
    hide(listed)
    change(listed, "DELETE FROM tracking WHERE application_name = ?", f"{TRACKED} left")
    change(listed, "INSERT INTO tracking VALUES (?, 5)", f"{TRACKED} left")
    assert faults(listed)[1] is not None


def test_a_view_of_ones_own(kept):
    with Store(kept) as store:
        for name in NAMES:
            store.append(name, [started()])
        view = store.view("course", int, lambda course, moment, state: course + 1)
        assert [row["value"] for row in view.rows()] == [1, 1, 1]
        change(store, "DELETE FROM daynight_view_course WHERE game = 'b'")
        assert faults(store) == [None, "the course has taken in events that its row lacks; rebuild the course", None]
        view.rebuild()
        assert faults(store) == [None] * 3


def test_only_read(tmp_path, monkeypatch):
    """If nothing may be stored, the list is computed in memory for each query."""
    path = tmp_path / "games.db"
    with Store(Settings(kind="sqlite", path=str(path))) as store:
        for name in NAMES:
            store.append(name, [started()])
        Library(store).catch_up()
        hide(store)
    with Store(Settings(kind="sqlite", path=str(path))) as store:
        monkeypatch.setattr(store.recorder, "fixed", True)
        library = Library(store)
        for _again in range(2):
            assert [entry.game for entry in library.rows()] == [*NAMES]
        assert (library.mended, [entry.game for entry in library.page("a", 1)]) == (["b"], ["b"])
        assert rows_of(store, "b") == []


def test_list_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with Store.open("daynight.db") as store:
        for name in NAMES:
            store.append(name, [started()])
        Library(store).catch_up()
        hide(store)
    told = []
    for arguments in (["verify"], ["list"], ["list"], ["verify"]):
        told.append((run(arguments), *capsys.readouterr()))
    assert [code for code, *_rest in told] == [5, 0, 0, 0]
    assert "db:b: DAMAGED: the library has taken in events that its row lacks" in told[0][1]
    assert "'b'" in told[1][2]
    assert all(name in told[1][1] for name in NAMES)
    assert told[2][2] == ""
