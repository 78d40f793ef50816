"""What a caller gives to be appended: read as strictly as the lines of a file, and all at once."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

import msgspec

from daynight.events.errors import UnreadableError
from daynight.events.reader import read_blocks
from daynight.events.vocabulary import Event
from daynight.events.wording import _
from daynight.game import Recordable, strictly

__all__ = ["read_given"]

_ENCODER = msgspec.json.Encoder()


def read_given(events: Iterable[Recordable]) -> list[Event]:
    """The events.

    Raises:
        UnreadableError: where one of them is none, or there are none.
    """
    given = list(events)
    if not given:
        raise UnreadableError(_("no event to append"))
    found = _at_once(given)
    # One at a time costs as much as everything else that an append does; but it knows what is wrong, and where.
    return found if found is not None else [strictly(event) for event in given]


def _at_once(given: list[Recordable]) -> list[Event] | None:
    """All of them, or None where there is any doubt."""
    try:
        lines = [_line(event) for event in given]
        data = b"\n".join(lines) + b"\n"
        # What is no number is written as null here too. A line within a line would be one more event, and what begins
        # in another way might be a packed record.
        if b"null" in data or data.count(b"\n") != len(given) or not data.startswith(b"{"):
            return None
        found = [event for block in read_blocks(BytesIO(data)) for event in block]
    except (UnreadableError, msgspec.MsgspecError, TypeError, ValueError, RecursionError):
        return None
    return found if len(found) == len(given) else None


def _line(event: Recordable) -> bytes:
    if isinstance(event, bytes):
        return event
    return event.encode() if isinstance(event, str) else _ENCODER.encode(event)
