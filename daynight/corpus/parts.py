"""Writes the files of a part, a row group at a time; the part exists completely or not at all."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from daynight.corpus.building.groups import tables
from daynight.corpus.building.writers import TableWriter
from daynight.corpus.judging.refereed import Told
from daynight.corpus.reading import Read
from daynight.corpus.schema import GROUP, LINES_GROUP, SLICE, TABLES, part_name
from daynight.corpus.tables import Gathered, lines_table

_WIDE = 2**24
"""The most bytes of lines in a row group, unless it is one game."""

_KEYS = ("game", "event")


class PartWriter:
    """Writes the files of a part under temporary names; `finish` renames them. `rows` counts the rows of each table."""

    def __init__(self, folder: Path, part: int) -> None:
        self._paths = {table: folder / table / part_name(part) for table in TABLES}
        # Names of its own: the worker of a command that was killed may still write the same part, and rename its files.
        own = token_hex(4)
        self._unfinished = {path: path.with_name(f".{path.name}.{own}.unfinished") for path in self._paths.values()}
        self._writers: dict[str, Any] = {}
        self._streams = ExitStack()
        for table, path in self._paths.items():
            path.parent.mkdir(exist_ok=True)
            # A stream, because pyarrow takes some paths for addresses.
            stream = self._streams.enter_context(self._unfinished[path].open("wb"))
            self._writers[table] = _writer(stream, table)
        self._gathered = Gathered()
        self._told: list[Told | None] = []
        # The rows of games and turns of several slices, which become one row group.
        self._waiting: dict[str, list[Any]] = {"games": [], "turns": []}
        self._waiting_events = 0
        self._lines: list[tuple[int, int, bytes]] = []
        self._counts = (0, 0)
        self.rows = dict.fromkeys(TABLES, 0)

    def add(self, game: Read) -> None:
        """Add a game."""
        row, data = game.row, game.lines
        if self._gathered.events and self._gathered.events + row.events > SLICE:
            self._put_events()
        count, size = self._counts
        if self._lines and (count + row.events > LINES_GROUP or size + len(data) > _WIDE):
            self._put_lines()
            count, size = 0, 0
        self._gathered.add(row, game.columns)
        self._told.append(game.told)
        self._lines.append((row.game, row.events, data))
        self._counts = count + row.events, size + len(data)

    def finish(self) -> dict[str, str]:
        """Write the remaining rows, sync and rename the files; return the SHA-256 of each by the name of its table."""
        self._put_events()
        self._put_waiting()
        self._put_lines()
        sums = {}
        for writer in self._writers.values():
            writer.close()
        self._streams.close()
        for table, path in self._paths.items():
            sums[table] = _synced(self._unfinished[path])
        for path in self._paths.values():
            self._unfinished[path].replace(path)
            sync_folder(path.parent)
        return sums

    def close(self) -> None:
        """Discard the unfinished files."""
        self._writers.clear()
        # A stream of a full disk fails again as it is closed.
        with suppress(OSError):
            self._streams.close()
        for path in self._paths.values():
            self._unfinished[path].unlink(missing_ok=True)

    def _put_events(self) -> None:
        if self._gathered.events:
            made = tables(self._gathered, self._told)
            if self._waiting_events + self._gathered.events > GROUP:
                self._put_waiting()
            self._waiting_events += self._gathered.events
            self._write("events", made.pop("events"))
            for table, rows in made.items():
                self._waiting[table].append(rows)
        self._gathered, self._told = Gathered(), []

    def _put_waiting(self) -> None:
        for table, several in self._waiting.items():
            if several:
                self._write(table, pa.concat_tables(several))
            several.clear()
        self._waiting_events = 0

    def _put_lines(self) -> None:
        if self._lines:
            self._write("lines", lines_table(self._lines))
        self._lines, self._counts = [], (0, 0)

    def _write(self, table: str, rows: Any) -> None:
        self._writers[table].write_table(rows)
        self.rows[table] += rows.num_rows


def _writer(stream: BinaryIO, table: str) -> Any:
    schema = TABLES[table]
    keys = [name for name in _KEYS if name in schema.names]
    # `Any`: the annotations of pyarrow do not allow lists of columns for dictionaries and statistics.
    writer: Any = TableWriter
    return writer(
        stream,
        schema,
        version="2.6",
        compression="zstd",
        use_dictionary=[name for name in schema.names if name not in _DELTA],
        column_encoding={name: _DELTA[name] for name in schema.names if name in _DELTA},
        dictionary_pagesize_limit=_DICTIONARY,
        # Of what few games have they tell whether all of it is null: then an audit does not read it.
        write_statistics=["game", *_TOLD.get(table, ())],
        write_batch_size=_BATCH.get(table),
        write_page_checksum=True,
        sorting_columns=[pq.SortingColumn(schema.names.index(name)) for name in keys],
    )


_TOLD = {"events": ("designation", "gives", "face", "shows", "count", "at_most", "about_turn")}
_BATCH = {"events": SLICE}
"""How many values pyarrow writes into a page at a time, by table; for the others its default of 1,024.

More is faster for narrow columns, but takes memory for long texts.
"""
_DELTA = {"event": "DELTA_BINARY_PACKED"}
_DICTIONARY = 2**24


def _synced(path: Path) -> str:
    """Sync a file to disk; return its SHA-256."""
    found = sha256()
    with path.open("rb") as stream:
        while piece := stream.read(2**20):
            found.update(piece)
        os.fsync(stream.fileno())
    return found.hexdigest()


def sync_folder(folder: Path) -> None:
    """Sync a folder to disk, so that a rename in it survives a power failure. POSIX only."""
    if os.name == "posix":
        place = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)
