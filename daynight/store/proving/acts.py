"""Acts: the events that undo, overrule or close something, and the heads that a key signs.

Backing up, a ruling, and the end of a dispute or of a game are acts: the mechanic's `seals` has their type with `after`
or `end`, or `restores` returns the event to which they back up. A signature of a later event only says that the key's
owner saw the game like that; a signature of the act's own event says that the owner made the act. So each act is signed
when it is stored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from daynight.framework.language.happening import kinds_of, tag_of
from daynight.framework.mechanic import Mechanic
from daynight.store.database.mapper import event_of
from daynight.store.database.rows import Head, Row
from daynight.store.errors import Act, DamagedError, NotReadableError
from daynight.store.proving.chain import code_of
from daynight.store.proving.keys import attested


def is_act(mechanic: Mechanic[Any, Any, Any], event: Any) -> bool:
    """Return whether an event undoes, overrules or closes something."""
    return mechanic.seals.get(type(event)) in ("after", "end") or mechanic.restores(event) is not None


class Acts:
    """Finds acts among rows. `begins` are the tags of events that begin a turn: the head before one is signed."""

    def __init__(self, mechanic: Mechanic[Any, Any, Any]) -> None:
        self.mechanic = mechanic
        self.begins = {tag_of(kind) for kind, when in mechanic.seals.items() if when == "before"}
        self._sealed = {tag_of(kind) for kind in mechanic.seals} - self.begins
        restoring = {tag_of(kind) for kind in kinds_of(mechanic.restores, mechanic.language.kinds)}
        # An old tag stands for any of today's events.
        self._others = set(mechanic.language.tags) - self._sealed - restoring

    def among(self, rows: Iterable[Row]) -> list[Row]:
        """Return the rows that are acts; the rows must have been compared with the chain, or be about to be stored.

        Raises:
            DamagedError, NotReadableError: where an event that may be an act cannot be read.
        """
        return [row for row in rows if row.tag in self._sealed or (row.tag not in self._others and self._is_one(row))]

    def seems_one(self, row: Row) -> bool:
        """Return whether a row is an act; for a row that this code cannot read, its tag decides."""
        try:
            return bool(self.among((row,)))
        except (DamagedError, NotReadableError):
            return row.tag in self._sealed

    def _is_one(self, row: Row) -> bool:
        return is_act(self.mechanic, event_of(self.mechanic.language, row.tag, row.line))

    def heads(self, head: Head, rows: Sequence[Row]) -> list[Head]:
        """Return the heads that a key signs when rows are stored after `head`: acts, and the ends of turns.

        The first event is signed too: it identifies the game, even if the key's memory is lost.
        """
        acts = {row.number for row in self.among(rows)}
        ended: dict[Head, None] = {}
        for row in rows:
            if row.tag in self.begins and head.number:
                ended[head] = None
            head = Head(row.number, row.digest)
            if head.number == 1 or head.number in acts:
                ended[head] = None
        return [*ended]


def unsigned_acts(
    game: str, acts: Iterable[Row], signatures: Iterable[tuple[int, bytes, bytes]], keys: Collection[bytes]
) -> tuple[Act, ...]:
    """Return those of `acts` without a valid signature by one of `keys`; `signatures` are (event, key, signature)."""
    rows = {row.number: row for row in acts}
    for event, key, signature in signatures:
        row = rows.get(event)
        if row is not None and key in keys and attested(key, signature, game, event, row.digest):
            del rows[event]
    return tuple(Act(number, row.tag, code_of(number, row.digest)) for number, row in rows.items())
