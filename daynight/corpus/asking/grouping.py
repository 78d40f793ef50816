"""Statistics of many games, in groups: by edition, source, month, or a field of `meta` in line 1."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow.compute

from daynight.corpus.judging.ordinary import CASTS
from daynight.corpus.judging.part import VERDICT
from daynight.corpus.judging.results import VERDICTS, read_table
from daynight.corpus.manifest import Manifest, WholePart
from daynight.corpus.schema import ENDED
from daynight.corpus.sources import addresses
from daynight.corpus.trust import file_of, opened_table, reading
from daynight.events.terms import Designation
from daynight.framework.language.errors import AskedError
from daynight.framework.language.grammar import also, first_of
from daynight.framework.language.wording import _
from daynight.projections.statistics import Statistics

pc: Any = pyarrow.compute
"""`Any`, because pyarrow makes these functions while it is imported, and type checkers do not see them."""

META = "meta."
_FIELDS = {"edition": "edition", "source": "source", "month": "at"}
_MONTH = 7
_SHARES: tuple[Designation | None, ...] = (*Designation, None)
_COUNTS = (0, 1, 2, None)


class Group(NamedTuple):
    """The statistics of all games that have the values in `by`."""

    by: dict[str, Any]
    statistics: Statistics

    def document(self) -> dict[str, Any]:
        """Return the group as JSON."""
        return {"by": self.by, **self.statistics.document()}


def check_by(by: Sequence[str]) -> None:
    """Refuse names by which games cannot be grouped.

    Raises:
        AskedError: where a name is not edition, source, month or meta.FIELD.
    """
    for name in by:
        if name not in _FIELDS and not (name.startswith(META) and len(name) > len(META)):
            sentence = _("{name}: expected edition, source, month or meta.FIELD")
            raise AskedError(sentence.format(name=name))


def grouped(folders: Sequence[str], result: Path, by: Sequence[str], assumed: Designation | None) -> list[Group]:
    """Group the games of the audit `result` by the values of the fields `by`; return the statistics of each group.

    If `by` is empty, one group has all games. `folders` are the audited corpora.

    Raises:
        AskedError: where no game has a field of `meta` that `by` names.
        Damage: where a file of a corpus is damaged.
    """
    # Column by column: together they take much memory.
    codes, values = _codes(folders, read_table(result / VERDICTS, ["corpus", "game"]), by)
    sums = {
        name: np.bincount(codes, read_table(result / VERDICTS, [name]).column(name).to_numpy(), len(values)).astype(
            np.int64
        )
        for name in VERDICT.names
        if name in ("turns", "flips", "spells") or name.startswith(("ended_", "active_casts_"))
    }
    games = np.bincount(codes, minlength=len(values))
    found = [
        Group(
            dict(zip(by, value, strict=True)),
            Statistics(
                record="",
                game="",
                games=int(games[place]),
                turns=int(sums["turns"][place]),
                flips=int(sums["flips"][place]),
                spells=int(sums["spells"][place]),
                shares=Counter(
                    {key: int(sums[f"ended_{word}"][place]) for key, word in zip(_SHARES, ENDED, strict=True)}
                ),
                casts=Counter(
                    {key: int(sums[f"active_casts_{word}"][place]) for key, word in zip(_COUNTS, CASTS, strict=True)}
                ),
                assumed=assumed,
            ),
        )
        for place, value in enumerate(values)
        if games[place] or not by
    ]
    return sorted(found, key=lambda group: [_order(value) for value in group.by.values()])


def _order(value: Any) -> tuple[bool, str]:
    """Return the key to sort a value by; None comes last."""
    return value is None, value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _codes(folders: Sequence[str], table: Any, by: Sequence[str]) -> tuple[Any, list[tuple[Any, ...]]]:
    """Return the number of its group for each row of `table`, and for each group its values of the fields `by`."""
    if not by:
        return np.zeros(table.num_rows, np.int64), [()]
    columns = ["game", *dict.fromkeys(_FIELDS.get(name, "meta") for name in by)]
    places: dict[bytes, int] = {}
    values: list[tuple[Any, ...]] = []
    fields = _Fields(by)
    codes = np.zeros(table.num_rows, np.int64)
    corpus, wanted = table.column("corpus"), table.column("game").to_numpy()
    for folder in dict.fromkeys(folders):
        rows = np.flatnonzero(pc.equal(corpus, addresses.shown(folder)).to_numpy())
        games, here = [np.zeros(0, np.int64)], array("q")
        for part in Manifest.read(folder).parts:
            if not _touches(wanted[rows], part):
                continue
            with reading(file_of("games", part.part)):
                batches = opened_table(folder, part, "games").iter_batches(_FEW, columns=columns, use_threads=False)
                for found in batches:
                    games.append(found.column("game").to_numpy())
                    for row in found.to_pylist():
                        value = fields.values(row)
                        place = places.setdefault(msgspec.json.encode(value), len(values))
                        if place == len(values):
                            values.append(value)
                        here.append(place)
        codes[rows] = np.array(here, np.int64)[np.searchsorted(np.concatenate(games), wanted[rows])]
    fields.check()
    return codes, values


_FEW = 10_000


def _touches(games: Any, part: WholePart) -> bool:
    """Return whether `part` has any of `games`, the judged games; a damaged part has none, and need not be read."""
    return bool(((games >= part.first) & (games < part.first + part.records)).any())


class _Fields:
    """Finds the values of `by` in the rows of games; a dot in a name leads into `meta`."""

    def __init__(self, by: Sequence[str]) -> None:
        self._by = by
        self._steps = {name: name.removeprefix(META).split(".") for name in by if name.startswith(META)}
        self._missing = {*self._steps}
        self._known: dict[str, None] = {}
        self._meta: tuple[str | None, Any] = (None, None)

    def values(self, row: dict[str, Any]) -> tuple[Any, ...]:
        """Return the value of each name in `by` for a game; None where the game has none."""
        return tuple([self._value(row, name) for name in self._by])

    def _value(self, row: dict[str, Any], name: str) -> Any:
        if name not in self._steps:
            value = row[_FIELDS[name]]
            return value[:_MONTH] if name == "month" and value is not None else value
        if row["meta"] != self._meta[0]:
            self._meta = row["meta"], None if row["meta"] is None else msgspec.json.decode(row["meta"])
            if self._missing:
                self._known.update(dict.fromkeys(islice(_names(self._meta[1]), _MOST)))
        value = self._meta[1]
        for step in self._steps[name]:
            if not isinstance(value, dict) or step not in value:
                return None
            value = value[step]
        self._missing.discard(name)
        return value

    def check(self) -> None:
        """Refuse a field of `meta` that no game has.

        Raises:
            AskedError: where there is such a field; the error lists some that exist.
        """
        for name in sorted(self._missing):
            sentence = _("{name}: no game has that").format(name=name)
            if self._known:
                sentence = also(sentence, _("there are {names}").format(names=first_of([*self._known], _MOST)))
            raise AskedError(sentence)


_MOST = 12


def _names(meta: Any, above: str = META) -> Iterator[str]:
    """Yield the names that `by` may have for the fields of `meta`: `meta.event`, or nested `meta.event.city`."""
    for key, value in meta.items() if isinstance(meta, dict) else ():
        if isinstance(value, dict):
            yield from _names(value, f"{above}{key}.")
        else:
            yield f"{above}{key}"
