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
from daynight.framework.language.errors import AskedError, NotFoundError, RecordError, UnreadableError, locating
from daynight.framework.language.grammar import commas, first_of
from daynight.framework.language.wording import _
from daynight.importers.cards import CardTable, read_cards
from daynight.importers.frame import Importer, Options
from daynight.importers.import_report import ImportReport
from daynight.importers.importing import Import
from daynight.importers.registry import detected, names
from daynight.importers.sources import Source, is_utf_16
from daynight.machine.shells import likely, quoted
from daynight.records import DEMO, Record
from daynight.titles import recorder_of

_IN_MEMORY = 2**23
_NOTATION = "notation"

NAMED = 20
"""How many games a sentence names."""


def known_of(catalogue: Catalogue, cards: CardTable | Path | None) -> Options:
    """Return the options of importers: what the catalogue and a card table say of cards.

    Raises:
        UnreadableError: where `cards` names a file that is no card table.
        OSError: where it can't be read.
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
        fleeting=frozenset(card.front.name for card in catalogue if not card.front.characteristics().permanent),
    )


@dataclass(frozen=True, slots=True)
class LoggedGame:
    """A game of a log.

    `number` counts the games of the log, from 1. `recorder` is the player whose client wrote the log, None where the
    log does not say. `begins` and `ends` are places in `Log.lines`, in bytes. `places` has for each event its line in
    the log.
    """

    name: str
    number: int
    recorder: str | None
    begins: int = 0
    ends: int = 0
    places: Sequence[int] = ()


@dataclass(slots=True, weakref_slot=True)
class Log:
    """A log that was read.

    `lines` has the wanted games as JSON Lines, one after another; `games` says where each of them is. `all` has the
    names of all games of the log, wanted or not. `report` is the importer's.
    """

    importer: Importer
    report: ImportReport
    lines: BinaryIO
    games: list[LoggedGame] = field(default_factory=list)
    all: list[str] = field(default_factory=list)

    def of(self, game: LoggedGame) -> BinaryIO:
        """The lines of a game."""
        self.lines.seek(game.begins)
        return BytesIO(self.lines.read(game.ends - game.begins))


class RecordOrLog(Record):
    """A file that may be a record or a log. A log means its only game, or the `wanted` one (name or number).

    `options` is called for the importer's options before a log is read, and `told` with the log after that.
    """

    def __init__(
        self,
        name: Path | str,
        *,
        wanted: str | None = None,
        options: Callable[[], Options] = Options,
        told: Callable[[Log], None] = lambda log: None,
    ) -> None:
        super().__init__(name)
        self._wanted = wanted
        self._options = options
        self._told = told
        self._importer: Importer | None = None
        self._looked = False
        self._log: Log | None = None
        self._game: LoggedGame | None = None

    @property
    def in_words(self) -> bool:
        """Whether it is in the notation for people. Of other names than `.dn` this is known only once it was read."""
        if self._importer is not None:
            return self._importer.name == _NOTATION
        return super().in_words

    def is_log(self) -> bool:
        """Whether it is a log of another program.

        Raises:
            UnreadableError: where it is neither a log nor a record.
            NotFoundError, OSError: as `open`.
        """
        if not self._looked and self._is_looked_at():
            with self.raw() as stream:
                self._importer = importer_of(Source(self.shown, stream).head, self.name)
        self._looked = True
        is_log = self._importer is not None and self._importer.name != _NOTATION
        if self._wanted is not None and not is_log:
            sentence = _("{file} is a record of one game; --game and FILE#2 are for logs")
            raise AskedError(sentence.format(file=self.shown))
        return is_log

    def games(self) -> Sequence[Record]:
        """Return the record itself, or a record for each wanted game of the log.

        Raises:
            UnreadableError: where no game could be read.
            NotFoundError: where the game that is wanted is not there.
        """
        if self._game is not None or not self.is_log():
            return (self,)
        log = self._read()
        return (self,) if len(log.all) == 1 else [self._of(game) for game in log.games]

    def _of(self, game: LoggedGame) -> RecordOrLog:
        one = RecordOrLog(f"{self.name}#{game.number}")
        one._looked, one._importer, one._log, one._game = True, self._importer, self._log, game
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
        """Add to an error where it happened: of a log, the line from which the event was read."""
        if self._game is None:
            return super().located(error)
        places = self._game.places
        if error.line is not None and error.file is None and places:
            error.line = places[min(max(error.line, 1), len(places)) - 1]
        return error.located(file=self.name)

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
            with self.raw() as stream:
                for game in running.games([Source(self.shown, stream)]):
                    log.all.append(game.name)
                    number = len(log.all)
                    if not _may_be(self._wanted, game.name, number):
                        continue
                    begins = lines.tell()
                    lines.write(encode_lines(game.events))
                    places = array("L", (_line_of(event.meta) for event in game.events))
                    log.games.append(
                        LoggedGame(game.name, number, recorder_of(game.events[0]), begins, lines.tell(), places)
                    )
            if not log.all:
                raise nothing_in(running.report, self.shown)
            log.games = _wanted_of(log, self._wanted)
            if not log.games:
                sentence = _("{file}: no game {game} in it; there are {games}")
                games = first_of(log.all, NAMED)
                raise NotFoundError(sentence.format(file=self.shown, game=repr(self._wanted), games=games))
            self._log = log
            self._told(log)
        return self._log


def _may_be(wanted: str | None, name: str, number: int) -> bool:
    """Whether a game may be the one that is wanted: more is known when all games were seen."""
    counted_back = wanted == "last" or _BACK.fullmatch(wanted or "") is not None
    return wanted is None or counted_back or wanted == str(number) or name.startswith(wanted)


def _wanted_of(log: Log, wanted: str | None) -> list[LoggedGame]:
    """The games that are wanted: the one of that exact name, of that number, or of the beginning of only one name.

    `last` and `-1` are the last game, `-2` is the one before it.
    """
    if wanted is None:
        return log.games
    if exact := [game for game in log.games if game.name == wanted]:
        return exact
    number = len(log.all) if wanted == "last" else int(wanted) if wanted.isdecimal() and len(wanted) < _DIGITS else 0
    if _BACK.fullmatch(wanted) is not None:
        number = len(log.all) + 1 + int(wanted)
    if found := [game for game in log.games if game.number == number]:
        return found
    beginning = [game for game in log.games if game.name.startswith(wanted)]
    return beginning if len(beginning) == 1 else []


_BACK = re.compile("-[0-9]{1,6}")
_DIGITS = 8


def importer_of(head: bytes, name: str) -> Importer | None:
    """Return the importer that knows a file by its first bytes, `head`; None for a record.

    Raises:
        UnreadableError: where the file is neither a record nor a log; where several importers know it.
    """
    first = head.lstrip().partition(b"\n")[0]
    if first.startswith(b"{") and (b'"game-started"' in first or b'"archive"' in first):
        return None
    with locating(file=name, line=1):
        known = detected(head)
    if known is not None or not head.strip() or head.lstrip().startswith((b"{", b"[")) or ".jsonl" in name:
        return known
    if is_utf_16(head):
        raise UnreadableError(_("text in UTF-16; save the file as UTF-8"), line=1, file=name)
    for sign, sentence in _looks_like():
        if sign.search(head) is not None:
            raise UnreadableError(sentence.format(file=quoted(name, likely())), line=1, column=1, file=name)
    if name == "-":
        return None
    sentence = _(
        "neither a record nor anything that an importer knows; daynight import --from names what it is: {names}. A"
        " game can be typed: a file whose name ends with .dn, with lines like Ana casts Opt"
    )
    others = commas([each for each in names() if each != _NOTATION])
    raise UnreadableError(sentence.format(names=others), file=name, line=1, column=1)


def _looks_like() -> tuple[tuple[re.Pattern[bytes], str], ...]:
    """Return patterns of other known files, each with a sentence that says what to type instead."""
    return (
        (_DATABASE, _("a store of games, it seems; daynight list --db {file} names them, and db:GAME is one of them")),
        (
            _ARENA,
            _(
                "it looks like Magic Arena's log, without any game; switch on Detailed Logs (Options, Account), play,"
                " and give Player.log. If there is one: daynight import --from arena {file}"
            ),
        ),
        (
            _FORGE,
            _(
                "it looks like Forge's log, in another language than English or cut short; daynight import --from forge"
                " {file} says what of it can be read"
            ),
        ),
        (_PAGE, _("a page for a browser, and no record; give the record, or the log, that it was made of")),
        (
            _OTHERS,
            _(
                "it looks like a log of a program that no importer knows; type the game instead: a file whose name ends"
                " with .dn, with lines like Ana casts Opt"
            ),
        ),
    )


_DATABASE = re.compile(rb"\ASQLite format 3\0")
_ARENA = re.compile(rb"UnityCrossThreadLogger|DETAILED LOGS|\bMTGA\b|GreToClient")
_FORGE = re.compile(
    rb"^Turn: |^Add To Stack: |^Resolve Stack: |GuiBase: APP: Forge|\bforge\.(?:game|gui)\b", re.M | re.I
)
_PAGE = re.compile(rb"\A\s*(?:<\?xml|<!doctype|<html|<svg)", re.I)
_OTHERS = re.compile(rb"Cockatrice|XMage|mage\.(?:client|server)|Magic Online|\bMTGO\b")


def nothing_in(report: ImportReport, file: str) -> UnreadableError:
    """Return why there is no game: the first warning, or the first line that was skipped."""
    found = [(*group.places[0], group.sentence) for group in report.warnings.values()] + report.lines
    for file, line, reason in found[:1]:
        return UnreadableError(_("no game could be read in it: {reason}").format(reason=reason), file=file, line=line)
    return UnreadableError(_("no game could be read in it; daynight import --json tells what was found"), file=file)


def _line_of(meta: dict[str, object] | None) -> int:
    source = (meta or {}).get("source")
    line = source.get("line") if isinstance(source, dict) else None
    return line if isinstance(line, int) else 1
