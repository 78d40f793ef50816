"""The recorder of both databases: the library's tables and daynight's own, written in the same transaction.

The tables of the library hold the events and the positions of followers; daynight adds its own tables. SQL that is the
same for SQLite and PostgreSQL is here, with `?` for values; the differences are in `sqlite` and `postgres`.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any

from eventsourcing import persistence

from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.machine.program import program
from daynight.store.database.rows import BULK, Append, Chunk, Cursor, Head, Row, Signer, Transaction, blob, typed
from daynight.store.errors import DamagedError, of_another_process
from daynight.store.proving.acts import Acts
from daynight.store.proving.chain import ORIGIN, digests, sealed
from daynight.store.proving.commands import add_command
from daynight.store.proving.remembered import Place
from daynight.store.threads import Process


class GamesRecorder(persistence.ProcessRecorder):
    """The recorder of both databases: the library's tables and daynight's own, written in the same transaction."""

    signer: Signer | None = None

    address: str = ""
    """The place of the store, as a key remembers it: the real path of a file, or a server's address; "" for memory."""

    shown: str = ""
    """The place of the store without its password, for a command that names it; "" for memory."""

    tell: Callable[[str], object] = staticmethod(lambda sentence: None)
    """Called after the commit with each notice: a sentence, such as that a game is stored unsigned."""

    mechanic: Mechanic[Any, Any, Any]
    """The mechanic of an open store; not set on a bare recorder."""

    guarding: Any
    """Compares the events of an open store with the stored description: a `described.Guarding`."""

    insert: Callable[..., list[int] | None] | None = None
    """Checks events and stores them; an open store sets it. Without it the recorder is bare: it only chains events."""

    fixed = False
    """Whether the store is read-only."""

    integer = "INTEGER"
    """The SQL type of integers."""

    place = "notification_id"
    """The name of the column with an event's position in the order of all events of the store."""

    def __init__(self) -> None:
        self._mine = threading.local()
        self._acts: Acts | None = None
        self.unsigned: set[str] = set()
        """The games already reported as stored unsigned."""

    @abstractmethod
    def begin(self, *, write: bool) -> AbstractContextManager[Cursor]:
        """Return the context manager of a transaction, which gives its cursor; `write` locks out all other writers."""

    @property
    def inside(self) -> bool:
        """Whether this thread is inside `transaction`."""
        return getattr(self._mine, "transaction", None) is not None

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[Cursor]:
        """Do all work of this thread in the block in one transaction; yield its cursor. Nested ones join the outer one.

        So all reads in the block see the same moment, whatever other processes write meanwhile.

        Raises:
            ProgrammingError: where a writing transaction is begun inside a reading one.
        """
        outer: Transaction | None = getattr(self._mine, "transaction", None)
        if outer is None:
            with self.begin(write=write) as cursor:
                self._mine.transaction = mine = Transaction(cursor, write, Process.number)
                try:
                    yield cursor
                finally:
                    self._mine.transaction = None
            for act in mine.done:
                act()
            # Committed: only now may the key remember it.
            if mine.signed and self.signer is not None:
                for game, (head, identity) in mine.signed.items():
                    self.signer.remember(game, head, Place(identity, self.mechanic.name, self.address))
        elif outer.process != Process.number:
            # A fork inside a transaction, which is that of the parent.
            raise of_another_process()
        elif write and not outer.writes:
            raise persistence.ProgrammingError("to write inside a moment that is read")
        else:
            yield outer.cursor

    def once_stored(self, act: Callable[[], object]) -> None:
        """Call `act` after this thread's transaction was committed; there must be one."""
        self._mine.transaction.done.append(act)

    def say(self, sentence: str) -> None:
        """Pass this notice to `tell` after the transaction was committed."""
        self.once_stored(partial(self.tell, sentence))

    @abstractmethod
    def add_events(self, cursor: Cursor, rows: Sequence[Row]) -> None:
        """Insert rows; they get the next positions in the order of all events."""

    @abstractmethod
    def chunks(self, game: str, after: int, until: int | None = None, *, digests: bool = False) -> Iterator[Chunk]:
        """Yield the lines of a game after event `after`, up to event `until` (None: the last), in large `Chunk`s.

        With `digests`, a chunk has its events' digests; SQLite leaves them empty if a stored value has a wrong type.

        Raises:
            DamagedError: where a chunk lacks an event; the caller compares the number of the last one with `until`.
        """

    def insert_events(self, stored_events: Sequence[persistence.StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Store events and the position of a follower (`tracking`), all or nothing; return their positions.

        An open store reads the events strictly and checks them against the rules, as `Store.append` does; `command`
        then is the id of the command. A bare recorder chains any events of one stream.

        Raises:
            IntegrityError: where the events do not follow the last one, or the command or the tracking was stored
                before.
            RecordError: where an open store refuses an event.
        """
        if stored_events and self.insert is not None:
            return self.insert(stored_events, **kwargs)
        with self.transaction(write=True) as cursor:
            if (tracking := kwargs.get("tracking")) is not None:
                self.track(cursor, tracking)
            if not stored_events:
                return []
            stream = stored_events[0].originator_id
            if not isinstance(stream, str):
                raise persistence.DataError(f"{stream!r} is no text, as the name of a stream is")
            head = self.last(cursor, stream)
            numbers = [(event.originator_id, event.originator_version) for event in stored_events]
            if numbers != [(stream, number) for number, _event in enumerate(stored_events, head.number + 1)]:
                raise persistence.IntegrityError(f"{stream}: event {numbers[0][1]} does not follow event {head.number}")
            self.append(cursor, stream, [(event.topic, event.state) for event in stored_events], Append(after=head))
            # Nobody else writes in this transaction: the last places are ours.
            cursor.execute(f"SELECT max({self.place}) FROM stored_events")
            last: int = cursor.fetchone()[0]
            return [*range(last - len(stored_events) + 1, last + 1)]

    def insert_tracking(self, tracking: persistence.Tracking) -> None:
        """Store how far a follower has read the events.

        Raises:
            IntegrityError: where this position, or a later one, is stored already.
        """
        with self.transaction(write=True) as cursor:
            self.track(cursor, tracking)

    def append(
        self, cursor: Cursor, game: str, lines: Sequence[tuple[str, bytes]], append: Append
    ) -> tuple[Head, Head | None]:
        """Chain lines, each with its tag, to the last event of a game, inside a transaction that writes.

        Return the new head of the game, and the last head that this call signed; None if it signed none.
        """
        head = append.after or self.last(cursor, game)
        first = head.number + 1
        chained = digests(head.digest, game, first, lines)
        rows = [
            Row(game, number, tag, line, digest)
            for number, ((tag, line), digest) in enumerate(zip(lines, chained, strict=True), first)
        ]
        if append.command is not None:
            add_command(self, cursor, game, append.command, chained[-1])
        self.add_events(cursor, rows)
        if append.snapshots:
            cursor.executemany(
                self.sql("INSERT INTO snapshots VALUES (?, ?, ?)"),
                [
                    (game, number, sealed(game, number, state, chained[number - first]))
                    for number, state in append.snapshots
                ],
            )
        signed = None
        if self.signer and append.checked and (ended := self.acts.heads(head, rows)):
            self.add_signatures(cursor, game, ended, append.identity)
            signed = ended[-1]
        return Head(rows[-1].number, rows[-1].digest), signed

    @property
    def acts(self) -> Acts:
        """The `Acts` of the mechanic, which find the events that undo, overrule or close something."""
        if self._acts is None or self._acts.mechanic is not self.mechanic:
            self._acts = Acts(self.mechanic)
        return self._acts

    def add_signatures(self, cursor: Cursor, game: str, heads: Sequence[Head], identity: bytes = b"") -> None:
        """Sign these heads, if the store has a signer. The caller has checked with `proving.signing` that it may sign.

        `identity` is the digest of the first event, if it is known.
        """
        signer = self.signer
        if signer is None:
            return
        for head in heads:
            signature = signer.sign(game, head.number, head.digest)
            self.add_signature(cursor, game, head.number, signer.key, signature)
            self.note_signed(game, head, identity)

    def note_signed(self, game: str, head: Head, identity: bytes = b"") -> None:
        """Let the signer remember a head after this transaction was committed."""
        self._mine.transaction.signed[game] = head, identity or self.digest(game, 1) or b""

    def take_back_signatures(self, cursor: Cursor, game: str, key: bytes) -> None:
        """Delete the signatures by `key` of a game imported in this transaction; the signer will not remember them."""
        cursor.execute(self.sql("DELETE FROM heads WHERE game = ? AND signer = ?"), (game, key))
        self._mine.transaction.signed.pop(game, None)

    def add_signature(self, cursor: Cursor, game: str, number: int, key: bytes, signature: bytes) -> None:
        """Store the signature of a head by `key`; replace the stored one, which is equal unless somebody forged it."""
        put = "ON CONFLICT (game, event, signer) DO UPDATE SET signature = excluded.signature"
        statement = self.sql(f"INSERT INTO heads VALUES (?, ?, ?, ?) {put}")
        cursor.execute(statement, (game, number, blob(key), blob(signature)))

    def last(self, cursor: Cursor, game: str) -> Head:
        """Return the head of a game, read with `cursor`; its number is 0 if there is no such game."""
        cursor.execute(
            self.sql(
                "SELECT originator_version, digest FROM stored_events WHERE originator_id = ?"
                " ORDER BY originator_version DESC LIMIT 1"
            ),
            (game,),
        )
        row = cursor.fetchone()
        if row is None:
            return Head(0, ORIGIN)
        number, digest = row
        if not isinstance(number, int) or not isinstance(digest, bytes):
            raise DamagedError(_("the last event has no number or no digest"), game=game)
        if len(digest) != len(ORIGIN):
            sentence = _("the digest of event {event} has {n} bytes; expected {most}; {program} verify says more")
            sentence = sentence.format(event=number, n=len(digest), most=len(ORIGIN), program=program())
            raise DamagedError(sentence, game=game, event=number)
        return Head(number, bytes(digest))

    def head(self, game: str) -> Head:
        """Return the head of a game; its number is 0 if there is no such game."""
        with self.transaction(write=False) as cursor:
            return self.last(cursor, game)

    def digest(self, game: str, number: int) -> bytes | None:
        """Return the stored digest of an event; None if there is no such event."""
        statement = "SELECT digest FROM stored_events WHERE originator_id = ? AND originator_version = ?"
        found = self.select(statement, game, number)
        digest: bytes | None = typed("stored_events", found[0], bytes)[0] if found else None
        return digest

    def games(self, prefix: str = "") -> list[tuple[str, int]]:
        """Return the games whose names begin with `prefix`, by name, and the number of the last event of each.

        An index scan jumps from name to name, so the cost depends on the number of games, not of events.
        """
        begins = "substr(name, 1, ?) = ?"
        found = self.select(
            "WITH RECURSIVE names(name) AS (SELECT min(originator_id) FROM stored_events WHERE originator_id >= ?"
            " UNION ALL SELECT (SELECT min(originator_id) FROM stored_events WHERE originator_id > name) FROM names"
            f" WHERE {begins}) SELECT name, (SELECT max(originator_version) FROM stored_events"
            f" WHERE originator_id = name) FROM names WHERE {begins}",
            prefix,
            *(len(prefix), prefix) * 2,
        )
        return sorted((name, number) for name, number in (typed("stored_events", row, str, int) for row in found))

    def names(self, after: str, most: int) -> list[str]:
        """Return the first `most` names of games that sort after the name `after`, by an index scan as in `games`."""
        found = self.select(
            "WITH RECURSIVE names(name, number) AS (SELECT min(originator_id), 1 FROM stored_events"
            " WHERE originator_id > ? UNION ALL SELECT (SELECT min(originator_id) FROM stored_events"
            " WHERE originator_id > name), number + 1 FROM names WHERE name IS NOT NULL AND number < ?)"
            " SELECT name FROM names WHERE name IS NOT NULL",
            after,
            most,
        )
        names = [name for (name,) in found]
        typed("stored_events", names, *[str] * len(names))
        return names

    def snapshot(self, game: str, until: int, begins: bytes = b"") -> Iterator[tuple[int, bytes]]:
        """Yield (event, snapshot) up to event `until`, the latest first; only snapshots that begin with `begins`."""
        statement = (
            "SELECT event, state FROM snapshots WHERE game = ? AND event <= ?"
            f"{' AND substr(state, 1, ?) = ?' if begins else ''} ORDER BY event DESC LIMIT 1"
        )
        beginning = (len(begins), begins) if begins else ()
        while found := self.select(statement, game, until, *beginning):
            number, data = typed("snapshots", found[0], int, bytes)
            until = number - 1
            yield number, data

    def signatures(self, game: str) -> list[tuple[int, bytes, bytes]]:
        """Return the signed heads of a game: event, public key, signature, in order."""
        found = self.select("SELECT event, signer, signature FROM heads WHERE game = ? ORDER BY event, signer", game)
        return [(*typed("heads", row, int, bytes, bytes),) for row in found]

    def snapshot_numbers(self, game: str) -> list[int]:
        """Return the events of a game at which there are snapshots."""
        found = self.select("SELECT event FROM snapshots WHERE game = ? ORDER BY event", game)
        return [typed("snapshots", row, int)[0] for row in found]

    @abstractmethod
    def has_table(self, name: str) -> bool:
        """Return whether the store has a table of this name."""

    @abstractmethod
    def make_table(self, cursor: Cursor, name: str, columns: str) -> None:
        """Create a table with these columns, inside a transaction that writes."""

    @property
    def which(self) -> tuple[int, int] | None:
        """The identity of the open SQLite file, its device and inode number; None where none is known."""
        return None

    def check_there(self) -> None:
        """Check that the path still names the open SQLite file, before anything is acknowledged; else do nothing.

        Raises:
            UnavailableError: where its file was removed, moved or replaced.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the database."""

    @abstractmethod
    def check(self) -> None:
        """Check the database: SQLite its own file, PostgreSQL the tables.

        Raises:
            DamagedError: where SQLite finds damage, or PostgreSQL has other tables than daynight's.
        """

    def rows(self, game: str, after: int | None = None) -> Iterator[list[Row]]:
        """Yield the raw, unchecked rows of a game's events after event `after`, thousands at a time."""
        return self._rows(1, "originator_version", "originator_id = ? AND", game, after=after)

    def all_rows(self) -> Iterator[list[Row]]:
        """Yield the raw rows of all games, in the order in which they were stored, thousands at a time."""
        return self._rows(5, self.place, "")

    def _rows(self, index: int, order: str, where: str, *params: str, after: int | None = None) -> Iterator[list[Row]]:
        columns = f"originator_id, originator_version, topic, state, digest, {self.place}"
        after, beyond = (-(2**63), ">=") if after is None else (after, ">")
        while found := self.select(
            f"SELECT {columns} FROM stored_events WHERE {where} {order} {beyond} ? ORDER BY {order} LIMIT {BULK}",
            *params,
            after,
        ):
            yield [Row(*row) for row in found]
            after, beyond = found[-1][index], ">"

    def select(self, statement: str, *params: Any) -> list[Any]:
        """Return the rows that a statement finds."""
        with self.transaction(write=False) as cursor:
            cursor.execute(self.sql(statement), params)
            found: list[Any] = cursor.fetchall()
            return found

    def track(self, cursor: Cursor, tracking: persistence.Tracking) -> None:
        """Store the position of a follower, in the same transaction.

        Raises:
            IntegrityError: where this position, or a later one, is stored already.
        """
        cursor.execute(
            self.sql(
                "INSERT INTO tracking VALUES (?, ?) ON CONFLICT (application_name) DO UPDATE"
                " SET notification_id = excluded.notification_id"
                " WHERE tracking.notification_id < excluded.notification_id RETURNING notification_id"
            ),
            (tracking.application_name, tracking.notification_id),
        )
        if cursor.fetchone() is None:
            raise persistence.IntegrityError(
                f"{tracking.application_name}: {tracking.notification_id} was tracked before"
            )

    def sql(self, statement: str) -> str:
        """Return the statement with the placeholders of this database."""
        return statement
