"""The library: the list of the games of a store, a view with an audit of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast, get_args

from msgspec import Struct

from daynight.events import Changed, Designation, SpellCast, TurnBegan
from daynight.events.language import LANGUAGE
from daynight.framework.audit import Verdict
from daynight.framework.language.codec import document_of
from daynight.game import Game
from daynight.projections.audit.audit import Auditor
from daynight.projections.statistics import Taken
from daynight.referee.mechanic import DAYNIGHT
from daynight.store.database.guard import guarded
from daynight.store.moments.live import Live
from daynight.store.store import AnyStore
from daynight.store.tracked import no_row
from daynight.store.views import View

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


_LISTED = replace(DAYNIGHT, name=NAME, language=LANGUAGE)


def _observers() -> tuple[Taken, Auditor]:
    return Taken(), Auditor()


def _row(live: Live) -> tuple[str | int, ...]:
    state, (taken, auditor) = live.whole, cast(tuple[Taken, Auditor], live.watched.observers)
    counted, audit = taken.concluded(state, ""), auditor.concluded(state)
    possible = ",".join([designation.value for designation in state.possible])
    disputes, changes = len(audit.disputes), len(state.timeline.changes)
    return counted.turns, counted.spells, changes, possible, audit.verdict, disputes, int(state.over)


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

    def __init__(self, store: AnyStore) -> None:
        super().__init__(store.recorder, NAME, _LISTED, _row, _COLUMNS, table=NAME, observers=_observers)

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
