"""`daynight import` of what is no record: logs and notes, read by importers, each game to where it belongs."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

import click

from daynight.cards import Catalogue
from daynight.cli.files import written
from daynight.cli.growing import store_game
from daynight.cli.output import console, error_line, print_json, waiting
from daynight.events.actions import GameJoined
from daynight.events.codec import encode, encode_lines
from daynight.events.errors import NotFoundError, RecordError, UnreadableError, tame
from daynight.events.reader import read
from daynight.events.vocabulary import Event
from daynight.events.wording import _, counted
from daynight.importers.cards import read_cards
from daynight.importers.following import follow
from daynight.importers.frame import Importer, Options
from daynight.importers.importing import Import, ImportedGame
from daynight.importers.report import Report
from daynight.importers.sources import Source
from daynight.records import Record

if TYPE_CHECKING:
    from daynight.store import Store

__all__ = ["Destination", "Files", "Lines", "Stores", "import_logs", "known_of"]

NAMED = 20
"""How many games a sentence names."""

_UNSAFE = re.compile(r"[^\w.+-]+")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def known_of(catalogue: Catalogue, cards: Path | None) -> Options:
    """What importers are told of cards.

    Raises:
        UnreadableError: where the card table is none.
        OSError: where it can't be read.
    """
    catalogued = {name: card.front.name for card in catalogue for name in card.names}
    return Options(
        cards=None if cards is None else read_cards(cards),
        catalogued=catalogued,
        daybound=frozenset(
            card.front.name
            for card in catalogue
            if card.front.keywords or (card.back is not None and card.back.keywords)
        ),
        starting=frozenset(
            card.front.name
            for card in catalogue
            if card.front.day_if_neither or (card.back is not None and card.back.day_if_neither)
        ),
        effects={card.front.name: card.resolves for card in catalogue if card.resolves is not None},
    )


# --------------------------------------------------------------------------------------------------------- destinations


class Destination(Protocol):
    """Where games go."""

    @property
    def quiet(self) -> bool:
        """Whether standard output is for something else than what became of the games."""

    def keep(self, game: ImportedGame) -> dict[str, object]:
        """Keep a game, again whenever it grew; answers what became of it."""

    def close(self) -> None:
        """All games were given."""


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

    def close(self) -> None:
        """Print it.

        Raises:
            UsageError: where there are several, and none was asked for.
            NotFoundError: where the one that was asked for is not there.
        """
        if self.silent:
            return
        if self.wanted is None and len(self.names) > 1:
            raise click.UsageError(
                _("{n} games, and standard output takes one: give -o DIR, --into PLACE, or --game with one of {games}")
                .format(n=len(self.names), games=_listed(self.names))
            )  # fmt: skip
        if self.found is None and self.wanted is not None and self.names:
            raise NotFoundError(
                _("no game {game} in it; there are {games}").format(game=repr(self.wanted), games=_listed(self.names))
            )
        if self.found is not None:
            sys.stdout.flush()
            sys.stdout.buffer.write(self.found)
            sys.stdout.buffer.flush()


@dataclass
class Files:
    """A file for each game, in a folder; each is written whole, or not at all."""

    folder: Path
    quiet: ClassVar[bool] = False
    taken: dict[str, str] = field(default_factory=dict)

    def keep(self, game: ImportedGame) -> dict[str, object]:
        """Keep a game; answers what became of it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / self._file_name(game)
        lines = encode_lines(game.events)
        there = self._there(path, game)
        if there is None or (there != lines and not _is_less(game.events, there)):
            with written(path) as stream:
                stream.write(lines)
            return {"file": str(path), "written": True}
        return {"file": str(path), "written": False}

    def close(self) -> None:
        """All are written."""

    def _there(self, path: Path, game: ImportedGame) -> bytes | None:
        if not path.exists():
            return None
        try:
            with path.open("rb") as stream:
                first = next(read(stream))
        except RecordError:
            first = None
        if first is None or getattr(first, "game", None) != game.name:
            raise UnreadableError(
                _("something else than this game is there, and stays; give another folder with -o"), file=str(path)
            )
        return path.read_bytes()

    def _file_name(self, game: ImportedGame) -> str:
        if game.key not in self.taken:
            name = _UNSAFE.sub("-", game.name).strip("-.")[:120] or "game"
            name = f"game-{name}" if _RESERVED.fullmatch(name) else name
            used = {other.casefold() for other in self.taken.values()}
            number = 1
            while (unused := name if number == 1 else f"{name}-{number}").casefold() in used:
                number += 1
            self.taken[game.key] = unused
        return f"{self.taken[game.key]}.jsonl"


@dataclass
class Stores:
    """A store, opened when there is something to store."""

    opened: Callable[[], Store]
    by: str
    quiet: ClassVar[bool] = False

    def keep(self, game: ImportedGame) -> dict[str, object]:
        """Store a game, or what came of it since."""
        found = store_game(self.opened(), game.name, game.events, by=self.by)
        return {"stored": found.events, "appended": found.appended, "taken_back": found.undone}

    def close(self) -> None:
        """All are stored."""


def _is_less(events: Sequence[Event], there: bytes) -> bool:
    """Whether a file has all of a game of which only a part was read now."""
    lines = there.splitlines()
    if any(isinstance(event, GameJoined) for event in events[1:2]):
        return b'"game-joined"' not in lines[1] if len(lines) > 1 else False
    return len(events) < len(lines) and [encode(event) for event in events] == lines[: len(events)]


def _listed(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    listed = ", ".join(names[:NAMED])
    return listed if more <= 0 else _("{names} and {n} more").format(names=listed, n=more)


# -------------------------------------------------------------------------------------------------------------- the run


@dataclass
class Run:
    """How an import is to be done, and told of."""

    options: Options
    destination: Destination
    strict: bool = False
    report: str | None = None
    as_json: bool = False


def import_logs(importer: Importer, records: Sequence[Record], run: Run, *, following: bool) -> int:
    """Import logs; the exit code is 0 where there was a game in them.

    Raises:
        RecordError: where nothing could be read, at the first warning of a strict import, and beyond bounds.
        NotFoundError: where the game that was asked for is not there.
        StoreError: where the store does not take it.
        OSError: where a file can't be read or written.
    """
    kept: dict[str, dict[str, object]] = {}
    with ExitStack() as stack:
        progress = stack.enter_context(waiting())
        running = Import(importer, run.options, strict=run.strict, progress=progress)

        def keep(game: ImportedGame) -> None:
            if game.changed:
                game.changed = False
                kept[game.name] = run.destination.keep(game)

        def idle() -> bool:
            for game in running.open.values():
                running.count(game)
                keep(game)
            return True

        if following:
            sources = follow(Path(records[0].name), idle)
        else:
            sources = _opened(records, stack)
        try:
            for game in running.games(sources):
                keep(game)
        except KeyboardInterrupt:
            # What was read is kept, and told of, as at any other end.
            idle()
            _tell(run, running.report, kept)
            raise
    report = running.report
    if not report.games:
        raise UnreadableError(
            _("no game could be read in it; daynight import --json tells what was found"), file=records[-1].shown
        )
    run.destination.close()
    _tell(run, report, kept)
    return 0


def _opened(records: Sequence[Record], stack: ExitStack) -> Iterator[Source]:
    for number, record in enumerate(records, 1):
        with record.raw() as stream:
            yield Source(record.shown, stream, number=number)


def _tell(run: Run, report: Report, kept: dict[str, dict[str, object]]) -> None:
    document = report.document()
    document["games"] = [game.document() | kept.get(game.game, {}) for game in report.games]
    if run.report is not None and run.report != "-":
        from msgspec import json

        with written(Path(run.report)) as stream:
            stream.write(json.format(json.encode(document), indent=2) + b"\n")
    if run.as_json or run.report == "-":
        print_json(document)
        return
    for name, found in kept.items() if not run.destination.quiet else ():
        console().print(tame(_became(name, found)))
    for sentence in report.told():
        # Beside a game on standard output, what is to be said of it has no place there.
        if not run.destination.quiet:
            console().print(tame(sentence))
        else:
            error_line(sentence)


def _became(name: str, found: dict[str, object]) -> str:
    if "file" in found:
        sentence = _("{game}: written to {file}") if found["written"] else _("{game}: nothing new for {file}")
        return sentence.format(game=name, file=found["file"])
    stored, appended, undone = (int(str(found[key])) for key in ("stored", "appended", "taken_back"))
    events = counted("{n} event", "{n} events", stored).format(n=stored)
    if not appended:
        return _("{game}: nothing new, {events} stored before").format(game=name, events=events)
    if undone:
        return _("{game}: {n} stored now, after what was taken back; {events} in all").format(
            game=name, n=appended, events=events
        )
    return _("{game}: {n} stored now, {events} in all").format(game=name, n=appended, events=events)
