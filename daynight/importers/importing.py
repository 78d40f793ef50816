"""Runs an importer and turns its items into games and a report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from daynight.events import Event, GameEnded, GameStarted
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _, counted
from daynight.importers.frame import Finished, Importer, Noted, Observed, Options, Rested, Skipped, Warned, Withdrawn
from daynight.importers.import_report import GameReport, ImportReport
from daynight.importers.sources import Offset, Source

GAMES = 10_000
"""The most games of one import."""

EVENTS = 100_000
"""The most events that a game may have: more than any real game, and few enough to fit in memory."""


@dataclass(slots=True)
class ImportedGame:
    """A game as far as it has been read: its name, and its events, each with its line in `meta`.

    `finished`: nothing more will come of it. `changed`: events came or were withdrawn since a caller last set this to
    False.
    """

    key: str
    name: str
    report: GameReport
    events: list[Event] = field(default_factory=list)
    finished: bool = False
    changed: bool = True


class Import:
    """One run of an importer over sources.

    `report` is updated while reading. `open` are the games that may still grow. `place` is where reading of the current
    source can start again without losing a line of unfinished games.
    """

    def __init__(
        self,
        importer: Importer,
        options: Options | None = None,
        *,
        strict: bool = False,
        progress: Callable[[int], None] = lambda events: None,
    ) -> None:
        self.importer = importer
        self.options = options or Options()
        self.report = ImportReport(importer=importer.name)
        self.open: dict[str, ImportedGame] = {}
        self.place = Offset()
        self._strict = strict
        self._progress = progress
        self._source: Source | None = None
        self._began = 0

    def games(self, sources: Iterable[Source]) -> Iterator[ImportedGame]:
        """Yield every game as soon as it is finished; at the end the unfinished ones.

        Raises:
            UnreadableError: where there is no usable data; at the first warning or skipped line of a strict import;
                where there are more than `GAMES` games, or a game has more than `EVENTS` events.
            OSError: where a source cannot be read.
        """
        for item in self.importer.read(self._each(sources), self.options):
            # Most frequent types first; an importer yields no others.
            if type(item) is Observed:
                self._observe(item)
            elif type(item) is Finished:
                if (game := self.open.pop(item.game, None)) is not None:
                    game.finished = True
                    self.count(game)
                    yield game
            else:
                self._otherwise(item)
        for game in list(self.open.values()):
            self.count(game)
            yield game

    def _each(self, sources: Iterable[Source]) -> Iterator[Source]:
        for source in sources:
            self._source = source
            self.report.sources.append(source.name)
            self.place = source.start
            yield source
            for line in source.long:
                self._otherwise(Skipped(line, _("a line of more bytes than a line may have")))
            if source.damage is not None:
                sentence = _("the source ends here: {reason}").format(reason=source.damage)
                self._otherwise(Warned("damaged", sentence, source.line))

    @property
    def _name(self) -> str:
        return self._source.name if self._source is not None else self.importer.name

    def _observe(self, item: Observed) -> None:
        game = self.open.get(item.game) or self._begin(item)
        events = game.events
        if len(events) >= EVENTS:
            sentence = counted("a game of more than {n} event", "a game of more than {n} events", EVENTS)
            raise UnreadableError(sentence, line=item.line, file=self._name)
        event = item.event
        meta: dict[str, Any] = {"line": item.line, "confidence": item.confidence.value}
        if self._source is not None and self._source.number > 1:
            meta["file"] = self._source.number
        events.append(replace(event, meta={"source": meta} if event.meta is None else {**event.meta, "source": meta}))
        game.changed = True
        self._began += 1
        if not self._began % 1000:
            self._progress(self._began)

    def _begin(self, item: Observed) -> ImportedGame:
        if not isinstance(item.event, GameStarted):
            raise TypeError(f"importer {self.importer.name}: a game begins with game-started, not {item.event!r}")
        if len(self.report.games) >= GAMES:
            sentence = counted("more than {n} game in one import", "more than {n} games in one import", GAMES)
            raise UnreadableError(sentence, line=item.line, file=self._name)
        report = GameReport(item.event.game, self._name, item.line)
        self.report.games.append(report)
        game = self.open[item.game] = ImportedGame(item.game, item.event.game, report)
        return game

    def count(self, game: ImportedGame) -> None:
        """Write the number of events read so far, and whether the game ended, into the report on the game."""
        game.report.events = len(game.events)
        game.report.ended = any(isinstance(event, GameEnded) for event in game.events[-3:])

    def _otherwise(self, item: object) -> None:
        match item:
            case Withdrawn():
                game = self.open.get(item.game)
                if game is not None and item.kept < len(game.events):
                    del game.events[max(item.kept, 1) :]
                    game.changed = True
            case Skipped():
                self.report.skip(self._name, item)
                self._stop(item.sentence, item.line)
            case Warned():
                self.report.warn(self._name, item)
                if (game := self.open.get(item.game or "")) is not None:
                    game.report.warnings[item.kind] += 1
                self._stop(item.sentence, item.line)
            case Noted():
                self.report.note(self._name, item)
            case Rested():
                self.place = Offset(item.offset, item.line)
            case _:
                raise TypeError(f"importer {self.importer.name}: {item!r} is no item of the frame")

    def _stop(self, sentence: str, line: int) -> None:
        if self._strict:
            raise UnreadableError(sentence, line=line, file=self._name)
