"""Reads card tables that the user gives: the names of Arena's card numbers.

Three kinds are recognised by their content: Arena's own card database (SQLite), Scryfall's cards with `arena_id` (JSON,
or JSON Lines), and 17Lands' card list (CSV with `id` and `name`). They are only read: a database is opened read-only
and immutable.
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
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast
from urllib.parse import quote

import msgspec
from msgspec import Raw, Struct

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.names import is_name
from daynight.framework.language.wording import _, counted

SIZE = 2**28
"""The most bytes that a table of text may have, unpacked."""

ROWS = 2**20
"""The most rows that a table may have: far beyond all cards there are."""

LINE_LENGTH = 2**24
"""The most bytes of a line in a file with one card per line."""

TEXT = 2**20
"""The most bytes that a text in a database may have."""

STEPS = 200_000_000
"""The most steps that SQLite may take to read a database: some seconds."""

_EACH = 10_000
T = TypeVar("T")

_SQLITE = b"SQLite format 3\0"
_MARK = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_BOTH = " // "
_MARKUP = re.compile(r"<[^<>]{0,40}>")


class CardTable:
    """Names by Arena's card numbers.

    `backs`: the name of the other side, by the number of the front, if the table distinguishes them. `daybound`: the
    numbers of cards with daybound according to the table. `odd`: how many rows were skipped; `first_odd`:
    of the first such row, the line in a CSV file, in others its place among the rows; 0 if there is none.
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.names: dict[int, str] = {}
        self.backs: dict[int, str] = {}
        self.daybound: set[int] = set()
        self.odd = self.first_odd = self._rows = 0

    def __len__(self) -> int:
        return len(self.names)

    def row(self, *, taken: bool, line: int = 0) -> None:
        """Count a row, which was `taken` or skipped; `line`: its number in the file, if its file has lines.

        Raises:
            ValueError: where there are more rows than any real table has.
        """
        self._rows += 1
        if self._rows > ROWS:
            raise ValueError(counted("more than {n} row", "more than {n} rows", ROWS))
        if not taken:
            self.odd += 1
            self.first_odd = self.first_odd or line or self._rows

    def add(self, number: object, name: object, *, daybound: bool = False) -> bool:
        """Add a card unless its number is known; return whether number and name are valid. `A // B`: both sides."""
        if isinstance(number, str):
            number = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None
        if type(number) is not int or not isinstance(name, str) or not 0 < number < 2**31:
            return False
        front, _both, back = _MARKUP.sub("", name).strip().partition(_BOTH)
        # A byte that was not UTF-8 is a surrogate here, which no name may have.
        if not is_name(front):
            return False
        if number in self.names:
            return True
        self.names[number] = sys.intern(front)
        if is_name(back):
            self.backs[number] = back
        if daybound:
            self.daybound.add(number)
        return True


def read_cards(path: Path | str) -> CardTable:
    """Read the card table in a file.

    Raises:
        UnreadableError: where the file is of no known kind, or damaged.
        OSError: where it cannot be read.
    """
    path = Path(path)
    table = CardTable(str(path))
    try:
        with path.open("rb") as stream:
            head = stream.read(16)
        if head == _SQLITE:
            _from_database(table, path)
        else:
            with path.open("rb") as stream:
                _from_text(table, stream, packed=head.startswith(_GZIP))
    except (ValueError, sqlite3.Error, csv.Error, EOFError, zlib.error, RecursionError, gzip.BadGzipFile) as error:
        sentence = _("a card table that can't be read: {reason}")
        raise UnreadableError(sentence.format(reason=error), file=str(path)) from None
    if not table.names:
        sentence = _(
            "no card table: expected Arena's Raw_CardDatabase, Scryfall's cards with arena_id as JSON, or 17Lands'"
            " cards.csv with id and name"
        )
        raise UnreadableError(sentence, file=str(path))
    return table


class _Bounded(io.RawIOBase):
    """A stream that raises a ValueError if it has more bytes than a table may have (`SIZE`)."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._left = SIZE

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._source.read(min(len(buffer), self._left + 1))
        self._left -= len(data)
        if self._left < 0:
            raise ValueError(_("more than {most} bytes").format(most=SIZE))
        buffer[: len(data)] = data
        return len(data)


def _from_database(table: CardTable, path: Path) -> None:
    # `immutable`: no journal beside the file is looked at, and none is made.
    address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, uri=True)) as database:
        _bound(database)
        database.execute("PRAGMA trusted_schema=OFF")
        # Only plain tables are read: a hostile database's views, virtual tables and computed columns could run code.
        asked = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        tables = {name for (name,) in database.execute(asked)}
        texts = next((name for name in ("Localizations_enUS", "Localizations") if name in tables), None)
        if "Cards" not in tables or texts is None:
            raise ValueError(_("it has no tables Cards and Localizations_enUS"))
        _columns(database, "Cards")
        columns = _columns(database, texts)
        text = "Loc" if "Loc" in columns else "enUS"
        order = "ORDER BY Formatted DESC" if "Formatted" in columns else ""
        titles = f"SELECT LocId, {text} FROM {texts} WHERE LocId IN (SELECT TitleId FROM Cards) {order}"  # noqa: S608
        names: dict[object, object] = {}
        for row, (title, name) in enumerate(database.execute(titles)):
            if row >= 4 * ROWS:
                raise ValueError(counted("more than {n} row", "more than {n} rows", ROWS))
            # Of several forms of a name the plain one comes last, and is kept.
            names[title] = name if isinstance(name, str) and len(name) <= 2 * NAME_LENGTH else None
        for number, title in database.execute("SELECT GrpId, TitleId FROM Cards"):
            name = names.get(title)
            table.row(taken=table.add(number, name) or name is None)


def _bound(database: sqlite3.Connection) -> None:
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, TEXT)
    database.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    left = STEPS // _EACH

    def step() -> int:
        nonlocal left
        left -= 1
        return left < 0

    database.set_progress_handler(step, _EACH)


def _columns(database: sqlite3.Connection, table: str) -> set[str]:
    columns = {str(row[1]): row[6] for row in database.execute(f"PRAGMA table_xinfo({table})")}
    if any(hidden for hidden in columns.values()):
        raise ValueError(_("its table {name} has computed columns, which Arena's has not").format(name=table))
    return set(columns)


class _Card(Struct):
    """A card in Scryfall's form; or any object with `arena_id` or `id`, and `name`.

    The fields stay JSON until each is read, so one malformed card does not make the file unreadable.
    """

    arena_id: Raw = Raw()
    id: Raw = Raw()
    name: Raw = Raw()
    keywords: Raw = Raw()
    card_faces: Raw = Raw()


class _Face(Struct):
    name: str = ""


class _List(Struct):
    data: list[_Card] = []


def _from_text(table: CardTable, stream: BinaryIO, *, packed: bool) -> None:
    source = cast(BinaryIO, gzip.GzipFile(fileobj=stream)) if packed else stream
    bounded = io.BufferedReader(_Bounded(source), buffer_size=2**18)
    if bounded.peek(3).startswith(_MARK):
        bounded.read(len(_MARK))
    if bounded.peek(1).lstrip()[:1] in (b"[", b"{"):
        for card in _cards(cast(BinaryIO, bounded)):
            table.row(taken=_take(table, card))
        return
    text = io.TextIOWrapper(bounded, encoding="utf-8", errors="surrogateescape", newline="")
    rows = csv.DictReader(text)
    for row in rows:
        table.row(taken=table.add(row.get("arena_id") or row.get("id"), row.get("name")), line=rows.line_num)


def _take(table: CardTable, card: _Card | None) -> bool:
    """Add a card; return False if it is malformed. A card without a number of Arena is skipped: return True."""
    if card is None:
        return False
    number = _of(card.arena_id, object)
    if number is None:
        number = _of(card.id, object)
        if isinstance(number, str) and not number.isdigit():
            return True
    faces = _of(card.card_faces, list[_Face]) or []
    name = _BOTH.join(face.name for face in faces[:2]) if len(faces) > 1 else _of(card.name, str)
    daybound = not {"Daybound", "daybound"}.isdisjoint(_of(card.keywords, list[str]) or [])
    return table.add(number, name, daybound=daybound)


def _of(raw: Raw, kind: type[T]) -> T | None:
    """Decode a field; None if it is missing or of another type."""
    try:
        return msgspec.json.decode(raw, type=kind) if raw else None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _cards(stream: BinaryIO) -> Iterator[_Card | None]:
    """Yield the cards of a file; None for a line that is not a card."""
    first, second = stream.readline(LINE_LENGTH), stream.readline(LINE_LENGTH)
    one, other = (line.strip().rstrip(b",") for line in (first, second))
    if (one == b"[" and other.startswith(b"{") and other.endswith(b"}")) or (one.endswith(b"}") and other):
        further = iter(partial(stream.readline, LINE_LENGTH), b"")
        yield from _lines(chain([second] if one == b"[" else [first, second], further))
        return
    data = first + second + stream.read()
    # Decoded values take far more room than their bytes, so count them first.
    if sum(data.count(sign) for sign in (b"{", b"[", b",")) > 64 * ROWS or data.count(b"{") > 16 * ROWS:
        raise ValueError(counted("more than {n} row", "more than {n} rows", ROWS))
    yield from _together(data)


def _together(data: bytes) -> Iterable[_Card]:
    if data.lstrip().startswith(b"["):
        return msgspec.json.decode(data, type=list[_Card])
    found = msgspec.json.decode(data, type=_List).data
    if found:
        return found
    card = msgspec.json.decode(data, type=_Card)
    if _of(card.name, str):
        return [card]
    # A plain dictionary: numbers and names.
    names = msgspec.json.decode(data, type=dict[str, Raw])
    return [_Card(id=Raw(msgspec.json.encode(number)), name=name) for number, name in names.items()]


def _lines(lines: Iterable[bytes]) -> Iterator[_Card | None]:
    for line in lines:
        bare = line.strip().rstrip(b",")
        if bare in (b"", b"]"):
            continue
        try:
            yield msgspec.json.decode(bare, type=_Card)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            yield None
