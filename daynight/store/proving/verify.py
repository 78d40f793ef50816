"""Verifies stored games: compares them with their chain, their signatures, the rules, and noted codes.

It proves that a game is what was stored, given evidence from outside the store: a noted code, or trust in a key. A
store alone proves only that it is consistent: somebody who can write the file can rewrite all of it. It never proves
that the recorded events really happened at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daynight.framework.folding.fold import Watched
from daynight.framework.folding.marks import Checking, Refusal, spelled
from daynight.framework.language.errors import MechanicError, RecordError
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.names import is_name
from daynight.framework.language.wording import _
from daynight.store.database.declared import view_tables
from daynight.store.database.guard import guarded
from daynight.store.database.mapper import event_of, events_of
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import Head, Row, tables
from daynight.store.errors import (
    DamagedError,
    Fault,
    NotReadableError,
    Stop,
    StoppedError,
    StoreError,
    not_as_stored,
)
from daynight.store.moments.live import Live
from daynight.store.moments.past import Past
from daynight.store.moments.snapshots import OutdatedError, freeze, is_full, thaw
from daynight.store.proving.chain import ORIGIN, code_of, digests, parse_code, sealed, unsealed
from daynight.store.proving.commands import Commands, stored_commands
from daynight.store.proving.signatures import Signature, Signatures, SignedTurns, check_signatures
from daynight.store.store import AnyStore

_MOST = 2**53
"""The highest valid position in the order of all events; far above it, SQLite would choose positions at random."""


class Verified(Struct, frozen=True, kw_only=True):
    """The result of verifying a game: the number of intact events, and the first fault, if there is one.

    `code` is the code of the last intact event, and `identity` the digest of the first one. `stop` is where this code
    cannot read an intact record: from there on bytes, chain and signatures are checked, but not the rules. `refused`
    are the events that only the current rules refuse; `unchecked` counts the events accepted by rules that are unknown
    or not named.
    """

    game: str
    events: int
    code: str = ""
    identity: str = ""
    signatures: Signatures = Signatures()
    fault: Fault | None = None
    stop: Stop | None = None
    refused: tuple[int, ...] = ()
    unchecked: int = 0


def verify_store(
    store: AnyStore,
    games: Sequence[str] = (),
    *,
    code: str | None = None,
    progress: Callable[[int], None] = lambda events: None,
) -> Iterator[Verified]:
    """Verify these games, or the whole store, and yield the result of each game.

    A game without events whose rows are left in other tables is a fault. For the whole store, also yield a fault, with
    an empty `game`, for each invalid position of a follower. `code` is a noted code, if only one game is given.

    Raises:
        NotFoundError: where there is no such game.
        DamagedError: where the database itself is damaged.
    """
    recorder = store.recorder
    with guarded():
        recorder.check()
        there = [name for (name,) in recorder.select("SELECT DISTINCT originator_id FROM stored_events")]
        names = [name for name in there if is_name(name)]
    for name in games or sorted(names):
        if name not in names:
            left = [table for game, table in strays(recorder) if game == name]
            if not left:
                store.head(name)
            yield Verified(game=name, events=0, fault=_stray(left[0]))
            continue
        with guarded(game=name):
            found = verify_game(recorder, name, code=code, progress=progress)
            faults = [view.fault(name) for view in store.views] if found.fault is None and found.stop is None else []
            wrong = next(filter(None, faults), None)
        yield found if wrong is None else replace(found, fault=Fault(None, wrong))
    if games:
        return
    with guarded():
        lost = [(str(name), "stored_events") for name in there if not is_name(name)] + strays(recorder)
        ahead = list(stray_positions(recorder))
    for game, table in lost:
        yield Verified(game=game, events=0, fault=_stray(table))
    for sentence in ahead:
        yield Verified(game="", events=0, fault=Fault(None, sentence))


def _stray(table: str) -> Fault:
    return Fault(None, _("{table}: rows of a game that is not there").format(table=table))


def verify_game(
    recorder: GamesRecorder,
    game: str,
    *,
    code: str | None = None,
    progress: Callable[[int], None] = lambda events: None,
) -> Verified:
    """Verify one stored game: every row, the chain, the rules, snapshots, commands, signatures and a noted code.

    Raises:
        SettingsError: where `code` is not a code.
    """
    noted = None if code is None else parse_code(code)
    walk = _Walk(recorder, game, noted)
    try:
        fault = walk.go(progress)
    except DamagedError as error:
        fault = Fault(error.event, error.sentence)
    head = Head(walk.number, walk.digest)
    signatures = walk.turns.signatures(walk.signatures, walk.number, walk.digests)
    found = verified(game, head, signatures, fault, walk.stop, walk.identity)
    if walk.checking is None or walk.today is None:
        return found
    refused = tuple(refusal.event for refusal in walk.today.refusals)
    return replace(found, refused=refused, unchecked=sum(walk.checking.unknown.values()))


def verified(
    game: str, head: Head, signatures: Signatures, fault: Fault | None, stop: Stop | None = None, identity: bytes = b""
) -> Verified:
    """Return the result for a game that is intact up to `head`; `identity` is the digest of its event 1."""
    code, named = code_of(head.number, head.digest) if head.number else "", identity.hex()
    return Verified(
        game=game, events=head.number, code=code, signatures=signatures, fault=fault, stop=stop, identity=named
    )


def check_noted(noted: tuple[int, str], digest: bytes | None, last: int) -> Fault | None:
    """Return a fault if a noted code does not fit the `digest` of its event (None: it is after `last`); else None."""
    number, code = noted
    if digest is None:
        told = _("a code of event {event} was noted, but event {last} is the last one")
        sentence = told.format(event=number, last=last)
        return Fault(last + 1, sentence)
    if code_of(number, digest) != code:
        sentence = _(
            "the code of event {event} is {found}, not {code}:"
            " it was noted wrongly, or events up to {event} were written anew"
        ).format(code=code, event=number, found=code_of(number, digest))
        return Fault(None, sentence)
    return None


def _is_before(row: Row) -> bool:
    return isinstance(row.number, (int, float)) and row.number < 1


class _Walk:
    """Walks once over a game's rows, as far as they are intact, and over its rows in other tables."""

    def __init__(self, recorder: GamesRecorder, game: str, noted: tuple[int, str] | None) -> None:
        self._recorder = recorder
        self._game = game
        self._noted = noted
        self.number = 0
        self.digest = ORIGIN
        self.signatures: list[Signature] = []
        self.stop: Stop | None = None
        self.mechanic = recorder.mechanic
        self.turns = SignedTurns(self.mechanic)
        self._fits = Commands(self.mechanic, game, ())
        self._snapshots: list[int] = []
        self.digests: dict[int, bytes] = {}
        self.identity = b""
        self._asked: frozenset[int] = frozenset()
        self._place = 0
        self._before: list[int | float] = []
        self._past = Past(recorder, game, snapshots=False)
        has_check = self.mechanic.check is not None
        self.checking = Checking(self.mechanic) if has_check else None
        self.today = Checking(self.mechanic, rules=self.mechanic.version) if has_check else None
        watching = [one for one in (self.checking, self.today) if one is not None]
        self._live = Live(Watched(self.mechanic, watching), self._past)
        if recorder.guarding.error is not None:
            # Its lines would be read differently from what was meant.
            self.stop = Stop(1, recorder.guarding.error.sentence)

    def go(self, progress: Callable[[int], None]) -> Fault | None:
        """Walk over the events up to the first changed one, then check the other tables; return the first fault found.

        Raises:
            DamagedError: where a row is not even of the right types.
        """
        self.signatures = [Signature(*each) for each in self._recorder.signatures(self._game)]
        commands = stored_commands(self._recorder, self._game)
        self._fits = Commands(self.mechanic, self._game, commands)
        self._snapshots = self._recorder.snapshot_numbers(self._game)
        noted = (self._noted[0],) if self._noted else ()
        asked = (*noted, *(each.event for each in self.signatures), *(command.last for command in commands))
        self._asked = frozenset(asked)
        return self._events(progress) or self._beside()

    def _events(self, progress: Callable[[int], None]) -> Fault | None:
        for found in self._recorder.rows(self._game):
            # A row with such a number is missing in its place: naming that says more.
            strays = [row.number for row in takewhile(_is_before, found)]
            self._before += strays
            rows = found[len(strays) :]
            whole = self._whole(rows)
            fault = self._chained(rows[:whole])
            if fault is not None:
                return fault
            if whole < len(rows):
                return self._strange(rows[whole])
            progress(self.number)
        return None

    def _beside(self) -> Fault | None:
        """Return the first fault of signed heads, the noted code, snapshots and commands; None if they fit."""
        fault = check_signatures(self._game, self.signatures, self.digests, self.number)
        if fault is None and self._noted is not None:
            fault = check_noted(self._noted, self.digests.get(self._noted[0]), self.number)
        if fault is None and self._before:
            fault = Fault(None, _("an event of number {number}").format(number=self._before[0]))
        if fault is not None:
            return fault
        for number in self._snapshots:
            if not 1 <= number <= self.number:
                sentence = _("a snapshot of event {event}, but event {last} is the last one")
                return Fault(self.number + 1, sentence.format(event=number, last=self.number))
        return self._fits.fault(self.digests, self.number)

    def _whole(self, rows: Sequence[Row]) -> int:
        """Return how many rows come before the first one with a wrong type, number, position or an unknown tag."""
        known = set(filter(self._recorder.guarding.knows, {row.tag for row in rows}))
        place = self._place
        for number, row in enumerate(rows, self.number + 1):
            if (
                row.number != number
                or type(row.number) is not int
                or type(row.line) is not bytes
                or type(row.tag) is not str
                or type(row.digest) is not bytes
                or row.tag not in known
                or not place < row.place <= _MOST
            ):
                self._place = place
                return number - self.number - 1
            place = row.place
        self._place = place
        return len(rows)

    def _strange(self, row: Row) -> Fault:
        event = self.number + 1
        if row.number != event:
            return Fault(event, _("event {event} is missing").format(event=event))
        if type(row.tag) is str and not self._recorder.guarding.knows(row.tag):
            return Fault(event, _("unknown tag {topic}").format(topic=repr(row.tag[:NAME_LENGTH])))
        return Fault(event, _("event {event} is not stored as events are, or not in its place").format(event=event))

    def _chained(self, rows: Sequence[Row]) -> Fault | None:
        """Compare rows with the chain, and those before the first change with the rules; return the fault, if any."""
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
        if self.stop is not None:
            self._pass(rows)
            return None
        fault, events = self._read(rows)
        self.turns.take(self.number + 1, events)
        first, at = self.number, 0
        stops = [number - first for number in self._snapshots if first < number <= first + len(events)]
        for stop in [*stops, len(events)]:
            try:
                self._live.pass_over(events[at:stop])
            except RecordError as error:
                if (wrong := self._refused(self._past.refused(error, error.line))) is not None:
                    return wrong
                break
            if self.checking is not None and self.checking.refusals:
                return _by_its_rules(self.checking.refusals[0])
            self._pass(rows[at:stop])
            at = stop
            try:
                wrong = self._snapshot_fault() if self.number in self._snapshots else None
            except MechanicError as error:
                wrong = self._refused(not_as_stored(error, game=self._game, event=self.number))
                break
            if wrong is not None:
                return wrong
        if fault is None:
            # Those after the event at which this code stops, if it does.
            self._pass(rows[at:])
        return fault

    def _read(self, rows: Sequence[Row]) -> tuple[Fault | None, list[Any]]:
        """Return the fault, if there is one, and the events of the rows before the first invalid or unreadable one."""
        language = self.mechanic.language
        try:
            return None, events_of(language, self.number + 1, [row.tag for row in rows], [row.line for row in rows])
        except (DamagedError, NotReadableError) as error:
            good = rows[: (error.event or 0) - self.number - 1]
            return self._refused(error), [event_of(language, row.tag, row.line) for row in good]

    def _refused(self, error: StoreError) -> Fault | None:
        """Return the fault of a damaged row; for a row that this code cannot read, set `stop` and return None."""
        if isinstance(error, NotReadableError):
            rules = error.rules if isinstance(error, StoppedError) else None
            self.stop = Stop(error.event or self.number + 1, error.sentence, rules)
            return None
        return Fault(error.event, error.sentence)

    def _pass(self, rows: Sequence[Row]) -> None:
        """Move past rows with correct digests; note the number and digest of the last one, and digests needed later."""
        if self.stop is not None:
            self.turns.pass_over(rows)
        asked, acts = self._asked, self.turns.acts
        self.digests |= {row.number: row.digest for row in rows if row.number in asked or row.number in acts}
        self._fits.take(rows)
        if rows:
            self.identity = self.identity or rows[0].digest
            self.number, self.digest = rows[-1].number, rows[-1].digest

    def _snapshot_fault(self) -> Fault | None:
        data = next(data for _number, data in self._recorder.snapshot(self._game, self.number))
        bare = unsealed(data)
        try:
            thaw(self.mechanic, bare, recalls=True)
        except OutdatedError:
            return None
        except DamagedError as error:
            sentence = _("the snapshot of event {event}: {reason}")
            return Fault(self.number, sentence.format(event=self.number, reason=error))
        live = self._live
        right = freeze(
            self.mechanic, self.number, live.whole, live.standing, live.rules, full=is_full(self.mechanic, bare)
        )
        if data not in (right, sealed(self._game, self.number, right, self.digest)):
            sentence = _("the snapshot of event {event} is not that of the game").format(event=self.number)
            return Fault(self.number, sentence)
        return None


def _by_its_rules(refusal: Refusal) -> Fault:
    """Return the fault of an event that is refused by the same rules that, by the record, accepted it."""
    sentence = _("rules {rules}, which accepted it, refuse it: {path}: {reason}")
    told = {"rules": spelled(refusal.rules), "path": refusal.path, "reason": refusal.sentence}
    return Fault(refusal.event, sentence.format(**told))


def strays(recorder: GamesRecorder) -> list[tuple[str, str]]:
    """Return the games that have no events but rows in other tables, each with the name of the table."""
    found: list[tuple[str, str]] = []
    for table in (*tables(blob="", integer=""), *view_tables(recorder)):
        rows = recorder.select(
            f"SELECT DISTINCT game FROM {table} WHERE game NOT IN (SELECT originator_id FROM stored_events)"
        )
        found += [(str(game), table) for (game,) in rows]
    return sorted(found)


def stray_positions(recorder: GamesRecorder) -> Iterator[str]:
    """Yield a sentence for each position in `tracking` that is invalid, or so high that its follower waits for ever."""
    # Asked for first: followers go on meanwhile.
    followers = recorder.select("SELECT application_name, notification_id FROM tracking")
    last = recorder.select(f"SELECT max({recorder.place}) FROM stored_events")[0][0] or 0
    for name, place in followers:
        if type(name) is not str or type(place) is not int or not 0 <= place <= last:
            sentence = _("tracking: {name} is said to have come to {place}, but the last event stored is at {last}")
            yield sentence.format(name=repr(name), place=repr(place), last=last)
