"""A store in one SQLite file, or in memory: the library's SQLite recorder, durable, fair to writers, and checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import count
from pathlib import Path
from typing import Any, cast

from eventsourcing import persistence
from eventsourcing.sqlite import (
    SQLiteCursor,
    SQLiteProcessRecorder,
)

from daynight.framework.language.wording import _
from daynight.machine.program import command
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import BULK, Chunk, Cursor, Row, blob
from daynight.store.database.settings import Settings
from daynight.store.database.sqlite_file import APPLICATION, SCHEMA, STATEMENTS, inspect, made, making
from daynight.store.errors import DamagedError, UnavailableError
from daynight.store.files.connections import FIXED, MEMORY, Connections
from daynight.store.records import missing

POLL = 0.02
"""Seconds between two polls of a subscription. A poll costs some microseconds if nothing was stored."""

_memories = count(1)

_CHUNK = (
    "SELECT count(*), max(number), group_concat({tags}), CAST(group_concat(state, '\n') AS BLOB), {typed}, {digests}"
    " FROM (SELECT originator_version AS number, topic, state{column} FROM stored_events"
    " WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? ORDER BY originator_version)"
)
_PLAIN = _CHUNK.format(tags="DISTINCT topic", typed="0", digests="x''", column="")
_CHAINED = _CHUNK.format(
    tags="topic",
    # SQLite would join a value of another type to the others without an error.
    typed=(
        "sum(typeof(number) = 'integer' AND typeof(topic) = 'text'"
        " AND typeof(state) = 'blob' AND typeof(digest) = 'blob')"
    ),
    digests="CAST(group_concat(digest, '') AS BLOB)",
    column=", digest",
)


class _Subscription(persistence.ListenNotifySubscription[SQLiteProcessRecorder]):
    """Polls the file: SQLite does not notify other processes, so the library has no subscription for it."""

    def _loop_on_pull(self) -> None:
        try:
            while not self._has_been_stopped:
                self._pull()
                self._has_been_notified.wait(POLL)
        except BaseException as error:
            self._thread_error = error
            self.stop()


class SQLiteGames(GamesRecorder, SQLiteProcessRecorder):
    """The recorder of a SQLite file; the file is created if it does not exist. `fixed`: the file is read-only."""

    place = "rowid"

    def __init__(self, settings: Settings) -> None:
        GamesRecorder.__init__(self)
        self.address, self.shown = settings.address, "" if settings.kind == "memory" else settings.shown
        there: str | None = None
        if settings.kind == "memory":
            name = f"{MEMORY}{next(_memories)}?mode=memory&cache=shared"
            self.file: Path | None = None
        else:
            self.file = Path(settings.path).absolute()
            there = inspect(self.file)
            name = there or str(self.file)
            self.fixed = name.startswith(FIXED)
        SQLiteProcessRecorder.__init__(self, Connections(name, self.file or Path(), settings.timeout))
        self.create_table_statements = list(STATEMENTS)
        if there is not None:
            # Nothing is written, so reading works on a full disk, and while somebody writes.
            return
        with making(self.file or Path()), self.transaction(write=True) as cursor:
            for statement in self.create_table_statements:
                cursor.execute(statement)
            cursor.execute(f"PRAGMA application_id = {APPLICATION}")
            cursor.execute(f"PRAGMA user_version = {SCHEMA}")

    @property
    def which(self) -> tuple[int, int] | None:
        found: tuple[int, int] | None = self.datastore.pool.which  # type: ignore[attr-defined]  # it is our own
        return found

    def check_there(self) -> None:
        self.datastore.pool.check_there()  # type: ignore[attr-defined]  # it is our own

    def begin(self, *, write: bool) -> AbstractContextManager[Cursor]:
        if write and self.fixed:
            copying = command("backup", "FILE", "--db", str(self.file))
            sentence = _("{path} may only be read here; copy it to where it may be written: {command}")
            raise UnavailableError(sentence.format(path=self.file, command=copying))
        return self.datastore.transaction(commit=write)

    def select(self, statement: str, *params: Any) -> list[Any]:
        with self.transaction(write=False) as cursor:
            # The library's rows have names, which nobody asks for, and take a third longer to be made.
            cast(SQLiteCursor, cursor).sqlite_cursor.row_factory = None
            return super().select(statement, *params)

    def add_events(self, cursor: Cursor, rows: Sequence[Row]) -> None:
        cursor.executemany(
            "INSERT INTO stored_events VALUES (?, ?, ?, ?, ?)",
            ((row.game, row.number, row.tag, blob(row.line), blob(row.digest)) for row in rows),
        )

    def chunks(self, game: str, after: int, until: int | None = None, *, digests: bool = False) -> Iterator[Chunk]:
        # One row of the database for thousands of events: a row each costs more than reading and replaying them. A
        # range is faster than a limit. Numbers are unique, so if there are `last - after` rows, none is missing.
        statement = _CHAINED if digests else _PLAIN
        while until is None or after < until:
            upto = after + BULK if until is None else min(after + BULK, until)
            many, last, tags, lines, typed, joined = self.select(statement, game, after, upto)[0]
            if not many:
                return
            if last != after + many:
                raise missing(self, game, after)
            yield Chunk(after + 1, many, str(tags).split(","), lines + b"\n", joined if typed == many else b"")
            after = last

    def has_table(self, name: str) -> bool:
        return bool(self.select("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name))

    def make_table(self, cursor: Cursor, name: str, columns: str) -> None:
        cursor.execute(made(name, columns))

    def check(self) -> None:
        with self.transaction(write=False) as cursor:
            cursor.execute("PRAGMA integrity_check(1)")
            found = cursor.fetchone()[0]
        if found != "ok":
            raise DamagedError(_("the file is damaged: {reason}").format(reason=found))

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> persistence.Subscription[persistence.ApplicationRecorder]:
        return _Subscription(recorder=self, gt=gt, topics=topics)

    def create_table(self) -> None:
        """Do nothing: opening the file creates the tables."""

    def close(self) -> None:
        self.datastore.close()
