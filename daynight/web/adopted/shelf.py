"""The shelf of adopted records: a record is opened on first use, and again after it has grown."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from threading import RLock
from typing import Any, NamedTuple

from daynight.adapters.errors import AdoptedError, NoAggregateError
from daynight.framework.language.codec import encode_lines
from daynight.framework.language.wording import _
from daynight.store import UnavailableError
from daynight.store.threads import Lately
from daynight.web.adopted.origin import Origin
from daynight.web.errors import Problem
from daynight.web.file_game import GameInMemory, Kind
from daynight.web.game_list import GamesQuery
from daynight.web.shelf import Follows, Shelf, Shelved, id_of

KEPT = 8
"""The number of records that are cached."""


class AdoptedRecord(GameInMemory):
    """A record of an application of `eventsourcing` or a machine of `transitions`: read only, as it was when opened.

    `size` is the number of its events then, unreadable ones included. `more["stops"]` has the number of the first
    unreadable event, and the reason; None if all are readable.
    """

    kind: Kind = "adopted"

    def __init__(self, origin: Origin, name: str, size: int, salt: bytes) -> None:
        opened = origin.open(name)
        lines = encode_lines(opened.record.events).removesuffix(b"\n").split(b"\n") if len(opened.record) else []
        super().__init__(name, name, opened.record, lines)
        self.size = size
        self._salt = salt
        self.ways = opened.ways
        stops = None if opened.stops is None else {"event": opened.stops[0], "sentence": opened.stops[1]}
        more = {"title": opened.title, "stops": stops, "pictured": opened.ways is not None, "lost": opened.lost}
        self.more: Mapping[str, Any] = more

    def digest(self, number: int) -> bytes | None:
        """Return a digest of the lines up to event `number`, salted by this server; None if there is no such event.

        Another server may run other code of the application, which may derive another state from the same events.
        """
        found = super().digest(number)
        return None if found is None else sha256(self._salt + found).digest()

    def digests(self, after: int, until: int) -> list[bytes]:
        """Return what `digest` returns for each event after event `after`, up to `until`."""
        return [sha256(self._salt + one).digest() for one in super().digests(after, until)]


class AdoptedList:
    """The list of adopted records. Making it opens no record."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin

    def page(self, query: GamesQuery) -> dict[str, Any]:
        """Return a page; `next` is the `after` of the next page, or None. `player` or `verdict` raises a Problem."""
        for name in ("player", "verdict"):
            if getattr(query, name) is not None:
                raise Problem(400, "bad-parameter", _("no parameter {name} for these records").format(name=repr(name)))
        rows = [*self._origin.listed(query.after or "", query.limit + 1, query.q or "")]
        more = rows[query.limit - 1]["game"] if len(rows) > query.limit else None
        return {
            "games": [{"id": id_of(row["game"])} | row for row in rows[: query.limit]], "behind": 0, "next": more,
        }  # fmt: skip


class Told(NamedTuple):
    """A new event of a record."""

    game: str
    number: int


class Feed:
    """The new events of adopted records."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._following = origin.following()

    def take(self) -> Iterable[Told]:
        """Wait for new events, and return them; empty after `close`.

        Raises:
            UnavailableError: where the database does not answer.
        """
        try:
            return [Told(*self._origin.noticed(one)) for one in self._following.take()]
        except AdoptedError as error:
            raise UnavailableError(str(error)) from error

    def close(self) -> None:
        """Stop waiting for events."""
        self._following.close()


class AdoptedShelf(Shelf):
    """The records of an application or of a machine.

    Only one thread at a time runs an application's code, because that code may not be thread-safe.
    """

    def __init__(self, origin: Origin) -> None:
        self.store = self.library = None
        self.files = {}
        self.source = origin.source
        self.alone = RLock()
        self.listing = AdoptedList(origin)
        self._origin = origin
        self._salt = secrets.token_bytes(16)
        self._opened: Lately[str, AdoptedRecord] = Lately(KEPT)

    @property
    def called(self) -> str:
        """The name of the application or machine."""
        return self._origin.called

    @property
    def is_of_games(self) -> bool:
        """False: adopted records are never games of day and night."""
        return False

    @property
    def only(self) -> tuple[str, ...] | None:
        """None: all records are served."""
        return None

    def feed(self) -> Follows | None:
        """Return the feed of new events; here it is never None."""
        return Feed(self._origin)

    def find(self, name: str | None) -> Shelved:
        """Return the record of a name, with all current events; raise a Problem if it is missing or unreadable."""
        if name is None:
            raise self.missing(name)
        try:
            size = self._origin.size(name)
        except NoAggregateError:
            raise self.missing(name) from None
        held = self._opened.get(name)
        if held is None or held.size != size:
            held = AdoptedRecord(self._origin, name, size, self._salt)
            if not held.last:
                stops = held.more["stops"]
                raise Problem(422, "unreadable", stops["sentence"], line=1)
            self._opened.put(name, held)
        return held

    def missing(self, name: str | None) -> Problem:
        """Return the problem for a missing record."""
        sentence = _("no record {name} here; the list shows all")
        return Problem(404, "no-such-record", sentence.format(name=repr(name or "")))

    def taken(self, name: str) -> bool:
        """Return whether there is a record of this name."""
        try:
            return self._origin.size(name) > 0
        except NoAggregateError:
            return False

    def serves(self, name: str) -> bool:
        """True: all records are served."""
        return True

    def descent(self, name: str) -> Iterator[str]:
        """Yield only the name: adopted records have no branches."""
        yield name
