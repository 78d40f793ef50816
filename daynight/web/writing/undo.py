"""Undo: undoes one command by storing a back-up to the event before that command. No event is deleted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from daynight.events import GameBackedUp, GameJoined, JudgeRuled, OfTheRecord
from daynight.framework.folding.standing import Standing
from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.wording import _
from daynight.games import Store
from daynight.keeping.mending.correcting import Played, first_number, uncorrected
from daynight.keeping.undoing import UNDO
from daynight.store import Appended
from daynight.store.database.rows import Command
from daynight.store.proving.commands import command_at
from daynight.web.door.grants import Grant
from daynight.web.door.roles import may
from daynight.web.errors import Problem
from daynight.web.writing.commands import CommandId, Head, Seen
from daynight.web.writing.drafts import Drafts, Plan
from daynight.web.writing.pen import Pen, StaleError


class Undone(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to undo the command with the id `undoes`; without an id, the last command that is not undone.

    `seen` is the last event that the sender saw, and `head` the digest at that event.
    """

    command: CommandId
    seen: Seen
    head: Head | UnsetType = UNSET
    undoes: CommandId | UnsetType = UNSET


class Undoable(NamedTuple):
    """The last command that can be undone, and its sender `by`; `events` are its events to undo, with their numbers."""

    command: Command
    by: str
    events: tuple[tuple[int, Any], ...]


def undo(pen: Pen, game: str, grant: Grant, asked: Undone, drafts: Drafts) -> Appended:
    """Undo a command by a back-up to before it; a correction by another correction, whose events are in `drafts`.

    Raises:
        NoDraftError: where `drafts` has no events that were made for the present last event of the game.
        ImpossibleError: where there is no such command, or none of its events can be undone.
        Problem: where the role may not rule, and the command is another caller's or a ruling.
        OtherGameError: where `head` is not the digest at the event that was seen.
        StaleError: where events, other than notes and disputes, were stored after event `seen`, or a player's command
            is no longer the last one.
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
        (first,) = pen.store.events(game, found.first - 1, found.first)
        taken = _standing(pen.store, game, standing, found, last)
        if not may(grant.role, "rule"):
            events = [first, *[event for _number, event in taken]]
            if not (grant.rules and _is_of_players(pen.store, game, events)):
                _check_own(grant, events)
            if latest is None or latest.command.id != found.id:
                raise StaleError(found.last, last)
        # If it was corrected once more, what it put in stands as copies, which are taken back like any other events.
        if is_correction(first) and standing.stands(found.first, last + 1):
            return drafts.events(Plan(last, found.first, found.last))
        to, by = _before(standing, found, taken, last), grant.called
        return [GameBackedUp(to=to, by=by, note=UNDO, meta={"by": by})]

    what = {} if asked.undoes is UNSET else {"undoes": asked.undoes}
    return pen.write(game, asked.command, {"undo": what}, make, is_seen)


def undrafted(game: Played, grant: Grant, plan: Plan) -> Sequence[Any]:
    """Return the events that undo the correction of a plan, events `plan.first` to `plan.last`; nothing is stored.

    Raises:
        ImpossibleError: where the correction is undone already.
        NotFollowingError, TooManyError: where a later event becomes impossible, or there are too many events.
    """
    return uncorrected(game, plan.first, plan.last, grant.called, {"by": grant.called})


def undoable(store: Store, game: str, standing: Standing, last: int) -> Undoable | None:
    """Return the last command that is not undone and that a back-up can undo; None if there is none.

    Notes, disputes, back-ups and undone events are skipped. A correction is the last command until another event is
    stored; after that, the copies of events in it belong to the commands that first stored these events. None also if
    no command of a client stored the last event that counts: it was typed on the command line, or imported.
    """
    number, fresh = last, True
    event: Any = None
    while number > 1:
        (event,) = store.events(game, number - 1, number)
        to = store.mechanic.restores(event)
        if to is None and not isinstance(event, OfTheRecord):
            break
        if fresh and is_correction(event):
            return _correction(store, game, number)
        number, fresh = (number - 1, fresh) if to is None else (to, False)
    else:
        return None
    command = command_at(store.recorder, game, number)
    if command is None:
        return None
    (first,) = store.events(game, command.first - 1, command.first)
    if fresh and is_correction(first):
        return _correction(store, game, command.first)
    if (again := first_number(number, event)) != number:
        command = command_at(store.recorder, game, again)
    by = (event.meta or {}).get("by")
    if command is None or not isinstance(by, str) or command.first == 1 or isinstance(event, GameJoined):
        return None
    return Undoable(command, by, tuple(_standing(store, game, standing, command, last)))


def is_correction(event: Any) -> bool:
    """Return whether an event is the back-up that begins a correction, but not one that undoes a correction."""
    return isinstance(event, GameBackedUp) and event.corrects and event.note != UNDO


def _correction(store: Store, game: str, number: int) -> Undoable | None:
    command = command_at(store.recorder, game, number)
    (event,) = store.events(game, number - 1, number)
    by = (event.meta or {}).get("by")
    return Undoable(command, by, ((number, event),)) if command is not None and isinstance(by, str) else None


def _named(store: Store, game: str, id: str) -> Command:
    found = store.command(game, id)
    if found is None:
        raise ImpossibleError(_("there is no command {id} to undo").format(id=repr(id)), path="$.undoes")
    return found


def _standing(store: Store, game: str, standing: Standing, command: Command, last: int) -> list[tuple[int, Any]]:
    """Return the events of a command that an undo would undo; if none is left, their copies in later corrections."""

    def those(first: int, until: int) -> Iterator[tuple[int, Any]]:
        for number, event in enumerate(store.events(game, first - 1, until), first):
            is_of_the_game = not isinstance(event, OfTheRecord) and store.mechanic.restores(event) is None
            if number > 1 and is_of_the_game and standing.stands(number, last + 1):
                yield number, event

    found = [*those(command.first, command.last)]
    if found or command.last == last:
        return found
    stored = range(command.first, command.last + 1)
    return [(number, event) for number, event in those(command.last + 1, last) if first_number(number, event) in stored]


def _before(standing: Standing, command: Command, taken: Sequence[tuple[int, Any]], last: int) -> int:
    """Return the event before the command; if that is undone, or `taken` are copies, the one before `taken[0]`.

    Raises:
        ImpossibleError: where `taken`, the command's events that can be undone, is empty.
    """
    if not taken:
        sentence = _("nothing of command {id} can be taken back; a note stays, and so does what was undone before")
        raise ImpossibleError(sentence.format(id=repr(command.id)), path="$.undoes")
    first = command.first - 1
    is_here = taken[0][0] <= command.last and first > 0 and standing.stands(first, last + 1)
    return first if is_here else taken[0][0] - 1


def _is_of_players(store: Store, game: str, events: Sequence[Any]) -> bool:
    """Return whether all these events are rulings by players of the game, as at a table of friends without a judge."""
    (begun,) = store.events(game, 0, 1)
    players = getattr(begun, "players", ())
    return all(isinstance(event, JudgeRuled) and (event.meta or {}).get("by") in players for event in events)


def _check_own(grant: Grant, events: Sequence[Any]) -> None:
    """Raise a Problem if an event is a ruling or another caller's; of a correction only the first author counts."""
    if any((event.meta or {}).get("by") != grant.called for event in events if not is_correction(events[0])) or (
        (events[0].meta or {}).get("by") != grant.called
    ):
        raise Problem(403, "not-yours", _("this command is another's; a judge may undo it"))
    if any(isinstance(event, JudgeRuled) for event in events):
        raise Problem(403, "not-yours", _("a ruling is not undone by this link; a judge may undo it"))
