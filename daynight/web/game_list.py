"""The catalogue: the list of the served games, in pages. Stored games of day and night come from the library's rows."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import Any, Literal

from daynight.framework.language.errors import MechanicError
from daynight.framework.language.wording import _
from daynight.games import Library
from daynight.projections.library import entry_document, entry_of
from daynight.store.errors import NotReadableError, StoreError
from daynight.store.threads import Lately
from daynight.titles import occasion_of
from daynight.web.errors import Problem
from daynight.web.file_game import FileGame
from daynight.web.queries import Paged, Text
from daynight.web.shelf import Shelf, id_of

PATIENCE = 0.5
"""Seconds that a list waits for the library (the stored list of all games) to apply the newest events."""

MANY = 2_000
"""How many names a search for a part of a name reads at a time."""

Row = tuple[str, dict[str, Any]]


class GamesQuery(Paged, frozen=True, kw_only=True):
    """The parameters of the list: `q` is a part of the game's name, `player` a whole name, `verdict` the audit's."""

    q: Text | None = None
    player: Text | None = None
    verdict: Literal["disputed", "exact", "unverified"] | None = None


class GameList:
    """The list of the games of a shelf."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._library = shelf.library
        self._files = sorted((name, _file_row(file, shelf)) for name, file in shelf.files.items())
        self._lock = threading.Lock()
        self._verdicts: Lately[str, tuple[int, str]] = Lately(MANY)
        # Stored events never change.
        self._firsts: Lately[str, Any] = Lately(MANY)

    def page(self, query: GamesQuery) -> dict[str, Any]:
        """Return a page: its `games`, how many events the list is `behind`; `next` is the next page's `after`, or None.

        Raises:
            Problem: where `query` names a player, but the records have no players.
        """
        if query.player is not None and not self._shelf.is_of_games:
            raise Problem(400, "bad-parameter", _("player: these records have no players"))
        behind = self._behind()
        words = (query.q or "").casefold()
        found: list[Row] = []
        for name, row in self._rows(query.after or "", query):
            if words not in name.casefold():
                continue
            shown = row
            # To audit every stored record would take long; files are few, and held in memory.
            if not self._shelf.is_of_games and (query.verdict is not None or name in self._shelf.files):
                verdict = self._verdict(name)
                shown = row if verdict is None else row | {"verdict": verdict}
            if query.verdict in (None, shown.get("verdict")):
                found.append((name, shown))
                if len(found) > query.limit:
                    break
        rows = [{"id": id_of(name)} | row | self._titled(name) for name, row in found[: query.limit]]
        more = found[query.limit - 1][0] if len(found) > query.limit else None
        return {"games": rows, "behind": behind, "next": more}

    def _titled(self, name: str) -> dict[str, str]:
        """Return the `title` of a game imported from a log (when and against whom); for others an empty dictionary."""
        first = self._firsts.get(name)
        if first is None and self._shelf.is_of_games:
            try:
                (first,) = self._shelf.first(name)
            except (StoreError, MechanicError, ValueError):
                return {}
            self._firsts.put(name, first)
        title = None if first is None else occasion_of(first)
        return {} if title is None else {"title": title}

    def _rows(self, after: str, query: GamesQuery) -> Iterator[Row]:
        """Yield the rows after the name `after`, of files and of the store, ordered by name."""
        files = [row for row in self._files if row[0] > after and self._has(row[0], query.player)]
        for row in self._stored(after, query):
            while files and files[0][0] < row[0]:
                yield files.pop(0)
            if self._shelf.serves(row[0]):
                yield row
        yield from files

    def _has(self, file: str, player: str | None) -> bool:
        return player is None or player in self._shelf.files[file].game().state.players

    def _stored(self, after: str, query: GamesQuery) -> Iterator[Row]:
        store = self._shelf.store
        if self._library is None:
            for name, events in () if store is None else store.games():
                if name > after:
                    yield name, {"game": name, "events": events}
            return
        words, most = (query.q or "").casefold(), query.limit + 1
        if not words:
            while entries := self._library.page(after, most, query.verdict, query.player):
                for entry in entries:
                    yield entry.game, entry_document(entry)
                after = entries[-1].game
            return
        # Most names do not match: read the rows of those that do.
        while names := self._library.names(after, MANY, query.verdict, query.player):
            found = [name for name in names if words in name.casefold()]
            for first in range(0, len(found), most):
                for entry in self._library.entries(found[first : first + most], query.player):
                    yield entry.game, entry_document(entry)
            after = names[-1]

    def _verdict(self, name: str) -> str | None:
        """Return the audit's verdict on a record of another mechanic; None if this code cannot read the record.

        No library stores these verdicts: they are cached here, until the record has grown.
        """
        shelved = self._shelf.find(name)
        held = self._verdicts.get(name)
        if held is None or held[0] != shelved.last:
            try:
                game = shelved.game()
                held = (len(game), game.audited().verdict)
            except (NotReadableError, MechanicError):
                return None
            self._verdicts.put(name, held)
        return held[1]

    def _behind(self) -> int:
        """Let a thread update the library, wait at most `PATIENCE` seconds, and return how many events it lacks."""
        library = self._library
        if library is None or not library.behind():
            return 0
        if self._lock.acquire(blocking=False):
            work = partial(copy_context().run, self._catch_up, library)
            thread = threading.Thread(target=work, name="daynight-list", daemon=True)
            thread.start()
            thread.join(PATIENCE)
        return library.behind()

    def _catch_up(self, library: Library) -> None:
        # Other requests report why it does not continue; the list only says how far behind it is.
        try:
            with suppress(StoreError):
                library.catch_up()
        finally:
            self._lock.release()


def _file_row(file: FileGame, shelf: Shelf) -> dict[str, Any]:
    if not shelf.is_of_games:
        return {"game": file.name, "events": file.last}
    return entry_document(entry_of(file.name, file.game()))  # type: ignore[arg-type]
