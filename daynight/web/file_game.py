"""A game from a file, which is served but not written to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, TypeVar

from daynight.framework.language.errors import RecordError
from daynight.framework.language.reader import blocks
from daynight.framework.language.source import Source
from daynight.framework.mechanic import Mechanic
from daynight.framework.recorded import Recorded
from daynight.game import Game, played
from daynight.records import Held, Record

Kind = Literal["stored", "file"]
Played = Recorded[Any, Any, Any]
Answer = TypeVar("Answer")


def blank(mechanic: Mechanic[Any, Any, Any]) -> Any:
    """Return a record without events; of day and night a `Game`."""
    return Game() if mechanic.language is played().language else Recorded(mechanic)


class FileGame:
    """A game from a file, which is read once, when the server starts."""

    kind: Kind = "file"
    code: str | None = None

    def __init__(self, label: str, data: bytes, mechanic: Mechanic[Any, Any, Any]) -> None:
        self.label = label
        self.mechanic = mechanic
        self.data = data
        self._lines = data.removesuffix(b"\n").split(b"\n")
        self._game: Played = blank(mechanic)
        try:
            for events in mechanic.language.read_blocks(BytesIO(data)):
                self._game.filled(events)
        except RecordError as error:
            raise error.located(file=label) from None
        self.name = title_of(self._game, label)

    @classmethod
    def read(cls, record: Record, mechanic: Mechanic[Any, Any, Any]) -> FileGame:
        """Read a game from a record; its label is the file's name without folders.

        Raises:
            RecordError: at the first line that is refused.
            NotFoundError, OSError: where there is no such file, or it cannot be read.
        """
        with record.open() as stream:
            data = b"".join(blocks(stream))
        label = record.name if record.name == "-" else Path(record.shown).name
        try:
            return cls(label, data, mechanic)
        except RecordError as error:
            error.file = None
            raise record.located(error) from None

    @property
    def last(self) -> int:
        """The number of the last event."""
        return len(self._game)

    def game(self) -> Played:
        """Return the game."""
        return self._game

    def asked(self, number: int, ask: Callable[[Any], Answer]) -> Answer:
        """Call `ask` with the whole game and return its answer."""
        return ask(self._game)

    def recalled(self, number: int) -> Any:
        """Return the state after event `number`."""
        return self._game.at(number)

    def lines(self, after: int, until: int) -> list[bytes]:
        """Return the lines of the events after `after`, up to `until`."""
        return self._lines[after:until]

    def digest(self, number: int) -> bytes | None:
        """Return the SHA-256 of the lines up to event `number`."""
        if number == self.last:
            return self._whole
        if not 1 <= number <= self.last:
            return None
        return sha256(b"".join(line + b"\n" for line in self._lines[:number])).digest()

    def digests(self, after: int, until: int) -> list[bytes]:
        """Return the SHA-256 of the lines up to each event after event `after`, up to `until`."""
        return digests_of(self._lines, after, until)

    @cached_property
    def _whole(self) -> bytes:
        return sha256(b"".join(line + b"\n" for line in self._lines)).digest()

    def record(self) -> Source:
        """Return the lines as a record."""
        return Held(self.label, self.data)


def digests_of(lines: Sequence[bytes], after: int, until: int) -> list[bytes]:
    """Return the SHA-256 of the first lines of a record, for each number of them after `after`, up to `until`."""
    running, found = sha256(b"".join(line + b"\n" for line in lines[:after])), []
    for line in lines[after:until]:
        running.update(line + b"\n")
        found.append(running.copy().digest())
    return found


def title_of(game: Played, label: str) -> str:
    """Return the name that the first line of a file gives its game, or else the label up to its first dot."""
    first: Any = game.events[0]
    return getattr(first, "game", None) or game.mechanic.title(first) or label.partition(".")[0]
