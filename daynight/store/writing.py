"""The one way into a store: whatever is stored of a game passes here, by `Store.append` or by the library's calls."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from eventsourcing.persistence import IntegrityError, StoredEvent, Tracking

from daynight.framework.history import Moment
from daynight.framework.language.codec import encode_lines
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.happening import tag_of
from daynight.framework.language.wording import _
from daynight.store.database.mapper import command_id, game_name, stored_as
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.registry import check_kept
from daynight.store.database.rows import Append, Command, Cursor
from daynight.store.database.settings import Settings
from daynight.store.given import check_place, read_given
from daynight.store.moments.live import Live
from daynight.store.moments.past import Past, frozen
from daynight.store.proving.signing import Seen, followed, seen_after

LIVE = 64
"""How many games are kept ready for their next event."""


class Appended(msgspec.Struct, frozen=True, kw_only=True):
    """What an append stored: events `first` to `last` of the game, under this command id.

    `moments` are the events as stored and what each set off; none where the command had been stored before
    (`repeated`): then nothing was stored now.
    """

    game: str
    first: int
    last: int
    command: str
    repeated: bool = False
    moments: tuple[Moment[Any, Any], ...] = ()


@dataclass
class Asked:
    """What `Store.append` asks for beside its events, and the answer.

    The events are stored after the last one, which has to be event `expected` where that is given; the versions of
    their rows do not count.
    """

    command: str
    expected: int | None
    fresh: bool
    """Whether the id was made for this append, so that nothing was stored under it before."""
    answer: Appended = field(init=False)


class Writer:
    """Checks events and stores them: strictly read, filled in, compared with the rules, chained, signed.

    `settings` say how many events lie between two snapshots of a game.
    """

    def __init__(self, recorder: GamesRecorder, settings: Settings) -> None:
        self._recorder = recorder
        self._settings = settings
        self.lives: OrderedDict[str, tuple[Live[Any], Seen | None]] = OrderedDict()
        # Only those that somebody holds or waits for.
        self.locks: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
        self._guard = threading.Lock()
        # Ids of commands that were given none: they follow one another, and so do their rows.
        self._origin, self._count = uuid.uuid4().hex, count()

    def asked(self, command: str | None, expected: int | None) -> Asked:
        """What is asked beside the events; without a `command` it is given an id of its own.

        Raises:
            UnreadableError: where the id is none that a command may have.
        """
        if command is None:
            return Asked(f"{self._origin}-{next(self._count):08x}", expected, fresh=True)
        return Asked(command_id(command), expected, fresh=False)

    def lock(self, name: str) -> threading.Lock:
        """The one lock of a game in this process."""
        with self._guard:
            return self.locks.setdefault(name, threading.Lock())

    def insert(
        self,
        rows: Sequence[StoredEvent],
        *,
        tracking: Tracking | None = None,
        command: str | None = None,
        asked: Asked | None = None,
    ) -> list[int] | None:
        """Store rows of one game or several, all or none, and `tracking` with them; answers their places.

        Version n is event n. Rows that `Store.append` asks for are stored behind the last event, and no place is
        answered: nobody reads them, and they take as long as storing the rows.

        Raises:
            RecordError: at the first event that is refused.
            NotFoundError: where there is no such game, and none begins.
            IntegrityError: where they do not follow the last event, or the command's id was used for other events.
            DamagedError: where the last event is not what was stored, or something that the key has signed is missing.
        """
        by_game: dict[str, list[StoredEvent]] = {}
        for row in rows:
            by_game.setdefault(game_name(row.originator_id), []).append(row)
        answers: dict[str, Appended] = {}
        with ExitStack() as held:
            # Who is inside a transaction already keeps all others out; to wait there for a lock could be for ever.
            inside = self._recorder.inside
            for name in () if inside else sorted(by_game):
                held.enter_context(self.lock(name))
            # Out of the cache: after any exception the game is loaded anew.
            ready = {name: self._ready(name) for name in by_game}
            with self._recorder.transaction(write=True) as cursor:
                for name, mine in by_game.items():
                    wanted = asked or self._versions(mine, command)
                    ready[name], answers[name] = self._store(cursor, name, mine, wanted, *ready[name])
                if tracking is not None:
                    self._recorder.track(cursor, tracking)
                places = None if asked else self._places(rows, answers)
            if not inside:
                # Noted now: once the lock is let go the next one goes on with the game.
                with self._guard:
                    self.lives.update(ready)
                    while len(self.lives) > LIVE:
                        self.lives.popitem(last=False)
        if asked is not None:
            (asked.answer,) = answers.values()
        return places

    def _ready(self, name: str) -> tuple[Live[Any], Seen | None]:
        try:
            return self.lives.pop(name)
        except KeyError:
            return self._past(name).live(self._recorder.head(name).number), None

    def _past(self, name: str) -> Past:
        """What is stored of a game, each line compared with the chain: so was what a snapshot seals."""
        return Past(self._recorder, name, checked=True)

    def _versions(self, rows: Sequence[StoredEvent], command: str | None) -> Asked:
        """What rows ask for by their versions, which the library counts from 1."""
        first = rows[0].originator_version
        if [row.originator_version for row in rows] != list(range(first, first + len(rows))):
            raise IntegrityError("the versions of new events have to follow one another")
        return self.asked(command, first - 1)

    def _store(
        self, cursor: Cursor, name: str, rows: Sequence[StoredEvent], asked: Asked, live: Live[Any],
        seen: Seen | None,
    ) -> tuple[tuple[Live[Any], Seen | None], Appended]:  # fmt: skip
        """Store rows of a game while nobody else writes: so nobody gets between.

        Trying again whenever somebody was faster, eight writers got in each other's way.
        """
        recorder, interval, tags = self._recorder, self._settings.snapshots, [row.topic for row in rows]
        given = read_given(recorder.mechanic.language, [row.state for row in rows])
        for tag, event in zip(tags, given, strict=True):
            if tag != tag_of(type(event)):
                raise UnreadableError(stored_as(tag, event))
        request = sha256(encode_lines(given)[:-1]).digest()
        if not asked.fresh and (found := recorder.command(name, asked.command)):
            if found.request != request:
                sentence = _("the command id {id} was used for other events; take a new one")
                raise IntegrityError(sentence.format(id=repr(asked.command)))
            return (live, seen), Appended(
                game=name, first=found.first, last=found.last, command=found.id, repeated=True
            )
        head = recorder.last(cursor, name)
        seen = followed(recorder, name, head, seen)
        live = self._caught_up(name, live, head.number)
        first = live.number + 1
        if first == 1:
            # Another process may have made an empty store one of its mechanic since this one was opened.
            check_kept(recorder, recorder.mechanic.name, self._settings.shown)
        check_place(recorder.mechanic, name, first, given[0], asked.expected)
        events = [recorder.mechanic.fill(event) for event in given]
        lines = encode_lines(events)[:-1].split(b"\n")
        moments = live.advance(events)
        last = live.number
        snapshots = tuple(frozen(live)) if last // interval > head.number // interval else ()
        append = Append(Command(asked.command, first, last, request), snapshots, head, checked=True)
        now, signed = recorder.append(cursor, name, list(zip(tags, lines, strict=True)), append)
        answer = Appended(game=name, first=first, last=last, command=asked.command, moments=tuple(moments))
        return (live, seen_after(recorder, seen, now, signed)), answer

    def _caught_up(self, name: str, live: Live[Any], number: int) -> Live[Any]:
        """The live game after the last stored event, whoever stored it."""
        if live.number > number:
            return self._past(name).live(number)
        if live.number < number:
            for events in self._past(name).events(live.number, number):
                live.pass_over(events, stored=True)
        return live

    def _places(self, rows: Sequence[StoredEvent], answers: dict[str, Appended]) -> list[int]:
        """The place of each row's event in the order of all events of the store."""
        statement = (
            f"SELECT {self._recorder.place} FROM stored_events WHERE originator_id = ? AND originator_version >= ?"
            " AND originator_version <= ? ORDER BY originator_version"
        )
        found = {
            name: iter(self._recorder.select(statement, name, one.first, one.last)) for name, one in answers.items()
        }
        return [next(found[str(row.originator_id)])[0] for row in rows]
