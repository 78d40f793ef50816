"""Hostile stores: nothing in a file is executed, nothing is accepted silently, and all errors are daynight's."""

import os
import pickle
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from daynight.games import Store
from daynight.store import DamagedError, Key, SettingsError, StoreError
from daynight.store.database.sqlite_file import APPLICATION, STATEMENTS
from daynight.store.proving.verify import verify_store
from tests.store import victim
from tests.store.read_only import nobody, open_folder
from tests.store.victim import GAME

Raw = sqlite3.Connection
Json = dict[str, Any]


@pytest.fixture
def path(tmp_path):
    return victim.copied(tmp_path)


def faults(store):
    """The faults that `verify` reports about a store."""
    try:
        return [each.fault.sentence for each in verify_store(store) if each.fault is not None]
    except DamagedError as error:
        return [str(error)]


# ---------------------------------------------------------------------------------------------- files that are no store


def schema(*statements):
    """A function that executes these statements in the store at a path."""

    def change(path):
        with victim.laid_open(path) as raw:
            for statement in statements:
                raw.execute(statement)

    return change


def remade(table, was, now):
    """A function that drops `table` and creates it again, empty, with `was` replaced by `now` in its SQL."""

    def change(path):
        with victim.laid_open(path) as raw:
            (sql,) = raw.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
            assert was in sql
            raw.execute(f"DROP TABLE {table}")
            raw.execute(sql.replace(was, now))

    return change


def written(data):
    def change(path):
        path.write_bytes(data)

    return change


def cut(length):
    def change(path):
        path.write_bytes(path.read_bytes()[:length])

    return change


def instead(make):
    """A function that removes the store's file and calls `make` with its path."""

    def change(path):
        path.unlink()
        make(path)

    return change


def foreign(path):
    path.unlink()
    with victim.laid_open(path) as raw:
        raw.execute("CREATE TABLE bookmarks (url TEXT)")
        raw.execute("INSERT INTO bookmarks VALUES ('https://example.org')")


def in_utf_16(path):
    path.unlink()
    with victim.laid_open(path) as raw:
        raw.execute("PRAGMA encoding = 'UTF-16le'")
        for statement in (*STATEMENTS, f"PRAGMA application_id = {APPLICATION}", "PRAGMA user_version = 1"):
            raw.execute(statement)


def with_a_pipe_as_journal(path):
    os.mkfifo(f"{path}-journal")


NO_STORES = {
    "a text": written(b"day and night\n" * 100),
    "a record": written(b'{"type":"game-started","format":1,"game":"g","players":["Ana"]}\n'),
    "a pickle": written(pickle.dumps({"a": 1})),
    "nothing but the magic": written(b"SQLite format 3\0"),
    "the magic and noise": written(b"SQLite format 3\0" + bytes(range(256)) * 64),
    "zeros": written(bytes(8192)),
    "cut in its header": cut(90),
    "cut in a page": cut(5000),
    "another program's": foreign,
    "another application's": schema("PRAGMA application_id = 42"),
    "nobody's": schema("PRAGMA application_id = 0"),
    "of a version to come": schema("PRAGMA user_version = 2"),
    "of no version": schema("PRAGMA user_version = 0"),
    "of a negative version": schema("PRAGMA user_version = -1"),
    "in UTF-16": in_utf_16,
    "one table more": schema("CREATE TABLE more (a)"),
    "a table fewer": schema("DROP TABLE heads"),
    "a table renamed": schema("ALTER TABLE heads RENAME TO heads2"),
    "a column more": schema("ALTER TABLE tracking ADD COLUMN more TEXT"),
    "a generated column": schema("ALTER TABLE stored_events ADD COLUMN more AS (upper(topic))"),
    "an index": schema("CREATE INDEX more ON stored_events (topic)"),
    "an index over an expression": schema("CREATE INDEX more ON stored_events (abs(originator_version))"),
    "a trigger": schema("CREATE TRIGGER more AFTER INSERT ON stored_events BEGIN DELETE FROM heads; END"),
    "a view": schema("CREATE VIEW more AS SELECT * FROM stored_events"),
    "a view for a table": schema("DROP TABLE library", "CREATE VIEW library AS SELECT * FROM heads"),
    "a virtual table": schema("CREATE VIRTUAL TABLE more USING fts5 (a)"),
    "statistics": schema("ANALYZE"),
    "another type": remade("stored_events", "state BLOB", "state TEXT"),
    "a default": remade("stored_events", "topic TEXT NOT NULL", "topic TEXT NOT NULL DEFAULT 'spell-cast'"),
    "a check": remade("commands", "request BLOB NOT NULL", "request BLOB NOT NULL CHECK (length(request) = 1)"),
    "nothing asked of a column": remade("stored_events", "digest BLOB NOT NULL", "digest BLOB"),
    "no key": remade("stored_events", ", PRIMARY KEY (originator_id, originator_version)", ""),
    "a collation": remade("stored_events", "originator_id TEXT", "originator_id TEXT COLLATE NOCASE"),
    "a conflict resolved": remade("heads", "event INTEGER", "event INTEGER UNIQUE ON CONFLICT REPLACE"),
    "a folder": instead(Path.mkdir),
    "a pipe": instead(os.mkfifo),
    "a device": instead(lambda path: path.symlink_to("/dev/zero")),
    "a link to itself": instead(lambda path: path.symlink_to(path)),
    "a pipe for a journal": with_a_pipe_as_journal,
}


@pytest.mark.wide(but=15)
@pytest.mark.parametrize("name", NO_STORES)
def test_no_store(path, name):
    """A file that is not a store is refused in one sentence, and left unchanged."""
    NO_STORES[name](path)
    before = path.read_bytes() if path.is_file() and path.resolve() == path else None
    with pytest.raises(StoreError) as caught, victim.opened(path):
        pass
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, DamagedError) or name == "a link to itself"
    assert before is None or path.read_bytes() == before


def test_no_place(tmp_path):
    """A path where no file can be raises StoreError; text that names no place, SettingsError."""
    for place in (tmp_path / "no" / "such" / "folder.db", tmp_path / ("x" * 5000), Path("/dev/null/games.db")):
        with pytest.raises(StoreError):
            Store.open(place)
    for spelled in ("", ":memory:", "file:games.db", "games\0.db", "mysql://localhost/games"):
        with pytest.raises(SettingsError):
            Store.open(spelled)


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("name", [
    "?mode=memory", "a:memory:", "%41.db", "#.db", "a b'\"`;--.db", "new\nline.db", "☾.db", "-", "file:x", "x\udcff.db",
])  # fmt: skip
def test_strange_names(tmp_path, name):
    """A file name with characters that SQLite treats specially still means that file."""
    path = tmp_path / name
    with victim.opened(path) as store:
        store.new(GAME, ["Ana", "Bo"])
    assert path.is_file()
    with victim.opened(path) as store:
        assert store.games() == [(GAME, 1)]
        assert [each.fault for each in verify_store(store)] == [None]
    with victim.laid_open(path.absolute()) as raw:
        assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",), "it was taken for memory"


def test_nothing_yet(tmp_path):
    """An empty file becomes a store when it is opened."""
    (tmp_path / "games.db").touch()
    with victim.opened(tmp_path / "games.db") as store:
        assert store.games() == []


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_garbage_beside(path, suffix):
    """Garbage in files beside the store is ignored."""
    Path(f"{path}{suffix}").write_bytes(bytes(range(256)) * 200)
    with victim.opened(path) as store:
        assert faults(store) == []
        assert victim.verified(store, victim.code()).fault is None


def test_a_journal_that_deletes(path, tmp_path):
    """A journal can name a file that SQLite deletes on opening the store: daynight raises DamagedError, the file stays.

    Newer versions of SQLite delete only a file whose name and content are those of a list of journals; older versions
    delete any file.
    """
    journal = Path(f"{path}-journal")
    precious, link = Path(f"{path}-mj0123459AB"), tmp_path / "link.db"
    link.symlink_to(path)
    for opening in (victim.opened, lambda _path: victim.opened(link), victim.laid_open):
        precious.write_bytes(os.fsencode(journal) + b"\0")
        with victim.laid_open(path) as raw:
            raw.execute("PRAGMA journal_mode = DELETE")
            (page,) = raw.execute("PRAGMA page_size").fetchone()
        journal.write_bytes(journal_naming(str(precious).encode(), path.stat().st_size, page))
        if opening is victim.laid_open:
            with victim.laid_open(path) as raw:
                raw.execute("SELECT count(*) FROM heads")
            assert not precious.exists(), "the control: this is what SQLite does"
        else:
            with pytest.raises(DamagedError, match="journal"), opening(path):
                pass
            assert precious.exists()
            journal.unlink()


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
def test_no_file_beside(path, ending):
    """A pipe, folder or link beside the store is refused: SQLite would wait for the pipe, or follow the link."""
    beside = Path(f"{path}{ending}")
    for make in (os.mkfifo, os.mkdir, lambda place: place.symlink_to("/etc/passwd")):
        make(beside)
        with pytest.raises(DamagedError, match=f"{ending} beside it is no file"), victim.opened(path):
            pass
        beside.rmdir() if beside.is_dir() else beside.unlink()


def journal_naming(name, size, page):
    magic = bytes.fromhex("d9d505f920a163d7")
    head = magic + b"".join(number.to_bytes(4, "big") for number in (0, 12345, size // page, 512, page))
    end = b"".join(number.to_bytes(4, "big") for number in (len(name), sum(name)))
    return head.ljust(512, b"\0") + (0x40000000 // page + 1).to_bytes(4, "big") + name + end + magic


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no such permissions")
def test_not_allowed():
    """A file or folder without permission, or a key that cannot be read, is refused in one sentence."""
    with open_folder() as folder:
        closed = folder / "closed"
        closed.mkdir()
        victim.copied(closed)
        read_only = victim.copied(folder)
        for name in ("unreadable.db", "key.pem"):
            (folder / name).write_bytes(read_only.read_bytes())
            (folder / name).chmod(0)
        read_only.chmod(0o444)
        closed.chmod(0)
        folder.chmod(0o555)
        with nobody():
            for name in ("unreadable.db", "games.db", "new.db", "closed/games.db", "closed/new.db"):
                with pytest.raises(StoreError), victim.opened(folder / name) as store:
                    store.new("g", ["Ana"])
            for name in ("key.pem", "new.pem", "closed/new.pem"):
                with pytest.raises(SettingsError):
                    Key.read(folder / name)
        with victim.opened(read_only) as store:
            assert victim.verified(store, victim.code()).fault is None
