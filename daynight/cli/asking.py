"""Opens records of any mechanic and answers questions about them: files, standard input, and records of a store."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from functools import update_wrapper
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import click

from daynight.cli.terminal import options, stored
from daynight.cli.terminal.output import error_line, print_line
from daynight.cli.terminal.stored import Answer
from daynight.framework.audit import Audit, streamed
from daynight.framework.language.errors import locating
from daynight.framework.language.grammar import commas
from daynight.framework.language.source import STORED
from daynight.framework.mechanic import Mechanic as AnyMechanic
from daynight.framework.positions import Position
from daynight.framework.recorded import Recorded

Game: TypeAlias = Recorded[Any, Any, Any]
Mechanic: TypeAlias = AnyMechanic[Any, Any, Any]


class _At(click.Option):
    """An option whose help names the marks of the mechanic, such as `turn:2`: positions besides event numbers."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        told, known = copy.copy(self), commas(["18", "e18", *options.marks()])
        told.help = (self.help or "").format(known=known)
        return click.Option.get_help_record(told, ctx)


at = options.a_position("--at", cls=_At, help="A position: {known}; by default the last event.")
record = click.argument("name", metavar="FILE")


class Shelf(Protocol):
    """A source of records in which each record may have its own mechanic."""

    def record(self, name: str) -> Game:
        """Return the record of a name; the same object for the same name.

        Raises:
            DaynightError: where there is no such record, or it cannot be read.
        """
        ...


def answering(command: Callable[..., int]) -> Callable[..., int]:
    """Return `command` with its record's mechanic as first argument, and with the options of a store and of JSON."""

    def with_mechanic(there: Mechanic | Shelf, /, **given: Any) -> int:
        if isinstance(there, AnyMechanic):
            return command(there, **given)
        name = given.get("name") or given.get("left") or next(iter(given.get("names") or ()))
        return command(there.record(name).mechanic, **given)

    return options.from_store(options.as_json(update_wrapper(click.pass_obj(with_mechanic), command)))


def tell(line: str) -> None:
    """Print a line of an answer."""
    print_line(line)


def stored_game(name: str) -> stored.StoredRecord | None:
    """Return the stored record that a name means (`db:NAME`); None if the name means something else."""
    return stored.StoredRecord(name.removeprefix(STORED), stored.place()) if name.startswith(STORED) else None


def is_shelved() -> bool:
    """Return whether the records come from a `Shelf`, and not from files or a store."""
    return not isinstance(click.get_current_context().obj, AnyMechanic)


def loaded(mechanic: Mechanic, name: str) -> Game:
    """Return the record of a file, of standard input (`-`), of a store, or of a `Shelf`."""
    shelf: Shelf | Mechanic | None = click.get_current_context().obj
    if shelf is not None and not isinstance(shelf, AnyMechanic):
        return shelf.record(name)
    there = stored_game(name)
    if there is not None:
        return _read(mechanic, there)
    source: Any = BytesIO(sys.stdin.buffer.read()) if name == "-" else Path(name)
    return Recorded.load(mechanic, source)


def _read(mechanic: Mechanic, there: stored.StoredRecord) -> Game:
    from daynight.store.moments.readable import readable

    found = readable(mechanic, lambda until: there if until is None else there.until(until))
    if found.stops is not None:
        error_line(f"{there.name}: {found.stops.sentence}")
    return found


def until(mechanic: Mechanic, name: str, position: Position | None) -> Game:
    """Return a record up to a position. For a stored record, later events are not read."""
    there = stored_game(name)
    if there is not None:
        return _read(mechanic, _cut(mechanic, there, position)[0])
    game = loaded(mechanic, name)
    return game if position is None else game.what_if(game.number(position), ())


def asked(mechanic: Mechanic, name: str, position: Position | None, ask: Callable[[Game, int], Answer]) -> Answer:
    """Answer a question about the event at a position; None is the last event.

    Of a stored record, only the events from the latest snapshot before that event on are read; all are read if an
    event there looks further back, or the answer is not found there.
    """
    there = stored_game(name)
    if there is None:
        game = loaded(mechanic, name)
        with locating(file=name):
            return ask(game, game.number(position))
    part, number = _cut(mechanic, there, position)
    with locating(file=name):
        return part.asked(
            Recorded(mechanic), lambda: _read(mechanic, part), lambda game: ask(game, number), forgotten=True
        )


def _cut(mechanic: Mechanic, there: stored.StoredRecord, position: Position | None) -> tuple[stored.StoredRecord, int]:
    """Return a stored record up to a position, and the number of the event at that position."""
    there, position = there.on_branch(position)
    if position is None or position.event is not None:
        return there.cut(None if position is None else position.event)
    with there.open() as stream:
        return there.cut(position.find([*mechanic.language.read(stream)], mechanic.place))


def audited(mechanic: Mechanic, name: str) -> tuple[int, Audit]:
    """Return how many events a record has, and its audit.

    A file is not loaded, but read event by event, and read again at an event that backs up. Standard input can't be
    read again, so it is loaded; so are records of a store or a `Shelf`, records of a mechanic with `concludes`, and
    those whose events may name the version of the rules.
    """
    named = name != "-" and not is_shelved() and stored_game(name) is None and Path(name).is_file()
    if not named or mechanic.concludes is not None or mechanic.language.marked:
        game = loaded(mechanic, name)
        with locating(file=name):
            return len(game), game.audited()
    with locating(file=name):
        return streamed(mechanic, lambda: mechanic.language.read(Path(name)))
