"""Runs an importer, stores its games while they are read, and reports the result for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from daynight.cards import Catalogue, doubt_sentence, doubting
from daynight.events.actions import GameJoined, PermanentsEntered
from daynight.framework.language.errors import UnreadableError, tame
from daynight.framework.language.wording import _, counted
from daynight.importers.cards import CardTable, read_cards
from daynight.importers.frame import Importer, Noted, Options, Warned
from daynight.importers.import_report import GameReport, ImportReport
from daynight.importers.importing import Import, ImportedGame
from daynight.importers.sources import Source
from daynight.keeping.destinations import Destination
from daynight.machine.reasons import reason_of
from daynight.recognising import nothing_in
from daynight.records import Record


class FoundTable(NamedTuple):
    """A card table found on this machine: its file, and its content, or None and the reason why it can't be read."""

    file: Path
    table: CardTable | None
    reason: str = ""


def found_table(importer: Importer, record: Record) -> FoundTable | None:
    """Return the card table that the importer finds for a log, else None; a damaged table comes with a `reason`."""
    if importer.table is None:
        return None
    with record.raw() as stream:
        head = Source(record.shown, stream).head
    file = importer.table(head, Path(record.name))
    if file is None:
        return None
    try:
        return FoundTable(file, read_cards(file))
    except (UnreadableError, OSError) as error:
        return FoundTable(file, None, reason_of(error))


@dataclass
class ImportRun:
    """The options of an import. `found` is a card table found on this machine; `strict`: the first warning ends it."""

    options: Options
    catalogue: Catalogue
    destination: Destination
    found: FoundTable | None = None
    strict: bool = False


class KeptGame(NamedTuple):
    """A game's part of the report, and the fields that `Destination.keep` returned for the game."""

    report: GameReport
    found: dict[str, object]


class Keeper:
    """Passes games to their destination; `kept` has the result for each game by its key."""

    def __init__(self, run: ImportRun, running: Import) -> None:
        self.report = running.report
        self._run = run
        self._running = running
        self.kept: dict[str, KeptGame] = {}
        self._looked: dict[str, int] = {}
        self._names: set[str] = set()

    def keep(self, game: ImportedGame) -> None:
        """Store a game if it changed since it was last stored; warn if the stored one has other turns and is kept."""
        if not game.changed:
            return
        game.changed = False
        self._doubt(game)
        with doubting():
            # The report lists the sentences about names.
            found = self._run.destination.keep(game)
        before = self.kept.get(game.key)
        self.kept[game.key] = KeptGame(game.report, found)
        if "part" in found and (before is None or "part" not in before.found):
            sentence = _(
                "nothing is kept of {game}: what is there has other turns of it; give its logs together, from the"
                " oldest to the newest"
            )
            _warn_of(self._run, self.report, game, "part", sentence.format(game=game.name))

    def _doubt(self, game: ImportedGame) -> None:
        """Warn about each new name of a permanent that is nearly a catalogue card's: the log may mean that card."""
        for event in game.events[self._looked.get(game.key, 0) :]:
            for permanent in event.permanents if isinstance(event, (GameJoined, PermanentsEntered)) else ():
                name = permanent.card
                if name not in self._names and (near := self._run.catalogue.near(name)):
                    _warn_of(self._run, self.report, game, "card", doubt_sentence(name, near))
                self._names.add(name)
        self._looked[game.key] = len(game.events)

    def count(self) -> None:
        """Update the report with the unfinished games, as far as they are read; store nothing."""
        for game in self._running.open.values():
            self._running.count(game)

    def idle(self) -> bool:
        """Store unfinished games as far as they are read; return True, so that the caller waits for more lines."""
        self.count()
        for game in self._running.open.values():
            self.keep(game)
        return True

    def all(self, sources: Iterable[Source], shown: str) -> None:
        """Store every game of these sources; `shown` is the last one's name.

        Raises:
            RecordError: where nothing could be read, at the first warning of a strict import, or beyond the limits of
                an import.
            StoreError, OSError: where the destination refuses a game.
        """
        _tell_of_table(self._run, self.report)
        for game in self._running.games(sources):
            self.keep(game)
        if not self.report.games:
            raise nothing_in(self.report, shown)

    def document(self, error: Exception | None = None) -> dict[str, Any]:
        """Return the report as JSON, with the result for each game, and the `error` that ended the import, if any."""
        found = {id(each.report): each.found for each in self.kept.values()}
        document = self.report.document()
        document["games"] = [game.document() | found.get(id(game), {}) for game in self.report.games]
        if error is not None:
            document["error"] = tame(str(error))
        return document


def _warn(run: ImportRun, report: ImportReport, source: str, warning: Warned) -> None:
    report.warn(source, warning)
    if run.strict:
        raise UnreadableError(warning.sentence, file=source, line=warning.line)


def _warn_of(run: ImportRun, report: ImportReport, game: ImportedGame, kind: str, sentence: str) -> None:
    about = game.report
    about.warnings[kind] += 1
    _warn(run, report, about.source, Warned(kind, sentence, about.line, game.key))


def _tell_of_table(run: ImportRun, report: ImportReport) -> None:
    table, found = run.options.cards, run.found
    if found is not None and found.table is None:
        sentence = _("a card table was found on this machine, and can't be read: {reason}").format(reason=found.reason)
        report.note(str(found.file), Noted("table", sentence, 1))
    if table is None:
        return
    report.table, report.found = table.name, found is not None
    if table.odd:
        many = counted("{n} row of the card table is left out", "{n} rows of the card table are left out", table.odd)
        warning = Warned("table", many, table.first_odd)
        if found is None:
            _warn(run, report, table.name, warning)
        else:
            report.note(table.name, Noted(warning.kind, warning.sentence, warning.line))
