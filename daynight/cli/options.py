"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from daynight.cards import Catalogue, bundled
from daynight.events.errors import NotFoundError, RecordError
from daynight.events.reader import read
from daynight.game import Game
from daynight.positions import Position
from daynight.records import DEMO, Record
from daynight.replay import replay
from daynight.rules.citations import EDITIONS, LATEST_EDITION

__all__ = ["as_json", "at", "catalogue", "edition", "file", "files", "located", "named", "numbered"]


class _RecordType(click.ParamType[Record]):
    """A record by its name; completes file names, and demo."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Record:
        return value if isinstance(value, Record) else Record(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        demo = [CompletionItem(DEMO)] if DEMO.startswith(incomplete) else []
        return [*demo, CompletionItem(incomplete, type="file")]


def _catalogue(ctx: click.Context, param: click.Parameter, value: str | None) -> Catalogue:
    return bundled() if value is None else Catalogue.read(value)


def _position(ctx: click.Context, param: click.Parameter, value: str | None) -> Position | None:
    return None if value is None else Position.parse(value)


def _edition(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    return LATEST_EDITION if value == "latest" else value


files = click.argument("records", metavar="FILE...", nargs=-1, required=True, type=_RecordType())
file = click.argument("record", metavar="FILE", type=_RecordType())
at = click.option(
    "--at",
    metavar="POSITION",
    callback=_position,
    help="An event: 18, e18, turn:4 or turn:4/untap; the last one if none.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="JSON on standard output, and nothing else there.")
edition = click.option(
    "--edition",
    type=click.Choice([*EDITIONS, "latest"]),
    callback=_edition,
    help="The edition of the Comprehensive Rules to cite; the record's own if not given.",
)
catalogue = click.option(
    "--catalogue",
    metavar="CARDS.json",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_catalogue,
    help="A card catalogue of your own instead of the bundled one.",
)


def located(record: Record, position: Position | None, catalogue: Catalogue) -> int | None:
    """The event number of a position in a record; None where none was given.

    Raises:
        NotFoundError: where there is none, in a record that can be replayed.
        RecordError: where it cannot.
    """
    if position is None or position.event is not None:
        return None if position is None else position.event
    try:
        with record.open() as stream:
            return position.find(read(stream))
    except RecordError as error:
        raise error.located(file=record.name) from None
    except NotFoundError as error:
        replay(record, catalogue=catalogue)
        raise named(error, record) from None


def numbered(game: Game, record: Record, position: Position | None) -> int:
    """The event number of a position in a game; None is its last event.

    Raises:
        NotFoundError: naming the record, where there is no such event.
    """
    try:
        return game.number(position)
    except NotFoundError as error:
        raise named(error, record) from None


def named(error: NotFoundError, record: Record) -> NotFoundError:
    """The same error, naming the record."""
    return NotFoundError(f"{record.name}: {error}")
