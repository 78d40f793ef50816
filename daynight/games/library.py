"""The library: the list of the games of a store, a view with an audit of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, get_args

from msgspec import Struct

from daynight.audit.audit import Auditor
from daynight.events import Changed, Consequence, Designation, Event, GameRestarted, JudgeRuled, SpellCast, TurnBegan
from daynight.events.language import LANGUAGE
from daynight.framework.audit import Verdict
from daynight.framework.language.codec import document_of
from daynight.framework.mechanic import Mechanic
from daynight.game import Game
from daynight.referee.mechanic import DAYNIGHT
from daynight.referee.state import State
from daynight.store import Store
from daynight.store.database.guard import guarded
from daynight.store.views import View, no_row

NAME = "library"
"""The name of the view, and of its table, which every store has."""

_COLUMNS: dict[str, type] = {
    "turns": int, "spells": int, "changes": int, "possible": str, "verdict": str, "disputes": int, "over": int,
}  # fmt: skip

_SUMS = ("events", "turns", "spells", "changes", "disputes", "over")


class Entry(Struct, frozen=True):
    """A game of the library.

    `events` are all of them; `turns`, `spells` (casts), `changes` (of the designation, in any possibility) and
    `disputes` those of what was not undone. `possible`: the designations that are possible now.
    """

    game: str
    events: int
    turns: int
    spells: int
    changes: int
    possible: tuple[Designation, ...]
    verdict: Verdict
    disputes: int
    over: bool

    @property
    def designation(self) -> Designation | None:
        """The designation, or None where more than one is possible."""
        return self.possible[0] if len(self.possible) == 1 else None


def entry_document(entry: Entry) -> dict[str, Any]:
    """A game of the library as `daynight list --json` prints it."""
    names = "game events turns spells changes designation possible verdict differing over"
    return document_of(entry, names, differing=entry.disputes)


def entry_of(name: str, game: Game) -> Entry:
    """The entry that a game in memory would have."""
    stand = [moment for moment in game if game.stands(moment.number)]
    kinds = [type(moment.event) for moment in stand]
    audit, state = game.audit(), game.state
    return Entry(
        game=name,
        events=len(game),
        turns=kinds.count(TurnBegan),
        spells=kinds.count(SpellCast),
        changes=sum(isinstance(one, Changed) for moment in stand for one in moment.consequences),
        possible=state.possible,
        verdict=audit.verdict,
        disputes=len(audit.disputes),
        over=state.over,
    )


class Totals(Struct, frozen=True):
    """All games of the library together.

    `designations` and `verdicts` say how many games there are of each; a game of which more than one designation is
    possible counts under None.
    """

    games: int
    events: int
    turns: int
    spells: int
    changes: int
    disputes: int
    over: int
    designations: dict[Designation | None, int]
    verdicts: dict[Verdict, int]

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> Totals:
        """These games together."""
        sums = {name: sum(getattr(entry, name) for entry in entries) for name in _SUMS}
        designations = dict.fromkeys((*Designation, None), 0) | Counter(entry.designation for entry in entries)
        judged = Counter(entry.verdict for entry in entries)
        verdicts = {verdict: judged[verdict] for verdict in get_args(Verdict)}
        return cls(games=len(entries), **sums, designations=designations, verdicts=verdicts)


class _Counted:
    """A game so far: its state, counts of the events that stand, and its audit, which also takes undone events.

    `earlier` are the changes before the last restart: a ruling of neither takes back those after it.
    """

    __slots__ = ("auditor", "changes", "earlier", "spells", "state", "turns")

    def __init__(
        self, state: State, auditor: Auditor, turns: int = 0, spells: int = 0, changes: int = 0, earlier: int = 0
    ) -> None:
        self.state, self.auditor = state, auditor
        self.turns, self.spells, self.changes, self.earlier = turns, spells, changes, earlier

    def over(self, state: State, auditor: Auditor) -> _Counted:
        """The same counts of another state."""
        return _Counted(state, auditor, self.turns, self.spells, self.changes, self.earlier)

    def copy(self) -> _Counted:
        """The same, with the one audit of the record."""
        return self.over(self.state.copy(), self.auditor)


def _run(counted: _Counted, events: Sequence[Event], number: int, found: list[Consequence] | None) -> None:
    kinds = [type(event) for event in events]
    counted.turns += kinds.count(TurnBegan)
    counted.spells += kinds.count(SpellCast)
    # What may take changes back ends a piece.
    ends = [place for place, kind in enumerate(kinds, 1) if kind in (JudgeRuled, GameRestarted)]
    for first, last in pairwise(dict.fromkeys((0, *ends, len(events)))):
        consequences: list[Consequence] = []
        counted.auditor.forward(counted.state, events[first:last], number + first, consequences)
        counted.changes += [type(consequence) for consequence in consequences].count(Changed)
        ending = events[last - 1]
        if isinstance(ending, GameRestarted):
            counted.earlier = counted.changes
        elif isinstance(ending, JudgeRuled) and ending.designation is Designation.NEITHER:
            counted.changes = counted.earlier


def _step(counted: _Counted, event: Event, number: int) -> tuple[()]:
    _run(counted, (event,), number - 1, None)
    return ()


def _row(counted: _Counted) -> tuple[str | int, ...]:
    audit, state = counted.auditor.concluded(counted.state), counted.state
    possible = ",".join([designation.value for designation in state.possible])
    disputes = len(audit.disputes)
    return counted.turns, counted.spells, counted.changes, possible, audit.verdict, disputes, int(state.over)


_COUNTED: Mechanic[_Counted, Event, Consequence] = Mechanic(
    name=NAME,
    language=LANGUAGE,
    start=lambda: _Counted(State(remember=False), Auditor()),
    step=_step,
    run=_run,
    restores=DAYNIGHT.restores,
    restored=lambda now, then: then.over(then.state, now.auditor),
)


class Library(View):
    """The library of a store. It is brought up to date by `catch_up` alone: an audit costs more than an append.

    >>> from daynight import Store
    >>> with Store.open("memory:") as store:
    ...     appended = store.new("friday", ["Ana", "Bo"])
    ...     library = Library(store)
    ...     library.catch_up()
    ...     [(entry.game, entry.designation, entry.verdict) for entry in library.rows()]
    1
    [('friday', Designation.NEITHER, 'unverified')]
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store.recorder, NAME, _COUNTED, _row, _COLUMNS, table=NAME)

    def rows(self) -> list[Entry]:
        """The games by name, as far as they were taken in.

        Raises:
            DamagedError: where a row is none of ours.
        """
        with guarded():
            return sorted(map(_entry, map(self._checked, self._rows())), key=lambda entry: entry.game)

    def page(self, after: str, most: int, verdict: str | None = None) -> list[Entry]:
        """As `rows`, but only `most` games whose names come after that one, and of one verdict, where one is given."""
        if self._aside is not None:
            rows = [row for row in self.rows() if row.game > after and verdict in (None, row.verdict)]
            return rows[:most]
        return [_entry(self._checked(row)) for row in self._page(self._select, after, most, verdict)]

    def names(self, after: str, most: int, verdict: str | None = None) -> list[str]:
        """The names of the games that `page` answers; of their rows nothing else is read."""
        if self._aside is not None:
            return [entry.game for entry in self.page(after, most, verdict)]
        return [str(row[0]) for row in self._page(f"SELECT game FROM {self.table}", after, most, verdict)]

    def _page(self, select: str, after: str, most: int, verdict: str | None) -> list[Any]:
        where, params = ("", ()) if verdict is None else (" AND verdict = ?", (verdict,))
        with guarded():
            return self._recorder.select(f"{select} WHERE game > ?{where} ORDER BY game LIMIT ?", after, *params, most)

    def entries(self, games: Sequence[str]) -> list[Entry]:
        """The games of these names, by name, as far as they were taken in."""
        if self._aside is not None:
            return [entry for entry in self.rows() if entry.game in games]
        with guarded():
            statement = f"{self._select} WHERE game IN ({', '.join('?' * len(games))}) ORDER BY game"
            found = self._recorder.select(statement, *games) if games else []
            return [_entry(self._checked(row)) for row in found]

    def entry(self, game: str) -> Entry | None:
        """One game, as far as it was taken in; None where nothing of it was yet."""
        return next(iter(self.entries((game,))), None)

    def totals(self) -> Totals:
        """All games together, as far as they were taken in.

        Raises:
            DamagedError: where a row is none of ours.
        """
        return Totals.of(self.rows())


def _entry(row: Any) -> Entry:
    game, events, turns, spells, changes, possible, verdict, disputes, over = row
    if verdict not in get_args(Verdict):
        raise no_row(NAME)
    try:
        designations = tuple(map(Designation, str(possible).split(",")))
    except ValueError:
        raise no_row(NAME) from None
    return Entry(game, events, turns, spells, changes, designations, verdict, disputes, bool(over))
