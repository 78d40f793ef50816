"""Views: a row for each record of a store, updated with its events, so that a list needs no replay.

The rows, and the position of the last applied event, are stored in one transaction. So if a process is killed, the next
one continues there and applies every event once; if two run at the same time, one fails and repeats its batch. A row
depends only on the record's events so far, not on how often it was updated.

A record that this code cannot read to its end has the row of its last readable event.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec
from eventsourcing.persistence import IntegrityError

from daynight.framework.folding.fold import Observer
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.store.database.declared import has_view, list_view, listed, view_table
from daynight.store.database.guard import guarded
from daynight.store.database.mapper import events_of
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import Cursor
from daynight.store.errors import ConflictError, DamagedError, NotReadableError
from daynight.store.moments.live import Live
from daynight.store.moments.past import Past
from daynight.store.tracked import Tracked, no_row, not_followed

BATCH = 5000
"""The number of events that are applied at a time."""

WARM = 128
"""The number of records that are cached, ready for their next event."""

ATTEMPTS = 100  # How often a batch is begun again that another process was faster with.

Columns = Mapping[str, type]
"""The name of each column, and its type: `int` or `str`."""

_GAME = itemgetter(0)


class View:
    """One table of a store: a row for each record, of the columns `game`, `events` and those of the view.

    A record is replayed from event 1, by `mechanic`, with the observers that `observers` makes for it; `row` makes the
    columns from the result. Without `columns` there is one column, `value`, which is JSON. `back`: a table of newer
    code is replaced, not refused.

    Raises:
        ConflictError: where the table belongs to newer code, or to code of the same version with other columns.
    """

    def __init__(
        self, recorder: GamesRecorder, name: str, mechanic: Mechanic[Any, Any, Any],
        row: Callable[[Live], Iterable[Any]], columns: Columns | None, *, version: int = 1, table: str | None = None,
        observers: Callable[[], Sequence[Observer]] = tuple, back: bool = False,
    ) -> None:  # fmt: skip
        self.name = name
        self.table = table or view_table(name)
        self._recorder = recorder
        self._mechanic = mechanic
        self._row = row
        self._observers = observers
        self._as_json = columns is None
        columns = {"value": str} if columns is None else columns
        self._columns = ("game", "events", *columns)
        self._kinds = (str, int, *columns.values())
        self._select = f"SELECT {_quoted(self._columns)} FROM {self.table}"
        # A table that every store has is in no list.
        self._listed = None if table else (version, listed(name, columns))
        self._warm: OrderedDict[str, Live] = OrderedDict()
        self._tracked = Tracked(recorder, name, self.table, mechanic.version)
        self.unreadable: dict[str, NotReadableError] = {}
        """The records that this code could not read to their end so far."""
        self.replaced: str | None = None
        """The older version of the mechanic whose rows were replaced; "" if it is unknown, None if none were."""
        self._is_retried = False
        # For a read-only store: the position and all rows, kept in memory.
        self._aside: tuple[int, dict[str, tuple[Any, ...]]] | None = None
        self._lock = threading.Lock()
        with guarded():
            listed_ = self._listed is None or list_view(recorder, name, *self._listed, back=back)
            if recorder.fixed and not (listed_ and self._tracked.made()):
                self._aside = (0, {})

    def rows(self) -> list[Any]:
        """Catch up, and return the rows sorted by record, each as a mapping from column to value.

        Raises:
            DamagedError: where a row was not written by daynight.
            StoreError: as `catch_up`.
        """
        self.catch_up()
        with guarded():
            found = sorted(map(self._checked, self._rows()), key=itemgetter(0))
        rows = [dict(zip(self._columns, row, strict=True)) for row in found]
        for row in rows if self._as_json else ():
            try:
                row["value"] = msgspec.json.decode(row["value"])
            except (msgspec.MsgspecError, TypeError):
                raise no_row(self.name) from None
        return rows

    def catch_up(self, progress: Callable[[int], None] | None = None, batch: int = BATCH) -> int:
        """Apply the events stored since the last time; return their number.

        `progress` is called with their number so far, after each `batch` of events, which is then committed.

        Raises:
            DamagedError: naming the game and the event, where a stored event is impossible.
            UnavailableError: where the database does not answer; the batches applied so far stay.
            ConflictError: where other processes were faster each time, or use another version of the view.
        """
        with self._lock, guarded():
            taken, lost = 0, 0
            self._retry()
            while True:
                position = self._position()
                found = self._found(position, batch)
                if not found:
                    self._check(position)
                    return taken
                try:
                    self._take(position, found)
                except IntegrityError:
                    # Records kept ready stay right: they depend on the events alone.
                    lost += 1
                    if lost == ATTEMPTS:
                        sentence = _("too many others keep the {view}; try again")
                        raise ConflictError(sentence.format(view=self.name)) from None
                    continue
                except BaseException:
                    self._warm.clear()
                    raise
                lost = 0
                taken += len(found)
                if progress is not None:
                    progress(taken)

    def follow(self) -> None:
        """Apply all stored events, inside the transaction that has just stored some.

        Do nothing if the store lists another version of the view, or another thread of this process is catching up.
        """
        if not self._is_ours() or not self._lock.acquire(blocking=False):
            return
        try:
            while found := self._found(position := self._position(), BATCH):
                self._take(position, found, strict=True)
        finally:
            self._lock.release()

    def forget(self) -> None:
        """Drop the cached records, because the events just applied were not stored."""
        with self._lock:
            self._warm.clear()

    def rebuild(self, progress: Callable[[int], None] | None = None, batch: int = BATCH) -> int:
        """Delete the rows and apply all events again; return their number. After an interruption, `catch_up` continues.

        The rows of a newer version of the mechanic are replaced too.

        Raises:
            StoreError: as `catch_up`.
        """
        with self._lock, guarded():
            self._warm.clear()
            self._check_ours()
            if self._recorder.fixed:
                self._aside = (0, {})
            else:
                with self._recorder.transaction(write=True) as cursor:
                    self._clear(cursor)
                    self._tracked.forget(cursor)
        return self.catch_up(progress, batch)

    def behind(self) -> int:
        """Return how many stored events are not applied yet.

        Raises:
            UnavailableError: where the database does not answer.
        """
        with guarded():
            place = self._recorder.place
            found = self._recorder.select(f"SELECT count(*) FROM stored_events WHERE {place} > ?", self._position())
            return int(found[0][0])

    def fault(self, game: str) -> str | None:
        """Return a sentence on what is wrong with the row of a record; None if it is right. The record must be intact.

        A row that lacks events not applied yet, or a missing row for that reason, is not wrong.
        """
        if self._aside is not None or not self._tracked.made():
            return None
        with self._recorder.transaction(write=False):
            found = self._recorder.select(f"{self._select} WHERE game = ?", game)
            there = found[0][1] if found and type(found[0][1]) is int else 0
            if self._tracked.lacks(game, there, self._tracked.place()):
                sentence = _("the {view} has taken in events that its row lacks; rebuild the {view}")
                return sentence.format(view=self.name)
        if not found:
            return None
        row = tuple(found[0])
        if type(row[1]) is int and 1 <= row[1] <= self._recorder.head(game).number:
            with suppress(DamagedError):
                if row == self._row_of(self._past(game).live(row[1])):
                    return None
        return not_followed(self.name)

    # -------------------------------------------------------------------------------------------------- taking in

    def _rows(self) -> Iterable[Any]:
        if self._aside is not None:
            return self._aside[1].values()
        return self._recorder.select(self._select)

    def _checked(self, row: Any) -> tuple[Any, ...]:
        values = tuple(row)
        kinds = zip(values, self._kinds, strict=True)
        if None in values[:2] or any(value is not None and type(value) is not kind for value, kind in kinds):
            raise no_row(self.name)
        return values

    def _is_ours(self) -> bool:
        """Return whether the store still lists exactly this view: with this version, and with these columns."""
        if self._listed is None or self._aside is not None:
            return True
        return has_view(self._recorder, self.name, *self._listed)

    def _check_ours(self) -> None:
        if not self._is_ours():
            sentence = _("the view {view} has been made anew in another version; open it again")
            raise ConflictError(sentence.format(view=self.name))

    def _position(self) -> int:
        if self._aside is not None:
            return self._aside[0]
        self._check_ours()
        return self._tracked.place()

    def _check(self, position: int) -> None:
        """Raise DamagedError for a tracked position ahead of the events: the view would wait for ever."""
        last = self._recorder.select(f"SELECT max({self._recorder.place}) FROM stored_events")[0][0] or 0
        if position > last:
            raise no_row(self.name)

    def _found(self, position: int, batch: int) -> list[Any]:
        place = self._recorder.place
        return self._recorder.select(
            f"SELECT originator_id, originator_version, topic, state, {place} FROM stored_events"
            f" WHERE {place} > ? ORDER BY {place} LIMIT ?",
            position,
            batch,
        )

    def _take(self, position: int, found: list[Any], *, strict: bool = False) -> None:
        """Apply the events `found`. If not `strict`, an unreadable record keeps the row of its last readable event.

        Raises:
            IntegrityError: where another process has moved the `position`, after which the events are.
        """
        if {type(row[0]) for row in found} != {str}:
            raise DamagedError(_("{table}: a row that daynight never wrote").format(table="stored_events"))
        # Sorting is stable: the events of a record stay in their order.
        entries, left = [], 0
        for game, rows in groupby(sorted(found, key=_GAME), key=_GAME):
            mine = list(rows)
            try:
                entries.append(self._row_of(self._advanced(game, mine)))
            except NotReadableError as error:
                if strict:
                    # Nothing of it is stored yet: the fold failed at an event that is being appended.
                    raise error.__cause__ or error from None
                left = min(left or mine[0][4], mine[0][4])
                entries += self._stopped(game, error)
        recorder = self._recorder
        if recorder.fixed:
            kept = {str(row[0]): tuple(row) for row in (*self._rows(), *entries)}
            self._aside = (found[-1][4], kept)
            return
        with recorder.transaction(write=True) as cursor:
            # Nobody else writes now. The position may not only be further: a rebuild takes it back.
            if self._position() != position:
                raise IntegrityError(f"{self.table}: no longer at {position}")
            if (older := self._tracked.older()) is not None:
                self.replaced = older
                self._clear(cursor)
                self._tracked.forget(cursor)
            self._put(cursor, entries)
            self._tracked.track(cursor, found[-1][4])
            self._tracked.leave(cursor, left)

    def _stopped(self, game: str, error: NotReadableError) -> list[tuple[Any, ...]]:
        """Note that this code cannot read a record to its end; return the row of its last readable event, if any."""
        self.unreadable[game] = error
        self._warm.pop(game, None)
        readable = (error.event or 1) - 1
        return [self._row_of(self._past(game).live(readable))] if readable else []

    def _retry(self) -> None:
        """Once in this object's life, read the records again that an earlier `View` could not read to their end."""
        if self._is_retried or self._recorder.fixed:
            return
        self._is_retried = True
        recorder = self._recorder
        if (left := self._tracked.left()) is None:
            return
        position = self._position()
        statement = (
            f"SELECT originator_id, max(originator_version) FROM stored_events WHERE {recorder.place} >= ?"
            f" AND {recorder.place} <= ? GROUP BY originator_id"
        )
        entries: list[tuple[Any, ...]] = []
        for game, last in recorder.select(statement, left, position):
            try:
                entries.append(self._row_of(self._past(game).live(last)))
            except NotReadableError as error:
                entries += self._stopped(game, error)
        with recorder.transaction(write=True) as cursor:
            if self._position() == position:
                self._put(cursor, entries)
                if not self.unreadable:
                    self._tracked.arrive(cursor)

    def _clear(self, cursor: Cursor) -> None:
        cursor.execute(f"DELETE FROM {self.table}")

    def _put(self, cursor: Cursor, entries: Sequence[tuple[Any, ...]]) -> None:
        changed = ", ".join(f'"{column}" = excluded."{column}"' for column in self._columns[1:])
        cursor.executemany(
            self._recorder.sql(
                f"INSERT INTO {self.table} ({_quoted(self._columns)}) VALUES ({', '.join('?' * len(self._columns))})"
                f" ON CONFLICT (game) DO UPDATE SET {changed}"
            ),
            entries,
        )

    def _row_of(self, live: Live) -> tuple[Any, ...]:
        return live.id, live.number, *self._row(live)

    def _past(self, game: str) -> Past:
        return Past(self._recorder, game, mechanic=self._mechanic, snapshots=False, observers=self._observers)

    def _advanced(self, game: str, rows: list[Any]) -> Live:
        """Return the record after these rows, which are its next events in the batch."""
        _game, numbers, tags, lines, _places = zip(*rows, strict=True)
        first = numbers[0]
        if type(first) is not int or numbers != tuple(range(first, first + len(rows))):
            raise DamagedError(_("events are missing, or not in their order"), game=game)
        with guarded(game=game):
            events = events_of(self._mechanic.language, first, tags, lines)
        past = self._past(game)
        live = self._warm.pop(game, None)
        if live is None or live.number != first - 1:
            live = past.live(first - 1)
        with past.played():
            live.pass_over(events, stored=True)
        self._warm[game] = live
        while len(self._warm) > WARM:
            self._warm.popitem(last=False)
        return live


def _quoted(columns: Iterable[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)


def _no_column(where: str, name: str, value: Any) -> ValueError:
    # Structs have the first, data classes and named tuples the second.
    names = (getattr(value, name, ()) for name in ("__struct_fields__", "__match_args__", "__dict__"))
    fields = value if isinstance(value, Mapping) else next(filter(None, names), ())
    return ValueError(f"{where}, column {name}: the value has no {name!r}; it has {', '.join(fields) or 'nothing'}")


def cells(view: str, columns: Columns | None, live: Live) -> Iterable[Any]:
    """Yield the columns of a caller's own view: attributes or keys of its value; without `columns`, its JSON."""
    value, where = live.state, f"view {view}, event {live.number}"
    if columns is None:
        try:
            yield msgspec.json.encode(value).decode()
        except (TypeError, ValueError, RecursionError) as error:
            raise TypeError(f"{where}: the value is no JSON: {error}") from None
        return
    for name, kind in columns.items():
        try:
            cell = value[name] if isinstance(value, Mapping) else getattr(value, name)
        except (KeyError, AttributeError):
            raise _no_column(where, name, value) from None
        if cell is not None and not isinstance(cell, kind):
            raise TypeError(f"{where}: column {name} is {kind.__name__}, and the value has {cell!r}")
        yield None if cell is None else kind(cell)
