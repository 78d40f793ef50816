"""Corrections: edits of a game as a client sends them, stored in the game itself as one command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType

from daynight.events import Claim, JudgeRuled, TurnBegan
from daynight.framework.language.wording import _
from daynight.keeping.mending.correcting import Changes, Played, changes, corrected
from daynight.store import Appended
from daynight.web.door.grants import Grant
from daynight.web.door.roles import may
from daynight.web.errors import Problem
from daynight.web.writing.authors import signed, spoken
from daynight.web.writing.commands import CommandId, Head, Seen, words_of
from daynight.web.writing.drafts import Drafts, Plan
from daynight.web.writing.pen import Pen
from daynight.web.writing.tries import AskedEdit, edit_of


class Corrected(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for a correction: `edits` like those of a what-if, made by a sender who saw event `seen`.

    After that event only notes and disputes may follow. `head` is the digest at that event.
    """

    command: CommandId
    seen: Seen
    head: Head | UnsetType = UNSET
    edits: list[AskedEdit]


def correct(pen: Pen, game: str, grant: Grant, asked: Corrected, drafts: Drafts) -> Appended:
    """Store a correction, once. Its events come from `drafts`, which were made without holding the game's lock.

    Raises:
        NoDraftError: where `drafts` has no events that were made for the present last event of the game.
        StaleError: where other events than notes and disputes were stored after event `seen`.
        OtherGameError: where `head` is not the digest at the event that was seen.
        Problem, RecordError, NotFoundError, StoreError: as `Pen.write`.
    """

    def is_seen(last: int) -> None:
        if asked.head is not UNSET:
            pen.check_head(game, asked.seen, asked.head)
        pen.check_unchanged(game, asked.seen, last)

    def make(last: int) -> Sequence[Any]:
        return drafts.events(Plan(last))

    return pen.write(game, asked.command, {"edits": _told(asked)}, make, is_seen)


def drafted(pen: Pen, game: Played, grant: Grant, asked: Corrected) -> Sequence[Any]:
    """Return the events of the correction that a caller asked for, but store nothing.

    The events are a back-up, and copies of the later events with the edits applied.

    Raises:
        Problem: where this caller may not make these edits.
        NotFollowingError, TooManyError: where a later event becomes impossible, or there are too many events.
        AskedError, RecordError, NotFoundError: where an edit cannot be made.
    """

    def understand(game: Played, said: Any) -> Sequence[Any]:
        if isinstance(said, str):
            events = words_of(pen, grant, said, game.state)
        else:
            events = (spoken(pen.store.mechanic, said, grant),)
        return [signed(pen.store.mechanic, event, grant) for event in events]

    change = changes(game, [*map(edit_of, asked.edits)])
    if not may(grant.role, "rule"):
        _check_own(game, change, grant)
    meta = {"by": grant.called, "edits": _told(asked)}
    return corrected(game, change, grant.called, meta, understand)


def _told(asked: Corrected) -> list[dict[str, Any]]:
    """Return the edits as JSON, each with only its given fields."""
    found: Any = msgspec.to_builtins(asked.edits)
    return [{name: value for name, value in edit.items() if value is not False} for edit in found]


def _check_own(game: Played, change: Changes, grant: Grant) -> None:
    """Check that a player may make a change; for a judge's change this is not called.

    Raises:
        Problem: where it is before the last two turns, a `judge-ruled` follows it, or it edits another's claim.
    """
    standing = [number for number in range(1, len(game) + 1) if game.stands(number)]
    turns = [number for number in standing if isinstance(game.events[number - 1], TurnBegan)]
    least = turns[-2] if len(turns) > 1 else 1
    if min([*change.after, *change.instead]) < least:
        raise Problem(403, "not-yours", _("this link corrects the turn under way and the one before; a judge may more"))
    for number in standing:
        event: Any = game.events[number - 1]
        if number >= change.first and isinstance(event, JudgeRuled):
            sentence = _("a judge ruled at event {event}; only a judge corrects what was before that")
            raise Problem(403, "not-yours", sentence.format(event=number))
        if number in change.instead and isinstance(event, get_args(Claim)) and event.by != grant.called:
            raise Problem(403, "not-yours", _("event {event} is another's claim").format(event=number))
