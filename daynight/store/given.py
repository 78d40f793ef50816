"""Reads the events of an append as strictly as the lines of a file, all at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, TypeVar

import msgspec
from eventsourcing.persistence import IntegrityError
from msgspec.structs import fields

from daynight.framework.edits import Recordable
from daynight.framework.language.errors import NotFoundError, RecordError, UnreadableError
from daynight.framework.language.language import Language
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.store.database.declared import UNMARKED

E = TypeVar("E")

RANDOM = "random"
"""The key in the first event's `meta` with the random bits of a new game: 128 bits as 32 hexadecimal digits."""

AT_ONCE = 1024
"""The number of events that are read together."""

_ENCODER = msgspec.json.Encoder()


def read_given(language: Language[E], given: Sequence[Recordable]) -> list[E]:
    """Return the given events, read strictly.

    Raises:
        UnreadableError: where one of them is not a valid event, or there are none.
    """
    if not given:
        raise UnreadableError(_("no event to append"))
    read: list[E] = []
    for at in range(0, len(given), AT_ONCE):
        some = given[at : at + AT_ONCE]
        found = _at_once(language, some)
        # Reading one by one costs as much as the rest of an append, but finds the error and its place.
        read += found if found is not None else [language.strictly(event) for event in some]
    return read


def check_place(mechanic: Mechanic[Any, Any, Any], name: str, first: int, event: Any, expected: int | None) -> None:
    """Check that an event may be event `first` of a record.

    Raises:
        IntegrityError: where the caller expected another last event.
        NotFoundError: where `first` is 1, so there is no such record, and the event cannot be the first of one.
    """
    if expected is not None and expected != first - 1:
        sentence = _("the last event is {head}, not {expected}; read what came, and append again")
        raise IntegrityError(sentence.format(head=first - 1, expected=expected))
    if first > 1:
        return
    try:
        mechanic.begins(event)
    except RecordError as error:
        if mechanic.name == UNMARKED:
            sentence = _("no game {game}; begin it with daynight new").format(game=repr(name))
        else:
            # What the mechanic says may have braces in it: it is joined, not formatted.
            sentence = _("no game {game}").format(game=repr(name)) + f": {error.sentence}"
        raise NotFoundError(sentence) from None


def has_given(
    stored: Sequence[Any], given: Sequence[Any], filled: Sequence[Any], *, exactly: bool = False,
    but: Collection[str] = ("rules",),
) -> bool:  # fmt: skip
    """Return whether stored events are the `given` ones of a request; `filled` are these, completed by current code.

    A field with its default in the request is not compared; with `exactly` it is, unless the current code completes it.
    The fields in `but` and the random bits of a new game are never compared.
    """
    if not len(stored) == len(given) == len(filled):
        return False
    return all(_has(*three, exactly=exactly, but=but) for three in zip(stored, given, filled, strict=True))


def has_spelled(stored: Sequence[Any], given: Sequence[Any], sent: Sequence[Recordable]) -> bool:
    """Return whether each field that the request `sent` wrote out with its default has this value in the stored events.

    Stored from a line with an old tag, such a field may have another value, because the default was different then.
    """
    for there, event, one in zip(stored, given, sent, strict=True):
        spelled = {} if isinstance(one, msgspec.Struct) else msgspec.json.decode(_line(one))
        for field in fields(event):
            value = getattr(event, field.name)
            if field.encode_name in spelled and value == field.default and value != getattr(there, field.name):
                return False
    return True


def _has(stored: Any, given: Any, filled: Any, *, exactly: bool = False, but: Collection[str] = ()) -> bool:
    if stored in (given, filled):
        return True
    if type(given) is tuple and type(stored) is tuple and len(stored) == len(given) == len(filled):
        return all(map(_has, stored, given, filled))
    if not isinstance(given, msgspec.Struct) or type(stored) is not type(given):
        return False
    for field in fields(given):
        value, full = getattr(given, field.name), getattr(filled, field.name)
        is_left_out = value == field.default and (not exactly or full != value)
        if field.name in but or is_left_out:
            continue
        if field.name == "meta" and _meant(value) == _meant(getattr(stored, field.name)):
            continue
        if not _has(getattr(stored, field.name), value, full):
            return False
    return True


def _meant(meta: dict[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (meta or {}).items() if name != RANDOM}


def _at_once(language: Language[E], given: Sequence[Any]) -> list[E] | None:
    """Return the events, read all at once; None if they must be read one by one, to find an error."""
    try:
        if {str, bytes}.isdisjoint(map(type, given)):
            data = _ENCODER.encode_lines(given)
        else:
            data = b"".join([_line(event) + b"\n" for event in given])
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
        return None
    # NaN is written as null here too. A line within a line would be one more event.
    if b"null" in data or data.count(b"\n") != len(given):
        return None
    events = language.vouched(data)
    return events if events is not None and len(events) == len(given) else None


def _line(event: Recordable) -> bytes:
    if isinstance(event, bytes):
        return event
    return event.encode() if isinstance(event, str) else _ENCODER.encode(event)
