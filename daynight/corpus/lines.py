"""Reads the lines of a corpus: the bytes of each record, unchanged."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute

from daynight.corpus.manifest import WholePart
from daynight.corpus.trust import Damage, column, file_of, group_of, opened_table, reading
from daynight.framework.language.wording import _

pc: Any = pyarrow.compute
"""`Any`, because pyarrow makes these functions while it is imported, and type checkers do not see them."""


class CorpusGame(NamedTuple):
    """A game of a corpus: its number, its source, and the bytes of its record."""

    game: int
    source: str
    first_line: int
    data: bytes


def kept(folder: str, part: WholePart, wanted: Collection[int] | None = None) -> Iterator[CorpusGame]:
    """Yield the games of a part, or the `wanted` ones, in order.

    Raises:
        Damage: where a file cannot be read, or the lines do not belong to the games.
    """
    asked = None if wanted is None else sorted(wanted)
    rows = _rows(opened_table(folder, part, "games"), file_of("games", part.part), asked)
    lines = Lines(folder, part, asked)
    for game, source, first_line, events, final_newline in rows:
        yield CorpusGame(game, source, first_line, lines.of(game, events, final_newline))


_ROW = ["game", "source", "first_line", "events", "final_newline"]
_FEW = 10_000


def _rows(table: Any, name: str, wanted: list[int] | None) -> Iterator[tuple[int, str, int, int, bool]]:
    """Yield the columns `_ROW` of each wanted game; only `_FEW` at a time become Python objects, to save memory."""
    for group in _groups(table, wanted):
        rows = group_of(table, group, _ROW, name)
        with reading(name):
            for each in _ROW:
                if rows.column(each).null_count:
                    raise Damage(name, _("the column {column} has what cannot be there").format(column=each))
            if wanted is not None:
                rows = rows.filter(pa.array(np.isin(rows.column("game").to_numpy(), wanted)))
        for first in range(0, rows.num_rows, _FEW):
            few = rows.slice(first, _FEW)
            yield from zip(*(few.column(each).to_pylist() for each in _ROW), strict=True)


def _groups(table: Any, wanted: list[int] | None) -> list[int]:
    """Return the numbers of the row groups that may have `wanted` games, by the least and largest game in each."""
    if wanted is None:
        return [*range(table.num_row_groups)]
    groups = []
    for group in range(table.num_row_groups):
        found = table.metadata.row_group(group).column(0).statistics
        place = 0 if found is None or not found.has_min_max else bisect_left(wanted, found.min)
        if found is None or not found.has_min_max or (place < len(wanted) and wanted[place] <= found.max):
            groups.append(group)
    return groups


class Lines:
    """Reads the lines of a part's games, or of the `wanted` ones; the caller asks for them in ascending order."""

    def __init__(self, folder: str, part: WholePart, wanted: list[int] | None) -> None:
        """Open the file of the lines; raise `Damage` where that fails. `wanted` is sorted."""
        self._table, self._name, self._wanted = opened_table(folder, part, "lines"), file_of("lines", part.part), wanted
        self._groups = iter(_groups(self._table, wanted))
        self._game = np.zeros(0, np.int64)
        self._event = np.zeros(0, np.int32)
        self._offsets = np.zeros(1, np.int32)
        self._text: Any = None

    def of(self, game: int, events: int, final_newline: bool) -> bytes:
        """Return the lines of a game, the last one with its newline if `final_newline`.

        Raises:
            Damage: unless there are exactly `events` of them, or where they cannot be read.
        """
        while not len(self._game) or self._game[-1] < game:
            group = next(self._groups, None)
            if group is None:
                raise Damage(self._name, _("game {game} is missing").format(game=game))
            self._take(group)
        first, last = np.searchsorted(self._game, (game, game + 1))
        whole = last - first == events and np.array_equal(self._event[first:last], np.arange(1, events + 1))
        if not whole:
            raise Damage(self._name, _("game {game} has not all of its lines").format(game=game))
        begin, end = int(self._offsets[first]), int(self._offsets[last])
        found: bytes = self._text.slice(begin, end - begin).to_pybytes()
        return found if final_newline else found[:-1]

    def _take(self, group: int) -> None:
        """Read the lines of the wanted games of a row group into memory, in place of the group before."""
        found = group_of(self._table, group, ["game", "event", "line"], self._name)
        game, event = (column(found, key).to_numpy() for key in ("game", "event"))
        lines = column(found, "line")
        with reading(self._name):
            if lines.null_count or (np.diff(game) < 0).any():
                raise Damage(self._name, _("lines out of their order"))
            indices = lines.indices
            if self._wanted is not None:
                there = self._wanted[bisect_left(self._wanted, game[0]) : bisect_right(self._wanted, game[-1])]
                firsts, lasts = (np.searchsorted(game, there, side) for side in ("left", "right"))
                rows = np.concatenate([np.arange(*span) for span in zip(firsts, lasts, strict=True)])
                game, event, indices = game[rows], event[rows], indices.to_numpy()[rows]
            # Most lines of a row group repeat: the newline is added to each different line, once.
            ended = pc.binary_join_element_wise(lines.dictionary, "", "\n")
            taken = ended.take(pa.array(indices))
            self._offsets = np.frombuffer(taken.buffers()[1], np.int32)[taken.offset :]
            self._game, self._event, self._text = game, event, taken.buffers()[2]
