"""The store: games that are kept, appended to by many, and read at any of their moments."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import BinaryIO
from weakref import WeakValueDictionary

import msgspec

from daynight.cards import Catalogue, bundled
from daynight.events.actions import GameStarted
from daynight.events.consequences import Consequence
from daynight.events.language import Recordable, read
from daynight.events.vocabulary import Event
from daynight.framework.history import Moment
from daynight.framework.language.codec import encode_lines
from daynight.framework.language.errors import NotFoundError
from daynight.framework.language.happening import tag_of
from daynight.framework.language.wording import _
from daynight.framework.positions import Position
from daynight.game import Game
from daynight.origins import own_name
from daynight.records import Record
from daynight.referee.places import place
from daynight.referee.state import State
from daynight.replay import replay
from daynight.store.database.application import Games
from daynight.store.database.guard import guarded
from daynight.store.database.mapper import command_id, game_name
from daynight.store.database.rows import Append, Command, Head, Signer
from daynight.store.database.settings import DEFAULT, Settings
from daynight.store.errors import ConflictError
from daynight.store.given import read_given
from daynight.store.imports import is_stored, store_record
from daynight.store.moments.live import Live
from daynight.store.moments.past import Past, frozen
from daynight.store.proving.chain import code_of
from daynight.store.proving.signing import Seen, followed, seen_after
from daynight.store.records import StoredRecord, chained_lines_of

LIVE = 64
"""How many games are kept ready for their next event."""


class Appended(msgspec.Struct, frozen=True, kw_only=True):
    """What an append stored: events `first` to `last` of the game, under this command id.

    `moments` are the events as stored and what each set off; none where the command had been stored before
    (`repeated`): then nothing was stored now.
    """

    game: str
    first: int
    last: int
    command: str
    repeated: bool = False
    moments: tuple[Moment[Event, Consequence], ...] = ()


class Store:
    """Games in one place.

    >>> with Store.open("memory:") as store:
    ...     store.new("friday", ["Ana", "Bo"]).last
    ...     store.append("friday", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}]).last
    ...     store.at("friday").active
    1
    2
    ('Ana',)
    """

    def __init__(self, settings: Settings, *, key: Signer | None = None, catalogue: Catalogue | None = None) -> None:
        self.settings = settings
        self.catalogue = bundled() if catalogue is None else catalogue
        with guarded():
            self.application = Games(settings)
        self.recorder = self.application.games
        self.recorder.signer = key
        self._lives: OrderedDict[str, tuple[Live, Seen]] = OrderedDict()
        # Only those that somebody holds or waits for.
        self._locks: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
        self._guard = threading.Lock()
        # Ids of commands that were given none: they follow one another, and so do their rows.
        self._origin, self._count = uuid.uuid4().hex, count()

    @classmethod
    def open(
        cls, where: Path | str = DEFAULT, *, key: Signer | None = None, catalogue: Catalogue | None = None
    ) -> Store:
        """The store of a place: a file (made where there is none), `memory:`, or `postgresql://...`.

        With a `key`, the heads of games are signed at the end of every turn.

        Raises:
            SettingsError: where the place is spelled wrongly.
            DamagedError: where there is something else.
            UnavailableError: where it does not answer.
        """
        return cls(Settings.parse(where), key=key, catalogue=catalogue)

    def close(self) -> None:
        """Let go of the database, once the key has written down what it remembers."""
        if self.recorder.signer is not None:
            self.recorder.signer.settle()
        self.application.close()

    def __repr__(self) -> str:
        return f"<Store {self.settings.shown}>"

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # ------------------------------------------------------------------------------------------------------ appending

    def new(
        self,
        game: str,
        players: Iterable[str],
        *,
        teams: Iterable[Iterable[str]] | None = None,
        edition: str | None = None,
        command: str | None = None,
    ) -> Appended:
        """Begin a game.

        Raises:
            RecordError: where no game can begin like that.
            ConflictError: where there is one of that name.
        """
        if isinstance(players, str):
            raise TypeError("players is a list of names, not one name")
        shared = None if teams is None else tuple(tuple(team) for team in teams)
        began = GameStarted(format=1, game=game, players=tuple(players), teams=shared, edition=edition)
        return self.append(game, [began], command=command, expected=0)

    def append(
        self, game: str, events: Iterable[Recordable], *, command: str | None = None, expected: int | None = None
    ) -> Appended:
        """Store events at the end of a game: all of them, or none.

        `command`: an id of the caller's; the same append with the same id is stored once, however often it is sent.
        `expected`: the number of the last event the caller knows of; without it, they are stored after whatever is
        there, if they can happen there.

        Raises:
            RecordError: with the line that it would have had, at the first event that is refused.
            NotFoundError: where there is no such game, and none begins.
            ConflictError: where the game has another last event than expected, or the id was used for other events.
            DamagedError: where the last event is not what was stored, or something that the key has signed is missing.
            UnavailableError: where the database does not answer. Whether the events were stored is not known then:
                send them again with the same command id, which the error names.
        """
        interval = self.settings.snapshots
        given = read_given(events)
        name = game_name(game)
        written = encode_lines(given)[:-1]
        request = sha256(written).digest()
        id = f"{self._origin}-{next(self._count):08x}" if command is None else command_id(command)
        filled = [self.catalogue.fill(event) for event in given]
        lines = (written if filled == given else encode_lines(filled)[:-1]).split(b"\n")
        with self._lock(name), guarded(game=name, command=id):
            # Out of the cache: after any exception the game is loaded anew.
            live, seen = self._lives.pop(name, (None, None))
            live = live or self._past(name).live(self.recorder.head(name).number)
            # The game is held against the rules while nobody else writes: so nobody gets between, however many
            # write into it. Trying again whenever somebody was faster, eight writers got in each other's way.
            with self.recorder.transaction(write=True) as cursor:
                if command is not None and (stored := self._stored(name, id, request)):
                    return stored
                head = self.recorder.last(cursor, name)
                seen = followed(self.recorder, name, head, seen)
                live = self._caught_up(name, live, head.number)
                first = live.number + 1
                _check_place(name, first, filled, expected)
                moments = live.advance(filled)
                # Noted now: once the lock is let go the next one goes on with the game.
                last = live.number
                crossed = last // interval > head.number // interval
                snapshots = tuple(frozen(live)) if crossed else ()
                append = Append(Command(id, first, last, request), snapshots, head, checked=True)
                tags = [tag_of(type(event)) for event in filled]
                now, signed = self.recorder.append(cursor, name, list(zip(tags, lines, strict=True)), append)
            with self._guard:
                self._lives[name] = live, seen_after(self.recorder, seen, now, signed)
                while len(self._lives) > LIVE:
                    self._lives.popitem(last=False)
        return Appended(game=name, first=first, last=last, command=id, moments=tuple(moments))

    def _caught_up(self, name: str, live: Live, number: int) -> Live:
        """The live game after the last stored event, whoever stored it."""
        if live.number > number:
            return self._past(name).live(number)
        if live.number < number:
            for events in self._past(name).events(live.number, number):
                live.pass_over(events, stored=True)
        return live

    def _past(self, name: str) -> Past:
        """What is stored of a game, held against the chain: what is sealed in a snapshot was read like that."""
        return Past(self.recorder, name, checked=True)

    def _stored(self, name: str, id: str, request: bytes) -> Appended | None:
        """The answer to a command that was stored before."""
        found = self.recorder.command(name, id)
        if found is None:
            return None
        if found.request != request:
            raise ConflictError(
                _("the command id {id} was used for other events; take a new one").format(id=repr(id)), game=name
            )
        return Appended(game=name, first=found.first, last=found.last, command=id, repeated=True)

    def _lock(self, name: str) -> threading.Lock:
        """The one lock of a game in this process."""
        with self._guard:
            return self._locks.setdefault(name, threading.Lock())

    # -------------------------------------------------------------------------------------------------------- reading

    def games(self, prefix: str = "") -> list[tuple[str, int]]:
        """The games whose names begin with `prefix`, by name, and the number of the last event of each."""
        with guarded():
            return self.recorder.games(prefix)

    def last(self, game: str) -> int:
        """The number of a game's last event; 0 where there is no such game."""
        with guarded(game=game):
            return self.recorder.head(game_name(game)).number

    def head(self, game: str) -> Head:
        """The last event's number and digest.

        Raises:
            NotFoundError: where there is no such game.
        """
        with guarded(game=game):
            head = self.recorder.head(game_name(game))
        if head.number == 0:
            raise NotFoundError(_("no game {game} in {place}").format(game=repr(game), place=self.settings.shown))
        return head

    def code(self, game: str) -> str:
        """What players note down to be able to tell later that nothing was changed: `e200 7K3M-2Q9X-AB4D-9YQT`."""
        head = self.head(game)
        return code_of(head.number, head.digest)

    def record(self, game: str, *, until: int | None = None, checked: bool = False) -> StoredRecord:
        """The game, or its events until one, as a record. Where it is `checked`, each line is held against the chain.

        Raises:
            NotFoundError: where there is no such game.
        """
        last = self.head(game).number
        return StoredRecord(self.recorder, game_name(game), min(until or last, last), checked=checked)

    def load(self, game: str) -> Game:
        """The game in memory, with all its moments.

        Raises:
            NotFoundError: where there is no such game.
        """
        return Game.load(self.record(game), catalogue=self.catalogue)

    def events(self, game: str, after: int = 0, until: int | None = None) -> Iterator[Event]:
        """The events of a game after event `after`, as they are stored."""
        name, last = game_name(game), self.head(game).number
        with guarded(game=name):
            after, until = max(after, 0), last if until is None else min(until, last)
            for events in Past(self.recorder, name).events(after, until) if after < until else ():
                yield from events

    def lines(self, game: str, stream: BinaryIO) -> int:
        """Write the very lines of a game, held against the chain; answers how many bytes.

        Raises:
            NotFoundError: where there is no such game.
            DamagedError: at the first line that is not what was stored.
        """
        written = 0
        last = self.head(game).number
        with guarded(game=game):
            for piece in chained_lines_of(self.recorder, game_name(game), 0, last):
                written += stream.write(piece)
        return written

    def at(self, game: str, position: Position | str | int | None = None) -> State:
        """The state after a position, as it was then; the last event if none is given. `branch:b2/e3` is on a branch.

        It is built from the nearest snapshot: it knows neither the tallies of earlier turns nor what changed before.

        Raises:
            NotFoundError: where there is no such game or position.
            PositionError: where the text spells no position.
        """
        position = Position.parse(position) if isinstance(position, (str, int)) else position
        if position is not None and position.branch is not None:
            game, position = f"{game}/{position.branch}", position.on_branch
        last = self.head(game).number
        number = self._number(game, position, last)
        with guarded(game=game):
            return Past(self.recorder, game_name(game)).at(number)

    def ahead(self, game: str, number: int, events: Iterable[Event]) -> State:
        """The state that these events would lead to, were they stored after event `number`; nothing is stored.

        Raises:
            NotFoundError: where there is no such game.
            RecordError: with the line that it would have had, at the first event that cannot happen.
        """
        number = self._number(game, Position(event=number), self.head(game).number)
        with guarded(game=game):
            live = Past(self.recorder, game_name(game)).live(number)
        live.advance([self.catalogue.fill(event) for event in events])
        return live.state

    def command(self, game: str, command: str) -> Command | None:
        """What a command stored, if it did.

        Raises:
            UnreadableError: where it is no id of a command.
        """
        id = command_id(command)
        with guarded(game=game, command=id):
            return self.recorder.command(game_name(game), id)

    def _number(self, game: str, position: Position | None, last: int) -> int:
        if position is None:
            return last
        number = position.event if position.event is not None else position.find(list(self.events(game)), place)
        if not 1 <= number <= last:
            raise NotFoundError(
                _("{game}: no event {event}; the last one is {last}").format(game=game, event=number, last=last)
            )
        return number

    # ------------------------------------------------------------------------------------------------ whole records

    def import_record(
        self,
        record: Record | Path | str,
        name: str | None = None,
        *,
        progress: Callable[[int], None] = lambda events: None,
    ) -> Head:
        """Store a whole record as a new game: all of it, or nothing. Twice the same record is stored once.

        Without a `name` it has its own, which for a branch is that of its parent and its own: `friday/b2`.

        Raises:
            RecordError: at the first line that is refused.
            ConflictError: where there is another game of that name.
        """
        record = record if isinstance(record, Record) else Record(record)
        state = replay(record, catalogue=self.catalogue, remember=False, progress=progress)
        game = game_name(_own_name(record, state) if name is None else name)
        with self._lock(game), guarded(game=game):
            head = self.recorder.head(game)
            if not head.number:
                store_record(self.recorder, record, game, self.catalogue)
            elif not is_stored(self.recorder, record, game, self.catalogue):
                raise ConflictError(
                    _("there is another game of that name; import it under a name of its own"), game=game
                )
        self.take_snapshots(game)
        return self.head(game)

    def take_snapshots(self, game: str) -> int:
        """Take the snapshots of a game that are missing, or were taken by other rules; answers how many."""
        name = game_name(game)
        with guarded(game=name):
            last = self.recorder.head(name).number
            return self._past(name).take_snapshots(last, self.settings.snapshots)


def _own_name(record: Record, state: State) -> str:
    with record.open() as stream:
        first = next(read(stream), None)
    return own_name(first) if isinstance(first, GameStarted) else state.game


def _check_place(name: str, first: int, events: list[Event], expected: int | None) -> None:
    if expected is not None and expected != first - 1:
        raise ConflictError(
            _("the last event is {head}, not {expected}; read what came, and append again").format(
                head=first - 1, expected=expected
            ),
            game=name,
        )
    if first == 1 and type(events[0]) is not GameStarted:
        raise NotFoundError(_("no game {game}; begin it with daynight new").format(game=repr(name)))
