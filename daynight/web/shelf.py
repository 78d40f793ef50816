"""The shelf: the served games, from a store and from files, each found by its name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from threading import RLock
from types import MappingProxyType
from typing import Any, Protocol
from urllib.parse import quote, unquote_to_bytes

from daynight.framework.folding.standing import Standing
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.names import forbidden_character
from daynight.framework.language.source import STORED, Source
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.game import played
from daynight.games import Library, Store
from daynight.records import Record
from daynight.store import Feed
from daynight.store.branches import parent_of
from daynight.store.database.guard import guarded
from daynight.store.moments.past import Past
from daynight.store.moments.recent import LooksBackError, recent
from daynight.store.proving.chain import code_of
from daynight.store.records import chained_lines_of, digests_of
from daynight.store.threads import Lately, Locks
from daynight.web.errors import Problem
from daynight.web.file_game import Answer, FileGame, Kind, Played, blank

KEPT = 8
"""The number of stored games that are cached."""

EVENTS = 100_000
"""The most events of all cached games together, unless a single game has more."""


def id_of(name: str) -> str:
    """Return the id of a game in addresses: its name as one percent-encoded segment of a path.

    >>> id_of("a/b"), id_of(".."), id_of("~x")
    ('a%2Fb', '~..', '~~x')
    """
    guarded_name = f"~{name}" if name in (".", "..") or name.startswith("~") else name
    return quote(guarded_name, safe="")


def name_of(id: str) -> str | None:
    """Return the name that a segment of an address stands for; None if it is not UTF-8.

    >>> name_of("a%2Fb"), name_of("~.."), name_of("%ff")
    ('a/b', '..', None)
    """
    try:
        return unquote_to_bytes(id).decode().removeprefix("~")
    except UnicodeDecodeError:
        return None


class Shelved(Protocol):
    """A served game.

    `label` names its record as a command would: `db:friday`, or a file's name without folders. `more` are facts that
    only records of another program have.
    """

    name: str
    kind: Kind
    label: str
    mechanic: Mechanic[Any, Any, Any]
    more: Mapping[str, Any]

    @property
    def last(self) -> int:
        """The number of the last event."""
        ...

    @property
    def code(self) -> str | None:
        """The code of a stored game, its length and a short digest, which players note down; None for a file."""
        ...

    def game(self) -> Played:
        """Return the whole game in memory, up to its last event; later events are not added to it."""
        ...

    def asked(self, number: int, ask: Callable[[Any], Answer]) -> Answer:
        """Call `ask` with the game and return its answer. The game may lack the events after `number`."""
        ...

    def recalled(self, number: int) -> Any:
        """Return the state after event `number`, with data such as earlier changes, which most snapshots lack."""
        ...

    def lines(self, after: int, until: int) -> list[bytes]:
        """Return the lines of the events after `after`, up to `until`, as they are stored."""
        ...

    def digest(self, number: int) -> bytes | None:
        """Return a digest of all lines up to event `number`; None if there is no such event."""
        ...

    def digests(self, after: int, until: int) -> list[bytes]:
        """Return the digests at the events after event `after`, up to `until`."""
        ...

    def record(self) -> Source:
        """Return a record that reads the lines."""
        ...


class StoredGame:
    """A game of a store. A question reads only the events that it needs, from the nearest snapshot on."""

    kind: Kind = "stored"
    more: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, store: Store, name: str, kept: GamesInMemory) -> None:
        self.name = name
        self.label = f"{STORED}{name}"
        self.mechanic = store.mechanic
        self._store = store
        self._kept = kept

    @property
    def last(self) -> int:
        """The number of the last event."""
        return self._store.last(self.name)

    @property
    def code(self) -> str | None:
        """The code that players note down: the number of the last event, and a short form of its digest."""
        head = self._store.head(self.name)
        return code_of(head.number, head.digest)

    def game(self) -> Played:
        """Return the whole game in memory, with all currently stored events."""
        return self._kept.game(self._store, self.name)

    def asked(self, number: int, ask: Callable[[Any], Answer]) -> Answer:
        """Call `ask` with the game and return its answer.

        The game is read from the snapshot before event `number` on, unless it is cached or `ask` needs earlier events.
        """
        held = self._kept.held(self._store, self.name, number)
        if held is None:
            with suppress(LooksBackError), guarded(game=self.name):
                past = Past(self._store.recorder, self.name, checked=True)
                return ask(recent(past, number, blank(self.mechanic)))
        return ask(held or self.game())

    def recalled(self, number: int) -> Any:
        """Return the state after event `number`, with data such as earlier changes, which most snapshots lack.

        If the game is not cached, reading starts at the latest full snapshot, which has that data.
        """
        held = self._kept.held(self._store, self.name, number)
        if held is None:
            with guarded(game=self.name):
                past = Past(self._store.recorder, self.name, checked=True).recalling()
                live = past.snapshot(number)
                if live.number:
                    return past.onward(live, number).state
        return (held or self.game()).at(number)

    def standing(self, last: int) -> Standing:
        """Return which events up to event `last` still count: no back-up has undone them."""
        with guarded(game=self.name):
            return Past(self._store.recorder, self.name, checked=True).live(last).standing

    def lines(self, after: int, until: int) -> list[bytes]:
        """Return the lines of the events after `after`, up to `until`, checked against the hash chain."""
        with guarded(game=self.name):
            pieces = chained_lines_of(self._store.recorder, self.name, after, until) if after < until else ()
            return b"".join(pieces).split(b"\n")[:-1]

    def digest(self, number: int) -> bytes | None:
        """Return the digest of the hash chain at event `number`; None if there is no such event."""
        with guarded(game=self.name):
            return self._store.recorder.digest(self.name, number) if number > 0 else None

    def digests(self, after: int, until: int) -> list[bytes]:
        """Return the digests of the hash chain at the events after event `after`, up to `until`."""
        with guarded(game=self.name):
            return digests_of(self._store.recorder, self.name, after, until) if after < until else []

    def record(self) -> Source:
        """Return a record that reads the lines, and checks them against the hash chain."""
        return self._store.record(self.name, checked=True)


class GamesInMemory:
    """A cache of the most recently used stored games: `KEPT` of them, with at most `EVENTS` events.

    A cached game never grows: when its store has more events, a longer copy replaces it.
    """

    def __init__(self) -> None:
        self._games: Lately[str, tuple[int, bytes | None, Played]] = Lately(KEPT)
        self._reading = Locks()

    def held(self, store: Store, name: str, number: int) -> Played | None:
        """Return the cached game if it has event `number` and its last digest is still the stored one; else None."""
        found = self._games.get(name)
        if found is None or found[0] < number:
            return None
        with guarded(game=name):
            return found[2] if store.recorder.digest(name, found[0]) == found[1] else None

    def game(self, store: Store, name: str) -> Played:
        """Return the whole game, with all currently stored events, and cache it."""
        with self._reading.of(name), guarded(game=name):
            head = store.head(name)
            held = self.held(store, name, 1)
            if held is None or len(held) > head.number:
                held = blank(store.mechanic)
            if len(held) < head.number:
                held = held.what_if(len(held), ())
                for events in Past(store.recorder, name, checked=True).events(len(held), head.number):
                    held.extended(events)
            self._games.put(name, (head.number, head.digest, held))
            self._spare(name)
            return held

    def _spare(self, name: str) -> None:
        """Remove the oldest games, but not game `name`, until all in the cache have at most `EVENTS` events."""
        kept = self._games.items()
        events = sum(number for _game, (number, _digest, _held) in kept)
        for other, (number, _digest, _held) in kept:
            if events > EVENTS and other != name:
                self._games.take(other)
                events -= number


class Listing(Protocol):
    """Lists the served games."""

    def page(self, query: Any) -> dict[str, Any]:
        """Return a page of the list; `query` has the parameters of the list's route."""
        ...


class Follows(Protocol):
    """Lets one thread wait for new events."""

    def take(self) -> Iterable[Any]:
        """Wait for new events; return them, each with its `game` and `number`; empty after `close`."""
        ...

    def close(self) -> None:
        """Stop waiting."""
        ...


class Shelf:
    """The served games: files, and those of a store; with `only`, just these names and their branches.

    A shelf of another program's records may have its own `listing`, and a lock, `alone`: then one question is answered
    at a time, because the other program's code answers it.

    Raises:
        RecordError, NotFoundError, OSError: where a file cannot be read.
    """

    listing: Listing | None = None
    alone: RLock | None = None
    source: str | None = None
    """Names the other program of these records, such as `transitions`; None if they are daynight's own."""
    routes: tuple[Any, ...] = ()
    """Further routes that these records have."""

    def __init__(
        self, store: Store | None, files: Sequence[Record] = (), *,
        mechanic: Mechanic[Any, Any, Any] | None = None, only: Collection[str] | None = None,
    ) -> None:  # fmt: skip
        self.store = store
        self.mechanic = mechanic or (played() if store is None else store.mechanic)
        self.library = Library(store) if store is not None and self.is_of_games else None
        self._only = None if only is None else set(only)
        self._kept = GamesInMemory()
        self._parents: dict[str, str | None] = {}
        self.files: dict[str, FileGame] = {}
        for record in files:
            game = FileGame.read(record, self.mechanic)
            game.name = self._free(game.name)
            self.files[game.name] = game

    @property
    def called(self) -> str:
        """The name of the mechanic; for records of another program, that of its application or machine."""
        return self.mechanic.name

    @property
    def is_of_games(self) -> bool:
        """Whether the records are games of day and night."""
        return self.mechanic.language is played().language

    def feed(self) -> Follows | None:
        """Return a new object that waits for new events; None if there are never any."""
        return None if self.store is None else _Fed(Feed(self.store))

    @property
    def only(self) -> tuple[str, ...] | None:
        """The names of the stored games that are served; None: all."""
        return None if self._only is None else tuple(self._only)

    def taken(self, name: str) -> bool:
        """Return whether a file or a stored game has this name."""
        return name in self.files or (self.store is not None and is_name(name) and self.store.last(name) > 0)

    def find(self, name: str | None) -> Shelved:
        """Return the served game of this name.

        Raises:
            Problem: where no served game has this name.
        """
        if name is not None and name in self.files:
            return self.files[name]
        if name is not None and self.store is not None and self._serves(name) and self.store.last(name) > 0:
            return StoredGame(self.store, name, self._kept)
        raise self.missing(name)

    def first(self, name: str) -> Iterable[Any]:
        """Return the first event of a served game as the only item, or nothing; no other stored event is read."""
        if name in self.files:
            return self.files[name].game().events[:1]
        return () if self.store is None else self.store.events(name, 0, 1)

    def missing(self, name: str | None) -> Problem:
        """Return the problem (404) for a game that is not served, or that the caller may not read."""
        if name is None or not is_name(name):
            return Problem(404, "no-such-game", _("no game has such a name"))
        return Problem(404, "no-such-game", _("no game {game} here").format(game=repr(name)))

    def add(self, name: str) -> None:
        """Serve a new stored game too, if only some names are served."""
        if self._only is not None:
            self._only.add(name)

    def serves(self, name: str) -> bool:
        """Return whether a stored game of this name is served; a file of the same name hides it."""
        return name not in self.files and self._serves(name)

    def _serves(self, name: str) -> bool:
        if not is_name(name):
            return False
        return self._only is None or any(one in self._only for one in self.descent(name))

    def descent(self, name: str) -> Iterator[str]:
        """Yield the name of a stored game, then of the game it was branched from, and so on."""
        found: str | None = name
        # The name of a branch is longer than that of its parent, so the loop ends.
        while self.store is not None and found is not None and is_name(found) and self.store.last(found):
            yield found
            if found not in self._parents:
                # Stored events never change, so neither does the parent.
                self._parents[found] = parent_of(self.store, found)
            found = self._parents[found]

    def _free(self, name: str) -> str:
        found, number = name, 1
        while self.taken(found):
            number += 1
            found = f"{name} ({number})"
        return found


class _Fed:
    """Waits for the new events of a store: a subscription with its own `feed`, which `close` closes."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._subscription = feed.subscribe()

    def take(self) -> Iterable[Any]:
        return self._subscription.take()

    def close(self) -> None:
        self._feed.close()


def is_name(name: str) -> bool:
    """Return whether a game may have this name: it is not empty or too long, and has no forbidden character."""
    return 0 < len(name) <= NAME_LENGTH and forbidden_character(name) is None
