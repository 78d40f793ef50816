"""The shelf: the games that are served, from a store and from files, each found by what its address says."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar
from urllib.parse import quote, unquote_to_bytes

from daynight.framework.language.errors import RecordError
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.names import forbidden_character
from daynight.framework.language.reader import blocks
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.framework.recorded import Recorded
from daynight.framework.standing import Standing
from daynight.game import Game, played
from daynight.records import STORED, Held, Record
from daynight.store import Library, Store
from daynight.store.branches import parent_of
from daynight.store.database.guard import guarded
from daynight.store.moments.past import Past
from daynight.store.moments.recent import LooksBackError, recent
from daynight.store.proving.chain import code_of
from daynight.store.records import chained_lines_of
from daynight.web.errors import Problem

Kind = Literal["stored", "file"]
Played = Recorded[Any, Any, Any]
Answer = TypeVar("Answer")

KEPT = 8
"""How many stored games are held in memory, ready to be asked."""


def id_of(name: str) -> str:
    """What an address has for the game of a name: one segment of a path.

    >>> id_of("a/b"), id_of(".."), id_of("~x")
    ('a%2Fb', '~..', '~~x')
    """
    guarded_name = f"~{name}" if name in (".", "..") or name.startswith("~") else name
    return quote(guarded_name, safe="")


def name_of(id: str) -> str | None:
    """The name that a segment of an address spells; None where it spells none.

    >>> name_of("a%2Fb"), name_of("~.."), name_of("%ff")
    ('a/b', '..', None)
    """
    try:
        return unquote_to_bytes(id).decode().removeprefix("~")
    except UnicodeDecodeError:
        return None


class Shelved(Protocol):
    """A game that is served.

    `label` is what stands where a command has the name of its record: `db:friday`, or a file's last name.
    """

    name: str
    kind: Kind
    label: str
    mechanic: Mechanic[Any, Any, Any]

    @property
    def last(self) -> int:
        """The number of the last event."""
        ...

    @property
    def code(self) -> str | None:
        """What players note down of a stored game."""
        ...

    def game(self) -> Played:
        """The whole game in memory, up to its last event; nobody adds to this one."""
        ...

    def asked(self, number: int, ask: Callable[[Any], Answer]) -> Answer:
        """The answer of `ask` to the game. Events after `number` may be absent in it."""
        ...

    def recalled(self, number: int) -> Any:
        """The state after event `number`, with all that led there."""
        ...

    def lines(self, after: int, until: int) -> list[bytes]:
        """The lines of the events from after + 1 to until, as they are stored."""
        ...

    def digest(self, number: int) -> bytes | None:
        """A digest of all lines up to event `number`; None where there is no such event."""
        ...

    def record(self) -> Record:
        """The lines as a record."""
        ...


def blank(mechanic: Mechanic[Any, Any, Any]) -> Any:
    """A record of a mechanic without an event; of games a `Game`."""
    return Game() if mechanic.language is played().language else Recorded(mechanic)


class FileGame:
    """A game of a file, read when the server starts, and not again."""

    kind: Kind = "file"
    code: str | None = None

    def __init__(self, label: str, data: bytes, mechanic: Mechanic[Any, Any, Any]) -> None:
        self.label = label
        self.mechanic = mechanic
        self.data = data
        self._lines = data.removesuffix(b"\n").split(b"\n")
        self._game: Played = blank(mechanic)
        try:
            for events in mechanic.language.read_blocks(BytesIO(data)):
                self._game.filled(events)
        except RecordError as error:
            raise error.located(file=label) from None
        self.name = title_of(self._game, label)

    @classmethod
    def read(cls, record: Record, mechanic: Mechanic[Any, Any, Any]) -> FileGame:
        """The game of a record, known by the last name of its file.

        Raises:
            RecordError: at the first line that is refused.
            NotFoundError, OSError: where there is no such file, or it cannot be read.
        """
        with record.open() as stream:
            data = b"".join(blocks(stream))
        label = record.name if record.name == "-" else Path(record.shown).name
        try:
            return cls(label, data, mechanic)
        except RecordError as error:
            error.file = None
            raise record.located(error) from None

    @property
    def last(self) -> int:
        """The number of the last event."""
        return len(self._game)

    def game(self) -> Played:
        """The game in memory."""
        return self._game

    def asked(self, number: int, ask: Callable[[Any], Answer]) -> Answer:
        """What the game is answered."""
        return ask(self._game)

    def recalled(self, number: int) -> Any:
        """The state after an event."""
        return self._game.at(number)

    def lines(self, after: int, until: int) -> list[bytes]:
        """The lines of some events."""
        return self._lines[after:until]

    def digest(self, number: int) -> bytes | None:
        """SHA-256 over the lines so far."""
        if not 1 <= number <= self.last:
            return None
        return sha256(b"".join(line + b"\n" for line in self._lines[:number])).digest()

    def record(self) -> Record:
        """The lines as a record."""
        return Held(self.label, self.data)


class StoredGame:
    """A game of a store, read when it is asked for; of its end no more is read than the question needs."""

    kind: Kind = "stored"

    def __init__(self, store: Store, name: str, kept: Kept) -> None:
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
        """What players note down."""
        head = self._store.head(self.name)
        return code_of(head.number, head.digest)

    def game(self) -> Played:
        """The game in memory, as far as it has come now."""
        return self._kept.game(self._store, self.name)

    def asked(self, number: int, ask: Callable[[Any], Answer]) -> Answer:
        """What the game is answered, read from the snapshot before event `number` on."""
        held = self._kept.held(self._store, self.name, number)
        if held is None:
            with suppress(LooksBackError), guarded(game=self.name):
                past = Past(self._store.recorder, self.name, checked=True)
                return ask(recent(past, number, blank(self.mechanic)))
        return ask(held or self.game())

    def recalled(self, number: int) -> Any:
        """The state after event `number`, with all that led there; of a long game no more is read than that needs."""
        held = self._kept.held(self._store, self.name, number)
        if held is None:
            with guarded(game=self.name):
                past = Past(self._store.recorder, self.name, checked=True).recalling()
                live = past.snapshot(number)
                if live.number:
                    return past.onward(live, number).state
        return (held or self.game()).at(number)

    def standing(self, last: int) -> Standing:
        """Which events stand after event `last`."""
        with guarded(game=self.name):
            return Past(self._store.recorder, self.name, checked=True).live(last).standing

    def lines(self, after: int, until: int) -> list[bytes]:
        """The lines of some events, compared with the chain."""
        with guarded(game=self.name):
            pieces = chained_lines_of(self._store.recorder, self.name, after, until) if after < until else ()
            return b"".join(pieces).split(b"\n")[:-1]

    def digest(self, number: int) -> bytes | None:
        """The digest of the chain at an event."""
        with guarded(game=self.name):
            return self._store.recorder.digest(self.name, number) if number > 0 else None

    def record(self) -> Record:
        """The lines as a record, compared with the chain."""
        return self._store.record(self.name, checked=True)


class Kept:
    """The stored games that were asked for last, in memory: as many as `KEPT`.

    A game in it is never added to: where its store has more events, another one takes its place.
    """

    def __init__(self) -> None:
        self._games: OrderedDict[str, tuple[int, bytes | None, Played]] = OrderedDict()
        self._lock = threading.Lock()
        self._reading: dict[str, threading.Lock] = {}

    def held(self, store: Store, name: str, number: int) -> Played | None:
        """The game, where it is in memory as far as event `number`, and still the one that is stored."""
        with self._lock:
            found = self._games.get(name)
        if found is None or found[0] < number:
            return None
        with guarded(game=name):
            return found[2] if store.recorder.digest(name, found[0]) == found[1] else None

    def game(self, store: Store, name: str) -> Played:
        """The whole game, as far as its store has it now."""
        with self._lock:
            reading = self._reading.setdefault(name, threading.Lock())
        with reading, guarded(game=name):
            head = store.head(name)
            held = self.held(store, name, 1)
            if held is None or len(held) > head.number:
                held = blank(store.mechanic)
            if len(held) < head.number:
                held = held.what_if(len(held), ())
                for events in Past(store.recorder, name, checked=True).events(len(held), head.number):
                    held.extended(events)
            with self._lock:
                self._games[name] = (head.number, head.digest, held)
                self._games.move_to_end(name)
                while len(self._games) > KEPT:
                    del self._reading[self._games.popitem(last=False)[0]]
            return held


class Shelf:
    """What is served: the games of a store, or those `only` of these names and their branches, and files.

    Raises:
        RecordError, NotFoundError, OSError: where a file cannot be read.
    """

    def __init__(
        self, store: Store | None, files: Sequence[Record] = (), *,
        mechanic: Mechanic[Any, Any, Any] | None = None, only: Collection[str] | None = None,
    ) -> None:  # fmt: skip
        self.store = store
        self.mechanic = mechanic or (played() if store is None else store.mechanic)
        self.library = Library(store) if store is not None and self.is_of_games else None
        self._only = None if only is None else set(only)
        self._kept = Kept()
        self._parents: dict[str, str | None] = {}
        self.files: dict[str, FileGame] = {}
        for record in files:
            game = FileGame.read(record, self.mechanic)
            game.name = self._free(game.name)
            self.files[game.name] = game

    @property
    def is_of_games(self) -> bool:
        """Whether they are games of day and night."""
        return self.mechanic.language is played().language

    @property
    def only(self) -> tuple[str, ...] | None:
        """The names of the stored games that are served; None: all."""
        return None if self._only is None else tuple(self._only)

    def taken(self, name: str) -> bool:
        """Whether a file or a stored game has this name."""
        return name in self.files or (self.store is not None and is_name(name) and self.store.last(name) > 0)

    def find(self, name: str | None) -> Shelved:
        """The game of a name.

        Raises:
            Problem: where there is none.
        """
        if name is not None and name in self.files:
            return self.files[name]
        if name is not None and self.store is not None and self._serves(name) and self.store.last(name) > 0:
            return StoredGame(self.store, name, self._kept)
        raise self.missing(name)

    def missing(self, name: str | None) -> Problem:
        """The refusal of a game that is not here, or that the caller may not read."""
        if name is None or not is_name(name):
            return Problem(404, "no-such-game", _("no game has such a name"))
        return Problem(404, "no-such-game", _("no game {game} here").format(game=repr(name)))

    def add(self, name: str) -> None:
        """Serve a stored game that was begun just now."""
        if self._only is not None:
            self._only.add(name)

    def serves(self, name: str) -> bool:
        """Whether a stored game of this name is on the shelf."""
        return name not in self.files and self._serves(name)

    def _serves(self, name: str) -> bool:
        if not is_name(name):
            return False
        return self._only is None or any(one in self._only for one in self.descent(name))

    def descent(self, name: str) -> Iterator[str]:
        """A stored game, what it was branched from, and that in turn."""
        found: str | None = name
        # The name of a branch is longer than that of its parent: this comes to an end.
        while self.store is not None and found is not None and is_name(found) and self.store.last(found):
            yield found
            if found not in self._parents:
                # Of what is stored nothing changes.
                self._parents[found] = parent_of(self.store, found)
            found = self._parents[found]

    def _free(self, name: str) -> str:
        found, number = name, 1
        while self.taken(found):
            number += 1
            found = f"{name} ({number})"
        return found


def title_of(game: Played, label: str) -> str:
    """The name that the first line of a file gives its game, or else the file's."""
    first: Any = game.events[0]
    return getattr(first, "game", None) or game.mechanic.title(first) or label.partition(".")[0]


def is_name(name: str) -> bool:
    """Whether a game can be called that."""
    return 0 < len(name) <= NAME_LENGTH and forbidden_character(name) is None
