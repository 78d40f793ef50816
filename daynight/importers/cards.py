"""Card tables that a user points at: what Arena's card numbers are called.

Three kinds are known by their content: Arena's own card database (SQLite), Scryfall's cards with `arena_id` (JSON, or
JSON Lines), and 17Lands' card list (CSV with `id` and `name`). They are read and nothing else: a database is opened
read-only, as a file that nobody changes.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import msgspec
from msgspec import Struct

from daynight.events.errors import UnreadableError
from daynight.events.names import forbidden_character
from daynight.events.terms import NAME_LENGTH
from daynight.events.wording import _

__all__ = ["CardTable", "read_cards"]

SIZE = 2**30
"""The most bytes that a table may have, unpacked."""

_SQLITE = b"SQLite format 3\0"
_GZIP = b"\x1f\x8b"
_BOTH = " // "
_MARKUP = re.compile(r"<[^<>]{0,40}>")


class CardTable:
    """Names by Arena's card numbers.

    `backs`: the name of the other side, by the number of the front, where the table tells them apart. `daybound`: the
    fronts that the table says have daybound.
    """

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.backs: dict[int, str] = {}
        self.daybound: set[int] = set()

    def __len__(self) -> int:
        return len(self.names)

    def add(self, number: object, name: object, *, daybound: bool = False) -> None:
        """A card; what is no number or no name is left out. `A // B` are the two sides of a card."""
        if isinstance(number, str):
            number = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None
        if not isinstance(number, int) or not isinstance(name, str) or not 0 < number < 2**31:
            return
        front, _both, back = _MARKUP.sub("", name).strip().partition(_BOTH)
        if not _is_name(front) or number in self.names:
            return
        self.names[number] = sys.intern(front)
        if _is_name(back):
            self.backs[number] = back
        if daybound:
            self.daybound.add(number)


def _is_name(name: str) -> bool:
    return 0 < len(name) <= NAME_LENGTH and forbidden_character(name) is None


def read_cards(path: Path | str) -> CardTable:
    """The table of a file.

    Raises:
        UnreadableError: where it is none of the known kinds, or damaged.
        OSError: where it cannot be read.
    """
    path = Path(path)
    table = CardTable()
    try:
        with path.open("rb") as stream:
            head = stream.read(16)
        if head == _SQLITE:
            _from_database(table, path)
        else:
            _from_text(table, _bytes(path))
    except (ValueError, sqlite3.Error, csv.Error, EOFError, zlib.error, RecursionError, gzip.BadGzipFile) as error:
        raise UnreadableError(
            _("a card table that can't be read: {reason}").format(reason=error), file=str(path)
        ) from None
    if not table.names:
        raise UnreadableError(
            _(
                "no card table: expected Arena's Raw_CardDatabase, Scryfall's cards with arena_id as JSON, or 17Lands'"
                " cards.csv with id and name"
            ),
            file=str(path),
        )
    return table


def _bytes(path: Path) -> bytes:
    with path.open("rb") as stream:
        packed = stream.read(2) == _GZIP
        stream.seek(0)
        source = gzip.GzipFile(fileobj=stream) if packed else stream
        data = source.read(SIZE + 1)
    if len(data) > SIZE:
        raise ValueError(_("more than {most} bytes").format(most=SIZE))
    return data


def _from_database(table: CardTable, path: Path) -> None:
    # `immutable`: no journal beside the file is looked at, and none is made.
    address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, uri=True)) as database:
        database.execute("PRAGMA trusted_schema=OFF")
        # A table is asked, never a view: what a stranger's view computes is not run.
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        texts = next((name for name in ("Localizations_enUS", "Localizations") if name in tables), None)
        if "Cards" not in tables or texts is None:
            raise ValueError(_("it has no tables Cards and Localizations_enUS"))
        columns = {row[1] for row in database.execute(f"PRAGMA table_info({texts})")}
        text = "Loc" if "Loc" in columns else "enUS"
        order = "ORDER BY Formatted DESC" if "Formatted" in columns else ""
        titles = f"SELECT LocId, {text} FROM {texts} WHERE LocId IN (SELECT TitleId FROM Cards) {order}"  # noqa: S608
        # The plain form of a name is the last of each, and stays.
        names = dict(database.execute(titles))
        for number, title in database.execute("SELECT GrpId, TitleId FROM Cards"):
            table.add(number, names.get(title))


class _Face(Struct):
    name: str = ""


class _Card(Struct):
    """A card as Scryfall has it; or any object with `arena_id` or `id`, and `name`."""

    arena_id: int | str | None = None
    id: int | str | None = None
    name: str = ""
    keywords: list[str] = []
    card_faces: list[_Face] = []


class _List(Struct):
    data: list[_Card] = []


def _from_text(table: CardTable, data: bytes) -> None:
    data = data.removeprefix(b"\xef\xbb\xbf")
    start = data.lstrip()[:1]
    if start not in (b"[", b"{"):
        for row in csv.DictReader(io.StringIO(data.decode(), newline="")):
            table.add(row.get("arena_id") or row.get("id"), row.get("name"))
        return
    for card in _cards(data, start):
        faces = card.card_faces
        name = _BOTH.join(face.name for face in faces[:2]) if len(faces) > 1 else card.name
        daybound = not {"Daybound", "daybound"}.isdisjoint(card.keywords)
        table.add(card.arena_id if card.arena_id is not None else card.id, name, daybound=daybound)


def _cards(data: bytes, start: bytes) -> Iterable[_Card]:
    if start == b"[":
        return msgspec.json.decode(data, type=list[_Card])
    lines = data.split(b"\n", 1)
    if len(lines) > 1 and lines[0].rstrip().endswith(b"}"):
        return _lines(data)
    found = msgspec.json.decode(data, type=_List).data
    if found:
        return found
    card = msgspec.json.decode(data, type=_Card)
    if card.name:
        return [card]
    # A plain dictionary: numbers and what they are called.
    names = msgspec.json.decode(data, type=dict[str, str])
    return [_Card(id=number, name=name) for number, name in names.items()]


def _lines(data: bytes) -> Iterator[_Card]:
    for line in data.split(b"\n"):
        if line.strip():
            yield msgspec.json.decode(line.strip().rstrip(b","), type=_Card)
