"""Finds the events that `undo` takes back: those that were typed last and are not undone yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from daynight.events import Event, GameBackedUp, GameJoined, GameStarted, OfTheRecord
from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.wording import _

if TYPE_CHECKING:
    from daynight.games import Store

UNDO = "undo"
"""The note in a back-up that `undo`, or the undoing of a correction, made; `undo` stops at any other back-up."""

_IMPORTED = "import-"


class Undoing(NamedTuple):
    """What `undo` does: it backs up to event `to`, and undoes `events`, each with its number."""

    to: int
    events: tuple[tuple[int, Event], ...]

    def back_up(self, by: str) -> GameBackedUp:
        """Return the back-up that undoes these events."""
        return GameBackedUp(to=self.to, by=by, note=UNDO)


def undoing(store: Store, game: str, head: int) -> Undoing:
    """Return the back-up that undoes the last event that is not undone, and those stored together with it.

    `head` is the number of the game's last event. Notes and disputes stay, and are skipped. Events that an earlier
    `undo` took back do not count, so the next `undo` goes further back.

    Raises:
        ImpossibleError: where nothing is left to take back, or where that last event is a back-up of a judge or part of
            a correction.
    """
    number = head
    while True:
        (event,) = store.events(game, number - 1, number)
        if isinstance(event, OfTheRecord):
            number -= 1
        elif isinstance(event, GameBackedUp) and event.note == UNDO:
            number = event.to
        else:
            break
    if isinstance(event, (GameStarted, GameJoined)):
        raise ImpossibleError(_("there is nothing to undo: the game begins here"))
    first = _first(store, game, number)
    (begun,) = store.events(game, first - 1, first)
    if isinstance(begun, GameBackedUp) and begun.corrects:
        raise ImpossibleError(_("event {event} is part of a correction; correct that: daynight what-if --apply").format(
            event=number
        ))  # fmt: skip
    if isinstance(event, GameBackedUp):
        sentence = _(
            "event {event} is a back-up, which undo does not take back; type again what it undid, or go further back"
            " with a line like: {line}"
        )
        raise ImpossibleError(sentence.format(event=number, line=f"{event.by} backs up to e{max(event.to - 1, 1)}"))
    found = enumerate(store.events(game, first - 1, number), first)
    return Undoing(first - 1, tuple((place, each) for place, each in found if not isinstance(each, OfTheRecord)))


def _first(store: Store, game: str, number: int) -> int:
    """Return the number of the first event that the command of event `number` stored; `number` if it was imported."""
    for command in store.commands(game):
        if command.first <= number <= command.last and command.first > 1 and not command.id.startswith(_IMPORTED):
            return command.first
    return number
