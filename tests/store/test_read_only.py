"""A store where nothing may be written is read like any other; whatever would have to be written is refused.

Each of it for somebody who may write neither the file nor its folder, and on a medium that is read-only, where one may
be mounted.

| promise | test |
| --- | --- |
| everything that is read elsewhere is read here, and the same; nothing appears beside it | test_read |
| so it is of a copy that `backup` made | test_backup |
| at the prompt: list, audit, export, verify, backup as elsewhere | test_prompt |
| the list is worked out where it is behind, or asked for anew, and nothing of it is stored | test_list |
| who exports signs: in the proof, where nothing can be stored | test_proof |
| whatever would be stored is refused in one sentence that says what to do, exit code 5 | test_written |
| another store that is open, in a folder that may not be entered, is not in the way | test_beside |
| a log that is empty hinders nothing; one that is not is read where its index is beside it | test_log |
| a log without its index, an index without its log, a journal: refused, never passed over | test_unfinished |
| what somebody else writes meanwhile, who may, is seen as it comes | test_others_write |
| where only one of file and folder may be written, nothing is taken for granted | test_not_fixed |
| what is no store, or was changed, is found out as elsewhere | test_no_store, test_changed |
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
    """Whatever is asked of a store."""
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
    """The very same answers; and exit code 5 for what would be stored."""
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
    # The key begins to remember.
    asked(folder)
    expected = asked(folder)
    # With what it remembers.
    given_to_nobody(*out.glob("key.pem*"))
    assert {code for code, _out, _err in expected} == {0}
    with closed(folder) as place:
        # Only there others may read it, and that is said of it.
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
    """By the key given, beside the signatures there are; without a key there are only those."""
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
    """A game of three events, the last of which is only in the log; the log and its index are left beside the store."""
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
    """One that may be written is brought to an end; here that is for somebody else to do."""
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
    """Somebody was killed in the middle of a transaction; its journal takes it back."""
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
    """With locks, as ever: the log and its index are there as long as somebody writes."""
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
    """Somebody else may write there as we may: without locks nothing is read."""
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
