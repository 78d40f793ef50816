"""The library: a row for each game, kept up with the events, so that nobody has to replay them all to list them.

The rows and how far they have come are stored in one transaction. So wherever a projector is killed, the next one goes
on from there and takes every event in once; and of two at the same time one is too late, and begins its batch again.
A row holds what follows from a game's events up to there, never what came of adding to the row before.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from itertools import groupby
from operator import itemgetter
from typing import Any, cast

from eventsourcing.persistence import IntegrityError, Tracking
from msgspec import Struct

from daynight.events import Designation, Event
from daynight.events.language import TAGS, read_blocks
from daynight.framework.audit import Verdict
from daynight.framework.language.errors import RecordError
from daynight.framework.language.wording import _
from daynight.store.database.guard import guarded
from daynight.store.database.mapper import is_line
from daynight.store.database.rows import Cursor
from daynight.store.errors import ConflictError, DamagedError
from daynight.store.folds import Fold, back_ups, cold, standing
from daynight.store.store import Store

NAME = "library"
"""The name under which it is noted how far the library has come."""

BATCH = 5000
"""How many events are taken in at a time."""

WARM = 128
"""How many games are kept ready for their next event."""

ATTEMPTS = 100
"""How often a batch is begun again that another projector was faster with."""

_VERDICTS = ("disputed", "exact", "unverified")
_COLUMNS = "game, events, turns, spells, changes, possible, verdict, disputes, over"
_GAME = itemgetter(1)


class Entry(Struct, frozen=True, kw_only=True):
    """A game of the library.

    `events` are all of them; `turns`, `spells` (casts), `changes` (of the designation, in any possibility) and
    `disputes` those of what was not undone. `possible`: the designations that are possible now.
    """

    game: str
    events: int
    turns: int
    spells: int
    changes: int
    possible: tuple[Designation, ...]
    verdict: Verdict
    disputes: int
    over: bool

    @property
    def designation(self) -> Designation | None:
        """The designation, or None where more than one is possible."""
        return self.possible[0] if len(self.possible) == 1 else None


class Totals(Struct, frozen=True, kw_only=True):
    """All games of the library together.

    `designations` and `verdicts` say how many games there are of each; a game of which more than one designation is
    possible counts under None.
    """

    games: int
    events: int
    turns: int
    spells: int
    changes: int
    disputes: int
    over: int
    designations: dict[Designation | None, int]
    verdicts: dict[Verdict, int]


class Library:
    """The library of a store.

    >>> with Store.open("memory:") as store:
    ...     appended = store.new("friday", ["Ana", "Bo"])
    ...     library = Library(store)
    ...     library.catch_up()
    ...     [(entry.game, entry.designation, entry.verdict) for entry in library.rows()]
    1
    [('friday', Designation.NEITHER, 'unverified')]
    """

    def __init__(self, store: Store) -> None:
        self._recorder = store.recorder
        self._warm: OrderedDict[str, Fold] = OrderedDict()
        # Where nothing may be stored: how far it has come, and all rows, for as long as somebody asks.
        self._aside: tuple[int, dict[str, tuple[Any, ...]]] | None = None
        self._lock = threading.Lock()

    def catch_up(self, progress: Callable[[int], None] | None = None, batch: int = BATCH) -> int:
        """Take in what was stored since the last time; answers how many events that was.

        `progress` hears how many they are so far, after each `batch` of events, which is then stored for good.

        Raises:
            DamagedError: naming the game and the event, where what is stored cannot have happened.
            UnavailableError: where the database does not answer; what was taken in stays.
            ConflictError: where other projectors were faster every time.
        """
        with self._lock, guarded():
            taken, lost = 0, 0
            while True:
                position = self._position()
                found = self._found(position, batch)
                if not found:
                    self._check(position)
                    return taken
                try:
                    self._take(position, found)
                except IntegrityError:
                    # What is warm stays true: it follows from the events alone.
                    lost += 1
                    if lost == ATTEMPTS:
                        raise ConflictError(_("too many others keep the library; try again")) from None
                    continue
                except BaseException:
                    self._warm.clear()
                    raise
                lost = 0
                taken += len(found)
                if progress is not None:
                    progress(taken)

    def rebuild(self, progress: Callable[[int], None] | None = None, batch: int = BATCH) -> int:
        """Forget the rows and take everything in anew; answers how many events. Interrupted, `catch_up` goes on.

        Raises:
            StoreError: as `catch_up`.
        """
        with self._lock, guarded():
            self._warm.clear()
            if self._recorder.fixed:
                self._aside = (0, {})
            else:
                self._forget()
        return self.catch_up(progress, batch)

    def _forget(self) -> None:
        with self._recorder.transaction(write=True) as cursor:
            cursor.execute("DELETE FROM library")
            cursor.execute(self._recorder.sql("DELETE FROM tracking WHERE application_name = ?"), (NAME,))

    def behind(self) -> int:
        """How many events are stored and not yet taken in.

        Raises:
            UnavailableError: where the database does not answer.
        """
        with guarded():
            place = self._recorder.place
            found = self._recorder.select(f"SELECT count(*) FROM stored_events WHERE {place} > ?", self._position())
            return int(found[0][0])

    def rows(self) -> list[Entry]:
        """The games by name, as far as they were taken in.

        Raises:
            DamagedError: where a row is none of ours.
        """
        with guarded():
            return sorted(map(_entry, self._rows()), key=_name)

    def totals(self) -> Totals:
        """All games together, as far as they were taken in.

        Raises:
            DamagedError: where a row is none of ours.
        """
        with guarded():
            found = self._sums()
        designations: dict[Designation | None, int] = dict.fromkeys((*Designation, None), 0)
        verdicts: dict[Verdict, int] = dict.fromkeys(cast(Sequence[Verdict], _VERDICTS), 0)
        sums, ended = [0] * 6, 0
        for possible, verdict, over, *numbers in found:
            # The sums of PostgreSQL are decimals.
            try:
                games, *_rest = counts = [int(number) for number in numbers]
            except (ValueError, OverflowError):
                raise _no_row() from None
            one = _possible(possible)
            designations[one[0] if len(one) == 1 else None] += games
            verdicts[_verdict(verdict)] += games
            ended += games if over else 0
            sums = [before + count for before, count in zip(sums, counts, strict=True)]
        games, events, turns, spells, changes, disputes = sums
        return Totals(
            games=games,
            events=events,
            turns=turns,
            spells=spells,
            changes=changes,
            disputes=disputes,
            over=ended,
            designations=designations,
            verdicts=verdicts,
        )

    def _rows(self) -> Iterable[Any]:
        if self._aside is not None:
            return self._aside[1].values()
        return self._recorder.select(f"SELECT {_COLUMNS} FROM library")

    def _sums(self) -> list[Any]:
        """Sums of games that have the first three in common; aside, each game is one by itself."""
        if self._aside is not None:
            rows = self._aside[1].values()
            return [
                (possible, verdict, over, 1, *four, disputes) for _g, *four, possible, verdict, disputes, over in rows
            ]
        return self._recorder.select(
            "SELECT possible, verdict, over, count(*), sum(events), sum(turns), sum(spells), sum(changes),"
            " sum(disputes) FROM library GROUP BY possible, verdict, over"
        )

    # -------------------------------------------------------------------------------------------------- taking in

    def _position(self) -> int:
        if self._aside is not None:
            return self._aside[0]
        found = self._recorder.select("SELECT notification_id FROM tracking WHERE application_name = ?", NAME)
        if found and type(found[0][0]) is not int:
            raise _no_row()
        return int(found[0][0]) if found else 0

    def _check(self, position: int) -> None:
        """Whoever is said to be ahead of the events would wait for ever."""
        last = self._recorder.select(f"SELECT max({self._recorder.place}) FROM stored_events")[0][0] or 0
        if position > last:
            raise _no_row()

    def _found(self, position: int, batch: int) -> list[Any]:
        place = self._recorder.place
        return self._recorder.select(
            f"SELECT {place}, originator_id, originator_version, topic, state FROM stored_events"
            f" WHERE {place} > ? ORDER BY {place} LIMIT ?",
            position,
            batch,
        )

    def _take(self, position: int, found: list[Any]) -> None:
        """Take in a batch.

        Raises:
            IntegrityError: where somebody else has taken it in.
        """
        if {type(row[1]) for row in found} != {str}:
            raise DamagedError(_("{table}: a row that daynight never wrote").format(table="stored_events"))
        entries = []
        # Sorting is stable: the events of a game stay in their order.
        for game, rows in groupby(sorted(found, key=_GAME), key=_GAME):
            fold = self._advanced(game, list(rows))
            entries.append(fold.row(game))
        recorder = self._recorder
        if recorder.fixed:
            kept = {str(row[0]): tuple(row) for row in (*self._rows(), *entries)}
            self._aside = (found[-1][0], kept)
            return
        with recorder.transaction(write=True) as cursor:
            # Nobody else writes now. The position may not only be further: a rebuild takes it back.
            if self._position() != position:
                raise IntegrityError(f"{NAME}: no longer at {position}")
            self._put(cursor, entries)
            recorder.track(cursor, Tracking(NAME, found[-1][0]))

    def _put(self, cursor: Cursor, entries: list[tuple[Any, ...]]) -> None:
        columns = _COLUMNS.split(", ")
        cursor.executemany(
            self._recorder.sql(
                f"INSERT INTO library ({_COLUMNS}) VALUES ({', '.join('?' * len(columns))})"
                " ON CONFLICT (game) DO UPDATE SET "
                + ", ".join(f"{column} = excluded.{column}" for column in columns[1:])
            ),
            entries,
        )

    def _advanced(self, game: str, rows: list[Any]) -> Fold:
        """The fold of a game after these rows, which are the next of its events in the batch."""
        first, last = rows[0][2], rows[-1][2]
        if type(first) is not int or [row[2] for row in rows] != list(range(first, first + len(rows))):
            raise DamagedError(_("events are missing, or not in their order"), game=game)
        events = _read(game, first, rows)
        backed_up = back_ups(game, events, first)
        start, stretches = standing(backed_up, first - 1, last)
        fold = self._warm.get(game)
        if fold is None or fold.number != start:
            fold = cold(self._recorder, game, start)
        for after, until in stretches:
            fold.forward(game, events[after - first + 1 : until - first + 1], after)
        if backed_up:
            fold.hear(self._recorder, game)
        self._warm[game] = fold
        self._warm.move_to_end(game)
        while len(self._warm) > WARM:
            self._warm.popitem(last=False)
        return fold


def _read(game: str, first: int, rows: list[Any]) -> list[Event]:
    """The events of rows, strictly read."""
    tags = [row[3] for row in rows]
    if strange := sorted({str(tag) for tag in tags} - TAGS.keys()):
        raise DamagedError(_("unknown tag {topic}").format(topic=repr(strange[0])), game=game)
    states = [row[4] for row in rows]
    try:
        lines = b"\n%b\n" % b"\n".join(states)
    except TypeError:
        lines = b""
    # One by one only where there is a doubt: that costs as much as reading them.
    if lines.count(b"\n{") != len(states) or lines.count(b"\n") != len(states) + 1:
        for number, state in enumerate(states, first):
            if not is_line(state):
                raise DamagedError(_("what is stored is not one line"), game=game, event=number)
    lines = lines[1:]
    try:
        events = [event for found in read_blocks(BytesIO(lines)) for event in found]
    except RecordError as error:
        line = None if error.line is None else first + error.line - 1
        raise DamagedError(f"{error.path}: {error.sentence}", game=game, event=line) from None
    if [type(event) for event in events] != [TAGS[tag] for tag in tags]:
        raise DamagedError(_("an event is stored under the tag of another"), game=game, event=first)
    return events


def _name(entry: Entry) -> str:
    return entry.game


def _entry(row: Any) -> Entry:
    game, events, turns, spells, changes, possible, verdict, disputes, over = row
    if type(game) is not str or any(type(number) is not int for number in (*row[1:5], disputes, over)):
        raise _no_row()
    return Entry(
        game=game,
        events=events,
        turns=turns,
        spells=spells,
        changes=changes,
        possible=_possible(possible),
        verdict=_verdict(verdict),
        disputes=disputes,
        over=bool(over),
    )


def _possible(text: str) -> tuple[Designation, ...]:
    try:
        return tuple(map(Designation, str(text).split(",")))
    except ValueError:
        raise _no_row() from None


def _verdict(text: str) -> Verdict:
    if text not in _VERDICTS:
        raise _no_row()
    return cast(Verdict, text)


def _no_row() -> DamagedError:
    return DamagedError(_("the library has a row that is none; rebuild it"))
