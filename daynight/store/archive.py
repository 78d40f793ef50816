"""A whole store as one file of JSON lines: to keep, to hand over, to move between SQLite and PostgreSQL.

A line that says what it is; every event in the order in which it was stored, with its digest; the commands and the
signed heads of each game; and a last line with the count and the SHA-256 of all before it, so that a file that was
cut off is known for one. Written from a store that was made of an archive, it is the same, byte for byte. Snapshots
and the library are not in it: they are found again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Annotated, BinaryIO, Literal

import msgspec
from msgspec import Meta, Struct

from daynight.events.errors import UnreadableError
from daynight.events.strict import LINE_LENGTH
from daynight.events.terms import NAME_LENGTH
from daynight.events.wording import _
from daynight.replay import replay
from daynight.store.chain import ORIGIN, digest
from daynight.store.errors import ConflictError, DamagedError
from daynight.store.guard import guarded
from daynight.store.keys import attested
from daynight.store.mapper import event_of, game_name
from daynight.store.records import StoredRecord
from daynight.store.rows import BULK, Command, Cursor, Head, Row
from daynight.store.store import Store

__all__ = ["FORMAT", "is_archive", "read_archive", "write_archive"]

FORMAT = 1
"""The version of archives."""

_FIRST = b'{"type":"archive"'

Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Hex64 = Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]
Number = Annotated[int, Meta(ge=1, le=2**53 - 1)]
GameName = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    """The common part of all lines."""


class _Archive(_Line, frozen=True, tag="archive"):
    format: Literal[1]


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


class _End(_Line, frozen=True, tag="end"):
    lines: Number
    sha256: Hex32


_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[_Archive | _Event | _Command | _Head | _End] = msgspec.json.Decoder(
    _Archive | _Event | _Command | _Head | _End
)


def is_archive(beginning: bytes) -> bool:
    """Whether a file that begins like that is an archive."""
    return beginning.startswith(_FIRST)


def write_archive(store: Store, stream: BinaryIO, *, progress: Callable[[int], None] = lambda events: None) -> int:
    """Write all of a store as it is at this moment; answers the number of events.

    Raises:
        DamagedError: where rows are not ours; `verify` says more.
    """
    written, events, sum_ = 0, 0, sha256()

    def put(line: _Line) -> None:
        nonlocal written
        data = _ENCODER.encode(line) + b"\n"
        sum_.update(data)
        stream.write(data)
        written += 1

    with guarded(), store.recorder.reading():
        put(_Archive(1))
        for rows in store.recorder.all_rows():
            for row in rows:
                put(_written(row))
            events += len(rows)
            progress(events)
        for game, _last in store.recorder.games():
            for command in store.recorder.commands(game):
                put(_Command(game, command.id, command.first, command.last, command.request.hex()))
            for number, signer, signature in store.recorder.signatures(game):
                put(_Head(game, number, signer.hex(), signature.hex()))
    stream.write(_ENCODER.encode(_End(written, sum_.hexdigest())) + b"\n")
    return events


def _written(row: Row) -> _Event:
    try:
        return _Event(row.game, row.number, row.tag, row.line.decode(), row.digest.hex())
    except (AttributeError, UnicodeDecodeError):
        raise DamagedError(_("not stored as events are"), game=str(row.game)) from None


def read_archive(
    store: Store, stream: BinaryIO, *, progress: Callable[[int], None] = lambda events: None
) -> tuple[int, int]:
    """Take an archive into an empty store: all of it, or nothing. Answers how many games and events there were.

    Every line is read strictly, the chain is computed again, every game is held against the rules, and every
    signature is checked.

    Raises:
        UnreadableError: with its line, where the file is no archive, or not a whole one.
        DamagedError: where it is one, and was changed.
        ConflictError: where the store is not empty.
        RecordError: where a game in it is impossible.
    """
    with guarded(), store.recorder.transaction(write=True) as cursor:
        if store.recorder.games():
            raise ConflictError(_("an archive goes into an empty store; import its games one by one"))
        taken = _Taken(store, cursor)
        for line in _lines(stream):
            taken.take(line)
            progress(taken.events)
        taken.finish()
        return len(taken.heads), taken.events


def _lines(stream: BinaryIO) -> Iterator[_Event | _Command | _Head]:
    number, sum_ = 0, sha256()
    ended = False
    most = 2 * LINE_LENGTH + 2**12
    while data := stream.readline(most):
        number += 1
        try:
            if ended or len(data) == most or not data.endswith(b"\n"):
                raise UnreadableError(_("more than the lines of an archive") if ended else _("a line cut off"))
            line = _DECODER.decode(data)
        except (msgspec.MsgspecError, UnreadableError, RecursionError) as error:
            sentence = error.sentence if isinstance(error, UnreadableError) else str(error)
            raise UnreadableError(_("not an archive: {reason}").format(reason=sentence), line=number) from None
        if isinstance(line, _Archive) is not (number == 1):
            raise UnreadableError(_("an archive begins with one line that says so"), line=number)
        if isinstance(line, _End):
            if line.lines != number - 1 or line.sha256 != sum_.hexdigest():
                raise DamagedError(_("the archive was changed, or cut off in the middle: its sum differs"))
            ended = True
        elif not isinstance(line, _Archive):
            yield line
        sum_.update(data)
    if not ended:
        raise UnreadableError(_("the archive is cut off: its last line is missing"), line=number + 1)


class _Taken:
    """What was taken of an archive so far; rows are kept until there are enough of them."""

    def __init__(self, store: Store, cursor: Cursor) -> None:
        self._store = store
        self._cursor = cursor
        self._rows: list[Row] = []
        self.heads: dict[str, Head] = {}
        self.events = 0

    def take(self, line: _Event | _Command | _Head) -> None:
        if isinstance(line, _Event):
            self._event(line)
            return
        self._flush()
        if isinstance(line, _Command):
            self._command(line)
        else:
            self._head(line)

    def _event(self, line: _Event) -> None:
        before = self.heads.get(game_name(line.game), Head(0, ORIGIN))
        data = line.line.encode()
        found = digest(before.digest, line.game, line.number, line.tag, data)
        if line.number != before.number + 1 or found.hex() != line.digest:
            sentence = _("event {event} is not what was stored").format(event=before.number + 1)
            raise DamagedError(sentence, game=line.game, event=before.number + 1)
        try:
            event_of(line.tag, data)
        except DamagedError as error:
            raise error.located(game=line.game, event=line.number) from None
        self._rows.append(Row(line.game, line.number, line.tag, data, found))
        self.heads[line.game] = Head(line.number, found)
        self.events += 1
        if len(self._rows) == BULK:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._store.recorder.add_events(self._cursor, self._rows)
            self._rows = []

    def _command(self, line: _Command) -> None:
        last = self.heads.get(line.game, Head(0, ORIGIN)).number
        if not line.first <= line.last <= last:
            raise DamagedError(_("a command of events that are not there"), game=line.game)
        command = Command(line.command, line.first, line.last, bytes.fromhex(line.request))
        self._store.recorder.add_command(self._cursor, line.game, command)

    def _head(self, line: _Head) -> None:
        found = self._store.recorder.digest(line.game, line.number)
        signer, signature = bytes.fromhex(line.signer), bytes.fromhex(line.signature)
        if found is None or not attested(signer, signature, line.game, line.number, found):
            raise DamagedError(_("a signature that does not fit"), game=line.game, event=line.number)
        self._store.recorder.add_signature(self._cursor, line.game, line.number, signer, signature)

    def finish(self) -> None:
        """Hold every game against the rules."""
        self._flush()
        for game, head in sorted(self.heads.items()):
            replay(StoredRecord(self._store.recorder, game, head.number), remember=False)
