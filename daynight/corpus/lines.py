"""The lines of a corpus: each record's bytes, as they were."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import numpy as np

from daynight.corpus.manifest import Part
from daynight.corpus.trust import Damage, column, file_of, group_of, opened_table
from daynight.framework.language.wording import _


class Kept(NamedTuple):
    """A game of a corpus: its row, but for what is derived, and the bytes of its record."""

    game: int
    source: str
    first_line: int
    data: bytes


def kept(folder: str, part: Part, wanted: Collection[int] | None = None) -> Iterator[Kept]:
    """The games of a part, or the `wanted` ones, in their order.

    Raises:
        Damage: where a file cannot be read, or the lines are not those of the games.
    """
    name = file_of("lines", part.part)
    games = opened_table(folder, part, "games").read(columns=["game", "source", "first_line", "events", "final_newline"])
    rows = games.to_pylist()
    lines = _Lines(opened_table(folder, part, "lines"), name, None if wanted is None else sorted(wanted))
    for row in rows:
        if wanted is None or row["game"] in wanted:
            found = lines.of(row["game"], row["events"])
            yield Kept(row["game"], row["source"], row["first_line"], found if row["final_newline"] else found[:-1])


class _Lines:
    """Reads the lines of games that are asked for one after another."""

    def __init__(self, table: Any, name: str, wanted: list[int] | None) -> None:
        self._table, self._name = table, name
        self._groups = iter([group for group in range(table.num_row_groups) if self._has(group, wanted)])
        self._game = np.zeros(0, np.int64)
        self._event = np.zeros(0, np.int32)
        self._lines: Any = None

    def _has(self, group: int, wanted: list[int] | None) -> bool:
        if wanted is None:
            return True
        found = self._table.metadata.row_group(group).column(0).statistics
        if found is None or not found.has_min_max:
            return True
        place = int(np.searchsorted(wanted, found.min))
        return place < len(wanted) and wanted[place] <= found.max

    def of(self, game: int, events: int) -> bytes:
        """The lines of a game, each with its newline."""
        while not len(self._game) or self._game[-1] < game:
            group = next(self._groups, None)
            if group is None:
                raise Damage(self._name, _("game {game} is missing").format(game=game))
            found = group_of(self._table, group, ["game", "event", "line"], self._name)
            self._game, self._event = (column(found, key).to_numpy() for key in ("game", "event"))
            self._lines = column(found, "line")
        first, last = (int(np.searchsorted(self._game, game, side)) for side in ("left", "right"))
        whole = last - first == events and (self._event[first:last] == np.arange(1, events + 1)).all()
        if not whole:
            raise Damage(self._name, _("game {game} has not all of its lines").format(game=game))
        return "".join([f"{line}\n" for line in self._lines.slice(first, events).to_pylist()]).encode()
