"""Puts the columns of many games together as Arrow tables, one row group at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from daynight.corpus.columns import Columns, Sparse
from daynight.corpus.schema import EVENT, GAMES, LINE, VERDICTS, WORDS

_DENSE = ("step", "by_active", "untap", "designation", "gives", "face", "shows", "undone")
_SPARSE = ("turn", "player", "active", "card", "count", "at_most", "about_turn", "by")


class GameRow(NamedTuple):
    """A row of the table of games, without the facts that `Columns` has."""

    game: int
    name: str
    source: str
    first_line: int
    players: tuple[str, ...]
    teams: tuple[tuple[str, ...], ...] | None
    edition: str | None
    format: int
    at: str | None
    meta: str | None
    events: int
    sha256: str
    final_newline: bool
    started: int | None
    """When the game began by `at`, in microseconds since 1970, UTC; None if that is missing or out of range."""


class Gathered:
    """Collects the columns of some games for one row group of each table; `rows` are rows of `games`."""

    def __init__(self) -> None:
        self.events = 0
        self.rows: list[GameRow] = []
        self._facts: list[tuple[int, bool, str | None, bool]] = []
        self._tag = bytearray()
        self._dense = {name: bytearray() for name in _DENSE}
        self._sparse: dict[str, tuple[list[int], list[Any]]] = {name: ([], []) for name in _SPARSE}

    def add(self, row: GameRow, found: Columns) -> None:
        """Add a game."""
        first = self.events
        self.rows.append(row)
        self._facts.append((found.turns, found.plain, found.because, found.cares))
        self._tag += found.tag
        for name, whole in self._dense.items():
            whole.extend(getattr(found, name))
        for name, (rows, values) in self._sparse.items():
            few: Sparse = getattr(found, name)
            if few.rows:
                rows.extend(map(first.__add__, few.rows))
                values.extend(few.values)
        self.events += row.events

    @property
    def active(self) -> list[list[int]]:
        """The active players of each turn, as indices into the list of players."""
        return self._sparse["active"][1]

    @property
    def plain(self) -> Any:
        """A numpy array that says of each game whether it is plain."""
        return np.array([plain for _turns, plain, _because, _cares in self._facts], bool)

    @property
    def turns(self) -> Any:
        """A numpy array with the number of turns of each game."""
        return np.array([turns for turns, *_facts in self._facts], np.int32)

    def games_table(self, verdict: Any, findings: Any, unsettled: Any) -> Any:
        """Return the row group of `games`; `verdict` has indices into `VERDICTS`, the other two have counts."""
        columns: dict[str, Any] = {name: [getattr(row, name) for row in self.rows] for name in GameRow._fields}
        for place, name in enumerate(("turns", "plain", "because", "cares")):
            columns[name] = [facts[place] for facts in self._facts]
        made = {field.name: pa.array(columns[field.name], field.type) for field in GAMES if field.name in columns}
        made |= {"verdict": indexed(verdict + 1, VERDICTS), "findings": pa.array(findings, pa.int32())}
        made["unsettled"] = pa.array(unsettled, pa.int32())
        return pa.table([made[field.name] for field in GAMES], schema=GAMES)

    def events_table(self) -> Any:
        """Return the row group of `events`."""
        lengths = np.array([row.events for row in self.rows], np.int64)
        columns: dict[str, Any] = {
            "game": pa.array(np.repeat(np.array([row.game for row in self.rows], np.int64), lengths)),
            "event": pa.array(numbered(lengths)),
            "tag": _worded("tag", np.frombuffer(self._tag, np.uint8).astype(np.int32) + 1),
            "turn": pa.array(self._turns()),
            "undone": pa.array(np.frombuffer(self._dense["undone"], np.uint8).astype(bool)),
        }
        by_active = np.frombuffer(self._dense["by_active"], np.uint8)
        columns["by_active"] = pa.array(by_active == 2, mask=by_active == 0)
        for name in WORDS:
            if name != "tag":
                columns[name] = _worded(name, np.frombuffer(self._dense[name], np.uint8).astype(np.int32))
        for name in ("player", "count", "at_most", "about_turn"):
            columns[name] = self._numbers(name, np.int16 if name == "player" else np.int32)
        for name in ("card", "by"):
            columns[name] = self._names(name)
        columns["active"] = self._actives()
        return pa.table([columns[field.name] for field in EVENT], schema=EVENT)

    def _turns(self) -> Any:
        rows, values = self._sparse["turn"]
        return np.repeat(np.array(values, np.int32), np.diff(np.array([*rows, self.events])))

    def _numbers(self, name: str, kind: Any) -> Any:
        rows, values = self._sparse[name]
        whole, empty = np.zeros(self.events, kind), np.ones(self.events, bool)
        whole[rows], empty[rows] = values, False
        return pa.array(whole, mask=empty)

    def _names(self, name: str) -> Any:
        rows, values = self._sparse[name]
        places: dict[str, int] = {}
        whole = np.zeros(self.events, np.int32)
        whole[rows] = [places.setdefault(value, len(places) + 1) for value in values]
        return indexed(whole, list(places))

    def _actives(self) -> Any:
        rows, values = self._sparse["active"]
        lengths, empty = np.zeros(self.events + 1, np.int32), np.ones(self.events + 1, bool)
        lengths[np.array(rows, np.int64) + 1] = [len(value) for value in values]
        empty[rows] = False
        empty[self.events] = False
        flat = pa.array([place for value in values for place in value], pa.int16())
        return pa.ListArray.from_arrays(pa.array(np.cumsum(lengths, dtype=np.int32), mask=empty), flat)


def numbered(lengths: Any) -> Any:
    """Return an array that counts from 1 up to each of `lengths` in turn: 1, 2, 1, 2, 3 for 2 and 3."""
    ends = np.cumsum(lengths)
    return (np.arange(1, (ends[-1] if len(ends) else 0) + 1) - np.repeat(ends - lengths, lengths)).astype(np.int32)


def _worded(name: str, places: Any) -> Any:
    return indexed(places, WORDS[name])


def indexed(places: Any, words: Sequence[str]) -> Any:
    """Return a column of words; `places` are indices into `words`, counted from 1, with 0 for null."""
    indices = pa.array(places - 1, pa.int32(), mask=places == 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.string()))


def lines_table(games: list[tuple[int, int, bytes]]) -> Any:
    """Return a row group of `lines`; each game is its number, its line count, and the lines with newlines."""
    lengths = np.array([count for _game, count, _data in games], np.int64)
    data = b"".join([data for _game, _count, data in games])
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == _NEWLINE)
    offsets = np.zeros(len(ends) + 1, np.int32)
    offsets[1:] = ends - np.arange(len(ends))
    text = data.replace(b"\n", b"")
    lines = pa.StringArray.from_buffers(len(ends), pa.py_buffer(offsets.tobytes()), pa.py_buffer(text))
    whole = np.repeat(np.array([game for game, _count, _data in games], np.int64), lengths)
    return pa.table([pa.array(whole), pa.array(numbered(lengths)), lines], schema=LINE)


_NEWLINE = 10
