"""What a caller gives to be appended: read as strictly as the lines of a file, and all at once."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from daynight.events.language import Recordable, strictly, vouched
from daynight.events.vocabulary import Event
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _

AT_ONCE = 1024
"""How many events are looked at together."""

_ENCODER = msgspec.json.Encoder()


def read_given(events: Iterable[Recordable]) -> list[Event]:
    """The events.

    Raises:
        UnreadableError: where one of them is none, or there are none.
    """
    given = list(events)
    if not given:
        raise UnreadableError(_("no event to append"))
    read: list[Event] = []
    for at in range(0, len(given), AT_ONCE):
        some = given[at : at + AT_ONCE]
        found = _at_once(some)
        # One by one they cost as much as everything else that an append does; but it is known what is wrong, and where.
        read += found if found is not None else [strictly(event) for event in some]
    return read


def _at_once(given: list[Recordable]) -> list[Event] | None:
    """All of them, or None where there is any doubt."""
    try:
        if {str, bytes}.isdisjoint(map(type, given)):
            data = _ENCODER.encode_lines(given)
        else:
            data = b"".join([_line(event) + b"\n" for event in given])
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
        return None
    # What is no number is written as null here too. A line within a line would be one more event.
    if b"null" in data or data.count(b"\n") != len(given):
        return None
    events = vouched(data)
    return events if events is not None and len(events) == len(given) else None


def _line(event: Recordable) -> bytes:
    if isinstance(event, bytes):
        return event
    return event.encode() if isinstance(event, str) else _ENCODER.encode(event)
