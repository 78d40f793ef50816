"""Between the notation for people and JSON Lines: the events of a record, exactly as they were written down."""

from __future__ import annotations

from collections.abc import Iterator

from daynight.cards import Catalogue
from daynight.events.language import read_blocks
from daynight.events.vocabulary import Event
from daynight.framework.language.errors import RecordError
from daynight.notation import read as read_words
from daynight.records import Record


def events_of(record: Record, catalogue: Catalogue) -> Iterator[Event]:
    """The events of a record, as they will be stored where they were typed, and as they are where they are JSON.

    Raises:
        RecordError: at the first line that is refused.
        NotFoundError: where there is no such file.
    """
    try:
        with record.open() as stream:
            if not record.in_words:
                for events in read_blocks(stream):
                    yield from events
                return
        # Not the JSON that others are given: it does not tell of what nothing may be filled in.
        with record.raw() as source:
            yield from (placed.event for placed in read_words(source, catalogue))
    except RecordError as error:
        raise record.located(error) from None
