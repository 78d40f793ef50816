"""`daynight record`: events into a stored game, each durable before it is acknowledged."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daynight.cards import Catalogue
from daynight.cli import options, stored
from daynight.cli.acknowledging import Acknowledger
from daynight.cli.exits import INTERRUPTED, told
from daynight.cli.output import error_line, unheard
from daynight.events.codec import decode
from daynight.events.errors import DaynightError, NotFoundError, RecordError
from daynight.events.strict import LINE_LENGTH
from daynight.events.vocabulary import Event
from daynight.events.wording import _, counted
from daynight.records import STORED

if TYPE_CHECKING:
    from daynight.store import Appended, Store

__all__ = ["record"]


@click.command()
@options.game
@click.argument("events", metavar="[EVENT...]", nargs=-1)
@options.command
@click.option(
    "--expect",
    "expected",
    metavar="N",
    type=click.IntRange(min=0),
    help="Store only if event N is the last one of the game.",
)
@options.db
@options.key
@options.catalogue
@options.as_json
def record(
    game: str,
    events: tuple[str, ...],
    command: str | None,
    expected: int | None,
    key: Path | None,
    catalogue: Catalogue,
    as_json: bool,
) -> int:
    """Append events to a game: EVENT is a JSON object; several are stored together, or none of them.

    Without EVENT, or with -, each line of standard input is one, stored before the next is read. With --command ID
    the lines are ID-1, ID-2 and so on.
    """
    if "-" in events and len(events) > 1:
        raise click.UsageError(_("- is standard input, and stands alone"))
    store = stored.writing(key)
    store.catalogue = catalogue
    acknowledger = Acknowledger(store, game, as_json=as_json)
    if events and events != ("-",):
        appended = _append(store, game, list(events), command, expected)
        acknowledger.tell(appended)
        return 0
    return _from_input(store, game, acknowledger, command, expected)


def _from_input(store: Store, game: str, acknowledger: Acknowledger, command: str | None, expected: int | None) -> int:
    last: int | None = None
    done = 0
    try:
        for line in _lines():
            id = None if command is None else f"{command}-{done + 1}"
            appended = _append(store, game, [line], id, None if expected is None else expected + done)
            last = appended.last
            done += 1
            acknowledger.tell(appended)
    except BrokenPipeError:
        # Nobody would learn of what is stored from here on.
        unheard()
        error_line(_("nobody reads the acknowledgements any more; the last event stored is {last}").format(last=last))
        return INTERRUPTED
    except OSError as error:
        # The acknowledgement could not be written; the event is stored.
        return told(error, _("the last event stored is {last}").format(last=last))
    except DaynightError as error:
        if last is None:
            raise
        return told(
            error,
            counted(
                "the line before it is stored, as event {last}",
                "the {n} lines before it are stored, the last one as event {last}",
                done,
            ).format(n=done, last=last),
        )
    if done == 0:
        # Nothing to store; but a game that is not there is said to be missing.
        store.head(game)
    return 0


def _lines() -> Iterator[bytes]:
    """The lines of standard input, each as it comes."""
    while line := sys.stdin.buffer.readline(LINE_LENGTH + 2):
        yield line.removesuffix(b"\n")


def _append(
    store: Store, game: str, lines: list[str] | list[bytes], command: str | None, expected: int | None
) -> Appended:
    """Append, with every refusal naming the game and the number that the refused event would have had."""
    read: list[Event] = []
    try:
        for line in lines:
            read.append(decode(line))
        return store.append(game, read, command=command, expected=expected)
    except RecordError as error:
        raise error.located(file=f"{STORED}{game}", line=_last(store, game) + 1 + len(read)) from None


def _last(store: Store, game: str) -> int:
    try:
        return store.head(game).number
    except NotFoundError:
        return 0
