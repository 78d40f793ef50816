"""`daynight import` for logs and notes: importers read them, and each game goes to its destination."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import click

from daynight.cli.terminal.output import console, error_line, print_bytes, print_json, waiting
from daynight.framework.language.codec import encode_lines, versioned
from daynight.framework.language.errors import DaynightError, NotFoundError, tame
from daynight.framework.language.grammar import first_of
from daynight.framework.language.wording import _, counted
from daynight.importers.following import follow
from daynight.importers.frame import Importer
from daynight.importers.importing import Import, ImportedGame
from daynight.importers.sources import Source
from daynight.keeping.files import written
from daynight.keeping.imported import ImportRun, Keeper
from daynight.logs import NAMED, chosen, may_be
from daynight.records import Record

_LAST = ("last", "-1")

# ------------------------------------------------------------------------------------------------------ standard output


@dataclass
class Lines:
    """The destination of an import that is standard output: it prints one game as JSON Lines, and stores nothing.

    The game is the `wanted` one or, without `wanted`, the only one of the log. If `silent`, nothing is printed.
    """

    wanted: str | None = None
    silent: bool = False
    quiet: ClassVar[bool] = True
    names: list[str] = field(default_factory=list)
    may_be: dict[int, bytes] = field(default_factory=dict)

    def keep(self, game: ImportedGame) -> dict[str, object]:
        """Keep the lines of a game if it may be the one to print; return {}, as nothing is stored."""
        self.names.append(game.name)
        number = len(self.names)
        if self.wanted in _LAST:
            self.may_be.clear()
        if may_be(self.wanted, game.name, number) and (self.wanted is not None or number == 1):
            self.may_be[number] = encode_lines(game.events)
        return {}

    @property
    def found(self) -> bytes | None:
        """The lines of the game to print; None if the log does not have it."""
        numbers = [1] if self.wanted is None else chosen(self.wanted, self.names)
        return self.may_be.get(numbers[0]) if numbers else None

    def close(self, *, whole: bool = True) -> None:
        """Print the game. After an error (not `whole`), print it only if it is the `wanted` one.

        Raises:
            UsageError: where there are several games, and `wanted` names none.
            NotFoundError: where the log does not have the `wanted` game.
        """
        if self.silent or not (whole or (self.wanted is not None and self.found is not None)):
            return
        if self.wanted is None and len(self.names) > 1:
            raise click.UsageError(
                _("{n} games, and standard output takes one: give -o DIR, --into PLACE, or --game with one of {games}")
                .format(n=len(self.names), games=first_of(self.names, NAMED))
            )  # fmt: skip
        if self.found is None and self.wanted is not None and self.names:
            sentence = _("no game {game} in it; there are {games}")
            raise NotFoundError(sentence.format(game=repr(self.wanted), games=first_of(self.names, NAMED)))
        if self.found is not None:
            print_bytes(self.found)


# -------------------------------------------------------------------------------------------------------------- the run


@dataclass
class Telling(ImportRun):
    """The options of an import, and of its report: `as_json` prints it as JSON, `report` is a file for it, or `-`."""

    report: str | None = None
    as_json: bool = False


def import_logs(importer: Importer, records: Sequence[Record], run: Telling, *, following: bool) -> int:
    """Import logs; return the exit code 0. The report is printed or written even after an error.

    `following`: the first record is a file that still grows; read on until an interruption.

    Raises:
        RecordError: where nothing could be read, at the first warning of a strict import, and beyond a size limit.
        NotFoundError: where the log does not have the requested game.
        UsageError: where the log has several games, and none was requested for standard output.
        StoreError: where the store refuses the game.
        OSError: where a file can't be read or written.
    """
    with waiting() as progress:
        running = Import(importer, run.options, strict=run.strict, progress=progress)
        keeper = Keeper(run, running)
        sources = follow(Path(records[0].name), keeper.idle) if following else _opened(records)
        try:
            keeper.all(sources, records[-1].shown)
        except KeyboardInterrupt:
            # Keep and report what was read so far, as at any other end.
            keeper.idle()
            _tell(run, keeper)
            raise
        except BrokenPipeError:
            raise
        except (DaynightError, OSError) as error:
            keeper.count()
            run.destination.close(whole=False)
            _tell(run, keeper, error)
            raise
    try:
        run.destination.close()
    except (click.UsageError, DaynightError) as error:
        _tell(run, keeper, error)
        raise
    _tell(run, keeper)
    return 0


def _opened(records: Sequence[Record]) -> Iterator[Source]:
    for number, record in enumerate(records, 1):
        with record.raw() as stream:
            yield Source(record.shown, stream, number=number)


def _tell(run: Telling, keeper: Keeper, error: Exception | None = None) -> None:
    document = versioned(keeper.document(error))
    if run.report is not None and run.report != "-":
        from msgspec import json

        with written(Path(run.report)) as stream:
            stream.write(json.format(json.encode(document), indent=2) + b"\n")
    if run.as_json or run.report == "-":
        print_json(document)
        return
    for each in keeper.kept.values() if not run.destination.quiet else ():
        console().print(tame(_became(each.report.game, each.found)))
    if error is not None:
        return
    for sentence in keeper.report.told():
        # The game goes to standard output, so sentences about it go to standard error.
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
    events = counted("{n} event", "{n} events", stored)
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
