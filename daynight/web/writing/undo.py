"""Undo: it takes one command back, by backing up to before it. Nothing is deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from daynight.events import GameBackedUp, OfTheRecord
from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.wording import _
from daynight.keeping.undoing import UNDO
from daynight.store import Appended
from daynight.store.database.rows import Command
from daynight.store.moments.live import Live
from daynight.web.door.grants import Grant
from daynight.web.door.roles import may
from daynight.web.errors import Problem
from daynight.web.writing.commands import CommandId
from daynight.web.writing.pen import Pen, StaleError


class Undone(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """To take back what the command of id `undoes` stored."""

    command: CommandId
    undoes: CommandId


def undo(pen: Pen, game: str, grant: Grant, asked: Undone) -> Appended:
    """Back the game up to before a command.

    Raises:
        ImpossibleError: where there is no such command, or nothing of it can be taken back.
        Problem: where the command is another caller's, and the role may not rule.
        StaleError: where a player's command is not the last one any more.
        NotFoundError, StoreError: as `Pen.write`.
    """

    def make(last: int) -> Sequence[Any]:
        found = pen.store.command(game, asked.undoes)
        if found is None:
            raise ImpossibleError(_("there is no command {id} to undo").format(id=repr(asked.undoes)), path="$.undoes")
        live = pen.live(game, last)
        events = dict(enumerate(pen.store.events(game, found.first - 1, found.last), found.first))
        to = _before(live, found, events)
        if not may(grant.role, "rule"):
            _check_own(pen, game, grant, live, found, events)
        by = {"by": grant.called}
        return [GameBackedUp(to=to, by=grant.called, note=UNDO, meta=by)]

    return pen.write(game, asked.command, {"undoes": asked.undoes}, make)


def _before(live: Live, command: Command, events: dict[int, Any]) -> int:
    """Return the event to back up to: the one before the command, or before its first event that still stands."""
    taken = [number for number, event in events.items() if number > 1 and _counts(live, number, event)]
    if not taken:
        sentence = _("nothing of command {id} can be taken back; a note stays, and so does what was undone before")
        raise ImpossibleError(sentence.format(id=repr(command.id)), path="$.undoes")
    first = command.first - 1
    return first if first > 0 and _stands(live, first) else taken[0] - 1


def _check_own(pen: Pen, game: str, grant: Grant, live: Live, command: Command, events: dict[int, Any]) -> None:
    if any((event.meta or {}).get("by") != grant.called for event in events.values()):
        raise Problem(403, "not-yours", _("this command is another's; a judge may undo it"))
    number = live.number
    while number > command.last:
        (event,) = pen.store.events(game, number - 1, number)
        if (to := live.mechanic.restores(event)) is not None:
            number = to
        elif isinstance(event, OfTheRecord):
            number -= 1
        else:
            raise StaleError(command.last, live.number)


def _counts(live: Live, number: int, event: Any) -> bool:
    """Return whether an event stands, and backing up would take it back."""
    return not isinstance(event, OfTheRecord) and live.mechanic.restores(event) is None and _stands(live, number)


def _stands(live: Live, number: int) -> bool:
    return live.standing.stands(number, live.number + 1)
