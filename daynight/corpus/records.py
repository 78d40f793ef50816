"""A game of a corpus as a record: `corpus:FOLDER#GAME`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import BinaryIO

from daynight.corpus.lines import kept
from daynight.corpus.manifest import Manifest
from daynight.corpus.trust import Damage
from daynight.framework.language.errors import NotFoundError, UnreadableError
from daynight.framework.language.wording import _
from daynight.records import CORPUS, Record


class CorpusGame(Record):
    """A record that is a game of a corpus; its name is `corpus:FOLDER#GAME`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._folder, mark, game = name.removeprefix(CORPUS).rpartition("#")
        if not mark or not game.isascii() or not game.isdigit():
            sentence = _("{record}: which game? corpus:FOLDER#17 is game 17 of the corpus in FOLDER")
            raise NotFoundError(sentence.format(record=name), file=name)
        # The number of a game is an int64, so a longer number names no game.
        self._game = int(game.lstrip("0")[:19] or "0")
        self._data: bytes | None = None

    @property
    def in_words(self) -> bool:
        """Whether the record is in the notation: never, because a corpus stores JSON Lines."""
        return False

    @contextmanager
    def raw(self, buffering: int = -1) -> Iterator[BinaryIO]:
        """Open the bytes of the record, which are kept in memory; `buffering` is ignored.

        Raises:
            NotFoundError: where there is no such corpus or game.
            UnreadableError: where the part with the game is damaged.
        """
        if self._data is None:
            self._data = self._found()
        yield BytesIO(self._data)

    def _found(self) -> bytes:
        for part in Manifest.read(self._folder).parts:
            if part.first <= self._game < part.first + part.records:
                try:
                    for game in kept(self._folder, part, {self._game}):
                        return game.data
                except Damage as error:
                    raise UnreadableError(str(error), file=self._folder, line=1) from None
        sentence = _("{folder}: no game {game}").format(folder=self._folder, game=self._game)
        raise NotFoundError(sentence, file=self._folder)
