"""Disputes and notes: their fields as a client sends them, and how they are stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType, structs

from daynight.disputes.docket import Docket, Stage
from daynight.events.disputes import (
    DisputeAppealed,
    DisputeClaimed,
    DisputeClosed,
    DisputeOpened,
    DisputeRuled,
    NoteAdded,
)
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.happening import Unmarked, tag_of
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.wording import _
from daynight.keeping.hearing import carried_out, closed_with, opened_as
from daynight.store import Appended
from daynight.web.door.grants import Grant
from daynight.web.errors import Problem
from daynight.web.writing.authors import signed, spoken
from daynight.web.writing.commands import CommandId, Head
from daynight.web.writing.pen import Pen


class Act(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields common to all requests about disputes and notes; `command` is the id of the command.

    The other fields are those of the stored event, whose type is `EVENT`. The default of its author, `by`, is the name
    of the caller's link. The language of events checks these fields, and `openapi.json` takes their types from it.
    """

    EVENT: ClassVar[type[Unmarked]]

    command: CommandId
    by: Any | UnsetType = UNSET
    at: Any | UnsetType = UNSET
    note: Any | UnsetType = UNSET
    meta: Any | UnsetType = UNSET

    def given(self) -> dict[str, Any]:
        """Return the fields that the client sent, without the command's id."""
        return {name: value for name, value in structs.asdict(self).items() if value is not UNSET and name != "command"}


class Opened(Act, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to call a judge about event `about`; `head` is the digest that the sender saw at that event."""

    EVENT = DisputeOpened

    about: Any
    dispute: Any | UnsetType = UNSET
    head: Head | UnsetType = UNSET

    def given(self) -> dict[str, Any]:
        """Return the fields of the event that the client sent: those without the command's id and `head`."""
        return {name: value for name, value in super().given().items() if name != "head"}


class Claimed(Act, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one side of a dispute claims: a designation, free words, or both."""

    EVENT = DisputeClaimed

    designation: Any | UnsetType = UNSET
    says: Any | UnsetType = UNSET


class Ruled(Act, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge's ruling in a dispute; with `carry_out`, the `judge-ruled` or back-up that it orders is stored too."""

    EVENT = DisputeRuled

    outcome: Any
    designation: Any | UnsetType = UNSET
    to: Any | UnsetType = UNSET
    says: Any | UnsetType = UNSET
    carry_out: bool = False


class Appealed(Act, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An appeal against the last ruling."""

    EVENT = DisputeAppealed


class Closed(Act, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The end of a dispute; the default of `outcome` is that of the last ruling, or `leave` if there was none."""

    EVENT = DisputeClosed

    outcome: Any | UnsetType = UNSET


class Noted(Act, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A note on event `about`."""

    EVENT = NoteAdded

    about: Any
    says: Any


def note(pen: Pen, game: str, grant: Grant, asked: Noted) -> Appended:
    """Store a note.

    Raises:
        Problem, RecordError, NotFoundError, StoreError: as `commands.command`.
    """
    return _write(pen, game, grant, asked, lambda fields, docket: [_event(pen, grant, fields)])


def open_dispute(pen: Pen, game: str, grant: Grant, asked: Opened) -> Appended:
    """Store that a judge was called; a dispute without a name gets the next free one of d1, d2 and so on.

    Raises:
        OtherGameError: where `head` is not the digest at event `about`.
        Problem, RecordError, NotFoundError, StoreError: as `commands.command`.
    """

    def make(fields: dict[str, Any], docket: Docket) -> list[Any]:
        return [_event(pen, grant, {"dispute": opened_as(docket), **fields})]

    def is_seen(last: int) -> None:
        if asked.head is not UNSET and isinstance(asked.about, int):
            pen.check_head(game, asked.about, asked.head)

    return _write(pen, game, grant, asked, make, is_seen)


def act(pen: Pen, game: str, grant: Grant, dispute: str, asked: Act) -> Appended:
    """Store a claim, a ruling, an appeal or the end of a dispute.

    Raises:
        Problem: also where there is no such dispute, or it is closed.
        RecordError: also where `carry_out` is set, but the ruling orders neither a back-up nor a designation.
        NotFoundError, StoreError: as `commands.command`.
    """

    def make(fields: dict[str, Any], docket: Docket) -> list[Any]:
        check_open(docket, dispute)
        carry_out = fields.pop("carry_out", False)
        if isinstance(asked, Closed):
            fields.setdefault("outcome", closed_with(docket, dispute))
        event = _event(pen, grant, {**fields, "dispute": dispute})
        if not carry_out:
            return [event]
        more = carried_out(event) if isinstance(event, DisputeRuled) else []
        if not more:
            sentence = _("nothing to carry out; rule a back-up, or fix with a designation")
            raise UnreadableError(sentence, path="$.carry_out")
        return [event, *more]

    return _write(pen, game, grant, asked, make, dispute=dispute)


def check_open(docket: Docket, dispute: str) -> None:
    """Check that there is such a dispute, and that it is not closed.

    Raises:
        Problem: where there is no such dispute, or it is closed.
    """
    found = docket.get(dispute)
    if found is None:
        raise no_dispute(dispute)
    if found[0] is Stage.CLOSED:
        raise Problem(409, "dispute-closed", _("dispute {dispute} is closed").format(dispute=repr(dispute)))


def no_dispute(dispute: str) -> Problem:
    """Return the problem for a dispute that this game does not have."""
    sentence = _("no dispute {dispute} in this game").format(dispute=repr(dispute[:NAME_LENGTH]))
    return Problem(404, "no-such-dispute", sentence)


def _event(pen: Pen, grant: Grant, fields: dict[str, Any]) -> Any:
    return spoken(pen.store.mechanic, fields, grant)


def _write(
    pen: Pen, game: str, grant: Grant, asked: Act, made: Callable[[dict[str, Any], Docket], list[Any]],
    check: Callable[[int], None] = lambda last: None, **more: str,
) -> Appended:  # fmt: skip
    mechanic = pen.store.mechanic
    if NoteAdded not in mechanic.language.kinds:
        raise Problem(404, "no-such-route", _("this can only be asked of games of day and night"))

    def make(last: int) -> Sequence[Any]:
        time = {} if isinstance(asked, Noted) else {"at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
        fields = {"type": tag_of(asked.EVENT), **time, **asked.given()}
        return [signed(mechanic, event, grant) for event in made(fields, pen.live(game, last).whole.second)]

    return pen.write(game, asked.command, {tag_of(asked.EVENT): {**asked.given(), **more}}, make, check)
