"""The store: keeps records of one mechanic, to which many may append, and reads them at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Generic, Self, TypeAlias, TypeVar

from daynight.framework.edits import Recordable
from daynight.framework.folding.moment import Copyable, Moment
from daynight.framework.language.errors import NotFoundError
from daynight.framework.language.source import Source
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.framework.positions import Position
from daynight.framework.projection import folded
from daynight.framework.recorded import Recorded
from daynight.store.database.application import Games
from daynight.store.database.guard import guarded
from daynight.store.database.mapper import Numbered, command_id, game_name
from daynight.store.database.rows import Command, Head, Signer
from daynight.store.database.settings import DEFAULT, Settings
from daynight.store.errors import StoppedError
from daynight.store.imports import keep_record
from daynight.store.moments.past import Past
from daynight.store.moments.readable import readable
from daynight.store.proving.chain import code_of
from daynight.store.proving.commands import stored_command, stored_commands
from daynight.store.records import StoredRecord, chained_lines_of
from daynight.store.views import View, cells
from daynight.store.writing import Appended, Asked

S = TypeVar("S", bound=Copyable)
E = TypeVar("E")
C = TypeVar("C")
S_of = TypeVar("S_of", bound=Copyable)
E_of = TypeVar("E_of")
C_of = TypeVar("C_of")
V = TypeVar("V")


class Store(Generic[S, E, C]):
    """Records of one mechanic in one place. `daynight.Store` is the store for day and night."""

    def __init__(
        self, settings: Settings, *, mechanic: Mechanic[S, E, C] | None = None, key: Signer | None = None
    ) -> None:
        self.settings = settings
        with guarded():
            self.application = Games(settings.env, mechanic=mechanic)
        self.recorder = self.application.recorder
        self.recorder.signer = key
        self._views: dict[str, View] = {}

    @property
    def mechanic(self) -> Mechanic[S, E, C]:
        """The mechanic of the records."""
        mechanic: Mechanic[S, E, C] = self.recorder.mechanic
        return mechanic

    # Not Self: pyright would know nothing of a store that is opened by the name of the class alone.
    @classmethod
    def open(
        cls, where: Path | str = DEFAULT, *, mechanic: Mechanic[S_of, E_of, C_of] | None = None,
        key: Signer | None = None,
    ) -> Store[S_of, E_of, C_of]:  # fmt: skip
        """Open the store at a place: a file (created if there is none), `memory:`, or `postgresql://...`.

        It keeps records of `mechanic`. A `key` signs each record after event 1, before or after the events that
        `mechanic.seals` names, and after each event that backs up.

        Raises:
            TypeError: without a mechanic.
            SettingsError: where `where` is not a valid place.
            DamagedError: where the place holds something other than a store.
            UnavailableError: where the database does not answer.
            StoreError: where the store keeps records of another mechanic.
        """
        make: type[Any] = cls
        store: Store[S_of, E_of, C_of] = make(Settings.parse(where), mechanic=mechanic, key=key)
        return store

    def close(self) -> None:
        """Write what the key remembers to its file, then close the database."""
        if self.recorder.signer is not None:
            self.recorder.signer.settle()
        self.application.close()

    def __repr__(self) -> str:
        return f"<Store {self.settings.shown}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # ------------------------------------------------------------------------------------------------------ appending

    def append(
        self, game: str, events: Iterable[Recordable], *, command: str | None = None, expected: int | None = None,
        request: bytes | None = None, begins: bool = False, unsigned: bool = False,
    ) -> Appended:  # fmt: skip
        """Store events at the end of a game: all of them, or none.

        `command`: the caller's id; the same append with the same id is stored once, however often it is sent.
        `expected`: the last event number that the caller knows; without it, the events are stored after the current
        last event, if the rules allow it. `request`: the SHA-256 of the request from which the events were made; by
        default that of the events. `begins`: the first event begins a game, and gets 128 random bits in its `meta`, so
        that games of the same name are never identical. These bits do not matter for whether two appends are the same.
        `unsigned`: if the key refuses to sign the game, the events are stored all the same, and the recorder reports
        that.

        Raises:
            RecordError: with the line number that it would have had, at the first event that is refused.
            NotFoundError: where there is no such game, and the events do not begin one.
            ConflictError: where the game has another last event than expected, or the id was used for other events.
            DamagedError: where the last event is not what was stored.
            NotSignedError: where events that the key has signed are missing, or it has signed another game of that
                name.
            NotAcceptedError: where somebody else undid or overruled something, and the key has not accepted it.
            UnavailableError: where the database does not answer. Then it is unknown whether the events were stored:
                send them again with the same command id, which the error names.
        """
        given = self._given(game, events, command)
        asked = self.application.writer.asked(
            game, given, command=command, expected=expected, request=request, begins=begins, unsigned=unsigned
        )
        return self.put(asked)

    def _given(self, game: str, events: Iterable[Recordable], command: str | None) -> Iterable[Recordable]:
        """Return the events of an append. A subclass may complete them, depending on the game."""
        return events

    def put(self, asked: Asked) -> Appended:
        """Store an append that `Writer.asked` has read, and return its result.

        Raises:
            as `append`.
        """
        game, rows = asked.game, zip(asked.events, asked.lines, strict=True)
        with guarded(game=game, command=asked.command):
            numbered = [Numbered(game, 0, event, line, tag) for event, (tag, line) in rows]
            self.application.events.put(numbered, asked=asked)
        return asked.answer

    # -------------------------------------------------------------------------------------------------------- reading

    def games(self, prefix: str = "") -> list[tuple[str, int]]:
        """Return the games whose names begin with `prefix`, by name, and the number of the last event of each."""
        with guarded():
            return self.recorder.games(prefix)

    def last(self, game: str) -> int:
        """Return the number of a game's last event; 0 if there is no such game."""
        with guarded(game=game):
            return self.recorder.head(game_name(game)).number

    def head(self, game: str) -> Head:
        """Return the last event's number and digest.

        Raises:
            NotFoundError: where there is no such game.
        """
        with guarded(game=game):
            head = self.recorder.head(game_name(game))
        if head.number == 0:
            raise NotFoundError(_("no game {game} in {place}").format(game=repr(game), place=self.settings.shown))
        return head

    def code(self, game: str) -> str:
        """Return the code that players note to prove later that nothing was changed: `e200 7K3M-2Q9X-AB4D-9YQT`.

        Raises:
            NotFoundError: where there is no such game.
        """
        head = self.head(game)
        return code_of(head.number, head.digest)

    def record(self, game: str, *, until: int | None = None, checked: bool = False) -> StoredRecord:
        """Return the game, or its events up to `until`, as a record. `checked`: each line is compared with the chain.

        Raises:
            NotFoundError: where there is no such game.
        """
        self.application.guarding.check()
        last, name = self.head(game).number, game_name(game)
        refused = Past(self.recorder, name).refused
        return StoredRecord(self.recorder, name, min(until or last, last), checked=checked, refused=refused)

    def load(self, game: str) -> Recorded[S, E, C]:
        """Load the record into memory, with all its moments.

        If the current `step` refuses an event that older rules accepted, the record ends before it, and its attribute
        `stops` says why.

        Raises:
            NotFoundError: where there is no such game.
            NotReadableError: where this code cannot read it.
        """
        return readable(self.mechanic, lambda until: self.record(game, until=until))

    def events(self, game: str, after: int = 0, until: int | None = None) -> Iterator[E]:
        """Yield the stored events after event `after`, up to `until`; raise NotFoundError if there is no such game."""
        self.application.guarding.check()
        name, last = game_name(game), self.head(game).number
        with guarded(game=name):
            after, until = max(after, 0), last if until is None else min(until, last)
            for events in Past(self.recorder, name).events(after, until) if after < until else ():
                yield from events

    def lines(self, game: str, stream: BinaryIO) -> int:
        """Write the stored lines of a game, compared with the chain; return the number of bytes.

        Raises:
            NotFoundError: where there is no such game.
            DamagedError: at the first line that is not what was stored.
        """
        last = self.head(game).number
        with guarded(game=game):
            return sum(stream.write(piece) for piece in chained_lines_of(self.recorder, game_name(game), 0, last))

    def at(self, game: str, position: Position | str | int | None = None) -> S:
        """Return the state after a position, by default where `load` ends. `branch:b2/e3`: event 3 of branch `b2`.

        The state is built from the nearest snapshot: it has neither the tallies of earlier turns nor the earlier
        changes.

        Raises:
            NotFoundError: where there is no such game or position.
            PositionError: where the text spells no position.
            NotReadableError: where this code cannot read the game up to there.
        """
        if isinstance(position, (str, int)):
            position = Position.parse(position, self.mechanic.places.marks)
        if position is not None and position.branch is not None:
            game, position = f"{game}/{position.branch}", position.on_branch
        self.application.guarding.check()
        last = self.head(game).number
        number = self._number(game, position, last)
        past = Past(self.recorder, game_name(game))
        with guarded(game=game):
            try:
                state: S = past.live(number).state
            except StoppedError as error:
                if position is not None or (error.event or 1) == 1:
                    raise
                # As `load`, which ends there.
                state = past.live((error.event or 1) - 1).state
        return state

    def ahead(self, game: str, number: int, events: Iterable[E]) -> S:
        """Return the state that these events would lead to, were they stored after event `number`; store nothing.

        Raises:
            NotFoundError: where there is no such game.
            RecordError: with the line that it would have had, at the first event that cannot happen.
        """
        self.application.guarding.check()
        number = self._number(game, Position(event=number), self.head(game).number)
        with guarded(game=game):
            live = Past(self.recorder, game_name(game)).live(number)
        live.advance([self.mechanic.fill(event) for event in events])
        state: S = live.state
        return state

    def commands(self, game: str) -> list[Command]:
        """Return the commands of a game, sorted by id, each with the numbers of the events that it stored."""
        with guarded(game=game):
            return stored_commands(self.recorder, game_name(game))

    def command(self, game: str, command: str) -> Command | None:
        """Return a command with the numbers of the events that it stored; None if the game has no such command.

        Raises:
            UnreadableError: where `command` is not a valid id.
        """
        id = command_id(command)
        with guarded(game=game, command=id):
            return stored_command(self.recorder, game_name(game), id)

    def _number(self, game: str, position: Position | None, last: int) -> int:
        if position is None:
            return last
        events = [] if position.event is not None else list(self.events(game))
        number = position.find(events, self.mechanic.place)
        if not 1 <= number <= last:
            sentence = _("{game}: no event {event}; the last one is {last}")
            raise NotFoundError(sentence.format(game=game, event=number, last=last))
        return number

    # ---------------------------------------------------------------------------------------------------------- views

    def view(
        self, name: str, start: Callable[[], V], fold: Callable[[V, Moment[Any, Any], Any], V], *,
        columns: Mapping[str, type] | None = None, version: int = 1, rebuild: bool = False,
    ) -> View:  # fmt: skip
        """Return a view of the caller's own: a table in the store with a row for each record, updated by each append.

        `start()` is the value before event 1, and `fold(value, moment, state)` the value after a moment, given the
        state after it. A fold must not change the old value. `columns` are attributes or keys of the
        value, each `int` or `str`; without them the value is stored as JSON. Raise `version` whenever the fold changes:
        the rows are rebuilt then. A table of newer code is refused; `rebuild` replaces it.

        At a back-up, `fold` gets the value after the event that the back-up returns to. If a fold raises, the append
        stores nothing. A view that is behind, because a writer lacked its code, catches up before it is read.

        Raises:
            ValueError: where the name, or a column's name, is not a word in small letters, or a column is neither int
                nor str.
            ConflictError: where the table belongs to newer code.
            UnavailableError: where the database does not answer.
        """
        self.application.guarding.check()
        mechanic = folded(self.mechanic, start, fold, f"view {name}")
        row = partial(cells, name, columns)
        view = View(self.recorder, name, mechanic, row, columns, version=version, back=rebuild)
        if rebuild:
            view.rebuild()
        else:
            view.catch_up()
        self._views[name] = view
        self.application.writer.followers = [*self._views.values()]
        return view

    @property
    def views(self) -> list[View]:
        """The views that were opened with `view`."""
        return [*self._views.values()]

    # ------------------------------------------------------------------------------------------------ whole records

    def import_record(
        self,
        record: Source | Path | str,
        name: str | None = None,
        *,
        progress: Callable[[int], None] = lambda events: None,
        trust_rules: bool = False,
        tell: Callable[[str], object] = lambda sentence: None,
        unsigned: bool = False,
    ) -> Head:
        """Store a whole record as a new game: all of it, or nothing. Importing the same record twice stores it once.

        `name` is by default the record's own name; for a branch, after the parent's name: `friday/b2`. Events that name
        unknown rules are refused, unless `trust_rules`. `tell` is called with a sentence about events of unknown or
        earlier rules, and about old tags. `unsigned`: if the key refuses to sign the game, it is stored all the same,
        and the recorder reports that.

        Raises:
            RecordError: at the first line that is refused.
            ConflictError: where a different game has that name, or a longer copy of this one is stored.
            NotSignedError: where the key refuses to sign it, because it has signed another game of its name, or a
                longer one.
            NotAcceptedError: where something was undone or overruled after the last event that the key has signed.
        """
        self.application.guarding.check()
        record = record if isinstance(record, Source) else Source(record)
        with record.locating():
            with record.open() as stream:
                first = next(self.mechanic.language.read(stream))
            game = game_name(self.mechanic.title(first) if name is None else name)
            with self.application.writer.locks.of(game), guarded(game=game):
                every = self.settings.snapshots
                how = {"trust": trust_rules, "unsigned": unsigned}
                keep_record(self.recorder, record, game, every, progress, tell=tell, **how)
        return self.head(game)

    def take_snapshots(self, game: str) -> int:
        """Take the snapshots of a game that are missing, or were taken by other rules; return their number."""
        name = game_name(game)
        with guarded(game=name):
            last = self.recorder.head(name).number
            return Past(self.recorder, name, checked=True).take_snapshots(last, self.settings.snapshots)


AnyStore: TypeAlias = Store[Any, Any, Any]
"""A store of records of any mechanic."""
