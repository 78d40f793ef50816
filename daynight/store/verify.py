"""Verifying: what is stored held against its chain, its signatures, the rules, and what somebody noted down.

It proves that a game is what was stored, given something from outside the store: a noted code, or trust in a key. A
store alone proves only that it fits together: who can write the file can write all of it anew. What it never proves
is that what was recorded is what happened at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import Any

from msgspec import Struct

from daynight.events.errors import RecordError
from daynight.events.reader import read_blocks
from daynight.events.vocabulary import Event, tag_of
from daynight.events.wording import _
from daynight.history import Standing
from daynight.state import State
from daynight.store.chain import ORIGIN, code_of, digests, parse_code
from daynight.store.errors import DamagedError
from daynight.store.guard import guarded
from daynight.store.keys import attested
from daynight.store.live import Live
from daynight.store.mapper import event_of
from daynight.store.past import Past
from daynight.store.rows import Command, GamesRecorder, Row
from daynight.store.snapshots import OutdatedError, freeze, thaw
from daynight.store.store import Store

__all__ = ["Fault", "Signature", "Verified", "check_signatures", "verify_game", "verify_store"]


class Fault(Struct, frozen=True):
    """The first thing that is wrong: at event `event`, or None where it is no one event's."""

    event: int | None
    sentence: str


class Signature(Struct, frozen=True):
    """A head that a key has signed: its event, the public key and the signature."""

    event: int
    signer: bytes
    signature: bytes


class Verified(Struct, frozen=True, kw_only=True):
    """What verifying a game found: how many events are whole, and what is wrong, if anything is.

    `code` is that of the last whole event; `signed` the last one whose head is signed, `signers` the keys that did.
    """

    game: str
    events: int
    code: str = ""
    signed: int = 0
    signers: tuple[str, ...] = ()
    fault: Fault | None = None


def verify_store(
    store: Store,
    games: Sequence[str] = (),
    *,
    code: str | None = None,
    progress: Callable[[int], None] = lambda events: None,
) -> Iterator[Verified]:
    """Verify these games, or all of a store; with all of them also what belongs to none.

    `code` is the noted one of the only game given.

    Raises:
        NotFoundError: where there is no such game.
        DamagedError: where the database itself is damaged.
    """
    with guarded():
        store.recorder.check()
        names = list(games) or [name for name, _number in store.recorder.games()]
        strays = [] if games else store.recorder.strays()
    for name in names:
        store.head(name)
        with guarded(game=name):
            yield verify_game(store.recorder, name, code=code, progress=progress)
    for game, table in strays:
        sentence = _("{table}: rows of a game that is not there").format(table=table)
        yield Verified(game=game, events=0, fault=Fault(None, sentence))


def verify_game(
    recorder: GamesRecorder,
    game: str,
    *,
    code: str | None = None,
    progress: Callable[[int], None] = lambda events: None,
) -> Verified:
    """Verify one stored game: every row, the chain, the rules, snapshots, commands, signatures and a noted code.

    Raises:
        SettingsError: where the code is none.
    """
    noted = None if code is None else parse_code(code)
    walk = _Walk(recorder, game, noted[0] if noted else None)
    fault = walk.go(progress)
    if fault is None:
        fault = walk.afterwards()
    if fault is None and noted is not None:
        fault = check_noted(noted, walk.noted, walk.number)
    signatures = [each for each in walk.signatures if each.event <= walk.number]
    signed = max((each.event for each in signatures), default=0)
    return Verified(
        game=game,
        events=walk.number,
        code=code_of(walk.number, walk.digest) if walk.number else "",
        signed=signed,
        signers=tuple(sorted({each.signer.hex() for each in signatures if each.event == signed})),
        fault=fault,
    )


def check_noted(noted: tuple[int, str], digest: bytes | None, last: int) -> Fault | None:
    """A noted code held against the digest of its event."""
    number, code = noted
    if digest is None:
        sentence = _("a code of event {event} was noted, but event {last} is the last one").format(
            event=number, last=last
        )
        return Fault(last + 1, sentence)
    if code_of(number, digest) != code:
        sentence = _("it is not what was noted as {code}: events up to {event} were written anew").format(
            code=code, event=number
        )
        return Fault(None, sentence)
    return None


def check_signatures(game: str, signatures: Sequence[Signature], wanted: dict[int, bytes], last: int) -> Fault | None:
    """Signed heads held against the digests of their events; the first that does not fit bounds what was changed."""
    good = 0
    for each in signatures:
        digest = wanted.get(each.event)
        if digest is None:
            sentence = _("a head of event {event} is signed, but event {last} is the last one").format(
                event=each.event, last=last
            )
            return Fault(last + 1, sentence)
        if not attested(each.signer, each.signature, game, each.event, digest):
            sentence = _("the signature of event {event} does not fit: events {first} to {event} were written anew")
            return Fault(good + 1, sentence.format(event=each.event, first=good + 1))
        good = each.event
    return None


class _Walk:
    """One walk over a game's rows, as far as they are whole."""

    def __init__(self, recorder: GamesRecorder, game: str, noted: int | None) -> None:
        self._recorder = recorder
        self._game = game
        self._noted = noted
        self.number = 0
        self.digest = ORIGIN
        self.noted: bytes | None = None
        self.signatures = [Signature(*each) for each in recorder.signatures(game)]
        self._wanted = {each.event: b"" for each in self.signatures}
        self._snapshots = recorder.snapshot_numbers(game)
        self._live = Live(Past(recorder, game, snapshots=False), State(), Standing(), whole=True)

    def go(self, progress: Callable[[int], None]) -> Fault | None:
        """Over all rows, to the first that is not what was stored."""
        for rows in self._recorder.rows(self._game):
            whole = self._whole(rows)
            fault = self._chained(rows[:whole])
            if fault is not None:
                return fault
            if whole < len(rows):
                return self._strange(rows[whole])
            progress(self.number)
        return None

    def _whole(self, rows: Sequence[Row]) -> int:
        """How many of these rows are ours by their looks, with the numbers they should have."""
        for index, row in enumerate(rows):
            if (
                row.number != self.number + 1 + index
                or type(row.number) is not int
                or type(row.line) is not bytes
                or type(row.tag) is not str
                or type(row.digest) is not bytes
            ):
                return index
        return len(rows)

    def _strange(self, row: Row) -> Fault:
        event = self.number + 1
        if row.number != event:
            return Fault(event, _("event {event} is missing").format(event=event))
        return Fault(event, _("event {event} is not stored as events are").format(event=event))

    def _chained(self, rows: Sequence[Row]) -> Fault | None:
        """These rows held against the chain first, which finds every change, and then against the rules."""
        first = self.number + 1
        pairs = ((row.tag, row.line) for row in rows)
        good = 0
        for row, digest in zip(rows, digests(self.digest, self._game, first, pairs), strict=True):
            if row.digest != digest:
                break
            good += 1
        fault = self._played(rows[:good])
        if fault is not None:
            return fault
        if good < len(rows):
            event = first + good
            return Fault(event, _("event {event} is not what was stored: its digest differs").format(event=event))
        return None

    def _played(self, rows: Sequence[Row]) -> Fault | None:
        events: list[Event] = []
        fault: Fault | None = None
        try:
            events = _decoded(rows)
        except DamagedError as error:
            fault = Fault(error.event, error.sentence)
            rows = rows[: (error.event or 0) - self.number - 1]
            events = [event_of(row.tag, row.line) for row in rows]
        at = 0
        stops = [number - self.number for number in self._snapshots if self.number < number <= self.number + len(rows)]
        for stop in [*stops, len(rows)]:
            try:
                self._live.advance(events[at:stop])
            except RecordError as error:
                return Fault(error.line, f"{error.path}: {error.sentence}")
            for row in rows[at:stop]:
                if row.number in self._wanted:
                    self._wanted[row.number] = row.digest
                if row.number == self._noted:
                    self.noted = row.digest
            if stop > at:
                self.number, self.digest = rows[stop - 1].number, rows[stop - 1].digest
            at = stop
            if self.number in self._snapshots and (wrong := self._snapshot_fault()):
                return wrong
        return fault

    def _snapshot_fault(self) -> Fault | None:
        data = next(data for _number, data in self._recorder.snapshot(self._game, self.number))
        try:
            thaw(data)
        except OutdatedError:
            return None
        except DamagedError as error:
            return Fault(
                self.number, _("the snapshot of event {event}: {reason}").format(event=self.number, reason=error)
            )
        if data != freeze(self._live.state, self._live.standing):
            sentence = _("the snapshot of event {event} is not that of the game").format(event=self.number)
            return Fault(self.number, sentence)
        return None

    def afterwards(self) -> Fault | None:
        """What is stored beside the events: signed heads, snapshots and commands of events that are there."""
        wanted = {event: digest for event, digest in self._wanted.items() if event <= self.number}
        fault = check_signatures(self._game, self.signatures, wanted, self.number)
        if fault is not None:
            return fault
        if late := [number for number in self._snapshots if number > self.number]:
            sentence = _("a snapshot of event {event}, but event {last} is the last one")
            return Fault(self.number + 1, sentence.format(event=late[0], last=self.number))
        return _commands_fault(self._recorder.commands(self._game), self.number)


def _commands_fault(commands: Sequence[Command], last: int) -> Fault | None:
    reached = 0
    for command in sorted(commands, key=lambda command: command.first):
        if not reached < command.first <= command.last <= last:
            sentence = _("command {command} is said to have stored events {first} to {last}")
            return Fault(
                min(max(command.first, 1), last + 1),
                sentence.format(command=repr(command.id), first=command.first, last=command.last),
            )
        reached = command.last
    return None


def _decoded(rows: Sequence[Row]) -> list[Event]:
    """The events of rows whose digests are right: all at once, as a record is read, and one by one where need be."""
    lines: list[Any] = [row.line for row in rows]
    if not lines:
        return []
    try:
        events = [event for events in read_blocks(BytesIO(b"\n".join(lines) + b"\n")) for event in events]
    except RecordError:
        events = []
    if len(events) == len(rows) and all(
        tag_of(type(event)) == row.tag for event, row in zip(events, rows, strict=True)
    ):
        return events
    found: list[Event] = []
    for row in rows:
        try:
            found.append(event_of(row.tag, row.line))
        except DamagedError as error:
            raise error.located(event=row.number) from None
    return found
