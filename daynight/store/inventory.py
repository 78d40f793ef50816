"""Lists all games of a store with their heads, in the order in which they began, and makes a code of the list.

A code covers the first events of the store, and names their number. So an old code can still be compared with a store
that has grown since: with each game as it was then.
"""

from __future__ import annotations

from hashlib import sha256
from struct import pack

from msgspec import Struct

from daynight.framework.language.wording import _
from daynight.store.database.declared import RULES, view_tables
from daynight.store.database.guard import guarded
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import Head, tables
from daynight.store.errors import DamagedError, Fault
from daynight.store.proving.chain import parse_store_code, store_code_of

_ALL = 2**53


class Inventory(Struct, frozen=True):
    """The games of a store and their heads, as they were after its first `events` events."""

    events: int
    heads: tuple[tuple[str, Head], ...]

    @property
    def code(self) -> str:
        """The code to note, which shows later that no game was removed, changed or moved: `s163 7K3M-...`."""
        found = sha256(b"daynight: the games of a store\n" + pack(">QI", self.events, len(self.heads)))
        for game, head in self.heads:
            name = game.encode()
            found.update(pack(">IQ", len(name), head.number) + name + head.digest)
        return store_code_of(self.events, found.digest())


def taken(recorder: GamesRecorder, events: int = _ALL) -> Inventory:
    """Return the inventory of a store after its first `events` events, or now.

    Raises:
        DamagedError: where a game's name is no text, or its last event has no digest.
        UnavailableError: where the database does not answer.
    """
    with guarded(), recorder.transaction(write=False):
        found = recorder.select(
            "SELECT originator_id, max(originator_version), count(*) FROM"
            f" (SELECT originator_id, originator_version, {recorder.place} AS place FROM stored_events"
            f" ORDER BY {recorder.place} LIMIT ?) AS earliest GROUP BY originator_id ORDER BY min(place)",
            events,
        )
        heads = []
        for game, number, _many in found:
            digest = recorder.digest(game, number)
            if digest is None or type(game) is not str:
                raise DamagedError(_("the last event has no number or no digest"), game=str(game))
            heads.append((game, Head(number, digest)))
        return Inventory(sum(many for _game, _number, many in found), tuple(heads))


def check_store(recorder: GamesRecorder, code: str) -> Fault | None:
    """Compare a noted code with a store; return the difference, None if there is none.

    Raises:
        SettingsError: where the code is not a store's code.
        DamagedError, UnavailableError: as `taken`.
    """
    events, noted = parse_store_code(code)
    found = taken(recorder, events)
    if found.events < events:
        sentence = _("a code of {events} events was noted, but there are {last}: a game was deleted, or cut off")
        return Fault(None, sentence.format(events=events, last=found.events))
    if found.code != noted:
        sentence = _(
            "the code of the first {events} events is {found}, not {code}: it was noted wrongly, or a game was deleted,"
            " written anew or moved before another"
        )
        return Fault(None, sentence.format(events=events, found=found.code, code=noted))
    return None


def is_empty(recorder: GamesRecorder) -> bool:
    """Return whether the store is entirely empty: no events, and no rows in other tables about records."""
    rules = [RULES] if recorder.has_table(RULES) else []
    names = ("stored_events", "tracking", *rules, *tables(blob="", integer=""), *view_tables(recorder))
    return not any(recorder.select(f"SELECT 1 FROM {name} LIMIT 1") for name in names)
