"""`daynight record`: events into a stored game, each durable before it is acknowledged."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from daynight.cards import Catalogue
from daynight.cli import options, stored
from daynight.cli.acknowledging import Acknowledger
from daynight.cli.exits import INTERRUPTED, told
from daynight.cli.output import error_line, unheard
from daynight.events.errors import DaynightError, RecordError
from daynight.events.strict import LINE_LENGTH
from daynight.events.wording import _, counted

if TYPE_CHECKING:
    from daynight.cli.typed import Typist
    from daynight.store import Store

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
    """Append events to a game: EVENT is a line of the notation, or JSON; several are stored together, or none of them.

    As in: daynight record friday "turn 5 Bo" untap "Bo casts Opt". A name is that of a player or of a permanent on the
    battlefield, or as much of its beginning as is nobody else's.

    Without EVENT, or with -, each line of standard input is one, stored before the next is read; blank lines and
    comments (#) are passed over. At a terminal a line that is refused is told, and the next one is read. With
    --command ID the lines are ID-1, ID-2 and so on.
    """
    if "-" in events and len(events) > 1:
        raise click.UsageError(_("- is standard input, and stands alone"))
    store = stored.writing(key)
    store.catalogue = catalogue
    from daynight.cli.typed import Typist, unquoted_line

    acknowledger = Acknowledger(store, game, as_json=as_json)
    typist = Typist(store, game)
    if events and events != ("-",):
        try:
            appended = typist.append([event.encode("utf-8", "surrogateescape") for event in events], command, expected)
        except RecordError:
            if (line := unquoted_line(events)) is None:
                raise
            raise click.UsageError(
                _("an EVENT of several words stands in quotation marks: {words}").format(words=quote(line))
            ) from None
        acknowledger.tell(appended)
        return 0
    return _from_input(store, typist, acknowledger, command, expected)


def _from_input(
    store: Store, typist: Typist, acknowledger: Acknowledger, command: str | None, expected: int | None
) -> int:
    last: int | None = None
    done = 0
    typing = sys.stdin.buffer.isatty()
    if typing:
        # Nothing to store yet; but a game that is not there is said to be missing before anybody types for it.
        store.head(typist.game)
        error_line(_("one line a happening, as: Ana casts Opt; stored as soon as it is typed; Ctrl-D ends"))
    try:
        for line in _lines():
            id = None if command is None else f"{command}-{done + 1}"
            try:
                appended = typist.append([line], id, expected)
            except RecordError as error:
                if not typing:
                    raise
                # Whoever made the slip is there to mend it.
                told(error)
                continue
            last = appended.last
            expected = None if expected is None else last
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
        store.head(typist.game)
    return 0


def _lines() -> Iterator[bytes]:
    """The lines of standard input that say something, each as it comes."""
    from daynight.cli.typed import says_nothing

    while line := sys.stdin.buffer.readline(LINE_LENGTH + 2):
        line = line.removesuffix(b"\n")
        if not says_nothing(line):
            yield line
