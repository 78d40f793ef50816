"""A stored game as a record: `db:GAME` is accepted wherever a file is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from itertools import filterfalse
from time import sleep
from typing import BinaryIO, cast

from daynight.framework.language.errors import RecordError
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.source import STORED, Source
from daynight.framework.language.wording import _
from daynight.store.database.guard import guarded
from daynight.store.database.mapper import is_line
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import BULK, Chunk, Row, typed
from daynight.store.errors import DamagedError, StoreError, altered, not_as_stored
from daynight.store.proving.chain import ORIGIN, digest, digests

HANDOVER = 0.0001
"""Seconds that a reader pauses, so that its helper thread can begin to fetch the next chunk."""


class StoredRecord(Source):
    """The lines of a stored game as a record. They are read in pieces, and can be read again.

    `refused(error, line)` makes the error that is raised instead of a `RecordError` while the record is open.
    """

    def __init__(
        self, recorder: GamesRecorder, game: str, until: int, *, checked: bool = False,
        refused: Callable[[RecordError, int | None], StoreError] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(f"{STORED}{game}")
        self._refused = refused
        self._recorder = recorder
        self._game = game
        self._until = until
        self._checked = checked

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the bytes of the record from the beginning.

        Raises:
            DamagedError: where events are missing or changed, or one is refused (unless `refused` makes another error).
            UnavailableError: where the store does not answer.
        """
        try:
            with guarded(game=self._game):
                if self._checked:
                    pieces = chained_lines_of(self._recorder, self._game, 0, self._until)
                else:
                    pieces = lines_of(self._recorder, self._game, 0, self._until)
                yield cast(BinaryIO, _Stream(pieces))
        except RecordError as error:
            # Its events were checked by the rules before they were stored.
            if self._refused is not None:
                raise self._refused(error, error.line) from error
            raise not_as_stored(error, game=self._game, event=error.line) from error


def lines_of(recorder: GamesRecorder, game: str, after: int, until: int) -> Iterator[bytes]:
    """Yield the lines of a game from event `after` + 1 to event `until`, in pieces of many lines; check their tags.

    Raises:
        DamagedError: where events are missing, have an unknown tag, or are not one line each.
    """
    reached, known = after, recorder.mechanic.language.tags.keys()
    for chunk in _chunks(recorder, game, after, until, digests=False):
        if strange := sorted(filterfalse(recorder.guarding.knows, {*chunk.tags} - known)):
            raise DamagedError(_("unknown tag {topic}").format(topic=repr(strange[0])), game=game)
        if not _is_whole(chunk):
            raise DamagedError(_("what is stored is not one line for each event"), game=game)
        reached = chunk.first + chunk.count - 1
        yield chunk.lines
    if reached != until:
        raise DamagedError(_("event {event} is missing").format(event=reached + 1), game=game, event=reached + 1)


def chained_lines_of(recorder: GamesRecorder, game: str, after: int, until: int) -> Iterator[bytes]:
    """Like `lines_of`, but compare each line with the chain, from the digest of event `after` on.

    Raises:
        DamagedError: at the first event that differs from what was stored.
    """
    reached, before, knows = after, _digest(recorder, game, after), recorder.guarding.knows
    if not after and recorder.select(_BEFORE, game):
        raise missing(recorder, game, 0)
    for chunk in _chunks(recorder, game, after, until, digests=True):
        lines = chunk.lines.split(b"\n")[:-1]
        found = b""
        if _is_whole(chunk) and len(chunk.tags) == chunk.count and all(map(knows, set(chunk.tags))):
            found = b"".join(digests(before, game, chunk.first, zip(chunk.tags, lines, strict=True)))
        if not found or found != chunk.digests:
            # Read row by row to find the event.
            for rows in chained_rows(recorder, game, until, reached):
                reached = rows[-1].number
                yield b"".join([row.line + b"\n" for row in rows])
            break
        reached, before = chunk.first + chunk.count - 1, found[-len(ORIGIN) :]
        yield chunk.lines
    if reached != until:
        raise missing(recorder, game, reached)


def chained_rows(recorder: GamesRecorder, game: str, until: int | None = None, after: int = 0) -> Iterator[list[Row]]:
    """Yield the rows of a game after event `after`, thousands at a time, after comparing each with the chain.

    Raises:
        DamagedError: at the first event that is not what was stored.
    """
    number, before, knows = after, _digest(recorder, game, after), recorder.guarding.knows
    for found in recorder.rows(game, after or None):
        rows = found if until is None else found[: until - number]
        for row in rows:
            number += 1
            if row.number != number:
                raise missing(recorder, game, number - 1)
            if not knows(row.tag):
                sentence = _("unknown tag {topic}")
                raise DamagedError(sentence.format(topic=repr(row.tag)[:NAME_LENGTH]), game=game, event=number)
            # A row that is no line has no right digest.
            whole = is_line(row.line) and row.digest == digest(before, game, number, row.tag, row.line)
            if not whole:
                raise altered(game, number)
            before = row.digest
        yield rows
        if number == until:
            return


def digests_of(recorder: GamesRecorder, game: str, after: int, until: int) -> list[bytes]:
    """Return the digests stored with the events after event `after`, up to `until`.

    Raises:
        DamagedError: where one of these events is missing.
    """
    statement = (
        "SELECT digest FROM stored_events WHERE originator_id = ? AND originator_version > ?"
        " AND originator_version <= ? ORDER BY originator_version"
    )
    found = [typed("stored_events", row, bytes)[0] for row in recorder.select(statement, game, after, until)]
    if len(found) != until - after:
        raise missing(recorder, game, after)
    return found


_BEFORE = "SELECT originator_version FROM stored_events WHERE originator_id = ? AND originator_version < 1 LIMIT 1"


def _digest(recorder: GamesRecorder, game: str, number: int) -> bytes:
    """Return the stored digest of an event, for number 0 the starting digest; DamagedError if the event is missing."""
    found = recorder.digest(game, number) if number else ORIGIN
    if found is None:
        raise missing(recorder, game, number - 1)
    return found


def _chunks(recorder: GamesRecorder, game: str, after: int, until: int, *, digests: bool) -> Iterator[Chunk]:
    chunks = recorder.chunks(game, after, until, digests=digests)
    # Inside a transaction of this thread only this thread can read.
    return _ahead(chunks) if until - after > BULK and not recorder.inside else chunks


def _is_whole(chunk: Chunk) -> bool:
    """Return whether a chunk has exactly one line per event, and each line begins with a brace."""
    lines = chunk.lines
    return lines.startswith(b"{") and lines.count(b"\n") == chunk.count == lines.count(b"\n{") + 1


def missing(recorder: GamesRecorder, game: str, after: int) -> DamagedError:
    """Return the error for a game with a gap somewhere after event `after`; it names the first missing number."""
    found = recorder.select(
        "SELECT originator_version FROM stored_events WHERE originator_id = ? AND originator_version > ?"
        " ORDER BY originator_version LIMIT ?",
        game,
        after,
        BULK,
    )
    event = next((event for event, (number,) in enumerate(found, after + 1) if number != event), after + 1)
    return DamagedError(_("event {event} is missing").format(event=event), game=game, event=event)


def _ahead(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    """Yield the chunks; a thread fetches the next one meanwhile, because reading takes as long as replaying."""
    fetched = partial(next, chunks, None)
    with ThreadPoolExecutor(1) as helper:
        coming = helper.submit(copy_context().run, fetched)
        while (chunk := coming.result()) is not None:
            coming = helper.submit(copy_context().run, fetched)
            # Let the helper thread start: without this pause it gets the interpreter too late.
            sleep(HANDOVER)
            yield chunk


class _Stream:
    """A readable file made from pieces."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._piece = b""
        self._read = 0

    def read(self, size: int = -1) -> bytes:
        if size < 0:
            taken = self._piece[self._read :] + b"".join(self._pieces)
            self._piece = b""
            return taken
        if self._read >= len(self._piece):
            self._piece, self._read = next(self._pieces, b""), 0
        taken = self._piece[self._read : self._read + size]
        self._read += size
        return taken
