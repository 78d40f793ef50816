"""`daynight import` of what is no record: logs and notes, read by importers, each game to where it belongs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, NamedTuple

import click

from daynight.cards import Catalogue, doubt_sentence, doubting
from daynight.cli.terminal.output import console, error_line, print_bytes, print_json, waiting
from daynight.events.actions import GameJoined, PermanentsEntered
from daynight.framework.language.codec import encode_lines
from daynight.framework.language.errors import DaynightError, NotFoundError, UnreadableError, tame
from daynight.framework.language.wording import _, counted
from daynight.importers.cards import CardTable, read_cards
from daynight.importers.following import follow
from daynight.importers.frame import Importer, Noted, Options, Warned
from daynight.importers.importing import Import, ImportedGame
from daynight.importers.report import GameReport, Report
from daynight.importers.sources import Source
from daynight.keeping.destinations import Destination
from daynight.keeping.files import written
from daynight.logs import listed, nothing_in
from daynight.records import Record


class Found(NamedTuple):
    """A card table that lies on this machine: its file, and what is in it, or why it can't be read."""

    file: Path
    table: CardTable | None
    reason: str = ""


def found_table(importer: Importer, record: Record) -> Found | None:
    """The card table that belongs to a log, where the importer finds one; nobody asked for it, so it may be damaged."""
    if importer.table is None:
        return None
    with record.raw() as stream:
        head = Source(record.shown, stream).head
    file = importer.table(head, Path(record.name))
    if file is None:
        return None
    try:
        return Found(file, read_cards(file))
    except (UnreadableError, OSError) as error:
        return Found(file, None, str(error))


# ------------------------------------------------------------------------------------------------------ standard output


@dataclass
class Lines:
    """One game, as JSON Lines on standard output: the only one, or the one that was asked for."""

    wanted: str | None = None
    silent: bool = False
    quiet: ClassVar[bool] = True
    names: list[str] = field(default_factory=list)
    found: bytes | None = None

    def keep(self, game: ImportedGame) -> dict[str, object]:
        """Keep a game; answers what became of it."""
        self.names.append(game.name)
        if self.wanted in (None, game.name, str(len(self.names))) and self.found is None:
            self.found = encode_lines(game.events)
        return {}

    def close(self, *, whole: bool = True) -> None:
        """Print it; where something went wrong later, only what was asked for, as it is known to be the one.

        Raises:
            UsageError: where there are several, and none was asked for.
            NotFoundError: where the one that was asked for is not there.
        """
        if self.silent or not (whole or (self.wanted is not None and self.found is not None)):
            return
        if self.wanted is None and len(self.names) > 1:
            raise click.UsageError(
                _("{n} games, and standard output takes one: give -o DIR, --into PLACE, or --game with one of {games}")
                .format(n=len(self.names), games=listed(self.names))
            )  # fmt: skip
        if self.found is None and self.wanted is not None and self.names:
            sentence = _("no game {game} in it; there are {games}")
            raise NotFoundError(sentence.format(game=repr(self.wanted), games=listed(self.names)))
        if self.found is not None:
            print_bytes(self.found)


# -------------------------------------------------------------------------------------------------------------- the run


@dataclass
class Run:
    """How an import is to be done, and told of."""

    options: Options
    catalogue: Catalogue
    destination: Destination
    found: Found | None = None
    strict: bool = False
    report: str | None = None
    as_json: bool = False


class Kept(NamedTuple):
    """A game's part of the report, and what became of the game."""

    report: GameReport
    found: dict[str, object]


class _Keeper:
    """Gives games to where they go, and remembers by their keys what became of them."""

    def __init__(self, run: Run, running: Import) -> None:
        self._run = run
        self._running = running
        self.kept: dict[str, Kept] = {}
        self._looked: dict[str, int] = {}
        self._names: set[str] = set()

    def keep(self, game: ImportedGame) -> None:
        """Keep a game where something came of it."""
        if not game.changed:
            return
        game.changed = False
        self._doubt(game)
        with doubting():
            # The report has the sentences about names.
            found = self._run.destination.keep(game)
        before = self.kept.get(game.key)
        self.kept[game.key] = Kept(game.report, found)
        if "part" in found and (before is None or "part" not in before.found):
            sentence = _(
                "nothing is kept of {game}: what is there has other turns of it; give its logs together, from the"
                " oldest to the newest"
            )
            _warn_of(self._run, self._running.report, game, "part", sentence.format(game=game.name))

    def _doubt(self, game: ImportedGame) -> None:
        """Warn of each name that is nearly a card's: what the log calls so would matter if it were that card."""
        for event in game.events[self._looked.get(game.key, 0) :]:
            for permanent in event.permanents if isinstance(event, (GameJoined, PermanentsEntered)) else ():
                name = permanent.card
                if name not in self._names and (near := self._run.catalogue.near(name)):
                    _warn_of(self._run, self._running.report, game, "card", doubt_sentence(name, near))
                self._names.add(name)
        self._looked[game.key] = len(game.events)

    def count(self) -> None:
        """Bring the report up to what was read of unfinished games."""
        for game in self._running.open.values():
            self._running.count(game)

    def idle(self) -> bool:
        """Keep unfinished games as far as they were read; more is wanted."""
        self.count()
        for game in self._running.open.values():
            self.keep(game)
        return True


def import_logs(importer: Importer, records: Sequence[Record], run: Run, *, following: bool) -> int:
    """Import logs; the exit code is 0 where there was a game in them. The report is given whatever went wrong.

    Raises:
        RecordError: where nothing could be read, at the first warning of a strict import, and beyond bounds.
        NotFoundError: where the game that was asked for is not there.
        StoreError: where the store does not take it.
        OSError: where a file can't be read or written.
    """
    with waiting() as progress:
        running = Import(importer, run.options, strict=run.strict, progress=progress)
        keeper = _Keeper(run, running)
        sources = follow(Path(records[0].name), keeper.idle) if following else _opened(records)
        try:
            _tell_of_table(run, running.report)
            for game in running.games(sources):
                keeper.keep(game)
            if not running.report.games:
                raise nothing_in(running.report, records[-1].shown)
        except KeyboardInterrupt:
            # What was read is kept, and told of, as at any other end.
            keeper.idle()
            _tell(run, running.report, keeper.kept)
            raise
        except BrokenPipeError:
            raise
        except (DaynightError, OSError) as error:
            keeper.count()
            run.destination.close(whole=False)
            _tell(run, running.report, keeper.kept, error)
            raise
    try:
        run.destination.close()
    except (click.UsageError, DaynightError) as error:
        _tell(run, running.report, keeper.kept, error)
        raise
    _tell(run, running.report, keeper.kept)
    return 0


def _opened(records: Sequence[Record]) -> Iterator[Source]:
    for number, record in enumerate(records, 1):
        with record.raw() as stream:
            yield Source(record.shown, stream, number=number)


def _warn(run: Run, report: Report, source: str, warning: Warned) -> None:
    report.warn(source, warning)
    if run.strict:
        raise UnreadableError(warning.sentence, file=source, line=warning.line)


def _warn_of(run: Run, report: Report, game: ImportedGame, kind: str, sentence: str) -> None:
    about = game.report
    about.warnings[kind] = about.warnings.get(kind, 0) + 1
    _warn(run, report, about.source, Warned(kind, sentence, about.line, game.key))


def _tell_of_table(run: Run, report: Report) -> None:
    table, found = run.options.cards, run.found
    if found is not None and found.table is None:
        sentence = _("a card table was found on this machine, and can't be read: {reason}").format(reason=found.reason)
        report.note(str(found.file), Noted("table", sentence, 1))
    if table is None:
        return
    report.table, report.found = table.name, found is not None
    if table.odd:
        many = counted("{n} row of the card table is left out", "{n} rows of the card table are left out", table.odd)
        warning = Warned("table", many.format(n=table.odd), table.first_odd)
        if found is None:
            _warn(run, report, table.name, warning)
        else:
            report.note(table.name, Noted(warning.kind, warning.sentence, warning.line))


def _tell(run: Run, report: Report, kept: dict[str, Kept], error: Exception | None = None) -> None:
    found = {id(each.report): each.found for each in kept.values()}
    document = report.document()
    document["games"] = [game.document() | found.get(id(game), {}) for game in report.games]
    if error is not None:
        document["error"] = tame(str(error))
    if run.report is not None and run.report != "-":
        from msgspec import json

        with written(Path(run.report)) as stream:
            stream.write(json.format(json.encode(document), indent=2) + b"\n")
    if run.as_json or run.report == "-":
        print_json(document)
        return
    for each in kept.values() if not run.destination.quiet else ():
        console().print(tame(_became(each.report.game, each.found)))
    if error is not None:
        return
    for sentence in report.told():
        # Standard output has the game, so sentences about it do not go there.
        if not run.destination.quiet:
            console().print(tame(sentence))
        else:
            error_line(sentence)


def _became(name: str, found: dict[str, object]) -> str:
    if "file" in found:
        if found["written"] and "beside" in found:
            sentence = _("{game}: written to {file}, as another game has its name there")
        else:
            sentence = _("{game}: written to {file}") if found["written"] else _("{game}: nothing new for {file}")
        return sentence.format(game=name, file=found["file"])
    stored, appended, undone = (int(str(found[key])) for key in ("stored", "appended", "taken_back"))
    events = counted("{n} event", "{n} events", stored).format(n=stored)
    own = found.get("stored_as", name)
    if not appended:
        return _("{game}: nothing new, {events} stored before").format(game=own, events=events)
    if undone:
        sentence = _("{game}: {n} stored now, after what was taken back; {events} in all")
        return sentence.format(game=own, n=appended, events=events)
    if own != name and appended == stored:
        sentence = _("{name}: {events} stored, under this name, as another game is called {game} there")
        return sentence.format(name=own, events=events, game=name)
    return _("{game}: {n} stored now, {events} in all").format(game=own, n=appended, events=events)
