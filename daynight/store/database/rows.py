"""The types of a store's rows, and daynight's own tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Protocol

from msgspec import Meta, Struct, field

from daynight.framework.language.wording import _
from daynight.store.errors import DamagedError

BULK = 4096
"""The number of events that are read at a time."""

Hex32 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Hex64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{128}\Z")]
Number = Annotated[int, Meta(ge=1, le=2**53 - 1)]
"""The number of an event, as in exported files."""


blob = bytearray
"""Converts bytes for SQL statements: for `bytes`, sqlite3 searches an adapter, which takes as long as an insert."""


class Cursor(Protocol):
    """The methods that the cursors of both databases share; rows are tuples."""

    def execute(self, statement: str, params: Sequence[Any] = (), /) -> Any: ...
    def executemany(self, statement: str, params: Iterable[Sequence[Any]], /) -> Any: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> Any: ...


class Head(Struct, frozen=True):
    """The last event of a game, or an earlier one: its number, and its digest, which covers it and all before it."""

    number: int
    digest: bytes


class Transaction(Struct):
    """A transaction of one thread: its cursor, whether it writes, its process, and the tasks after the commit.

    `done` holds functions to call after the commit; `signed` has for each game the head that the signer may remember,
    and the game's identity, the digest of its first event.
    """

    cursor: Any
    writes: bool
    process: int
    done: list[Callable[[], object]] = field(default_factory=list)
    signed: dict[str, tuple[Head, bytes]] = field(default_factory=dict)


class Signer(Protocol):
    """Signs heads, and remembers the last one of each game.

    `key` is the public key, 32 bytes; `path` is the file of the private key, None if it has no file.
    """

    key: bytes
    path: Path | None

    def sign(self, game: str, number: int, digest: bytes) -> bytes: ...
    def remembered(self, game: str, identity: bytes | None = None) -> Head | None: ...
    def recalled(self, game: str) -> Any: ...
    def remember(self, game: str, head: Head, place: Any = None) -> None: ...
    def settle(self) -> None: ...


class Command(Struct, frozen=True):
    """A command, and the events `first` to `last` that it stored; `request` is the SHA-256 of the caller's request."""

    id: str
    first: int
    last: int
    request: bytes
    seal: bytes = b""
    """The seal in the row, which shows whether the row was changed (`chain.seal`); empty if it was not read."""


class Chunk(Struct, frozen=True):
    """Some consecutive events: the number of the first, their count, their tags, and their lines with the line feeds.

    If digests were requested, `digests` joins them, and `tags` has one tag for each event, in order. Otherwise `tags`
    has each different tag once.
    """

    first: int
    count: int
    tags: Sequence[str]
    lines: bytes
    digests: bytes = b""


class Row(Struct, frozen=True, gc=False):
    """An event as the database returned it, with unchecked values."""

    game: Any
    number: Any
    tag: Any
    line: Any
    digest: Any
    place: Any = None
    """Its position in the order of all events of the store, if it was read."""


class Append(Struct, frozen=True):
    """The data to store together with events: the command, and (event, snapshot) pairs for some of the events."""

    command: Command | None = None
    snapshots: tuple[tuple[int, bytes], ...] = ()
    after: Head | None = None
    """The head of the game before the append, if it was read in the same transaction."""

    checked: bool = False
    """Whether the signer may sign the game, as decided by `proving.signing`; if not, no head is signed."""

    identity: bytes = b""
    """The digest of the game's first event; empty if it is not known."""


def tables(*, blob: str, integer: str) -> dict[str, str]:
    """Return daynight's own tables: the SQL columns of each table, by its name."""
    return {
        "commands": (
            f"game TEXT NOT NULL, command TEXT NOT NULL, first_event {integer} NOT NULL, last_event {integer} NOT NULL,"
            f" request {blob} NOT NULL, seal {blob} NOT NULL, PRIMARY KEY (game, command)"
        ),
        "heads": (
            f"game TEXT NOT NULL, event {integer} NOT NULL, signer {blob} NOT NULL, signature {blob} NOT NULL,"
            " PRIMARY KEY (game, event, signer)"
        ),
        "snapshots": f"game TEXT NOT NULL, event {integer} NOT NULL, state {blob} NOT NULL, PRIMARY KEY (game, event)",
        "library": (
            f"game TEXT NOT NULL, events {integer} NOT NULL, turns {integer} NOT NULL, spells {integer} NOT NULL,"
            f" changes {integer} NOT NULL, possible TEXT NOT NULL, verdict TEXT NOT NULL, disputes {integer} NOT NULL,"
            f" over {integer} NOT NULL, PRIMARY KEY (game)"
        ),
    }


def typed(table: str, row: Sequence[Any], *kinds: type) -> tuple[Any, ...]:
    """Return the row; raise DamagedError for a value of a wrong type, which a SQLite column accepts."""
    values = tuple(row)
    if any(type(value) is not kind for value, kind in zip(values, kinds, strict=True)):
        raise DamagedError(_("{table}: a row that daynight never wrote").format(table=table))
    return values
