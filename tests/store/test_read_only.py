"""A read-only store is read like any other; operations that need to write are refused.

Each test runs as a user who can write neither the file nor its folder, and, if mounting is allowed, on a read-only
medium.

| promise | test |
| --- | --- |
| all reads answer as on a writable store, and no file is created beside it | test_read |
| a copy that `backup` made can be read likewise | test_backup |
| the commands list, audit, export, verify and backup work | test_prompt |
| an outdated list, or one to be rebuilt, is computed in memory and not stored | test_list |
| `export` with a key puts its signature into the proof | test_proof |
| writing is refused in one sentence with advice, exit code 5 | test_written |
| another open store in a forbidden folder is no obstacle | test_beside |
| an empty log is ignored; a log with its index is read | test_log |
| a log without its index, an index without its log, or a journal: refused, never ignored | test_unfinished |
| events that another user writes meanwhile are read | test_others_write |
| if only the file or only the folder is writable, the store is not assumed to be constant | test_not_fixed |
| an invalid or changed store is detected as elsewhere | test_no_store, test_changed |
"""

import io
import os
import sqlite3
import sys
from pathlib import Path

import pytest

from daynight.cli import commands
from daynight.games import Store
from daynight.projections.library import Library
from daynight.referee.documents import state_document
from daynight.rules.citations import LATEST_EDITION
from daynight.store import DamagedError, StoreError, UnavailableError
from daynight.store.database.sqlite import SQLiteGames
from daynight.store.database.sqlite_file import inspect
from daynight.store.files.copies import backed_up
from daynight.store.proving.archive import write_archive
from daynight.store.proving.proof import prove, read_proof
from daynight.store.proving.verify import verify_store
from tests.sampling import sampled
from tests.store import victim
from tests.store.playing import everything, lines
from tests.store.read_only import CLOSINGS, given_to_nobody, nobody, open_folder, ourselves, to_a_user
from tests.store.test_hostile import NO_STORES, faults
from tests.store.victim import GAME, KEY, OTHER

if sys.platform == "win32":
    pytest.skip("Windows has other permissions", allow_module_level=True)

MORE = {"type": "designation-claimed", "designation": "day", "by": "Ana"}


@pytest.fixture
def folder():
    with open_folder() as folder:
        inner = folder / "disk"
        inner.mkdir()
        yield inner


@pytest.fixture
def path(folder):
    return victim.copied(folder)


@pytest.fixture(params=CLOSINGS)
def closed(request):
    return CLOSINGS[request.param]


def answers(path):
    """The answers to all reading questions about a store."""
    with victim.opened(path) as store:
        library, archive = Library(store), io.BytesIO()
        library.catch_up()
        write_archive(store, archive)
        return [
            store.games(), [lines(store, game) for game in (GAME, OTHER)], archive.getvalue(),
            everything(store.recorder), state_document(store.at(GAME, "turn:9"), LATEST_EDITION),
            store.load(GAME).audit().document(), library.rows(), library.totals(), store.code(GAME),
            list(verify_store(store)),
        ]  # fmt: skip


@pytest.mark.wide(but=1)
def test_read(path, closed):
    expected = [*map(repr, answers(path))]
    before = path.read_bytes()
    with closed(path.parent) as place:
        assert [*map(repr, answers(place / path.name))] == expected
        assert [each.name for each in place.iterdir()] == [path.name]
        assert (place / path.name).read_bytes() == before


def test_backup(path, folder, closed):
    with victim.opened(path) as store:
        assert isinstance(store.recorder, SQLiteGames)
        backed_up(store.recorder, folder / "copy.db")
    with closed(folder) as place, victim.opened(place / "copy.db") as store:
        assert store.recorder.fixed
        assert faults(store) == []
        with pytest.raises(UnavailableError, match="may only be read here"):
            store.append(GAME, [MORE])


@pytest.mark.wide(but=1)
def test_prompt(path, folder, closed, capfd):
    """Commands that read print the same as on a writable store; commands that write are refused in one line."""
    out = folder.parent / "out"
    out.mkdir()
    out.chmod(0o777)

    def told(*arguments):
        code = commands.run([*arguments])
        out, err = capfd.readouterr()
        return code, out, err

    def asked(place):
        (out / "copy.db").unlink(missing_ok=True)
        where, key = ["--db", str(place / path.name)], ["--key", str(out / "key.pem")]
        return [
            told("list", *where), told("list", "--rebuild", "--json", *where), told("audit", f"db:{GAME}", *where),
            told("export", GAME, *where), told("export", GAME, "-o", str(out / "g.jsonl"), *key, *where),
            told("verify", *where), told("verify", str(out / "g.jsonl")), told("backup", str(out / "copy.db"), *where),
        ]  # fmt: skip

    with victim.opened(path) as store:
        Library(store).rebuild()
    told("key", "--new", "--key", str(out / "key.pem"))
    # The key starts its memory.
    asked(folder)
    expected = asked(folder)
    # Now with what it remembers.
    given_to_nobody(*out.glob("key.pem*"))
    assert {code for code, _out, _err in expected} == {0}
    with closed(folder) as place:
        # Only here can other users read the key, and a warning says so.
        wide = f"{place / path.name}: others may read this store; if they should not, chmod 600 {place / path.name}\n"
        for (code, told_now, error), told_before in zip(asked(place), expected, strict=True):
            assert (code, told_now.replace(str(place), str(folder)), error.removeprefix(wide)) == told_before
        where = ["--db", str(place / path.name), "--key", str(out / "key.pem")]
        for arguments in (["new", "g", "Ana"], ["record", GAME, "{}"], ["import", "demo"]):
            code, said, error = told(*arguments, *where)
            error = error.removeprefix(wide)
            assert (code in (3, 5), said, error.count("\n")) == (True, "", 1), error
        code, _said, error = told("new", "g", "Ana", *where)
        assert code == 5
        assert f"may only be read here; copy it to where it may be written: daynight backup FILE --db {place}" in error


def test_list(path, closed):
    with victim.opened(path) as store:
        store.append(OTHER, [MORE])
        store.new("g", ["Cy"])
    with closed(path.parent) as place, victim.opened(place / path.name) as store:
        library, stored = Library(store), everything(store.recorder)
        assert (library.behind(), [row.game for row in library.rows()]) == (2, [GAME, OTHER])
        assert library.catch_up() == 2
        assert (library.behind(), library.catch_up()) == (0, 0)
        rows, totals = library.rows(), library.totals()
        assert library.names("", 9) == [row.game for row in rows]
        assert library.entries([OTHER, "nobody", GAME]) == [row for row in rows if row.game != "g"]
        assert library.rebuild(batch=7) == sum(row.events for row in rows)
        assert (library.rows(), library.totals()) == (rows, totals)
        assert everything(store.recorder) == stored
    with victim.opened(path) as store:
        library = Library(store)
        assert library.catch_up() == 2
        assert (library.rows(), library.totals()) == (rows, totals)


def test_proof(path, closed):
    """The proof has a signature by the given key beside those that the store has; without a key, only those."""
    with victim.opened(path) as store:
        store.append(GAME, [MORE])
    with closed(path.parent) as place:
        for key, signers in ((victim.STRANGER, {victim.STRANGER.key}), (KEY, {KEY.key}), (None, set())):
            with victim.opened(place / path.name, key) as store:
                signed = store.recorder.signatures(GAME)
                proof = read_proof(io.BytesIO(prove(store, GAME)))
                heads = {(head.event, bytes.fromhex(head.signer)) for head in proof.heads}
                assert heads - {(event, key) for event, key, _signature in signed} == {(201, key) for key in signers}
                assert store.recorder.signatures(GAME) == signed


def test_written(path, closed):
    before = path.read_bytes()
    with closed(path.parent) as place, victim.opened(place / path.name) as store:
        for wanted in (
            lambda: store.append(GAME, [MORE]),
            lambda: store.new("g", ["Ana"]),
            lambda: store.import_record("demo"),
            lambda: store.application.take_snapshot(GAME, 3),
        ):
            with pytest.raises(UnavailableError, match="may only be read here; copy it to where") as caught:
                wanted()
            assert "\n" not in str(caught.value)
        assert store.games() == [(GAME, victim.EVENTS), (OTHER, 60)]
    assert path.read_bytes() == before


def crashed(path):
    """Replace the store by a game of three events, of which two are only in the log; leave log and index."""
    path.unlink()
    if not (child := os.fork()):
        store = Store(victim.settings(path))
        store.new("g", ["Ana", "Bo"])
        raw = sqlite3.connect(path)
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store.append("g", [MORE, MORE])
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert Path(f"{path}-wal").stat().st_size > 0
    assert Path(f"{path}-shm").exists()


def test_beside(path, tmp_path, closed):
    with Store.open(tmp_path / "private.db"), closed(path.parent) as place, victim.opened(place / path.name) as store:
        assert faults(store) == []


@pytest.mark.wide(but=1)
def test_log(path, closed):
    with closed(path.parent) as place:
        assert inspect(place / path.name) == f"{(place / path.name).as_uri()}?mode=ro&immutable=1"
    Path(f"{path}-wal").touch()
    with closed(path.parent) as place, victim.opened(place / path.name) as store:
        assert faults(store) == []
    crashed(path)
    with closed(path.parent) as place, victim.opened(place / path.name) as store:
        assert store.games() == [("g", 3)]
        assert faults(store) == []


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("left", ["-wal", "-shm", "-journal"])
def test_unfinished(path, closed, left):
    """A log, index or journal left alone: a read-only store is refused, a writable one is recovered."""
    if left == "-journal":
        with victim.laid_open(path) as raw:
            raw.execute("PRAGMA journal_mode = DELETE")
        half_written(path)
    else:
        crashed(path)
        Path(f"{path}-wal" if left == "-shm" else f"{path}-shm").unlink()
    with closed(path.parent) as place:
        with pytest.raises(UnavailableError) as caught:
            victim.opened(place / path.name)
        expected = f"{place / path.name} may not be written here, and games.db{left} beside it is not done with"
        assert str(caught.value) == f"{expected}; copy both to where they may"
    with victim.opened(path) as store:
        assert faults(store) == []
        assert store.games() in ([("g", 3)], [("g", 1)], [(GAME, victim.EVENTS), (OTHER, 60)])


def half_written(path):
    """End a process in the middle of a transaction; leave the journal that undoes the transaction."""
    if not (child := os.fork()):
        raw = sqlite3.connect(path, isolation_level=None)
        raw.execute("PRAGMA cache_size = 1")
        raw.execute("BEGIN")
        raw.execute("DELETE FROM stored_events")
        raw.execute("CREATE TABLE half (written)")
        raw.execute("INSERT INTO half VALUES (zeroblob(500000))")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert Path(f"{path}-journal").stat().st_size > 0


def test_others_write(path):
    """While another user writes, the log and its index exist, and reading uses locks as usual."""
    with victim.opened(path) as writer:
        writer.append(GAME, [MORE])
        with to_a_user(path.parent), victim.opened(path) as store:
            assert store.recorder.fixed
            assert store.games()[0] == (GAME, victim.EVENTS + 1)
            with ourselves():
                writer.append(GAME, [MORE])
            assert store.games()[0] == (GAME, victim.EVENTS + 2)
            assert faults(store) == []
            with pytest.raises(UnavailableError, match="may only be read here"):
                store.append(GAME, [MORE])


def test_not_fixed(path):
    """If only the folder is writable, the store is read with locks; if only the file is, opening is refused."""
    assert inspect(path) == str(path)
    path.chmod(0o444)
    path.parent.chmod(0o777)
    with nobody():
        assert inspect(path) == str(path)
        with victim.opened(path) as store:
            assert not store.recorder.fixed
            assert faults(store) == []
            with pytest.raises(StoreError):
                store.append(GAME, [MORE])
    for beside in ("-wal", "-shm"):
        Path(f"{path}{beside}").unlink(missing_ok=True)
    path.chmod(0o666)
    path.parent.chmod(0o555)
    with nobody(), pytest.raises(UnavailableError):
        victim.opened(path)


@pytest.mark.wide(but=6)
@pytest.mark.parametrize("name", sampled(sorted(set(NO_STORES) - {"a pipe", "a device", "a link to itself"}), 5))
def test_no_store(path, name, closed):
    NO_STORES[name](path)
    with closed(path.parent) as place, pytest.raises(StoreError) as caught:
        victim.opened(place / path.name)
    assert isinstance(caught.value, DamagedError), caught.value
    assert "\n" not in str(caught.value)


def test_changed(path, closed):
    with victim.laid_open(path) as raw:
        raw.execute("UPDATE stored_events SET topic = 'turn-began' WHERE originator_version = 5")
    expected = []
    with victim.opened(path) as store:
        expected = faults(store)
    with closed(path.parent) as place, victim.opened(place / path.name) as store:
        assert faults(store) == expected != []
    with path.open("r+b") as stream:
        stream.seek(3 * 2048)
        stream.write(bytes(range(256)) * 8)
    with closed(path.parent) as place, victim.opened(place / path.name) as store:
        assert faults(store) != []
