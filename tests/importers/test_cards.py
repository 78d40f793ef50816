"""Card tables: three formats, recognised by content. Reading one never changes a file.

| promise | test |
| --- | --- |
| Arena's database, old and new, Scryfall's JSON and 17Lands' CSV give the same names | test_kinds, test_scryfall |
| a database is opened read-only: no file is created or changed, and no view is executed | test_read_only |
| invalid names and numbers are left out | test_left_out |
| an invalid row is left out and counted, the others are used | test_odd_rows |
| another file is refused in a sentence | test_refused |
| a table with too many bytes or rows is refused | test_too_much, test_too_many, test_bombs |
| a database with computed columns, or one that takes too long, is refused | test_databases |
"""

import gzip
import json
import sqlite3
import time
from contextlib import closing

import pytest

from daynight.framework.language.errors import UnreadableError
from daynight.importers import cards
from daynight.importers.cards import read_cards
from tests.importers.arena_logs import NAMES, RUFFIAN, SMASHER, csv_table, scryfall_table


def database(path, *, old=False, view=False):
    """Write the two tables of Arena's database that are read, as `old` Arena had them, or Cards as a `view`; return the
    bytes."""
    texts, column = ("Localizations", "enUS") if old else ("Localizations_enUS", "Loc")
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE Cards (GrpId INTEGER PRIMARY KEY, TitleId INTEGER)")
        made.execute(f"CREATE TABLE {texts} (LocId INTEGER, Formatted INTEGER, {column} TEXT)")
        for title, (number, name) in enumerate(NAMES.items(), 5):
            made.execute("INSERT INTO Cards VALUES (?, ?)", (number, title))
            for formatted, text in ((0, name), (1, f"<nobr>{name}</nobr>")):
                made.execute(f"INSERT INTO {texts} VALUES (?, ?, ?)", (title, formatted, text))
        if view:
            made.execute("ALTER TABLE Cards RENAME TO Real")
            made.execute("CREATE VIEW Cards AS SELECT * FROM Real")
        made.commit()
    return path.read_bytes()


KINDS = {
    "database": database,
    "old database": lambda path: database(path, old=True),
    "csv": lambda path: path.write_bytes(csv_table()),
    "csv with a mark": lambda path: path.write_bytes(b"\xef\xbb\xbf" + csv_table().replace(b"\n", b"\r\n")),
    "arena_id in csv": lambda path: path.write_bytes(csv_table().replace(b"id,", b"arena_id,", 1)),
    "gzip": lambda path: path.write_bytes(gzip.compress(csv_table())),
    "dictionary": lambda path: path.write_text(json.dumps(NAMES)),
    "data": lambda path: path.write_text(
        json.dumps({"object": "list", "data": [{"arena_id": n, "name": name} for n, name in NAMES.items()]})
    ),
    "laid out": lambda path: path.write_text(
        json.dumps([{"id": n, "name": name} for n, name in NAMES.items()], indent=1)
    ),
    "one line": lambda path: path.write_text(json.dumps(NAMES) + "\n"),
    "lines": lambda path: path.write_text(
        "\n".join(json.dumps({"arena_id": n, "name": name}) for n, name in NAMES.items())
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds(tmp_path, kind):
    """A table in each format gives the same names, whatever the name of its file."""
    path = tmp_path / "table.xyz"
    KINDS[kind](path)
    assert NAMES == read_cards(path).names


def test_scryfall(tmp_path):
    """A double-faced card has one number, its front's, and both names; its keywords say whether it has daybound."""
    path = tmp_path / "cards.json"
    path.write_bytes(scryfall_table())
    table = read_cards(path)
    assert ("Tavern Ruffian", "Tavern Smasher") == (table.names[RUFFIAN], table.backs[RUFFIAN])
    assert SMASHER not in table.names
    assert set() == table.daybound
    cards = json.loads(scryfall_table())
    cards[3]["keywords"] = ["Daybound", "Nightbound", "Transform"]
    path.write_text(json.dumps(cards))
    assert {RUFFIAN} == read_cards(path).daybound


def test_read_only(tmp_path):
    """Reading changes nothing in the folder; a database in which Cards is a view is refused."""
    path = tmp_path / "Raw?Card#Database.mtga"
    data = database(path)
    assert NAMES == read_cards(path).names
    assert [path] == list(tmp_path.iterdir())
    assert data == path.read_bytes()
    path.unlink()
    database(path, view=True)
    with pytest.raises(UnreadableError, match="no tables Cards and Localizations_enUS"):
        read_cards(path)


def test_left_out(tmp_path):
    """Names with control characters, empty and too long names, and numbers below one or far too large are left out."""
    path = tmp_path / "cards.csv"
    names = ["a\u202eb", "", "x" * 201, "fine"]
    rows = [f'{number},"{name}"' for number, name in enumerate(names, 1)]
    path.write_text("\n".join(["id,name", *rows, "0,zero", "-4,minus", f"{2**40},far", "two,word", "9", ""]))
    assert {4: "fine"} == read_cards(path).names


GOOD = {1: "Opt", 3: "Bear"}
ODD_ROWS = {
    "csv": b"id,name\n1,Opt\n1.5,Half\n2,\xff\xfe\n3,Bear\n",
    "array": b'[{"arena_id":1,"name":"Opt"},{"arena_id":1.5,"name":"Half"},{"arena_id":2,"name":["x"]},'
    b'{"arena_id":3,"name":"Bear","card_faces":null,"keywords":null},{"id":"af-12","name":"Not Arena\'s"}]',
    "a line each": b'[\n{"arena_id":1,"name":"Opt"},\n{"arena_id":2,"name":"\xff"},\n{"arena_id":\n'
    b'{"arena_id":3,"name":"Bear","card_faces":null},\n{"arena_id":null,"id":"af-12","name":"Not Arena\'s"}\n]\n',
    "lines": b'{"id":1,"name":"Opt"}\n{"id":[],"name":"x"}\n7\n{"id":3,"name":"Bear"}\n',
}


@pytest.mark.parametrize("kind", ODD_ROWS)
def test_odd_rows(tmp_path, kind):
    """Two invalid rows are left out and counted, the good rows are read, and cards that are not on Arena are
    skipped."""
    path = tmp_path / "cards"
    path.write_bytes(ODD_ROWS[kind])
    table = read_cards(path)
    assert (GOOD, 2) == (table.names, table.odd)
    # The heading of a CSV file is its line 1.
    assert table.first_odd == {"csv": 3, "array": 2, "a line each": 2, "lines": 2}[kind]
    path.write_bytes(b"id,name\n1,Opt\n3,Bear\n")
    table = read_cards(path)
    assert (GOOD, 0, 0) == (table.names, table.odd, table.first_odd)


BEGINNINGS = [b"id,name\n", b"[{},", b"[\n{},\n"]
ROWS_OF_NOTHING = [b"0,\n", b"[],", b"{},", b'{"data":[', b"{}\n"]


def much(path, begin, row, blocks):
    """Write a gzip file: `begin`, and then `row` again and again, `blocks` MiB in all."""
    with gzip.open(path, "wb", compresslevel=1) as stream:
        stream.write(begin)
        for _block in range(blocks):
            stream.write(row * (2**20 // len(row)))


@pytest.mark.parametrize("row", ROWS_OF_NOTHING)
@pytest.mark.parametrize("begin", BEGINNINGS)
def test_too_much(tmp_path, monkeypatch, begin, row):
    """A table with more bytes than the limit, made smaller here, raises UnreadableError."""
    path = tmp_path / "cards.csv.gz"
    much(path, begin, row, 1)
    monkeypatch.setattr(cards, "SIZE", 2**17)
    with pytest.raises(UnreadableError, match=r"a card table that can't be read: (more than .* bytes|field larger)"):
        read_cards(path)


@pytest.mark.parametrize(
    "begin, row",
    [(b"id,name\n", b"0,\n"), (b"[\n{},\n", b"{},\n"), (b"{}\n", b"{}\n"), (b"[{},", b"{},"), (b"[{},", b"[],")],
)
def test_too_many(tmp_path, monkeypatch, begin, row):
    """A table with more rows than the limit raises UnreadableError, even if the rows have only two or three bytes."""
    path = tmp_path / "cards"
    much(path, begin, row, 1)
    monkeypatch.setattr(cards, "ROWS", 2**10)
    with pytest.raises(UnreadableError, match=r"a card table that can't be read: more than 1024 rows"):
        read_cards(path)


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS_OF_NOTHING)
@pytest.mark.parametrize("begin", BEGINNINGS)
def test_bombs(tmp_path, begin, row):
    """A table that unpacks to 300 MiB is refused within ten seconds."""
    path = tmp_path / "cards.csv.gz"
    much(path, begin, row, 300)
    began = time.process_time()
    with pytest.raises(UnreadableError, match=r"a card table that can't be read: (more than|field larger)"):
        read_cards(path)
    assert time.process_time() - began < 10


DATABASES = {
    "generated": "CREATE TABLE Cards (GrpId INTEGER, TitleId INTEGER GENERATED ALWAYS AS (GrpId + 1))",
    "stored": "CREATE TABLE Cards (GrpId INTEGER, TitleId INTEGER GENERATED ALWAYS AS (GrpId + 1) STORED)",
    "virtual": "CREATE VIRTUAL TABLE Cards USING fts5(GrpId, TitleId)",
    "long": "CREATE TABLE Cards AS SELECT 1 GrpId, zeroblob(3000000) TitleId",
}


@pytest.mark.parametrize("kind", [*DATABASES, "slow", "good"])
def test_databases(tmp_path, monkeypatch, kind):
    """A database with computed columns or huge values, or that needs more steps of SQLite than `STEPS`, raises
    UnreadableError; a good one needs fewer than 20,000 steps."""
    path = tmp_path / "cards.mtga"
    database(path)
    if kind in DATABASES:
        with closing(sqlite3.connect(path)) as made:
            made.execute("DROP TABLE Cards")
            made.execute(DATABASES[kind])
            made.commit()
    monkeypatch.setattr(cards, "_EACH", 1)
    monkeypatch.setattr(cards, "STEPS", 20 if kind == "slow" else 20_000)
    if kind == "good":
        assert NAMES == read_cards(path).names
        return
    with pytest.raises(UnreadableError, match=r"a card table that can't be read: "):
        read_cards(path)


@pytest.mark.parametrize("data", [
    b"", b"\0\0\0", b"Dear diary\n", b"[]", b"{}", b"[1, 2]", b'{"data": 7}', b"[" * 100_000, b'{"a":' * 100_000,
    b"SQLite format 3\0" + b"\0" * 5000, b"\x1f\x8b\0\0", b"\xff\xfei\0d\0", b'id,name\n"1',
])  # fmt: skip
def test_refused(tmp_path, data):
    """A file that is no card table raises UnreadableError, with the file's name."""
    path = tmp_path / "cards"
    path.write_bytes(data)
    with pytest.raises(UnreadableError, match=r"cards: \$: "):
        read_cards(path)
