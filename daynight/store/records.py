"""A stored game as a record: `db:GAME` wherever a file is taken."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from time import sleep
from typing import BinaryIO, cast

from daynight.events.errors import RecordError
from daynight.events.terms import NAME_LENGTH
from daynight.events.vocabulary import TAGS
from daynight.events.wording import _
from daynight.records import STORED, Record
from daynight.store.chain import ORIGIN, digest
from daynight.store.errors import DamagedError
from daynight.store.guard import guarded
from daynight.store.mapper import is_line
from daynight.store.recorder import GamesRecorder
from daynight.store.rows import BULK, Chunk, Head, Row

__all__ = ["StoredRecord", "chained_lines_of", "chained_rows", "lines_of", "missing"]


HANDOVER = 0.0001
"""Seconds until a thread that was asked to fetch does so."""


class StoredRecord(Record):
    """The lines of a stored game, from its first event on; read in pieces, and as often as one likes."""

    def __init__(self, recorder: GamesRecorder, game: str, until: int, *, checked: bool = False) -> None:
        super().__init__(f"{STORED}{game}")
        self._recorder = recorder
        self._game = game
        self._until = until
        self._checked = checked

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes of the record from their beginning.

        Raises:
            DamagedError: where the store holds no such events.
            UnavailableError: where it does not answer.
        """
        try:
            with guarded(game=self._game):
                if self._checked:
                    pieces = chained_lines_of(self._recorder, self._game, self._until)
                else:
                    pieces = lines_of(self._recorder, self._game, 0, self._until)
                yield cast(BinaryIO, _Stream(pieces))
        except RecordError as error:
            # It was held against the rules before it was stored.
            raise DamagedError(f"{error.path}: {error.sentence}", game=self._game, event=error.line) from None


def lines_of(recorder: GamesRecorder, game: str, after: int, until: int) -> Iterator[bytes]:
    """The lines of a game from event after + 1 to event until, in pieces, with nothing unknown among their tags.

    Raises:
        DamagedError: where events are missing, or have a tag that is not ours.
    """
    reached = after
    chunks = recorder.chunks(game, after, until)
    # Inside a transaction of this thread only this thread can read.
    if until - after > BULK and not recorder.inside:
        chunks = _ahead(chunks)
    for chunk in chunks:
        if strange := sorted(chunk.tags - TAGS.keys()):
            raise DamagedError(_("unknown tag {topic}").format(topic=repr(strange[0])), game=game)
        # Two events on one line would be two events, and packed data would be unpacked.
        if chunk.lines.count(b"\n") != chunk.count or not chunk.lines.startswith(b"{"):
            raise DamagedError(_("what is stored is not one line for each event"), game=game)
        reached = chunk.first + chunk.count - 1
        yield chunk.lines
    if reached != until:
        raise DamagedError(_("event {event} is missing").format(event=reached + 1), game=game, event=reached + 1)


def chained_lines_of(recorder: GamesRecorder, game: str, until: int) -> Iterator[bytes]:
    """The lines of a game up to event until, held against the chain: slower, and nothing that was changed gets through.

    Raises:
        DamagedError: at the first event that is not what was stored.
    """
    reached = 0
    for rows in chained_rows(recorder, game, until):
        reached += len(rows)
        yield b"\n".join([row.line for row in rows]) + b"\n"
    if reached != until:
        raise missing(recorder, game, reached)


def chained_rows(
    recorder: GamesRecorder, game: str, until: int | None = None, after: Head | None = None
) -> Iterator[list[Row]]:
    """The rows of a game after `after`, thousands at a time, each held against the chain before it is given.

    Raises:
        DamagedError: at the first event that is not what was stored.
    """
    number, before = (0, ORIGIN) if after is None else (after.number, after.digest)
    for found in recorder.rows(game, number or None):
        rows = found if until is None else found[: until - number]
        for row in rows:
            number += 1
            if row.number != number:
                raise missing(recorder, game, number - 1)
            if row.tag not in TAGS:
                raise DamagedError(
                    _("unknown tag {topic}").format(topic=repr(row.tag)[:NAME_LENGTH]), game=game, event=number
                )
            # What is no line has no digest that could be right, whatever stands beside it.
            whole = is_line(row.line) and row.digest == digest(before, game, number, row.tag, row.line)
            if not whole:
                sentence = _("event {event} is not what was stored; daynight verify says more").format(event=number)
                raise DamagedError(sentence, game=game, event=number)
            before = row.digest
        yield rows
        if number == until:
            return


def missing(recorder: GamesRecorder, game: str, after: int) -> DamagedError:
    """What to say of a game that has not all numbers after event `after`: the first that is missing."""
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
    """The same, the next one fetched while this one is worked on: a database takes as long as replaying does."""
    fetched = partial(next, chunks, None)
    with ThreadPoolExecutor(1) as helper:
        coming = helper.submit(copy_context().run, fetched)
        while (chunk := coming.result()) is not None:
            coming = helper.submit(copy_context().run, fetched)
            # Lets the helper in, who then needs the interpreter no more: asked without a pause, it comes too late.
            sleep(HANDOVER)
            yield chunk


class _Stream:
    """Pieces as a file that is read."""

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
