"""Reads logs of other programs as records: each game of a log is read as if it had been imported.

A file that is a record is read as a record. Any other file that no importer knows is refused, in a sentence that says
what it looks like and what to type.
"""

from __future__ import annotations

import re
import tempfile
import weakref
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, cast

from daynight.cards import Catalogue
from daynight.cards.likeness import straight
from daynight.framework.language.codec import encode_lines
from daynight.framework.language.errors import AskedError, DaynightError, NotFoundError, RecordError
from daynight.framework.language.grammar import commas, first_of
from daynight.framework.language.wording import _
from daynight.importers.cards import CardTable, read_cards
from daynight.importers.frame import Importer, Options
from daynight.importers.import_report import ImportReport
from daynight.importers.importing import Import
from daynight.importers.sources import Source
from daynight.recognising import NOTATION, importer_of, nothing_in
from daynight.records import DEMO, Record
from daynight.rules.citations import EDITIONS
from daynight.titles import recorder_of

_IN_MEMORY = 2**23
LINES = 2**40
"""A number larger than the number of lines in any log."""

NAMED = 20
"""The most games that a sentence lists."""


def known_of(catalogue: Catalogue, cards: CardTable | Path | None) -> Options:
    """Return the options of importers, filled with what the catalogue and the card table `cards` say about cards.

    Raises:
        UnreadableError: where `cards` names a file that is no card table.
        OSError: where that file can't be read.
    """
    table = read_cards(cards) if isinstance(cards, Path) else cards
    if table is not None:
        for column in (table.names, table.backs):
            column.update({number: catalogue.english.get(straight(name), name) for number, name in column.items()})
    return Options(
        cards=table,
        catalogued={name: card.front.name for card in catalogue for name in card.names},
        daybound=frozenset(card.front.name for card in catalogue if any(face.keywords for face in card.faces)),
        starting=frozenset(card.front.name for card in catalogue if any(face.day_if_neither for face in card.faces)),
        effects={
            card.front.name: card.resolves for card in catalogue if card.resolves is not None and not card.conditional
        },
        editions=EDITIONS,
        fleeting=frozenset(card.front.name for card in catalogue if not card.front.characteristics().permanent),
    )


@dataclass(frozen=True, slots=True)
class LoggedGame:
    """A game of a log.

    `number` counts the games of the log, or of all joined logs, from 1. `shown` is the name among other games: its log,
    and its number in that log. `recorder` is the player whose client wrote the log, None where the log does not say.
    `begins` and `ends` are byte offsets in `Log.lines`. `places` has a number for each event: the index of its log,
    from 0, times `LINES`, plus its line in that log.
    """

    name: str
    number: int
    shown: str
    recorder: str | None
    begins: int = 0
    ends: int = 0
    places: Sequence[int] = ()


@dataclass(slots=True, weakref_slot=True)
class Log:
    """A log that was read.

    `lines` has the wanted games as JSON Lines, one after another; `games` has these games, with their offsets in
    `lines`. `all` has the names of all games of the log, wanted or not. `report` is the importer's.
    """

    importer: Importer
    report: ImportReport
    lines: BinaryIO
    games: list[LoggedGame] = field(default_factory=list)
    all: list[str] = field(default_factory=list)

    def of(self, game: LoggedGame) -> BinaryIO:
        """Return a stream of the JSON Lines of a game."""
        self.lines.seek(game.begins)
        return BytesIO(self.lines.read(game.ends - game.begins))


class RecordOrLog(Record):
    """A file that may be a record or a log. A log means its only game, or the `wanted` one (name or number).

    `chosen`: the user chose the game of this one log (`Player.log#2`), so that `takes` joins no other log to it.

    `options` is called before a log is read, and returns the importer's options; `told` is called with the log
    afterwards. The method `takes` joins consecutive logs, which are then read as one.
    """

    def __init__(
        self,
        name: Path | str,
        *,
        wanted: str | None = None,
        chosen: bool = False,
        options: Callable[[], Options] = Options,
        told: Callable[[Log], None] = lambda log: None,
    ) -> None:
        super().__init__(name)
        self._wanted = wanted
        self._is_chosen = chosen
        self._options = options
        self._told = told
        self._importer: Importer | None = None
        self._looked = False
        self._log: Log | None = None
        self._game: LoggedGame | None = None
        self._logs: list[RecordOrLog] = [self]

    @property
    def in_words(self) -> bool:
        """Whether the file is in the `.dn` notation; if its name does not say so, this is known only after reading."""
        if self._importer is not None:
            return self._importer.name == NOTATION
        return super().in_words

    @property
    def words(self) -> tuple[str, ...]:
        """The words for this record on a command line: its files, and `--game` with a name if they have more games."""
        game, whole = self._game, self._log
        if game is None or whole is None or len(whole.all) == 1:
            return tuple(log.name for log in self._logs)
        return (*(log.name for log in self._logs), "--game", game.name)

    @property
    def number(self) -> int | None:
        """The number by which `--game` chooses this game of several joined logs; None for a single log or a record."""
        return self._game.number if self._game is not None and len(self._logs) > 1 else None

    def takes(self, other: Record) -> bool:
        """Join the log `other` to this one if their program splits one log into several files; return whether it did.

        They are not joined if a game of one of them was chosen, or if one of them can't be read; reading that one later
        raises the error.
        """
        if not isinstance(other, RecordOrLog) or self._game is not None or "-" in (self.name, other.name):
            return False
        if self._is_chosen or other._is_chosen:
            return False
        try:
            joined = self.is_log() and other.is_log() and self._importer is other._importer
        except (DaynightError, OSError):
            return False
        if joined and self._importer is not None and self._importer.continues:
            self._logs += other._logs
            return True
        return False

    def is_log(self) -> bool:
        """Return whether the file is a log of another program.

        Raises:
            AskedError: where the file is a record, and a game of a log is wanted.
            UnreadableError: where the file is neither a log nor a record.
            NotFoundError, OSError: as `open`.
        """
        if not self._looked and self._is_looked_at():
            with self.raw() as stream:
                self._importer = importer_of(Source(self.shown, stream).head, self.name)
        self._looked = True
        is_log = self._importer is not None and self._importer.name != NOTATION
        if self._wanted is not None and not is_log:
            sentence = _("{file} is a record of one game; --game and FILE#2 are for logs")
            raise AskedError(sentence.format(file=self.shown))
        return is_log

    def games(self) -> Sequence[Record]:
        """Return the record itself, or a record for each wanted game of the log.

        Raises:
            UnreadableError: where no game could be read.
            NotFoundError: where the log has no wanted game.
        """
        if self._game is not None or not self.is_log():
            return (self,)
        log = self._read()
        return (self,) if len(log.all) == 1 else [self._of(game) for game in log.games]

    def _of(self, game: LoggedGame) -> RecordOrLog:
        one = RecordOrLog(game.shown)
        one._looked, one._importer, one._log, one._game = True, self._importer, self._log, game
        one._logs = self._logs
        return one

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the record, or the game of the log, as JSON Lines.

        Raises:
            AskedError: where there are several games, and none was chosen.
            NotFoundError, RecordError, OSError: as `Record.open`, and `games`.
        """
        if not self.is_log():
            with super().open() as stream:
                yield stream
            return
        yield self._read().of(self._chosen())

    def located(self, error: RecordError) -> RecordError:
        """Return the error with file and line: in a log the line from which the wrong event was read."""
        if self._game is None:
            return super().located(error)
        places = self._game.places
        if error.line is not None and error.file is None and places:
            log, error.line = divmod(places[min(max(error.line, 1), len(places)) - 1], LINES)
            return error.located(file=self._logs[min(log, len(self._logs) - 1)].name)
        return error.located(file=self._logs[0].name if len(self._logs) > 1 else self.name)

    def _is_in_words(self, stream: BinaryIO) -> bool:
        return self.in_words or (self._importer is None and super()._is_in_words(stream))

    def _is_looked_at(self) -> bool:
        path = Path(self.name)
        if self.name == "-":
            return True
        there = path.is_file() or path.is_fifo()
        return there and not super().in_words and not (self.name == DEMO and not path.exists())

    def _chosen(self) -> LoggedGame:
        log = self._read()
        if self._game is None:
            if len(log.games) > 1:
                sentence = _(
                    "{file}: {n} games in it: {games}; --game chooses one, by its name or its number, and daynight"
                    " import -o DIR makes a file of each"
                )
                raise AskedError(sentence.format(file=self.shown, n=len(log.all), games=first_of(log.all, NAMED)))
            self._game = log.games[0]
        return self._game

    def _read(self) -> Log:
        if self._log is None:
            assert self._importer is not None
            lines = cast(BinaryIO, tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY))  # noqa: SIM115
            running = Import(self._importer, self._options())
            log = Log(self._importer, running.report, lines)
            weakref.finalize(log, lines.close)
            counts = [0] * len(self._logs)
            for game in running.games(self._sources()):
                log.all.append(game.name)
                number, places = len(log.all), array("Q", (_place_of(event.meta) for event in game.events))
                first, last = places[0] // LINES, places[-1] // LINES
                for each in range(first, last + 1):
                    counts[each] += 1
                if not may_be(self._wanted, game.name, number):
                    continue
                begins = lines.tell()
                lines.write(encode_lines(game.events))
                shown = f"{self._logs[first].name}#{counts[first]}"
                recorder = recorder_of(game.events[0])
                log.games.append(LoggedGame(game.name, number, shown, recorder, begins, lines.tell(), places))
            if not log.all:
                raise nothing_in(running.report, self.shown)
            if self._wanted is not None:
                wanted = chosen(self._wanted, log.all)
                log.games = [game for game in log.games if game.number in wanted]
            if not log.games:
                sentence = _("{file}: no game {game} in it; there are {games}")
                if len(self._logs) > 1:
                    sentence = _("{file}: no game {game} in these logs; there are {games}")
                shown, games = commas([log.shown for log in self._logs]), first_of(log.all, NAMED)
                raise NotFoundError(sentence.format(file=shown, game=repr(self._wanted), games=games))
            self._log = log
            self._told(log)
        return self._log

    def _sources(self) -> Iterator[Source]:
        for number, log in enumerate(self._logs, 1):
            with log.raw() as stream:
                yield Source(log.shown, stream, number=number)


def may_be(wanted: str | None, name: str, number: int) -> bool:
    """Return whether the game with this name and number may be the `wanted` one; only False is certain yet.

    >>> may_be("01", "b-G1", 1), may_be("-1", "b-G1", 1), may_be("2", "b-G1", 1)
    (True, True, False)
    """
    if wanted is None or wanted == "last" or _BACK.fullmatch(wanted):
        return True
    return name.startswith(wanted) or (wanted.isdecimal() and len(wanted) < _DIGITS and int(wanted) == number)


def chosen(wanted: str, names: Sequence[str]) -> list[int]:
    """Return the numbers, from 1, of the wanted games: all of that exact name, else the only one that is meant.

    A wanted number chooses the game of that number (`last` and `-1` mean the last game, `-2` the one before it); other
    words choose the only game whose name begins with them.

    >>> chosen("last", ["a-G1", "b-G1"]), chosen("a", ["a-G1", "b-G1"]), chosen("3", ["a-G1", "b-G1"])
    ([2], [1], [])
    """
    if exact := [number for number, name in enumerate(names, 1) if name == wanted]:
        return exact
    number = len(names) if wanted == "last" else int(wanted) if wanted.isdecimal() and len(wanted) < _DIGITS else 0
    if _BACK.fullmatch(wanted) is not None:
        number = len(names) + 1 + int(wanted)
    if 0 < number <= len(names):
        return [number]
    beginning = [number for number, name in enumerate(names, 1) if name.startswith(wanted)]
    return beginning if len(beginning) == 1 else []


_BACK = re.compile("-[0-9]{1,6}")
_DIGITS = 8


def _place_of(meta: dict[str, object] | None) -> int:
    """Return where an event with this `meta` was read: the index of its log, from 0, times `LINES`, plus its line."""
    source = (meta or {}).get("source")
    if not isinstance(source, dict):
        return 1
    file, line = source.get("file"), source.get("line")
    return LINES * (file - 1 if isinstance(file, int) else 0) + (line if isinstance(line, int) else 1)


def joined(records: Sequence[Record]) -> list[Record]:
    """Return the records, with consecutive logs joined where their program splits one log into several files."""
    found: list[Record] = []
    for record in records:
        last = found[-1] if found else None
        if not (isinstance(last, RecordOrLog) and last.takes(record)):
            found.append(record)
    return found
