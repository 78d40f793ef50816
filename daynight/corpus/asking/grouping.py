"""Statistics of many games, in groups: by edition, source, month, or a field of `meta` in line 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow.compute

from daynight.corpus.judging.ordinary import CASTS
from daynight.corpus.judging.results import VERDICTS, read_table
from daynight.corpus.manifest import Manifest, WholePart
from daynight.corpus.schema import ENDED
from daynight.corpus.sources import addresses
from daynight.corpus.trust import file_of, opened_table, reading
from daynight.events.terms import Designation
from daynight.framework.language.errors import AskedError
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
        AskedError: where a name is none of edition, source, month and meta.FIELD.
    """
    for name in by:
        if name not in _FIELDS and not (name.startswith(META) and len(name) > len(META)):
            sentence = _("{name}: expected edition, source, month or meta.FIELD")
            raise AskedError(sentence.format(name=name))


def grouped(folders: Sequence[str], result: Path, by: Sequence[str], assumed: Designation | None) -> list[Group]:
    """Return a group for each set of values of `by` that games of a result have; a group of all games if `by` is empty.

    Raises:
        Damage: where a file of a corpus is damaged.
    """
    table = read_table(result / VERDICTS)
    codes, values = _codes(folders, table, by)
    sums = {
        name: np.bincount(codes, table.column(name).to_numpy(), len(values)).astype(np.int64)
        for name in table.column_names
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
    """Return the number of the group of each row of a result, and the values of each group."""
    if not by:
        return np.zeros(table.num_rows, np.int64), [()]
    columns = ["game", *dict.fromkeys(_FIELDS.get(name, "meta") for name in by)]
    places: dict[bytes, int] = {}
    values: list[tuple[Any, ...]] = []
    codes = np.zeros(table.num_rows, np.int64)
    corpus, wanted = table.column("corpus"), table.column("game").to_numpy()
    for folder in dict.fromkeys(folders):
        rows = np.flatnonzero(pc.equal(corpus, addresses.shown(folder)).to_numpy())
        games, here = [np.zeros(0, np.int64)], []
        for part in Manifest.read(folder).parts:
            if not _touches(wanted[rows], part):
                continue
            with reading(file_of("games", part.part)):
                found = opened_table(folder, part, "games").read(columns=columns)
            games.append(found.column("game").to_numpy())
            for row in found.to_pylist():
                value = tuple([_value(row, name) for name in by])
                place = places.setdefault(msgspec.json.encode(value), len(values))
                if place == len(values):
                    values.append(value)
                here.append(place)
        codes[rows] = np.array(here, np.int64)[np.searchsorted(np.concatenate(games), wanted[rows])]
    return codes, values


def _touches(games: Any, part: WholePart) -> bool:
    """Return whether any of these games is in a part. A result has no games of a damaged part."""
    return bool(((games >= part.first) & (games < part.first + part.records)).any())


def _value(row: dict[str, Any], name: str) -> Any:
    if name.startswith(META):
        meta = None if row["meta"] is None else msgspec.json.decode(row["meta"])
        return None if meta is None else meta.get(name.removeprefix(META))
    value = row[_FIELDS[name]]
    return value[:_MONTH] if name == "month" and value is not None else value
