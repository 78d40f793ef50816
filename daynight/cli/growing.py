"""Imported games into a store: whole ones as they are, grown ones by what they grew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from msgspec.structs import replace

from daynight.events.actions import GameJoined
from daynight.events.codec import encode, encode_lines
from daynight.events.errors import NotFoundError
from daynight.events.rulings import GameBackedUp
from daynight.events.vocabulary import Event
from daynight.records import Record

if TYPE_CHECKING:
    from daynight.store import Store

__all__ = ["Stored", "store_game"]


class Stored(NamedTuple):
    """How many events of a game are stored, how many of them just now, and what was taken back before those."""

    events: int
    appended: int
    undone: int


class _Told(Record):
    """A record in memory."""

    def __init__(self, name: str, events: Sequence[Event]) -> None:
        super().__init__(name)
        self._lines = encode_lines(events)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Its bytes, from the beginning."""
        yield BytesIO(self._lines)


def store_game(store: Store, name: str, events: Sequence[Event], *, by: str) -> Stored:
    """Store a game as it was imported: all of it, or what came since it was stored last.

    What others stored in between (a judge's ruling) stays. What the source took back since is backed up, by the
    importer. Nothing is stored twice, whoever imports at the same time.

    Raises:
        RecordError: where an event can't happen in the game that is there.
        ConflictError: where somebody else stored events meanwhile, or another game has that name.
        StoreError: where the store does not answer.
    """
    try:
        head = store.head(name).number
    except NotFoundError:
        return Stored(store.import_record(_Told(name, events)).number, len(events), 0)
    told = [_bare(store.catalogue.fill(event)) for event in events]
    standing = _standing(store, name)
    same = 0
    while same < min(len(told), len(standing)) and told[same] == standing[same][1]:
        same += 1
    rest = list(events[same:])
    if not rest or (same < len(standing) and any(isinstance(event, GameJoined) for event in told[1:2])):
        # The source has no more than what is there, or only the end of it. What it took back is known once it goes on.
        return Stored(head, 0, 0)
    if same == 0:
        # Another game of that name: refused by who imports whole records.
        store.import_record(_Told(name, events), name)
    undone = len(standing) - same
    if undone:
        rest.insert(0, GameBackedUp(to=standing[same - 1][0], by=by))
    command = f"import-{head}-{sha256(b'|'.join(encode(_bare(event)) for event in rest)).hexdigest()[:32]}"
    appended = store.append(name, rest, command=command, expected=head)
    return Stored(appended.last, len(rest), undone)


def _standing(store: Store, name: str) -> list[tuple[int, Event]]:
    """What is stored of the source's telling and was not taken back: numbers and events."""
    standing: list[tuple[int, Event]] = []
    for number, event in enumerate(store.events(name), 1):
        if isinstance(event, GameBackedUp):
            while standing and standing[-1][0] > event.to:
                standing.pop()
        elif number == 1 or "source" in (event.meta or {}):
            standing.append((number, _bare(event)))
    return standing


def _bare(event: Event) -> Event:
    """An event without what says where it comes from."""
    return replace(event, meta=None)
