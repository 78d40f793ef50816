"""`daynight follow`: prints the events of a store as they are stored."""

from __future__ import annotations

import select
import sys
from typing import TYPE_CHECKING, Any

import click
from msgspec import Raw

from daynight.cli.terminal import options, stored
from daynight.cli.terminal.kinds import Whole
from daynight.cli.terminal.output import error_line, print_lines, unheard
from daynight.framework.language.language import Language
from daynight.framework.language.wording import _

if TYPE_CHECKING:
    from daynight.store.errors import StoreError
    from daynight.store.feed import Notification

_LOOK = 0.5
"""Seconds without events after which follow checks whether a program still reads its output."""


@click.command(epilog="\b\ndaynight follow friday --after 0")
@click.argument("game", required=False, type=options.GAME)
@click.option(
    "--after",
    metavar="NUMBER",
    type=Whole(min=0),
    help="Begin after event NUMBER of GAME, or after place NUMBER of all events; by default with the next event"
    " stored.",
)
@options.db
@options.as_json
def follow(game: str | None, after: int | None, as_json: bool) -> int:
    """Print events as they are stored.

    Each event is one line of JSON, whichever process stores it: the events of GAME, or those of all games. follow ends
    when it is interrupted, or when nobody reads its output any more. If this code cannot read a game from an event on,
    follow says so once, and goes on with the other games; exit code 3 if it is GAME.
    """
    from daynight.store.database.mapper import check_events
    from daynight.store.errors import NotReadableError
    from daynight.store.feed import Feed

    unreadable = set[str]()
    store = stored.reading()
    if game is not None:
        store.head(game)
    language, troubled = store.mechanic.language, False
    with Feed(store) as feed, feed.subscribe(game, after=after) as subscription:
        while True:
            found = subscription.take(_LOOK)
            if feed.trouble is not None and not troubled:
                error_line(_("{trouble}; trying again").format(trouble=feed.trouble))
            troubled = feed.trouble is not None
            if not found and _is_closed():
                unheard()
                return 0
            while found := [one for one in found if one.game not in unreadable]:
                # Print only the events before a damaged one.
                good = check_events(language, [(one.tag, one.line) for one in found])
                print_lines(*({"place": one.place, "game": one.game, "event": one.number, "line": Raw(one.line)}
                              for one in found[:good]))  # fmt: skip
                if found := found[good:]:
                    error = _refusal(language, found[0])
                    if game is not None or not isinstance(error, NotReadableError):
                        raise error
                    # The others go on.
                    error_line(str(error))
                    unreadable.add(found[0].game)


def _refusal(language: Language[Any], found: Notification) -> StoreError:
    """Return the error that reading the event in `found` raises; call this only for an unreadable event."""
    from daynight.store.database.guard import guarded
    from daynight.store.database.mapper import event_of
    from daynight.store.errors import StoreError

    try:
        with guarded(game=found.game, event=found.number):
            event_of(language, found.tag, found.line)
    except StoreError as error:
        return error
    raise AssertionError(found)


def _is_closed() -> bool:
    """Return whether the reader of standard output has closed it; without events, no write would show that."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return bool(poll.poll(0))
