"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from mimetypes import MimeTypes
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from daynight.cards import Catalogue, bundled
from daynight.cli.terminal import stored
from daynight.cli.terminal.exits import WrongFileError
from daynight.cli.terminal.kinds import EDITION
from daynight.cli.terminal.opening import (
    Command,
    check_no_game,
    joined,
    joined_or_found,
    of_logs,
    only,
    opened,
    with_a_name,
)
from daynight.cli.terminal.output import waiting
from daynight.cli.terminal.positions import a_mark
from daynight.cli.terminal.stored import Answer
from daynight.events import Designation, Event, read
from daynight.framework.language.errors import DaynightError, NotFoundError
from daynight.framework.language.source import STORED
from daynight.framework.language.wording import _
from daynight.framework.positions import Position
from daynight.game import Game
from daynight.keeping.files import check_target, written
from daynight.records import CORPUS, DEMO, Record
from daynight.referee.places import MARKS, place
from daynight.replay import replay
from daynight.rules.citations import DEFAULT_EDITION


class _RecordType(click.ParamType[Record]):
    """A record by its name or, unless `plain`, also a log; completes file names, demo, and games of the store."""

    name = "file"

    def __init__(self, *, plain: bool = False) -> None:
        self._plain = plain

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Record:
        if isinstance(value, Record):
            return value
        if value.startswith(STORED):
            check_no_game(value, ctx)
            return stored.StoredRecord(value.removeprefix(STORED), stored.place())
        if value.startswith(CORPUS):
            check_no_game(value, ctx)
            from daynight.cli.corpus.extra import extra

            with extra():
                from daynight.corpus.records import CorpusGame

                return CorpusGame(value)
        return Record(value) if self._plain else opened(value, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        if incomplete.startswith(STORED):
            return [CompletionItem(STORED + name) for name in _names(ctx, incomplete.removeprefix(STORED))]
        demo = [CompletionItem(DEMO)] if DEMO.startswith(incomplete) else []
        return [*demo, CompletionItem(incomplete, type="file")]


class _Word(_RecordType):
    """A word of `file_and`: opened if it is a file or a game of a store or corpus; else a `Record` for its name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Record:
        if isinstance(value, Record):
            return value
        is_file = value == "-" or Path(value.partition("#")[0]).exists()
        return super().convert(value, param, ctx) if is_file or value.startswith((STORED, CORPUS)) else Record(value)


class _GameType(click.ParamType[str]):
    """A game of the store by its name, with or without `db:`; completes the names in the store."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value).removeprefix(STORED)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in _names(ctx, incomplete)]


def _names(ctx: click.Context, begun: str) -> list[str]:
    """Return the names of games in the store that begin with `begun`; none if no store can be read."""
    try:
        with ctx.scope():
            return [name for name, _number in stored.reading().games(begun)]
    except (DaynightError, OSError):
        return []


def a_game_or_file(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the names of games in the store or, if none fits, of files."""
    return GAME.shell_complete(ctx, param, incomplete) or a_place(ctx, param, incomplete)


def a_place(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the names of files."""
    return [CompletionItem(incomplete, type="file")]


def _catalogue(ctx: click.Context, param: click.Parameter, value: str | None) -> Catalogue:
    if value is None:
        return bundled()
    ctx.meta[CATALOGUE] = str(value)
    return Catalogue.read(value)


def marks() -> tuple[str, ...]:
    """Return examples of positions of this command line's mechanic, such as `turn:4`, for help and error messages."""
    mechanic = stored.mechanic()
    return MARKS if mechanic is None else mechanic.places.marks


def position(ctx: click.Context, param: click.Parameter, value: str | None) -> Position | None:
    """Return the position that an option spells, or None if it was not given; raise PositionError for another text."""
    return None if value is None else Position.parse(value, marks())


CATALOGUE = f"{__name__}.catalogue"
"""The key under which the context of a command line keeps the name of its catalogue."""

RECORD = _RecordType()
"""The type of FILE: a record by its name, or a log."""

_store = partial(
    click.option, "--db", metavar="PLACE", envvar="DAYNIGHT_DB", expose_value=False, is_eager=True,
    callback=stored.remember, shell_complete=a_place,
)  # fmt: skip
from_store = _store(
    help="The store of db:GAME: a file or postgresql://...; by default DAYNIGHT_DB in the environment, else"
    " daynight.db."
)
db = _store(
    help="The store: a file or postgresql://...; by default DAYNIGHT_DB in the environment, else daynight.db."
    " Others can read a command line: keep a password in DAYNIGHT_DB, or in the file of"
    " postgresql://...?passfile=FILE."
)
plain_files = click.argument("records", metavar="FILE...", nargs=-1, required=True, type=_RecordType(plain=True))
"""Adds the argument FILE...; its files are never read as logs here."""


def _taking(argument: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Return a decorator that adds an argument, and the options for stores and logs."""
    return lambda command: argument(of_logs(from_store(command)))


files = _taking(click.argument("records", metavar="FILE...", nargs=-1, required=True, type=RECORD, callback=joined))
"""Adds the argument FILE...: records (files or stored), and logs (all their games, or that of `--game`)."""

files_or_found = _taking(
    click.argument("records", metavar="[FILE]...", nargs=-1, type=RECORD, callback=joined_or_found)
)
"""Adds the argument [FILE]..., like `files`; no FILE at all means, at a terminal, Arena's log on this machine."""

file = _taking(click.argument("record", metavar="FILE", nargs=-1, required=True, type=RECORD, callback=only))
"""Adds the argument FILE: a record (file or stored), or a game of a log."""

file_alone = _taking(click.argument("record", metavar="FILE", type=RECORD))
"""Adds the argument FILE, for commands where further files mean something else."""


def file_and(metavar: str) -> Callable[[Command], Command]:
    """Add the argument FILE, followed by the name of something in the game; the parameter `record` gets both."""
    return _taking(click.argument("record", metavar=f"FILE {metavar}", nargs=-1, type=_Word(), callback=with_a_name))


command = click.option(
    "--command",
    metavar="ID",
    help="An id of your own. Not sure it arrived? Send it again with the same ID; it is stored once.",
)
a_file = partial(click.option, metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
"""Adds an option that names a file."""

key = a_file("--key", help="The file of the key that signs, created if missing; by default your own key.")
GAME = _GameType()
"""The type of a value that names a game of the store."""

game = click.argument("game", metavar="GAME", type=GAME)


def _output(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    if value is not None and str(value) == "-":
        raise click.UsageError(_("-o names a file; leave it out to have the answer on standard output"))
    if value is not None:
        check_target(value)
    return value


def _drawing(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Return the file of a picture; raise WrongFileError if its ending names another format than SVG, such as .png."""
    value = _output(ctx, param, value)
    if value is not None and MimeTypes().guess_type(value.name) not in ((None, None), ("image/svg+xml", None)):
        sentence = _("{file}: a picture is drawn as SVG; name its file {better}")
        raise WrongFileError(sentence.format(file=value, better=value.with_suffix(".svg")), str(value))
    return value


output = a_file("-o", "--output", callback=_output, help="The file to write.")
a_drawing = partial(a_file, metavar="FILE.svg", callback=_drawing)
"""Adds an option that names the file of a picture."""
a_position = partial(click.option, metavar="POSITION", callback=position, shell_complete=a_mark)
"""Adds an option that takes a position."""

at = a_position(
    "--at",
    help="A position: 18, e18, turn:4, turn:4/untap, or branch:b2/e18 on a branch; by default the last event.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
_citing = partial(click.option, "--edition", metavar="DATE", type=EDITION)
edition = _citing(
    help="The edition of the Comprehensive Rules to cite: a date, or latest; by default that of the record."
)
edition_of_none = _citing(
    help=f"The edition of the Comprehensive Rules to cite: a date, or latest; by default {DEFAULT_EDITION}."
)
"""Adds `--edition` to a command without a record: without the option, it cites `DEFAULT_EDITION`."""
catalogue = a_file(
    "--catalogue",
    metavar="CARDS.json",
    callback=_catalogue,
    help="Your own card catalogue instead of the bundled one.",
)


def told(command: Command) -> Command:
    """Add the options `--catalogue` and `--json`."""
    return catalogue(as_json(command))


def cited(command: Command) -> Command:
    """Add the options `--catalogue`, `--json` and `--edition`."""
    return edition(told(command))


def designation(ctx: click.Context, param: click.Parameter, value: str | None) -> Designation | None:
    """Return the designation that an option names; None if it was not given."""
    return None if value is None else Designation(value)


assume = click.option(
    "--assume",
    type=click.Choice(["day", "night"]),
    callback=designation,
    help="Assume that it was day, or night, from the beginning, although the record does not say so.",
)


def loaded(record: Record, catalogue: Catalogue) -> Game:
    """Load the game of a record; at a terminal, show the progress of a long wait."""
    with waiting() as progress:
        return Game.load(record, catalogue=catalogue, progress=progress)


def on_branch(record: Record, position: Position | None) -> tuple[Record, Position | None]:
    """Return the record that a position is in, and the position there; for a position on a branch, the branch's record.

    Raises:
        NotFoundError: where the record is a file, which has no stored branches.
    """
    if position is None or position.branch is None:
        return record, position
    if not isinstance(record, stored.StoredRecord):
        sentence = _(
            "{record}: {position} is on a branch, and those of db:GAME alone are found; name the branch's own file"
        )
        raise NotFoundError(sentence.format(record=record.name, position=position), file=record.name)
    return record.on_branch(position)


def moment(record: Record, position: Position | None, catalogue: Catalogue) -> tuple[Game, int]:
    """Return the game that a position is in, and the number of its event; None is the last event.

    Raises:
        NotFoundError: naming the record, where there is no such branch or event.
        RecordError: where the record cannot be read.
    """
    there, position = on_branch(record, position)
    if isinstance(there, stored.StoredRecord):
        there, number = cut(there, position, catalogue)
        return loaded(there, catalogue), number
    game = loaded(there, catalogue)
    return game, numbered(game, there, position)


def cut(
    record: stored.StoredRecord, position: Position | None, catalogue: Catalogue
) -> tuple[stored.StoredRecord, int]:
    """Return a stored game up to a position, and the number of its event; None is the last event.

    Later events are not read.

    Raises:
        NotFoundError: naming the game, where there is no such event.
    """
    return record.cut(located(record, position, catalogue))


def asked(
    record: Record, position: Position | None, catalogue: Catalogue, ask: Callable[[Game, int], Answer]
) -> Answer:
    """Return what `ask` answers for a game and the number of the event at `position`; None is the last event.

    A stored game is read from the latest snapshot before that event on, and as a whole only if that is not enough.

    Raises:
        NotFoundError, RecordError: as `moment`.
    """
    there, on_it = on_branch(record, position)
    if not isinstance(there, stored.StoredRecord):
        return ask(*moment(record, position, catalogue))
    part, number = cut(there, on_it, catalogue)
    return part.asked(Game(catalogue=catalogue), lambda: loaded(part, catalogue), lambda game: ask(game, number))


def located(record: Record, position: Position | None, catalogue: Catalogue) -> int | None:
    """Return the event number of a position in a record; None if no position was given.

    Raises:
        NotFoundError: where a record that the rules accept has no such position.
        RecordError: where the record cannot be read, or has no such position and the rules refuse one of its events.
    """
    if position is None or position.event is not None:
        return None if position is None else position.event
    try:
        with record.locating(), record.open() as stream, waiting() as progress:
            return position.find([*_counted(read(stream), progress)], place)
    except NotFoundError as error:
        replay(record, catalogue=catalogue)
        raise named(error, record) from None


def _counted(events: Iterable[Event], progress: Callable[[int], None]) -> Iterator[Event]:
    for number, event in enumerate(events, 1):
        yield event
        if not number % _OFTEN:
            progress(number)


_OFTEN = 1000
"""The number of events between two updates of the progress."""


def numbered(game: Game, record: Record, position: Position | None) -> int:
    """Return the event number of a position in a game; None is its last event.

    Raises:
        NotFoundError: naming the record, where there is no such event.
    """
    try:
        return game.number(position)
    except NotFoundError as error:
        raise named(error, record) from None


def named(error: NotFoundError, record: Record) -> NotFoundError:
    """Return the error again, with the record's name before its sentence, and as its file."""
    return NotFoundError(f"{record.name}: {error}", file=record.name)


def spared(output: Path | None, records: Iterable[Record]) -> None:
    """Refuse an output file that is also one of the records, or the store of a record.

    Raises:
        click.UsageError: where it is one of these.
    """
    if output is None or not output.exists():
        return
    for record in records:
        kept_in = stored.settings_of(record.where).path if isinstance(record, stored.StoredRecord) else record.name
        place = Path(kept_in)
        if place.exists() and output.samefile(place):
            sentence = _("{file} is what this is made from, and stays as it is; name another file")
            raise click.UsageError(sentence.format(file=output))


def write_whole(output: Path, data: bytes) -> None:
    """Write a file in one step; if that fails, the old file stays.

    Raises:
        OSError: naming the file, where it cannot be written.
    """
    with written(output) as stream:
        stream.write(data)
