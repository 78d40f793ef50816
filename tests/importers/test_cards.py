"""Card tables: three kinds, known by their content, read strictly and never written.

| promise | test |
| --- | --- |
| Arena's database, old and new, Scryfall's JSON and 17Lands' CSV give the same names | test_kinds, test_scryfall |
| a database is opened read-only: nothing beside it is made or changed, and no view of it is run | test_read_only |
| names that a record can't have are left out, and so are numbers that are none | test_left_out |
| what is no table is refused in a sentence | test_refused |
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from contextlib import closing

import pytest

from daynight.events.errors import UnreadableError
from daynight.importers.cards import read_cards
from tests.importers.arena_logs import NAMES, RUFFIAN, SMASHER, csv_table, scryfall_table


def database(path, *, old=False, view=False):
    """Arena's own, as far as it is read."""
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
    "lines": lambda path: path.write_text(
        "\n".join(json.dumps({"arena_id": n, "name": name}) for n, name in NAMES.items())
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds(tmp_path, kind):
    """Whatever it is called."""
    path = tmp_path / "table.xyz"
    KINDS[kind](path)
    assert NAMES == read_cards(path).names


def test_scryfall(tmp_path):
    """A double-faced card has one number, its front's, and both names; a keyword says that it has daybound."""
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
    """The folder is as it was; a view is not asked."""
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
    """Control characters, nothing at all, too much; numbers below one and beyond measure."""
    path = tmp_path / "cards.csv"
    names = ["a\u202eb", "", "x" * 201, "fine"]
    rows = [f'{number},"{name}"' for number, name in enumerate(names, 1)]
    path.write_text("\n".join(["id,name", *rows, "0,zero", "-4,minus", f"{2**40},far", "two,word", "9", ""]))
    assert {4: "fine"} == read_cards(path).names


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\0\0",
        b"Dear diary\n",
        b"[]",
        b"{}",
        b"[1, 2]",
        b'{"data": 7}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"SQLite format 3\0" + b"\0" * 5000,
        b"\x1f\x8b\0\0",
        b"\xff\xfei\0d\0",
        b'id,name\n"1',
    ],
)
def test_refused(tmp_path, data):
    """One sentence with the file's name."""
    path = tmp_path / "cards"
    path.write_bytes(data)
    with pytest.raises(UnreadableError, match=r"cards: \$: "):
        read_cards(path)
