"""Attacks from two tables of the guides, those that `verify` finds and those that it can't, which no other test shows.

Each line of these tables names its test; `test_tables` reads the tables and looks for the tests.

| promise | test |
| --- | --- |
| each line of both tables names existing tests, unless no test can show it | test_tables |
| a code has 80 bits: two records may share one | test_same_code, test_same_code_of_an_act |
"""

import re
import shutil
from pathlib import Path

import pytest

from daynight.games import Store
from daynight.store import Key
from daynight.store.inventory import check_store, taken
from daynight.store.proving import acts, signing
from daynight.store.proving.chain import code_of as coded
from daynight.store.proving.verify import verify_game, verify_store
from tests.documents import GUIDES
from tests.rules.judges import ruled
from tests.rules.words import cast, started, turn
from tests.store import victim
from tests.store.test_tampering import FORGED, forge
from tests.store.victim import EVENTS, GAME, KEY, OTHER


@pytest.fixture
def path(tmp_path):
    return victim.copied(tmp_path)


def code_of(path):
    with victim.opened(path) as store:
        return taken(store.recorder).code


def found(path, noted):
    """A pair: the faults found without a noted code, and the one that the store's noted code reveals, or None."""
    with victim.opened(path) as store:
        return [each.fault for each in verify_store(store) if each.fault], check_store(store.recorder, noted)


def take_out(raw, game, event=1):
    """Delete a game's events from this one on, and every row that mentions them."""
    raw.execute("DELETE FROM stored_events WHERE originator_id = ? AND originator_version >= ?", (game, event))
    raw.execute("DELETE FROM commands WHERE game = ? AND last_event >= ?", (game, event))
    for table in ("snapshots", "heads"):
        raw.execute(f"DELETE FROM {table} WHERE game = ? AND event >= ?", (game, event))
    raw.execute("DELETE FROM library WHERE game = ?", (game,))
    raw.execute("DELETE FROM tracking")


def test_untouched(path):
    assert found(path, code_of(path)) == ([], None)


def test_written_anew_and_signed(path):
    """The key's owner rewrote and signed the game: it verifies; only a noted code of game or store reveals it."""
    noted = code_of(path)
    with victim.laid_open(path) as raw:
        signed = [event for (event,) in raw.execute("SELECT event FROM heads WHERE game = ?", (GAME,))]
        forge(raw, FORGED)
        raw.execute("DELETE FROM heads WHERE game = ?", (GAME,))
        raw.execute("DELETE FROM library")
        raw.execute("DELETE FROM tracking")
        heads = [(row[1], row[4]) for row in victim.rows(raw) if row[1] in signed]
        anew = [(GAME, event, KEY.key, KEY.sign(GAME, event, digest)) for event, digest in heads]
        raw.executemany("INSERT INTO heads VALUES (?, ?, ?, ?)", anew)
    faults, of_store = found(path, noted)
    assert (faults, of_store is not None) == ([], True)
    with victim.opened(path) as store:
        assert victim.verified(store).signatures.last == max(signed)
        assert victim.verified(store, victim.code()).fault is not None


def test_cut_off(path):
    """If the events after the last signed head were cut off, the game verifies; a later noted code reveals it."""
    with victim.laid_open(path) as raw:
        ((last,),) = raw.execute("SELECT max(event) FROM heads WHERE game = ?", (GAME,))
        take_out(raw, GAME, last + 1)
    assert last < EVENTS
    with victim.opened(path) as store:
        alone = victim.verified(store)
        assert (alone.fault, alone.events, alone.signatures.last) == (None, last, last)
        assert victim.verified(store, victim.code()).fault is not None


def test_deleted(path):
    noted = code_of(path)
    with victim.laid_open(path) as raw:
        take_out(raw, OTHER)
    faults, of_store = found(path, noted)
    assert (faults, of_store is not None) == ([], True)


def reordered(raw, places):
    """Store the events again, sorted by the key function `places`, which keeps the order within each game."""
    columns = "originator_id, originator_version, topic, state, digest"
    rows = raw.execute(f"SELECT {columns} FROM stored_events ORDER BY rowid").fetchall()
    raw.execute("DELETE FROM stored_events")
    raw.executemany(f"INSERT INTO stored_events ({columns}) VALUES (?, ?, ?, ?, ?)", sorted(rows, key=places))


def test_another_order_of_games(path):
    noted = code_of(path)
    with victim.laid_open(path) as raw:
        reordered(raw, lambda row: (row[0] == GAME, row[1]))
        raw.execute("DELETE FROM library")
        raw.execute("DELETE FROM tracking")
    faults, of_store = found(path, noted)
    assert (faults, of_store is not None) == ([], True)


def test_another_order_of_events(path):
    """If games begin in the same order, and only their later events are interleaved otherwise, nothing reveals it."""
    noted = code_of(path)
    with victim.laid_open(path) as raw:
        reordered(raw, lambda row: (row[1] > 1, row[1] if row[1] > 1 else 0, row[0]))
        raw.execute("DELETE FROM library")
        raw.execute("DELETE FROM tracking")
    assert found(path, noted) == ([], None)


def test_taken_out_after_every_code(path):
    """If a game or events after the last noted code were deleted, nothing reveals it."""
    noted = code_of(path)
    with victim.opened(path, None) as store:
        store.new("sunday", ["Ana", "Bo"])
        store.append(GAME, [{"type": "spell-cast", "player": "Ana"}])
    with victim.laid_open(path) as raw:
        take_out(raw, "sunday")
        take_out(raw, GAME, EVENTS + 1)
    assert found(path, noted) == ([], None)


def test_commands_taken_out(path):
    noted = code_of(path)
    with victim.laid_open(path) as raw:
        raw.execute("DELETE FROM commands WHERE first_event % 3 = 0")
    assert found(path, noted) == ([], None)


def test_older_copy(path, tmp_path):
    """An older copy of the store verifies; only a code noted after the copy was made reveals it."""
    copy = shutil.copy(path, tmp_path / "older.db")
    with victim.opened(path) as store:
        store.append(GAME, [{"type": "spell-cast", "player": "Ana"}])
    noted = code_of(path)
    shutil.copy(copy, path)
    faults, of_store = found(path, noted)
    assert (faults, of_store is not None) == ([], True)


GUIDE = "".join((GUIDES / page).read_text("utf-8") for page in ("explanation/chain.md", "reference/store.md"))
HERE = Path(__file__).parent


def lines(head):
    """The rows of the guide's table with this heading, each a list of its cells."""
    (table,) = re.findall(rf"^{re.escape(head)}.*\n\|.*\n((?:\|.*\n)+)", GUIDE, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|\n ").split(" | ")] for line in table.splitlines()]


def test_without_memory(path):
    """A key without its memory signs the game as new; only a list of its acts shows those stored without the key."""
    with victim.opened(path, None) as store:
        act = store.append(GAME, [ruled("night"), cast()]).first
    with victim.laid_open(path) as raw:
        raw.execute("DELETE FROM heads")
    (path.parent / "elsewhere").mkdir()
    file = path.parent / "elsewhere" / "key.pem"
    with Store.open(path, key=Key.read(file)) as store:
        store.append(GAME, [turn(99)])
        found = verify_game(store.recorder, GAME)
    assert (found.fault, found.signatures.last) == (None, act + 1)
    assert act in [one.event for one in found.signatures.by(Key.read(file).key.hex()).unsigned_acts]


@pytest.mark.parametrize("head", ["| what is done | is found by |", "| what happens | what comes of it |"])
def test_tables(head):
    found = lines(head)
    assert len(found) > 7
    for what, *_cells, tests in found:
        names = re.findall(r"`(test_\w+)(?:\.(test_\w+))?`", tests)
        assert names or "is copied with `cp` over another" in what, what
        for module, test in names:
            text = (HERE / f"{module}.py").read_text("utf-8")
            assert not test or f"\ndef {test}(" in text, (module, test)


def test_same_code():
    """Two games whose digests begin with the same 80 bits have the same code; a noted code cannot distinguish them."""
    one, other = b"\x17" * 32, b"\x17" * 10 + b"\x18" * 22
    assert coded(9, one) == coded(9, other) != coded(9, b"\x17" * 9 + b"\x18" * 23)


def test_same_code_of_an_act(tmp_path, monkeypatch):
    """Only the code is compared when an act is accepted: with identical codes, an exchanged act is accepted."""
    key = Key.read(tmp_path / "key.pem")
    with Store.open(tmp_path / "games.db", key=key) as store:
        store.append("friday", [started("Ana", "Bo"), turn(1), turn(2, "Bo")])
    with Store.open(tmp_path / "games.db") as store:
        store.append("friday", [ruled("night")])
    for each in (acts, signing):
        monkeypatch.setattr(each, "code_of", lambda number, digest: f"e{number} 0000-0000-0000-0000")
    with Store.open(tmp_path / "games.db") as store:
        store.recorder.signer = key
        found = signing.accept(store.recorder, key, "friday", "e4 0000-0000-0000-0000")
    assert [(4, "e4 0000-0000-0000-0000")] == [(act.event, act.code) for act in found]
