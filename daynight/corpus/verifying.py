"""Derives every column again from the lines and compares: only this finds falsified columns."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from daynight.cards import doubting
from daynight.corpus.building.writers import placed
from daynight.corpus.engines.local import Deadly, here, spread
from daynight.corpus.lines import kept
from daynight.corpus.manifest import WholePart, checked
from daynight.corpus.parts import PartWriter
from daynight.corpus.reading import taken
from daynight.corpus.schema import TABLES, part_name
from daynight.corpus.sources import addresses
from daynight.corpus.sources.origins import contradictions
from daynight.corpus.trust import Damage, file_of, opened_table, reading
from daynight.framework.language.errors import RecordError
from daynight.framework.language.wording import _


class PartError(NamedTuple):
    """An error of a corpus: the part (None if it is in no single part), the file, and the problem."""

    part: int | None
    file: str
    problem: str


class _Task(NamedTuple):
    folder: str
    part: WholePart


def verify(
    folder: str, workers: int = 1, progress: Callable[[int, int], None] = lambda done, all: None
) -> Iterator[PartError]:
    """Yield the errors of a corpus: damaged files, and columns that do not follow from the lines, part by part.

    At the end come errors of origins: those that contradict one another, `bad.jsonl`, or the sources in `corpus.json`.
    `progress` is called with the number of verified parts and that of all parts.

    Raises:
        NotFoundError, UnreadableError: where there is no corpus, or another version of the rules made it.
        AskedError: where it is not finished.
    """
    (manifest,) = checked([folder])
    tasks = [_Task(folder, part) for part in manifest.parts]
    by_others = workers > 1 and not addresses.is_own(folder)
    answers = spread(verified, tasks, workers) if by_others else here(verified, tasks)
    found: dict[int, list[PartError]] = {}
    progress(0, len(tasks))
    for task, answer in answers:
        deadly = [PartError(task.part.part, "", _("it ended its worker again and again"))]
        found[task.part.part] = deadly if isinstance(answer, Deadly) else answer
        progress(len(found), len(tasks))
    for part in sorted(found):
        yield from found[part]
    for place, error in contradictions(folder, manifest, [part for part in found if found[part]]):
        yield PartError(place, error.file, error.problem)


def verified(task: _Task) -> list[PartError]:
    """Make a part again; return the errors of it: columns that differ, or else the damage that prevents it."""
    folder, part = task
    with placed(tempfile.gettempdir()), tempfile.TemporaryDirectory() as place, doubting():
        try:
            _anew(folder, part, Path(place))
            return [found for table in TABLES for found in _compared(folder, part, table, Path(place))]
        except Damage as error:
            return [PartError(part.part, error.file, error.problem)]


def _anew(folder: str, part: WholePart, place: Path) -> None:
    """Make the part again in the folder `place`, from its own lines; raise `Damage` if one of its games is refused."""
    writer = PartWriter(place, part.part)
    try:
        for game in kept(folder, part):
            try:
                writer.add(taken(game.data, game.game, game.source, game.first_line))
            except RecordError as error:
                told = _("game {game} is refused: {reason}").format(game=game.game, reason=error)
                raise Damage(file_of("lines", part.part), told) from None
        writer.finish()
    except BaseException:
        writer.close()
        raise


def _compared(folder: str, part: WholePart, table: str, place: Path) -> Iterator[PartError]:
    name = file_of(table, part.part)
    there = opened_table(folder, part, table)
    anew = pq.ParquetFile(place / table / part_name(part.part))
    for field in TABLES[table]:
        if not _same(_pieces(there, field.name, name), _pieces(anew, field.name, name)):
            yield PartError(
                part.part, name, _("the column {column} does not follow from the lines").format(column=field.name)
            )


_FEW = 50_000


def _pieces(table: Any, column: str, name: str) -> Iterator[Any]:
    """Yield the values of a column in batches; words become text."""
    with reading(name):
        for batch in table.iter_batches(_FEW, columns=[column], use_threads=False):
            found = batch.column(0)
            yield pc.cast(found, pa.string()) if pa.types.is_dictionary(found.type) else found


def _same(one: Iterator[Any], other: Iterator[Any]) -> bool:
    """Return whether two columns are equal, however they are split into batches."""
    here = there = pa.nulls(0)
    while True:
        here, there = (left if len(left) else next(more, None) for left, more in ((here, one), (there, other)))
        if here is None or there is None:
            return here is there
        few = min(len(here), len(there))
        if not here.slice(0, few).equals(there.slice(0, few)):
            return False
        here, there = here.slice(few), there.slice(few)
