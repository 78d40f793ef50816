"""A stored game as a record: `db:GAME` wherever a file is taken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from daynight.events.errors import RecordError
from daynight.events.vocabulary import TAGS
from daynight.events.wording import _
from daynight.records import STORED, Record
from daynight.store.errors import DamagedError
from daynight.store.rows import GamesRecorder

__all__ = ["StoredRecord", "lines_of"]


class StoredRecord(Record):
    """The lines of a stored game, from its first event on; read in pieces, and as often as one likes."""

    def __init__(self, recorder: GamesRecorder, game: str, until: int) -> None:
        super().__init__(f"{STORED}{game}")
        self._recorder = recorder
        self._game = game
        self._until = until

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes of the record from their beginning.

        Raises:
            DamagedError: where the store holds no such events.
        """
        try:
            yield cast(BinaryIO, _Stream(lines_of(self._recorder, self._game, 0, self._until)))
        except RecordError as error:
            # It was held against the rules before it was stored.
            raise DamagedError(f"{error.path}: {error.sentence}", game=self._game, event=error.line) from None


def lines_of(recorder: GamesRecorder, game: str, after: int, until: int) -> Iterator[bytes]:
    """The lines of a game from event after + 1 to event until, in pieces, with nothing unknown among their tags.

    Raises:
        DamagedError: where events are missing, or have a tag that is not ours.
    """
    reached = after
    for chunk in recorder.chunks(game, after, until):
        if strange := sorted(chunk.tags - TAGS.keys()):
            raise DamagedError(_("unknown tag {topic}").format(topic=repr(strange[0])), game=game)
        reached = chunk.first + chunk.count - 1
        yield chunk.lines
    if reached != until:
        raise DamagedError(_("event {event} is missing").format(event=reached + 1), game=game, event=reached + 1)


class _Stream:
    """Pieces as a file that is read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""

    def read(self, size: int = -1) -> bytes:
        if size < 0:
            taken, self._rest = self._rest + b"".join(self._pieces), b""
            return taken
        if not self._rest:
            self._rest = next(self._pieces, b"")
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken
