"""Whole records into a store: in one transaction, filled in, the very lines that will be exported again."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from daynight.cards import Catalogue
from daynight.events.language import read_blocks
from daynight.events.vocabulary import Event
from daynight.framework.language.codec import encode, encode_lines
from daynight.framework.language.happening import tag_of
from daynight.records import Record
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import BULK, Append
from daynight.store.proving.signing import check_signed
from daynight.store.records import lines_of


def store_record(recorder: GamesRecorder, record: Record, game: str, catalogue: Catalogue) -> None:
    """Store a record that can be replayed as a game of that name, its head signed.

    Raises:
        IntegrityError: where there is such a game.
        DamagedError: where the signer has signed another game of that name, or more of this one.
    """
    with recorder.transaction(write=True) as cursor:
        for events in _filled(record, catalogue):
            lines = [(tag_of(type(event)), encode(event)) for event in events]
            recorder.append(cursor, game, lines, Append(checked=True))
        head = recorder.last(cursor, game)
        # Of all that was stored here: an earlier part of it need not contain what was signed before.
        check_signed(recorder, game, head)
        recorder.add_signatures(cursor, game, [head])


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
