"""Writes a whole store as one file of JSON lines, to keep, to hand over, or to move to another database.

The first line names the format; then come every event in the order of storing, with its digest, the commands and signed
heads of each game, the versions of the rules that the store notes beside its lines, and a last line with the count and
the SHA-256 of everything before it, which reveals a truncated file. A store made from an archive writes the same
archive again, byte for byte. Snapshots and the list of games are left out: they are computed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from typing import Annotated, BinaryIO, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from daynight.framework.folding.marks import known, not_checked, not_known
from daynight.framework.language.errors import UnreadableError, locating
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.strict import LINE_LENGTH
from daynight.framework.language.wording import _
from daynight.store.database.declared import note_version, noted_rules
from daynight.store.database.guard import guarded
from daynight.store.database.mapper import command_id, event_of, game_name, is_line
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import BULK, Command, Cursor, Head, Hex32, Hex64, Number, Row
from daynight.store.errors import ConflictError, DamagedError, NotSignedError, UntrustedError
from daynight.store.inventory import is_empty
from daynight.store.proving.chain import ORIGIN, digest
from daynight.store.proving.commands import add_command, stored_commands
from daynight.store.proving.signing import permitted, say_unsigned
from daynight.store.proving.verify import verify_game
from daynight.store.store import AnyStore

FORMAT = 1
"""The version of archives."""

KEPT = 2**22
"""The number of bytes of lines that are collected before they are stored."""

_FIRST = b'{"type":"archive"'

GameName = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    """The common part of all lines."""


class _Archive(_Line, frozen=True, tag="archive"):
    """The first line. `language` is the SHA-256 of the description of the events, where the store keeps one."""

    format: Literal[1]
    language: Hex32 | UnsetType = UNSET


class _Event(_Line, frozen=True, tag="event"):
    game: GameName
    number: Number
    tag: str
    line: str
    digest: Hex32


class _Command(_Line, frozen=True, tag="command"):
    game: GameName
    command: str
    first: Number
    last: Number
    request: Hex32


class _Head(_Line, frozen=True, tag="head"):
    game: GameName
    number: Number
    signer: Hex32
    signature: Hex64


class _Rules(_Line, frozen=True, tag="rules"):
    """From event `number` on, a game was appended to under this version of a mechanic without `check`."""

    game: GameName
    number: Number
    version: Annotated[str, Meta(pattern=r"^[1-9][0-9]*(\.[1-9][0-9]*)*\Z", max_length=NAME_LENGTH)]


class _End(_Line, frozen=True, tag="end"):
    lines: Number
    sha256: Hex32


_ENCODER = msgspec.json.Encoder()
_Beside: TypeAlias = _Command | _Head | _Rules
"""The lines after all events, game by game, in this order."""

_DECODER: msgspec.json.Decoder[_Archive | _Event | _Beside | _End] = msgspec.json.Decoder(
    _Archive | _Event | _Beside | _End
)


def is_archive(beginning: bytes) -> bool:
    """Return whether a file with these first bytes is an archive."""
    return beginning.startswith(_FIRST)


def write_archive(store: AnyStore, stream: BinaryIO, *, progress: Callable[[int], None] = lambda events: None) -> int:
    """Write all of a store as it is at this moment; return the number of events.

    Raises:
        DamagedError: where rows were not written by daynight; `verify` says more.
    """
    written, events, sum_ = 0, 0, sha256()

    def put(line: _Line) -> None:
        nonlocal written
        data = _ENCODER.encode(line) + b"\n"
        sum_.update(data)
        stream.write(data)
        written += 1

    with guarded(), store.recorder.transaction(write=False):
        put(_Archive(1, store.recorder.guarding.digest() or UNSET))
        for rows in store.recorder.all_rows():
            for row in rows:
                put(_written(store.recorder, row))
            events += len(rows)
            progress(events)
        for game, _last in store.recorder.games():
            for command in stored_commands(store.recorder, game):
                put(_Command(game, command.id, command.first, command.last, command.request.hex()))
            for number, signer, signature in store.recorder.signatures(game):
                put(_Head(game, number, signer.hex(), signature.hex()))
            for number, version in noted_rules(store.recorder, game):
                put(_Rules(game, number, version))
    stream.write(_ENCODER.encode(_End(written, sum_.hexdigest())) + b"\n")
    return events


def _written(recorder: GamesRecorder, row: Row) -> _Event:
    with suppress(TypeError, UnicodeDecodeError, UnreadableError):
        is_right = type(row.number) is int and type(row.digest) is bytes
        if is_right and is_line(row.line) and recorder.guarding.knows(row.tag):
            return _Event(game_name(row.game), row.number, row.tag, row.line.decode(), row.digest.hex())
    event = row.number if type(row.number) is int else None
    raise DamagedError(_("not stored as events are"), game=str(row.game), event=event)


def read_archive(
    store: AnyStore, stream: BinaryIO, *, progress: Callable[[int], None] = lambda events: None,
    trust_rules: bool = False, tell: Callable[[str], object] = lambda sentence: None,
) -> tuple[int, int]:  # fmt: skip
    """Store an archive in an empty store: all of it, or nothing. Return the number of games and of events.

    Every line is read strictly, the chain is computed again, every game is compared with the rules, and every signature
    is checked. Events that name unknown rules are refused, unless `trust_rules`; so are events of older rules that the
    current step refuses. `tell` is called with a sentence about each game with unchecked events. The store's key signs
    nothing; the recorder reports the games that the key would refuse to sign.

    Raises:
        UnreadableError: with its line, where the file is not a complete archive, or rules are unknown.
        UntrustedError: where the current step refuses an event of older rules.
        NotReadableError: where this code does not know the tag of an event, or an upcaster fails.
        DamagedError: where the archive was changed, or a game in it breaks the rules.
        ConflictError: where the store is not empty.
    """
    with guarded(), store.recorder.transaction(write=True) as cursor:
        # Imported records must not meet another record's snapshots or commands.
        if not is_empty(store.recorder):
            raise ConflictError(_("an archive goes into an empty store; import its games one by one"))
        store.recorder.guarding.keep(cursor)
        taken = _Taken(store, cursor, trust=trust_rules, tell=tell)
        for number, line in _lines(stream):
            with locating(line=number):
                taken.take(line)
            if taken.events % BULK == 0:
                progress(taken.events)
        taken.finish()
        progress(taken.events)
        return len(taken.heads), taken.events


def _lines(stream: BinaryIO) -> Iterator[tuple[int, _Archive | _Event | _Beside]]:
    number, sum_ = 0, sha256()
    ended = False
    most = 2 * LINE_LENGTH + 2**12
    while data := stream.readline(most):
        number += 1
        try:
            if ended or len(data) == most or not data.endswith(b"\n"):
                raise UnreadableError(_("more than the lines of an archive") if ended else _("a line cut off"))
            line = _DECODER.decode(data)
            # So that a store made from it exports the same bytes.
            if _ENCODER.encode(line) + b"\n" != data:
                raise UnreadableError(_("a line that daynight writes otherwise"))
        except (msgspec.MsgspecError, UnreadableError, RecursionError, UnicodeDecodeError) as error:
            sentence = error.sentence if isinstance(error, UnreadableError) else str(error)
            raise UnreadableError(_("not an archive: {reason}").format(reason=sentence), line=number) from None
        if isinstance(line, _Archive) is not (number == 1):
            raise UnreadableError(_("an archive begins with one line that says so"), line=number)
        if isinstance(line, _End):
            if line.lines != number - 1 or line.sha256 != sum_.hexdigest():
                raise DamagedError(_("the archive was changed, or cut off in the middle: its sum differs"))
            ended = True
        else:
            yield number, line
        sum_.update(data)
    if not ended:
        raise UnreadableError(_("the archive is cut off: its last line is missing"), line=number + 1)


class _Taken:
    """Checks and stores the lines of an archive; rows are collected, and stored when they are many enough."""

    def __init__(self, store: AnyStore, cursor: Cursor, *, trust: bool, tell: Callable[[str], object]) -> None:
        self._store = store
        mechanic = store.mechanic
        self._rules = None if trust else {mechanic.version, *known(mechanic)}
        """The versions that events may name; None if any version is allowed."""
        self._tell = tell
        self._cursor = cursor
        self._rows: list[Row] = []
        self._kept = 0
        self._after: tuple[str, ...] = ()
        self.heads: dict[str, Head] = {}
        self.events = 0

    def take(self, line: _Archive | _Event | _Beside) -> None:
        if isinstance(line, _Archive):
            self._compare(line.language or None)
            return
        if isinstance(line, _Event):
            if self._after:
                raise UnreadableError(_("an event after what comes after all events"))
            self._event(line)
            return
        self._in_order(line)
        self._flush()
        if isinstance(line, _Command):
            self._command(line)
        elif isinstance(line, _Head):
            self._head(line)
        else:
            self._noted(line)

    def _compare(self, language: str | None) -> None:
        """Warn with `tell` if the archive's description of the events differs: nothing else shows a new default."""
        ours = self._store.recorder.guarding.digest()
        if language is not None and ours is not None and language != ours:
            told = _("written by code whose events differ from these: a default that changed changes what they mean")
            self._tell(told)

    def _in_order(self, line: _Beside) -> None:
        """Raise UnreadableError if lines are out of order: game by game, its commands by id, its heads, its rules."""
        if isinstance(line, _Command):
            place: tuple[str, ...] = (line.game, "command", command_id(line.command))
        elif isinstance(line, _Head):
            place = (line.game, "head", f"{line.number:020}", line.signer)
        else:
            place = (line.game, "rules", f"{line.number:020}")
        if place <= self._after:
            raise UnreadableError(_("lines out of their order"))
        self._after = place

    def _event(self, line: _Event) -> None:
        before = self.heads.get(game_name(line.game), Head(0, ORIGIN))
        data, language = line.line.encode(), self._store.mechanic.language
        with guarded(game=line.game, event=line.number):
            event = event_of(language, line.tag, data)
            rules = getattr(event, "rules", None)
            if self._rules is not None and rules is not None and rules not in self._rules:
                raise UnreadableError(not_known(self._store.mechanic, rules), path="$.rules")
        found = digest(before.digest, line.game, line.number, line.tag, data)
        if line.number != before.number + 1 or found.hex() != line.digest:
            sentence = _("event {event} is not what was stored").format(event=before.number + 1)
            raise DamagedError(sentence, game=line.game, event=before.number + 1)
        self._rows.append(Row(line.game, line.number, line.tag, data, found))
        self.heads[line.game] = Head(line.number, found)
        self.events += 1
        self._kept += len(data)
        if len(self._rows) == BULK or self._kept > KEPT:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._store.recorder.add_events(self._cursor, self._rows)
            self._rows, self._kept = [], 0

    def _command(self, line: _Command) -> None:
        last = self.heads.get(line.game, Head(0, ORIGIN)).number
        if not line.first <= line.last <= last:
            raise DamagedError(_("a command of events that are not there"), game=line.game)
        recorder = self._store.recorder
        found = recorder.digest(line.game, line.last) or ORIGIN
        command = Command(line.command, line.first, line.last, bytes.fromhex(line.request))
        add_command(recorder, self._cursor, line.game, command, found)

    def _head(self, line: _Head) -> None:
        if line.game not in self.heads:
            raise DamagedError(_("a signature of a game that is not there"), game=line.game)
        signer, signature = bytes.fromhex(line.signer), bytes.fromhex(line.signature)
        self._store.recorder.add_signature(self._cursor, line.game, line.number, signer, signature)

    def _noted(self, line: _Rules) -> None:
        if line.number > self.heads.get(line.game, Head(0, ORIGIN)).number:
            raise DamagedError(_("rules of events that are not there"), game=line.game)
        note_version(self._store.recorder, self._cursor, line.game, line.number, line.version)

    def finish(self) -> None:
        """Store the last rows; verify each game like a stored one: its chain, the rules, its commands and signatures.

        Raises:
            DamagedError, UntrustedError: as `read_archive`.
        """
        self._flush()
        for game in sorted(self.heads):
            found = verify_game(self._store.recorder, game)
            if found.fault is not None:
                raise DamagedError(found.fault.sentence, game=game, event=found.fault.event)
            if (stop := found.stop) is not None:
                if stop.rules and self._rules is not None:
                    raise UntrustedError(stop.sentence, game=game, event=stop.event)
                self._tell(f"{game}: {stop.sentence}")
            if found.unchecked:
                self._tell(f"{game}: {not_checked(found.unchecked)}")
            self._ask(game)

    def _ask(self, game: str) -> None:
        """Let the recorder report `game` if the store's key would refuse to sign its last event. Nothing is signed."""
        recorder = self._store.recorder
        if (signer := recorder.signer) is None:
            return
        try:
            permitted(recorder, signer, game, self.heads[game], arrived=True)
        except NotSignedError as error:
            say_unsigned(recorder, game, error)
