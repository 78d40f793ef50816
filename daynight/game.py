"""A game in memory: record events into it, look at it at any moment, ask it why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from daynight.cards import Catalogue, bundled
from daynight.disputes.docket import ACTS, Docket
from daynight.events.actions import GameStarted
from daynight.events.consequences import Consequence
from daynight.events.language import Recordable, read_blocks, strictly
from daynight.events.terms import Designation
from daynight.events.vocabulary import Event
from daynight.framework.history import History, Moment, UndoneError
from daynight.framework.language.codec import write
from daynight.framework.language.errors import NotFoundError, RecordError
from daynight.framework.language.wording import _
from daynight.framework.positions import Position
from daynight.records import Record
from daynight.referee.documents import state_document
from daynight.referee.referee import restores, step
from daynight.referee.refusals import check_first
from daynight.referee.replay import never_stood
from daynight.referee.state import State
from daynight.rules.citations import DEFAULT_EDITION

if TYPE_CHECKING:
    from daynight.audit.findings import Audit
    from daynight.compare.branches import Branch
    from daynight.compare.edits import Edit
    from daynight.disputes.proceedings import Dispute
    from daynight.questions.explain import Explanation


class Game:
    """A recorded game.

    >>> game = Game.start("g1", ["Ana", "Bo"])
    >>> game.record({"type": "turn-began", "turn": 1, "active": ["Ana"]}).number
    2
    >>> arrival = {"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}
    >>> moment = game.record({"type": "permanents-entered", "permanents": [arrival]})
    >>> game.designation
    Designation.DAY
    >>> game.why().rule
    'daybound-starts-day'
    >>> Game(game.events) == eval(repr(game), vars(__import__("daynight.events").events) | {"Game": Game})
    True
    """

    def __init__(self, events: Iterable[Recordable] = (), *, catalogue: Catalogue | None = None) -> None:
        self.catalogue = bundled() if catalogue is None else catalogue
        self._history: History[State, Event, Consequence] = History(State(), step, restores)
        # None: to be found in the events, once there is a dispute to be held against it.
        self._docket: Docket | None = Docket()
        for event in events:
            self._append(event, careful=False)

    @classmethod
    def start(
        cls,
        game: str,
        players: Iterable[str],
        *,
        teams: Iterable[Iterable[str]] | None = None,
        edition: str | None = None,
    ) -> Game:
        """A new game of these players; `teams` given, they share their turns.

        Raises:
            RecordError: where there are no players, or one stands twice, or in no team.
        """
        if isinstance(players, str):
            raise TypeError("players is a list of names, not one name")
        shared = None if teams is None else tuple(tuple(team) for team in teams)
        return cls([GameStarted(format=1, game=game, players=tuple(players), teams=shared, edition=edition)])

    @classmethod
    def load(
        cls,
        source: Path | str | Record,
        *,
        catalogue: Catalogue | None = None,
        progress: Callable[[int], None] = lambda events: None,
    ) -> Game:
        """The game of a record: a file (`.jsonl`, `.jsonl.gz`, `.dn`), `-` for standard input, or `demo`.

        `progress` hears how many events were read.

        Raises:
            RecordError: naming file, line and path of the first line that is refused.
            NotFoundError: where there is no such file.
        """
        record = source if isinstance(source, Record) else Record(source)
        game = cls(catalogue=catalogue)
        try:
            with record.open() as stream:
                for events in read_blocks(stream):
                    for event in events:
                        game._advance(game.catalogue.fill(event), careful=False)
                    progress(len(game))
        except RecordError as error:
            raise record.located(error) from None
        return game

    @classmethod
    def over(cls, history: History[State, Event, Consequence], *, catalogue: Catalogue | None = None) -> Game:
        """The game of a history that is there already."""
        game = cls(catalogue=catalogue)
        game._history = history
        game._docket = None
        return game

    def save(self, target: Path | str | BinaryIO) -> None:
        """Write the record, one event a line."""
        if isinstance(target, (Path, str)):
            with open(target, "wb") as stream:
                write(self.events, stream)
        else:
            write(self.events, target)

    def record(self, event: Recordable) -> Moment[Event, Consequence]:
        """Append an event; answers the moment: the event as stored, and everything it set off.

        Raises:
            RecordError: where it is refused; the game is then as it was.
        """
        return self._append(event, careful=True)

    def take(self, event: Event) -> Moment[Event, Consequence]:
        """As `record`, for an event that was read, and filled in, before."""
        return self._advance(event, careful=True)

    def extended(self, events: Iterable[Event]) -> Game:
        """This game itself, with events added that were read, and filled in, before.

        Raises:
            RecordError: at the first one that is refused; the game is then to be thrown away.
        """
        for event in events:
            self._advance(event, careful=False)
        return self

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything recorded; event n is `events[n - 1]`."""
        return self._history.events

    def __len__(self) -> int:
        return len(self._history)

    @property
    def state(self) -> State:
        """The state after the last event."""
        return self._history.state

    @property
    def designation(self) -> Designation | None:
        """Neither, day or night; None where more than one is possible."""
        return self._history.state.designation

    @property
    def edition(self) -> str:
        """The edition of the rules the record is cited in."""
        return self._history.state.edition or DEFAULT_EDITION

    def number(self, position: Position | str | int | None) -> int:
        """The event number of a position (`18`, `e18`, `turn:4`, `turn:4/untap`); None is the last event.

        Raises:
            PositionError: where the text spells none.
            NotFoundError: where there is no such event, turn or step.
        """
        if position is None:
            return len(self)
        parsed = position if isinstance(position, Position) else Position.parse(position)
        number = parsed.event if parsed.event is not None and parsed.branch is None else parsed.find(self.events)
        if not 1 <= number <= len(self):
            raise NotFoundError(_("no event {event}; the last one is {last}").format(event=number, last=len(self)))
        return number

    def at(self, position: Position | str | int | None) -> State:
        """The state after a position, as it was then, whatever was backed up later.

        Raises:
            PositionError, NotFoundError: as `number`.
        """
        return self._history.at(self.number(position))

    def moments(self, after: int = 0) -> Iterator[Moment[Event, Consequence]]:
        """Every moment after event `after`, in order, undone ones too."""
        return self._history.moments(after)

    def walk(self, after: int = 0) -> Iterator[tuple[Moment[Event, Consequence], State]]:
        """Every moment with the state after it, which is lent: who wants to keep one copies it."""
        return self._history.walk(after)

    def __iter__(self) -> Iterator[Moment[Event, Consequence]]:
        return self.moments()

    def stands(self, number: int) -> bool:
        """Whether event `number` was not undone by backing up."""
        return self._history.standing(number)

    def what_if(self, after: int, events: Iterable[Recordable]) -> Game:
        """Another game: this one up to event `after`, then these events. This one stays as it is."""
        branch = Game.over(self._history.what_if(after, ()), catalogue=self.catalogue)
        for event in events:
            branch._append(event, careful=False)
        return branch

    def branch(self, *edits: Edit, name: str = "branch", leave_out: bool = False) -> Branch:
        """What would be otherwise, with some events put in, left out or replaced. This one stays as it is."""
        from daynight.compare.branches import branched

        return branched(self, edits, name=name, leave_out=leave_out)

    def why(self, position: Position | str | int | None = None, *, edition: str | None = None) -> Explanation:
        """Why the designation is what it is at a position."""
        from daynight.questions.explain import explain

        return explain(self, self.number(position), edition or self.edition)

    def audit(self, *, edition: str | None = None) -> Audit:
        """Every claim and ruling held against what follows from the actions."""
        from daynight.audit.audit import Auditor

        return Auditor(edition).game(self)

    def disputes(self, *, edition: str | None = None) -> tuple[Dispute, ...]:
        """Every dispute of the record: what was claimed, derived, ruled and appealed, and how it ended."""
        from daynight.disputes.disputes import disputes

        return disputes(self, edition=edition)

    def document(self, position: str | int | None = None, *, edition: str | None = None) -> dict[str, Any]:
        """The state at a position as `daynight replay --json` prints it."""
        return state_document(self.at(position), edition or self.edition)

    def _repr_svg_(self) -> str:
        """The timeline, as notebooks show a game."""
        from daynight.pictures import timeline_svg

        return timeline_svg(self)

    def __eq__(self, other: object) -> bool:
        return self.events == other.events if isinstance(other, Game) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        return f"Game([{', '.join(map(repr, self.events))}])"

    def _append(self, event: Recordable, *, careful: bool) -> Moment[Event, Consequence]:
        try:
            strict = strictly(event)
        except RecordError as error:
            raise error.located(line=len(self) + 1) from None
        return self._advance(self.catalogue.fill(strict), careful=careful)

    def _advance(self, event: Event, *, careful: bool) -> Moment[Event, Consequence]:
        number = len(self) + 1
        try:
            if number == 1:
                check_first(event)
            if type(event) in ACTS:
                self._noted(event, number)
            return self._history.record(event) if careful else self._history.extend(event)
        except UndoneError as undone:
            raise never_stood(undone.args[0], number) from None
        except RecordError as error:
            raise error.located(line=number) from None

    def _noted(self, event: Event, number: int) -> None:
        """Hold an act of a dispute against the docket, and note it there."""
        if self._docket is None:
            self._docket = Docket.of(self.events)
        self._docket.take(event, number, lambda to, now: self.stands(to))
