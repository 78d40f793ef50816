"""The only way into a store: all events pass here, from `Store.append` and from calls of `eventsourcing`."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from hashlib import sha256
from itertools import count
from typing import Any

import msgspec
from eventsourcing.persistence import IntegrityError, ProgrammingError, StoredEvent, Tracking
from msgspec.structs import replace

from daynight.framework.edits import Recordable
from daynight.framework.folding.marks import check_unmarked, marked
from daynight.framework.folding.moment import Moment
from daynight.framework.language.codec import encode, encode_lines
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.happening import tag_of
from daynight.framework.language.wording import _
from daynight.store.database.declared import check_kept, note_rules
from daynight.store.database.mapper import command_id, game_name, stored_as
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import Append, Command, Cursor, Head
from daynight.store.database.settings import Settings
from daynight.store.errors import NotAcceptedError, NotSignedError
from daynight.store.given import RANDOM, check_place, has_given, has_spelled, read_given
from daynight.store.moments.live import Live
from daynight.store.moments.past import Past, frozen
from daynight.store.moments.snapshots import is_full_due
from daynight.store.proving.commands import stored_command
from daynight.store.proving.signing import (
    Seen,
    begun_with,
    followed,
    permitted_to_begin,
    say_others,
    say_unsigned,
    seen_after,
)
from daynight.store.threads import Lately, Locks, Process
from daynight.store.views import View

LIVE = 64
"""The number of games that are cached, ready for their next event."""


class Appended(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an append: events `first` to `last` of the game, under this command id.

    `moments` are the stored events with their consequences; empty if the command had been stored before (`repeated`):
    then nothing was stored now. `others`: the first and the last number of earlier events, some of which were stored
    without the signing key; this append signs and reports them. None if there are none.
    """

    game: str
    first: int
    last: int
    command: str
    repeated: bool = False
    moments: tuple[Moment[Any, Any], ...] = ()
    others: tuple[int, int] | None = None


class Asked(msgspec.Struct):
    """An append after reading: its events in stored form, and later its result, `answer`.

    They are stored after the last event, which must be event `expected` if that is given. `lines` are the tags and
    lines of the events. `given` are the events before completion, decoded from what was `sent`, and `request` is by
    default their SHA-256. `fresh`: the id was made for this append, so nothing was stored under it before. `placed`:
    they are a branch; the rules that its marks name have accepted it. `drawn`: the identity of a new game was drawn at
    random. `unsigned`: if the key refuses to sign, the events are stored all the same, and that is reported.
    """

    game: str
    given: list[Any]
    events: list[Any]
    lines: list[tuple[str, bytes]]
    request: bytes
    command: str
    fresh: bool
    expected: int | None
    placed: bool
    drawn: bool
    unsigned: bool
    sent: Sequence[Recordable]
    answer: Appended = None  # type: ignore[assignment]  # there is none before it is stored


class Writer:
    """Checks events and stores them: reads them strictly, completes them, applies the rules, chains and signs.

    `settings` has the number of events between two snapshots of a game.
    """

    def __init__(self, recorder: GamesRecorder, settings: Settings) -> None:
        self._recorder = recorder
        self._settings = settings
        self._begin()
        self.followers: list[View] = []
        """The views that apply events in the transaction that stores them; if it fails, they drop cached records."""
        self.draw: Callable[[], str] = partial(secrets.token_hex, 16)
        """Draws the identity of a new game: 128 random bits."""

    def _begin(self) -> None:
        """Initialise in this process, and again in a fork: there command ids would repeat, and locks may be held."""
        self._process = Process.number
        # Ids of commands that were given none: they follow one another, and so do their rows.
        self._origin, self._count = uuid.uuid4().hex, count()
        self.lives: Lately[str, tuple[Live, Seen | None]] = Lately(LIVE)
        self.locks = Locks()
        """The lock of each game in this process."""

    def asked(
        self,
        game: object,
        events: Iterable[Recordable],
        *,
        command: str | None = None,
        expected: int | None = None,
        request: bytes | None = None,
        placed: bool = False,
        begins: bool = False,
        unsigned: bool = False,
    ) -> Asked:
        """Read an append; without a `command` it gets a new id, without a `request` the SHA-256 of its events.

        `placed`: the events are a branch, which already has the marks of the rules that accepted it.
        `begins`: its first event is event 1 of a game, and gets random bits, which are not part of the request.

        Raises:
            UnreadableError: where an event is not valid, or the name of the game or of the command is not.
        """
        if self._process != Process.number:
            self._begin()
        mechanic = self._recorder.mechanic
        self._recorder.guarding.check()
        sent, name = list(events), game_name(game)
        given = read_given(mechanic.language, sent)
        if mechanic.language.marked and not placed:
            for index, event in enumerate(given):
                # It has no number yet: where it is among those given is what its sender knows.
                check_unmarked(event, "$" if len(given) == 1 else f"$[{index}]")
        written = encode_lines(given)[:-1]
        request = sha256(written).digest() if request is None else request
        id = f"{self._origin}-{next(self._count):08x}" if command is None else command_id(command)
        filled = [mechanic.fill(event) if type(event) in mechanic.fills else event for event in given]
        if begins:
            expected = 0
            filled[0] = replace(filled[0], meta={**(filled[0].meta or {}), RANDOM: self.draw()})
        written = written if filled == given else encode_lines(filled)[:-1]
        lines = list(zip(map(tag_of, filled), written.split(b"\n"), strict=True))
        return Asked(name, given, filled, lines, request, id, command is None, expected, placed, begins, unsigned, sent)

    def insert(
        self,
        rows: Sequence[StoredEvent],
        *,
        tracking: Tracking | None = None,
        command: str | None = None,
        asked: Asked | None = None,
    ) -> list[int] | None:
        """Store rows of some games and a follower's position (`tracking`), all or none; return the rows' positions.

        Version n is event n. Rows of an `asked` append have no versions, and None is returned: nobody needs their
        positions, and finding them takes as long as storing the rows.

        Raises:
            RecordError: at the first event that is refused.
            NotFoundError: where there is no such game, and the rows do not begin one.
            IntegrityError: where the rows do not follow the last event, or the command's id was used for other events.
            DamagedError: where the last event is not what was stored, or events that the key has signed are missing.
            NotAcceptedError: where somebody else undid or overruled something, and the key has not accepted it.
        """
        if asked is not None:
            if [(row.topic, row.state) for row in rows] != asked.lines:
                raise ProgrammingError("these rows were not asked for")
            return self._together([asked], (), tracking)
        by_game: dict[object, list[StoredEvent]] = {}
        for row in rows:
            by_game.setdefault(row.originator_id, []).append(row)
        return self._together([self._of_rows(mine, command) for mine in by_game.values()], rows, tracking)

    def _of_rows(self, rows: Sequence[StoredEvent], command: str | None) -> Asked:
        """Return the append for the rows of one game, whose versions, counted from 1, must follow one another."""
        first = rows[0].originator_version
        if [row.originator_version for row in rows] != list(range(first, first + len(rows))):
            raise IntegrityError("the versions of new events have to follow one another")
        states = [row.state for row in rows]
        asked = self.asked(rows[0].originator_id, states, command=command, expected=first - 1)
        for row, (tag, _line) in zip(rows, asked.lines, strict=True):
            if row.topic != tag:
                raise UnreadableError(stored_as(row.topic, tag))
        return asked

    def _held(self, appends: Sequence[Asked], *, inside: bool) -> AbstractContextManager[object]:
        """Return a context manager that holds the locks of the games; `inside` a transaction it does nothing.

        A thread there already excludes all others; waiting for a lock there could be a deadlock.
        """
        if inside:
            return nullcontext()
        if len(appends) == 1:
            return self.locks.of(appends[0].game)
        with ExitStack() as held:
            for name in sorted(asked.game for asked in appends):
                held.enter_context(self.locks.of(name))
            return held.pop_all()

    def _together(
        self, appends: Sequence[Asked], rows: Sequence[StoredEvent], tracking: Tracking | None
    ) -> list[int] | None:
        """Store appends in one transaction; return the positions of the given rows, None if there are no rows."""
        inside = self._recorder.inside
        with self._held(appends, inside=inside):
            # Remove it from the cache, so that after any exception the game is loaded again.
            ready = {asked.game: self.lives.take(asked.game) or (self._read(asked.game), None) for asked in appends}
            try:
                with self._recorder.transaction(write=True) as cursor:
                    for asked in appends:
                        ready[asked.game] = self._store(cursor, asked, *ready[asked.game])
                    if tracking is not None:
                        self._recorder.track(cursor, tracking)
                    for follower in self.followers:
                        follower.follow()
                    places = self._places(rows, appends) if rows else None
            except BaseException:
                # Nothing was stored, so followers forget what they took in.
                for follower in self.followers:
                    follower.forget()
                raise
            if not inside:
                # Note it before the lock is released: the next writer continues with this game.
                for name, live in ready.items():
                    self.lives.put(name, live)
        return places

    def _read(self, name: str) -> Live:
        return self._past(name).live(self._recorder.head(name).number)

    def _past(self, name: str) -> Past:
        """Return the reader of a game's stored events, which compares each line with the chain."""
        return Past(self._recorder, name, checked=True)

    def _store(self, cursor: Cursor, asked: Asked, live: Live, seen: Seen | None) -> tuple[Live, Seen | None]:
        """Store an append while no other process writes; return the live game after it, and its `Seen`.

        It does not retry optimistically: that made eight writers hinder each other.
        """
        recorder, name, id, interval = self._recorder, asked.game, asked.command, self._settings.snapshots
        if not asked.fresh and (found := stored_command(recorder, name, id)):
            if not self._is_repeated(found, asked):
                sentence = _("the command id {id} was used for other events; take a new one")
                raise IntegrityError(sentence.format(id=repr(id)))
            asked.answer = Appended(game=name, first=found.first, last=found.last, command=id, repeated=True)
            return live, seen
        head = recorder.last(cursor, name)
        seen = self._followed_by(asked, head, seen)
        if live.number != head.number:
            live = self._caught_up(name, live, head.number)
        first = live.number + 1
        if first == 1:
            # Another process may have made an empty store one of its mechanic since this one was opened.
            check_kept(recorder, recorder.mechanic.name, self._settings.shown)
        check_place(recorder.mechanic, name, first, asked.events[0], asked.expected)
        if recorder.mechanic.check is not None and not asked.placed:
            self._mark(asked, live)
        identity = self._begun(asked) if first == 1 else seen.identity
        last = head.number + len(asked.events)
        due = last // interval > head.number // interval
        full = due and is_full_due(head.number, last, interval)
        live = self._past(name).recalled(live) if full else live
        moments = live.advance(asked.events, checked=asked.placed)
        snapshots = tuple(frozen(live, full=full)) if due else ()
        signs = recorder.signer is not None and identity != b""
        append = Append(Command(id, first, last, asked.request), snapshots, head, signs, identity)
        if not live.noted:
            recorder.guarding.keep(cursor)
            note_rules(recorder, cursor, name, head.number + 1)
            live.noted = True
        if seen.due:
            recorder.add_signatures(cursor, name, [head], identity)
            say_others(recorder, name, seen)
        now, signed = recorder.append(cursor, name, asked.lines, append)
        moved = tuple(moments)
        asked.answer = Appended(game=name, first=first, last=last, command=id, moments=moved, others=seen.others)
        return live, seen_after(recorder, seen, now, signed or (head if seen.due else None), identity)

    def _followed_by(self, asked: Asked, head: Head, seen: Seen | None) -> Seen:
        """Return the `Seen` of a game before an append; it has an identity if the key signs the game.

        Raises:
            DamagedError: as `followed`.
            NotSignedError, NotAcceptedError: as `followed`, unless the game may be stored unsigned.
        """
        try:
            return followed(self._recorder, asked.game, head, seen)
        except (NotSignedError, NotAcceptedError) as error:
            if not asked.unsigned:
                raise
            say_unsigned(self._recorder, asked.game, error)
            return followed(self._recorder, asked.game, head, None, signing=False)

    def _begun(self, asked: Asked) -> bytes:
        """Return the identity of a new game. If the key refuses: b"" if `asked.unsigned`, else raise NotSignedError."""
        identity = begun_with(asked.game, *asked.lines[0])
        try:
            permitted_to_begin(self._recorder, asked.game, identity, drawn=asked.drawn)
        except NotSignedError as error:
            if not asked.unsigned:
                raise
            say_unsigned(self._recorder, asked.game, error)
            return b""
        return identity

    def _mark(self, asked: Asked, live: Live) -> None:
        """Mark the first event with the current rules, unless the same rules accepted the events before it."""
        version = self._recorder.mechanic.version
        if live.rules != version:
            asked.events[0] = marked(asked.events[0], version)
            asked.lines[0] = tag_of(asked.events[0]), encode(asked.events[0])

    def _is_repeated(self, found: Command, asked: Asked) -> bool:
        """Return whether a command stored exactly these events: they are compared, because its row may be forged.

        The `request` in the row may differ if the stored lines have old tags by now, or if completed fields were given.
        """
        if found.request == asked.request:
            # What else a server writes into `meta` was not asked for.
            return self.has_stored(asked.game, found, asked.given, asked.events, but=("rules", "meta"))
        if self._is_old(asked.game, found):
            is_stored = self.has_stored(asked.game, found, asked.given, asked.events)
            return is_stored and has_spelled(self._stored(asked.game, found), asked.given, asked.sent)
        return self.has_stored(asked.game, found, asked.events, asked.events)

    def has_stored(
        self, game: str, command: Command, given: Sequence[Any], filled: Sequence[Any], *,
        but: Collection[str] = ("rules",),
    ) -> bool:  # fmt: skip
        """Return whether the lines that a command's row names are these events, as given or as completed.

        Fields in `but` are ignored. Lines with old tags may have more fields: those that upcasting adds.

        Raises:
            DamagedError: where the lines are not what was stored.
        """
        return has_given(self._stored(game, command), given, filled, exactly=not self._is_old(game, command), but=but)

    def _stored(self, game: str, command: Command) -> list[Any]:
        return [event for some in self._past(game).events(command.first - 1, command.last) for event in some]

    def _is_old(self, game: str, command: Command) -> bool:
        """Return whether any line of a command has an old tag."""
        statement = (
            "SELECT DISTINCT topic FROM stored_events WHERE originator_id = ? AND originator_version >= ?"
            " AND originator_version <= ?"
        )
        found = self._recorder.select(statement, game, command.first, command.last)
        return any(tag not in self._recorder.mechanic.language.tags for (tag,) in found)

    def _caught_up(self, name: str, live: Live, number: int) -> Live:
        """Return the live game after the last stored event, whichever process stored it."""
        if live.number > number:
            return self._past(name).live(number)
        if live.number < number:
            for events in self._past(name).events(live.number, number):
                live.pass_over(events, stored=True)
        return live

    def _places(self, rows: Sequence[StoredEvent], appends: Sequence[Asked]) -> list[int]:
        """Return the position of each row's event in the order of all events of the store."""
        statement = (
            f"SELECT {self._recorder.place} FROM stored_events WHERE originator_id = ? AND originator_version >= ?"
            " AND originator_version <= ? ORDER BY originator_version"
        )
        answers = [asked.answer for asked in appends]
        found = {one.game: iter(self._recorder.select(statement, one.game, one.first, one.last)) for one in answers}
        return [next(found[str(row.originator_id)])[0] for row in rows]
