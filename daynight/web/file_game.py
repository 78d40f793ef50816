"""Read-only games that are served from memory, for example from a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from daynight.framework.language.errors import RecordError
from daynight.framework.language.reader import blocks
from daynight.framework.language.source import Source
from daynight.framework.mechanic import Mechanic
from daynight.framework.recorded import Recorded
from daynight.game import Game, played
from daynight.records import Held, Record

Kind = Literal["stored", "file", "adopted"]
Played = Recorded[Any, Any, Any]
Answer = TypeVar("Answer")


def blank(mechanic: Mechanic[Any, Any, Any]) -> Any:
    """Return a record of `mechanic` without events; for day and night it is a `Game`."""
    return Game() if mechanic.language is played().language else Recorded(mechanic)


class GameInMemory:
    """A read-only game served from memory: the record, and its lines without their line feeds."""

    kind: Kind = "file"
    code: str | None = None
    more: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, name: str, label: str, game: Played, lines: list[bytes]) -> None:
        self.name = name
        self.label = label
        self.mechanic = game.mechanic
        self._game = game
        self._lines = lines

    @property
    def last(self) -> int:
        """The number of the last event."""
        return len(self._game)

    def game(self) -> Played:
        """Return the game."""
        return self._game

    def asked(self, number: int, ask: Callable[[Any], Answer]) -> Answer:
        """Call `ask` with the whole game and return its answer; `number` is not needed."""
        return ask(self._game)

    def recalled(self, number: int) -> Any:
        """Return the state after event `number`."""
        return self._game.at(number)

    def lines(self, after: int, until: int) -> list[bytes]:
        """Return the lines of the events after `after`, up to `until`."""
        return self._lines[after:until]

    def digest(self, number: int) -> bytes | None:
        """Return the SHA-256 of the lines up to event `number`; None if there is no such event."""
        if number == self.last:
            return self._whole
        if not 1 <= number <= self.last:
            return None
        return sha256(b"".join(line + b"\n" for line in self._lines[:number])).digest()

    def digests(self, after: int, until: int) -> list[bytes]:
        """Return for each event after event `after`, up to `until`, the SHA-256 of all lines up to that event."""
        running, found = sha256(b"".join(line + b"\n" for line in self._lines[:after])), []
        for line in self._lines[after:until]:
            running.update(line + b"\n")
            found.append(running.copy().digest())
        return found

    @cached_property
    def _whole(self) -> bytes:
        return sha256(b"".join(line + b"\n" for line in self._lines)).digest()

    def record(self) -> Source:
        """Return a record that reads these lines."""
        return Held(self.label, b"".join(line + b"\n" for line in self._lines))


class FileGame(GameInMemory):
    """A game from a file, which is read once, when the server starts."""

    def __init__(self, label: str, data: bytes, mechanic: Mechanic[Any, Any, Any]) -> None:
        self.data = data
        game: Played = blank(mechanic)
        try:
            for events in mechanic.language.read_blocks(BytesIO(data)):
                game.filled(events)
        except RecordError as error:
            raise error.located(file=label) from None
        super().__init__(title_of(game, label), label, game, data.removesuffix(b"\n").split(b"\n"))

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

    def record(self) -> Source:
        """Return a record that reads the unchanged bytes of the file."""
        return Held(self.label, self.data)


def title_of(game: Played, label: str) -> str:
    """Return the name that the first event gives the game, or else the label up to its first dot."""
    first: Any = game.events[0]
    return getattr(first, "game", None) or game.mechanic.title(first) or label.partition(".")[0]
