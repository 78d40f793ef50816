"""A store on a PostgreSQL server: the library's PostgreSQL recorder, with durable commits, checked rows and no retries.

The library sends a write again when the connection is lost. This recorder does not, because nobody knows then whether
the write was stored; only the id of a command can show it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any, TypeVar, cast

import psycopg
from eventsourcing.persistence import ApplicationRecorder, InterfaceError, OperationalError, Subscription
from eventsourcing.postgres import PostgresDatastore, PostgresProcessRecorder, PostgresSubscription
from psycopg import Connection
from psycopg.rows import dict_row
from psycopg.sql import SQL, Identifier, Literal

from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import BULK, Chunk, Cursor, Row
from daynight.store.database.server import VERSION, address, connected, cursor_of, inspect, ours, session
from daynight.store.database.settings import Settings
from daynight.store.records import missing
from daynight.store.threads import Process

First = TypeVar("First")

AGAIN = 0.5
"""Seconds until a missing server is tried again; in the meantime callers get the error at once."""

_LARGE = 512
"""The most lines per query after a result was too large: 512 lines of the greatest length fit into a value of 1 GiB."""

_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_COPY = b"COPY stored_events (originator_id, originator_version, topic, state, digest) FROM STDIN (FORMAT binary)"
_TYPES = ("text", "int8", "text", "bytea", "bytea")
_CHUNK = (
    "SELECT pg_catalog.count(*), pg_catalog.min(number), pg_catalog.max(number), {tags},"
    " pg_catalog.string_agg(state, '\\x0a'::bytea ORDER BY number), {digests} FROM"
    " (SELECT originator_version AS number, topic, state, digest FROM stored_events"
    " WHERE originator_id = ? AND originator_version > ? ORDER BY originator_version LIMIT ?) AS found"
)
_PLAIN = _CHUNK.format(tags="pg_catalog.array_agg(DISTINCT topic)", digests="''::bytea")
_CHAINED = _CHUNK.format(
    tags="pg_catalog.array_agg(topic ORDER BY number)",
    digests="pg_catalog.string_agg(digest, ''::bytea ORDER BY number)",
)


class _Datastore(PostgresDatastore):
    """A pool of connections that work in one schema, with durable commits; a forked process makes a new pool."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process = Process.number
        self._closed = False
        self._asking = threading.Lock()
        self._away, self._asked, self._said = False, -AGAIN, ""
        super().__init__(
            settings.database,
            settings.host,
            settings.port,
            settings.user,
            settings.password,
            connect_timeout=settings.timeout,
            pool_size=1,
            max_overflow=settings.pool,  # one more than asked for: a follower keeps one for itself
            lock_timeout=settings.timeout,
            schema=settings.schema,
            originator_id_type="text",
        )
        self.pool.kwargs = {**address(settings), "row_factory": dict_row}
        # A caller waits this long for a connection. Later callers try at once, however long the server was unavailable.
        self.pool.reconnect_timeout = float(settings.timeout)

    def after_connect_func(self) -> Callable[[Connection[Any]], None]:
        statement = session(self.schema)

        def after_connect(connection: Connection[Any]) -> None:
            connection.autocommit = True
            connection.execute(statement)

        return after_connect

    @contextmanager
    def get_connection(self) -> Iterator[Connection[Any]]:
        if self._process != Process.number:
            if self._closed:
                # The pool is not used here: after a fork its locks may be held for ever.
                raise InterfaceError("the store is closed")
            # The parent's connections belong to the parent: its threads do not exist here, and closing would end them
            # for it.
            _left.append(self.pool)
            self.pool._closed = True
            self.__init__(self._settings)  # type: ignore[misc]
        self._check_there()
        lent = False
        try:
            with super().get_connection() as connection:
                lent = True
                yield connection
        except OperationalError:
            self._away = self._away or not lent
            raise

    def _check_there(self) -> None:
        """After a failed connection, try the server, and raise OperationalError until it answers.

        It is tried at most once in AGAIN seconds. The pool itself would wait until its timeout.
        """
        if not self._away:
            return
        with self._asking:
            if monotonic() - self._asked < AGAIN:
                raise OperationalError(self._said)
            try:
                psycopg.connect(**address(self._settings)).close()
            except psycopg.OperationalError as error:
                # Callers that waited for this attempt get the same error.
                self._asked, self._said = monotonic(), str(error)
                raise OperationalError(self._said) from error
            self._away = False

    def close(self) -> None:
        if self._process == Process.number:
            super().close()
        self._closed = True

    def register_type_adapters(self) -> None:
        """Register no adapters: rows come back as bytes and plain types."""


_left: list[object] = []
"""Connections inherited from the parent process, which are never closed here."""


class _Subscription(PostgresSubscription):
    """A subscription that, unlike the library's, does not miss events stored between its first query and LISTEN."""

    def _listen(self) -> None:
        try:
            with self._recorder.datastore.get_connection() as connection:
                connection.execute(SQL("LISTEN {}").format(Identifier(self._recorder.channel_name)))
                self._has_been_notified.set()
                while not self._has_been_stopped and not self._thread_error:
                    for _notify in connection.notifies(timeout=0.1, stop_after=1):
                        self._has_been_notified.set()
                # The connection goes back to the pool, where it would collect notifications that nobody fetches.
                connection.execute("UNLISTEN *")
        except BaseException as error:
            self._thread_error = self._thread_error or error
            self.stop()


class PostgresGames(GamesRecorder, PostgresProcessRecorder):
    """The recorder of a PostgreSQL server, on which `migrate` has created the tables."""

    integer = "bigint"

    def __init__(self, settings: Settings) -> None:
        GamesRecorder.__init__(self)
        self.address, self.shown = settings.address, settings.shown
        self._settings = settings
        with connected(settings) as connection:
            inspect(cursor_of(connection), settings)
        PostgresProcessRecorder.__init__(
            self, _Datastore(settings), events_table_name="stored_events", tracking_table_name="tracking"
        )
        # Positions in the order of all events follow the order of commits, because writers take one global lock. It is
        # on the smallest table and not on the events, where VACUUM and ANALYZE would block all writers.
        self._writing = SQL(
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = {patience};"
            " SET LOCAL idle_in_transaction_session_timeout = {patience}; LOCK TABLE {version} IN EXCLUSIVE MODE"
        ).format(patience=Literal(f"{settings.timeout}s"), version=Identifier(settings.schema, VERSION))

    @contextmanager
    def begin(self, *, write: bool) -> Iterator[Cursor]:
        statement = self._writing if write else _READING
        with self._lent(lambda connection: connection.execute(statement)) as (connection, _begun):
            try:
                yield cursor_of(connection)
                # After an error the server rolls back the whole transaction, and answers COMMIT only with ROLLBACK.
                ended = connection.execute("COMMIT").statusmessage
                if ended != "COMMIT":
                    raise OperationalError("the transaction was taken back")
            except BaseException:
                # If this fails too, the pool drops the connection.
                with suppress(psycopg.Error):
                    connection.rollback()
                raise

    def select(self, statement: str, *params: Any) -> list[Any]:
        if self.inside:
            return super().select(statement, *params)
        # One statement needs no transaction, which would cost two more round trips.
        query = self.sql(statement)
        with self._lent(lambda connection: cursor_of(connection).execute(query, params).fetchall()) as lent:
            found: list[Any] = lent[1]
            return found

    @contextmanager
    def _lent(self, first: Callable[[Connection[Any]], First]) -> Iterator[tuple[Connection[Any], First]]:
        """Yield a connection from the pool, with the result of a first, read-only statement on it.

        The pool may return a dead connection; then another one is tried. The pool's own check of each connection
        would sleep for seconds after a restart of the server.
        """
        for _again in range(self._settings.pool + 2):
            with self.datastore.get_connection() as connection:
                try:
                    found = first(connection)
                except psycopg.OperationalError:
                    if not connection.closed:
                        raise
                    continue
                yield connection, found
                return
        raise OperationalError("no connection to the server lasts")

    def add_events(self, cursor: Cursor, rows: Sequence[Row]) -> None:
        with cast(psycopg.Cursor[Any], cursor).copy(_COPY) as copy:
            copy.set_types(_TYPES)
            for row in rows:
                copy.write_row((row.game, row.number, row.tag, row.line, row.digest))
        # Followers are notified at the commit.
        cursor.execute("SELECT pg_catalog.pg_notify(%s, '')", (self.channel_name,))

    def chunks(self, game: str, after: int, until: int | None = None, *, digests: bool = False) -> Iterator[Chunk]:
        # One result row for thousands of events: a row for each costs more than reading and replaying them.
        most = BULK
        while (limit := most if until is None else min(most, until - after)) > 0:
            try:
                found = self.select(_CHAINED if digests else _PLAIN, game, after, limit)
            except OperationalError as error:
                if isinstance(error.__cause__, psycopg.errors.ProgramLimitExceeded) and most > _LARGE:
                    most = _LARGE
                    continue
                raise
            many, first, last, tags, lines, chain = found[0]
            if not many:
                return
            if first != after + 1 or last != after + many:
                raise missing(self, game, after)
            yield Chunk(first, many, tags, lines + b"\n", chain)
            after = last

    def sql(self, statement: str) -> str:
        return statement.replace("?", "%s")

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
        return _Subscription(recorder=self, gt=gt, topics=topics)

    def has_table(self, name: str) -> bool:
        return bool(self.select("SELECT 1 WHERE pg_catalog.to_regclass(?) IS NOT NULL", self._named(name)))

    def make_table(self, cursor: Cursor, name: str, columns: str) -> None:
        cursor.execute(f"CREATE TABLE {self._named(name)} ({ours(columns)})")

    def _named(self, name: str) -> str:
        schema = self._settings.schema.replace('"', '""')
        return f'"{schema}".{name}'

    def check(self) -> None:
        with self.transaction(write=False) as cursor:
            inspect(cursor, self._settings)

    def create_table(self) -> None:
        """Do nothing: `migrate` creates the tables."""

    def close(self) -> None:
        self.datastore.close()
