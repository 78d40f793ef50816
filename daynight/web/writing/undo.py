"""Undo: it takes one command back, by backing up to before it. Nothing is deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from daynight.events import GameBackedUp, GameJoined, JudgeRuled, OfTheRecord
from daynight.framework.folding.standing import Standing
from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.wording import _
from daynight.games import Store
from daynight.keeping.undoing import UNDO
from daynight.store import Appended
from daynight.store.database.rows import Command
from daynight.store.proving.commands import command_at
from daynight.web.door.grants import Grant
from daynight.web.door.roles import may
from daynight.web.errors import Problem
from daynight.web.writing.commands import CommandId, Head, Seen
from daynight.web.writing.pen import Pen, StaleError


class Undone(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """To take back what the command of id `undoes` stored, or the last that stands; `seen` is the last event known."""

    command: CommandId
    seen: Seen
    head: Head | UnsetType = UNSET
    undoes: CommandId | UnsetType = UNSET


class Undoable(NamedTuple):
    """The last command that stands and can be taken back, and who sent it; `events` are those of it that would go."""

    command: Command
    by: str
    events: tuple[tuple[int, Any], ...]


def undo(pen: Pen, game: str, grant: Grant, asked: Undone) -> Appended:
    """Back the game up to before a command.

    Raises:
        ImpossibleError: where there is no such command, or nothing of it can be taken back.
        Problem: where the command is another caller's, and the role may not rule.
        OtherGameError: where `head` is not the digest at the event that was seen.
        StaleError: where anything was stored since, or a player's command is not the last one any more.
        NotFoundError, StoreError: as `Pen.write`.
    """

    def is_seen(last: int) -> None:
        if asked.head is not UNSET:
            pen.check_head(game, asked.seen, asked.head)
        pen.check_unchanged(game, asked.seen, last)

    def make(last: int) -> Sequence[Any]:
        standing = pen.live(game, last).standing
        latest = undoable(pen.store, game, standing, last)
        if asked.undoes is UNSET:
            if latest is None:
                raise ImpossibleError(_("there is no command to undo"), path="$")
            found = latest.command
        else:
            found = _named(pen.store, game, asked.undoes)
        events = dict(enumerate(pen.store.events(game, found.first - 1, found.last), found.first))
        to = _before(pen.store, standing, found, events, last)
        if not may(grant.role, "rule"):
            _check_own(grant, found, events, latest, last)
        return [GameBackedUp(to=to, by=grant.called, note=UNDO, meta={"by": grant.called})]

    what = {} if asked.undoes is UNSET else {"undoes": asked.undoes}
    return pen.write(game, asked.command, {"undo": what}, make, is_seen)


def undoable(store: Store, game: str, standing: Standing, last: int) -> Undoable | None:
    """Return the last command that stands and that a back-up can take back; None if there is none.

    Notes, disputes and back-ups are passed over, with what those undid. None also where what stands last came without
    a command of a link: typed on the command line, or imported.
    """
    number = last
    while number > 1:
        (event,) = store.events(game, number - 1, number)
        to = store.mechanic.restores(event)
        if to is None and not isinstance(event, OfTheRecord):
            break
        number = number - 1 if to is None else to
    else:
        return None
    command, by = command_at(store.recorder, game, number), (event.meta or {}).get("by")
    if command is None or not isinstance(by, str) or command.first == 1 or isinstance(event, GameJoined):
        return None
    events = enumerate(store.events(game, command.first - 1, command.last), command.first)
    gone = [(place, each) for place, each in events if _counts(store, standing, place, each, last)]
    return Undoable(command, by, tuple(gone))


def _named(store: Store, game: str, id: str) -> Command:
    found = store.command(game, id)
    if found is None:
        raise ImpossibleError(_("there is no command {id} to undo").format(id=repr(id)), path="$.undoes")
    return found


def _before(store: Store, standing: Standing, command: Command, events: dict[int, Any], last: int) -> int:
    """Return the event to back up to: the one before the command, or before its first event that still stands."""
    taken = [number for number, event in events.items() if _counts(store, standing, number, event, last)]
    if not taken:
        sentence = _("nothing of command {id} can be taken back; a note stays, and so does what was undone before")
        raise ImpossibleError(sentence.format(id=repr(command.id)), path="$.undoes")
    first = command.first - 1
    return first if first > 0 and standing.stands(first, last + 1) else taken[0] - 1


def _check_own(
    grant: Grant, command: Command, events: dict[int, Any], latest: Undoable | None, last: int
) -> None:  # fmt: skip
    """Check that a player may take this command back: it is their own, and the last."""
    if any((event.meta or {}).get("by") != grant.called for event in events.values()):
        raise Problem(403, "not-yours", _("this command is another's; a judge may undo it"))
    if any(isinstance(event, JudgeRuled) for event in events.values()):
        raise Problem(403, "not-yours", _("a ruling is not undone by this link; a judge may undo it"))
    if latest is None or latest.command.id != command.id:
        raise StaleError(command.last, last)


def _counts(store: Store, standing: Standing, number: int, event: Any, last: int) -> bool:
    """Return whether an event stands, and backing up would take it back."""
    is_of_the_game = number > 1 and not isinstance(event, OfTheRecord) and store.mechanic.restores(event) is None
    return is_of_the_game and standing.stands(number, last + 1)
