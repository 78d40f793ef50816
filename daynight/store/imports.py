"""Whole records into a store: in one transaction, filled in, the very lines that will be exported again."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from daynight.cards import Catalogue
from daynight.events.codec import encode, encode_lines
from daynight.events.reader import read_blocks
from daynight.events.vocabulary import Event, tag_of
from daynight.records import Record
from daynight.store.recorder import GamesRecorder
from daynight.store.records import lines_of
from daynight.store.rows import BULK, Append

__all__ = ["is_stored", "store_record"]


def store_record(recorder: GamesRecorder, record: Record, game: str, catalogue: Catalogue) -> None:
    """Store a record that can be replayed as a game of that name, its head signed.

    Raises:
        IntegrityError: where there is such a game.
    """
    with recorder.transaction(write=True) as cursor:
        for events in _filled(record, catalogue):
            recorder.append(cursor, game, [(tag_of(type(event)), encode(event)) for event in events], Append())
        recorder.add_signatures(cursor, game, [recorder.last(cursor, game)])


def is_stored(recorder: GamesRecorder, record: Record, game: str, catalogue: Catalogue) -> bool:
    """Whether just this record is stored under that name."""
    given, kept = sha256(), sha256()
    for events in _filled(record, catalogue):
        given.update(encode_lines(events))
    for piece in lines_of(recorder, game, 0, recorder.head(game).number):
        kept.update(piece)
    return given.digest() == kept.digest()


def _filled(record: Record, catalogue: Catalogue) -> Iterator[list[Event]]:
    with record.open() as stream:
        for events in read_blocks(stream):
            for at in range(0, len(events), BULK):
                yield [catalogue.fill(event) for event in events[at : at + BULK]]
