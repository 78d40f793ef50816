"""The library: the list of the games of a store, a view with an audit of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, cast, get_args

from msgspec import Struct

from daynight.events import Changed, Designation, SpellCast, TurnBegan
from daynight.events.language import LANGUAGE
from daynight.framework.audit import Verdict
from daynight.framework.language.codec import document_of
from daynight.game import Game
from daynight.projections.audit.audit import Auditor
from daynight.projections.listed import Key, Listed
from daynight.projections.statistics import Taken
from daynight.referee.mechanic import DAYNIGHT
from daynight.store.database.guard import guarded
from daynight.store.database.rows import Cursor
from daynight.store.errors import NotReadableError
from daynight.store.moments.live import Live
from daynight.store.store import AnyStore
from daynight.store.tracked import no_row, not_followed
from daynight.store.views import View

NAME = "library"
"""The name of the view, and of its table, which every store has."""

_COLUMNS: dict[str, type] = {
    "turns": int, "spells": int, "changes": int, "possible": str, "verdict": str, "disputes": int, "over": int,
}  # fmt: skip

AT_ONCE = 500
"""How many rows are read at a time."""

_TRIES = 3
_VERDICT = 2 + [*_COLUMNS].index("verdict")
_SUMS = ("events", "turns", "spells", "changes", "disputes", "over")


class Entry(Struct, frozen=True):
    """A game of the library.

    `events` counts all events; `turns`, `spells` (casts), `changes` (of the designation, in any possibility) and
    `disputes` (claims and rulings that differ) count only what was not undone. `possible`: the designations that are
    possible now. `over`: the game has ended.
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
    """The totals over all games of the library.

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
        """Add up these games."""
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
    """The library of a store. Only `catch_up` updates its rows; appending events does not, as an audit costs more.

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
        self._index = Listed(store.recorder, NAME)
        self.mended: list[str] = []
        """The names of the games whose rows this object has rebuilt because they were missing or lacked events."""
        head = f"(SELECT max(originator_version) FROM stored_events WHERE originator_id = {self.table}.game)"
        self._whole = self._select.replace(" FROM ", f", {head} FROM ")

    def rows(self) -> list[Entry]:
        """Return the entries sorted by name, as of the last `catch_up`.

        Raises:
            DamagedError: where a row was not written by daynight.
        """
        if self._aside is None:
            found = [*self.walk()]
            if self._aside is None:
                return found
        return sorted(map(_entry, map(self._checked, self._rows())), key=lambda entry: entry.game)

    def page(self, after: str, most: int, verdict: str | None = None, player: str | None = None) -> list[Entry]:
        """As `rows`, but at most `most` games whose names sort after `after`, with this verdict and player if given.

        A row that lacks events is rebuilt up to the last `catch_up`; so is a missing row in a page of all games. The
        names of rebuilt games are in `mended`.

        Raises:
            DamagedError: where a row was not written by daynight.
        """
        if verdict is None and player is None:
            statement = f"{self._whole} WHERE game > ? ORDER BY game LIMIT ?"
            found = self._sound(statement, (after, most), lambda rows: self._around(rows, after, most))
            return [row for row in self.rows() if row.game > after][:most] if found is None else found
        if player == "":
            # The index has every game under this name; no player is called so.
            return []
        for _again in range(_TRIES):
            names = self._listed_names(after, most, (player or "", verdict or ""))
            if names is None:
                return [*islice(self._scanned(after, verdict, player), most)]
            entries = self.entries(names, player)
            # Others may have taken events in between the two questions, and rows may just have been made anew.
            if len(entries) == len(names) and all(verdict in (None, entry.verdict) for entry in entries):
                return entries
        raise no_row(NAME)

    def walk(
        self, after: str = "", verdict: str | None = None, player: str | None = None, *, at_once: int = AT_ONCE
    ) -> Iterator[Entry]:
        """Yield all entries that pages (`page`) would have, one by one; `at_once` rows are read at a time.

        Raises:
            DamagedError: where a row was not written by daynight.
        """
        while entries := self.page(after, at_once, verdict, player):
            yield from entries
            after = entries[-1].game

    def names(self, after: str, most: int, verdict: str | None = None, player: str | None = None) -> list[str]:
        """Return at most `most` names of games that sort after `after`, with this verdict and player if given.

        The rows themselves are not read; without a verdict and a player, a name may belong to a game that has no row
        yet.
        """
        if verdict is None and player is None and self._aside is None:
            with guarded():
                return self._recorder.names(after, most)
        if player == "":
            return []
        names = self._listed_names(after, most, (player or "", verdict or ""))
        return [entry.game for entry in self.page(after, most, verdict, player)] if names is None else names

    def players(self, game: str) -> tuple[str, ...]:
        """The players of a stored game, as its first line names them."""
        with guarded(game=game):
            return self._index.players(game)

    def fault(self, game: str) -> str | None:
        """Return what is wrong with a game's row, or with its entries in the index; None if nothing is."""
        if (found := super().fault(game)) is not None or not self._index.is_there() or not self._tracked.made():
            return found
        with self._recorder.transaction(write=False):
            rows = self._recorder.select(f"SELECT verdict FROM {self.table} WHERE game = ?", game)
            if not rows or self._index.fits(game, rows[0][0]):
                return None
        return not_followed(self.name)

    def _listed_names(self, after: str, most: int, key: Key) -> list[str] | None:
        """Return the next `most` names for `key` in the index, which is made if missing; None where none can be used.

        This is so in a read-only store that has no index, or whose rows are kept in memory.
        """
        if self._aside is not None:
            return None
        with guarded():
            if not self._index.is_there():
                if self._recorder.fixed:
                    return None
                self._index.make()
            return self._index.games(key, after, most)

    def _scanned(self, after: str, verdict: str | None, player: str | None) -> Iterator[Entry]:
        for entry in self.walk(after):
            if verdict in (None, entry.verdict) and (player is None or player in self.players(entry.game)):
                yield entry

    def _around(self, rows: Sequence[Any], after: str, most: int) -> list[str]:
        """Return the games of the store that must be in `rows`, the page after `after`.

        If the page is full, these are only the games before its last row.
        """
        found = self._recorder.names(after, most)
        return found if len(rows) < most else [name for name in found if name < rows[-1][0]]

    def _clear(self, cursor: Cursor) -> None:
        super()._clear(cursor)
        if self._index.is_there():
            self._index.clear(cursor)

    def _put(self, cursor: Cursor, entries: Sequence[tuple[Any, ...]]) -> None:
        super()._put(cursor, entries)
        if self._index.is_there():
            self._index.put(cursor, [(entry[0], entry[_VERDICT]) for entry in entries])

    def entries(self, games: Sequence[str], player: str | None = None) -> list[Entry]:
        """Return the entries of these games, sorted by name; rows that are missing or lack events are rebuilt.

        With a `player`, check that the first line of each game names that player: the index may be wrong.

        Raises:
            DamagedError: where a row was not written by daynight, or the first line of a game does not name `player`.
        """
        if not games:
            return []
        if player is not None and not self._index.are_of(player, games):
            raise no_row(NAME)
        statement = f"{self._whole} WHERE game IN ({', '.join('?' * len(games))}) ORDER BY game"
        found = self._sound(statement, games, lambda rows: games)
        return [entry for entry in self.rows() if entry.game in games] if found is None else found

    def _sound(
        self, statement: str, params: Sequence[Any], names: Callable[[Sequence[Any]], Iterable[str]]
    ) -> list[Entry] | None:
        """Return the entries of the rows that an SQL statement finds, after rebuilding missing and outdated rows.

        `names(rows)` returns the games whose rows it should have found. None while the rows are kept in memory, because
        the store is read-only.

        Raises:
            DamagedError: where a row was not written by daynight.
        """
        for _again in range(_TRIES):
            if self._aside is not None:
                return None
            with guarded():
                # Asked for first: other processes append events meanwhile, and their rows then count more events than
                # these names.
                position = self._position()
                found = self._recorder.select(statement, *params)
                entries = [_entry(self._checked(row[:-1])) for row in found]
                if any(type(row[-1]) is not int or row[-1] < row[1] for row in found):
                    raise no_row(NAME)
                behind = {row[0]: row[1] for row in found if row[-1] > row[1]}
                there = {row[0] for row in found}
                behind |= {name: 0 for name in names(found) if name not in there}
                lacking = [game for game, events in behind.items() if self._tracked.lacks(game, events, position)]
            if not (wrong := [game for game in lacking if game not in self.unreadable]):
                return entries
            self._mend(wrong)
        raise no_row(NAME)

    def _mend(self, games: Sequence[str]) -> None:
        """Rebuild the rows of games up to the last `catch_up`; in a read-only store rebuild all rows, in memory."""
        if self._recorder.fixed:
            self._aside, self.mended = (0, {}), [*self.mended, *games]
            self.catch_up()
            return
        with self._lock, guarded():
            position, entries = self._position(), list[tuple[Any, ...]]()
            statement = (
                "SELECT max(originator_version) FROM stored_events"
                f" WHERE originator_id = ? AND {self._recorder.place} <= ?"
            )
            for game in games:
                ((last,),) = self._recorder.select(statement, game, position)
                if last is None:
                    # Somebody rebuilds the list just now.
                    continue
                try:
                    entries.append(self._row_of(self._past(game).live(last)))
                except NotReadableError as error:
                    entries += self._stopped(game, error)
            with self._recorder.transaction(write=True) as cursor:
                if self._position() == position:
                    self._put(cursor, entries)
                    self.mended += [entry[0] for entry in entries]

    def entry(self, game: str) -> Entry | None:
        """Return one game's entry as of the last `catch_up`; None if the library has no event of it yet."""
        return next(iter(self.entries((game,))), None)

    def totals(self) -> Totals:
        """Return the totals over all games, as of the last `catch_up`.

        Raises:
            DamagedError: where a row was not written by daynight.
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
