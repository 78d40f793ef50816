"""Checks the files of a corpus before they are used, because a corpus is input like any other.

These checks find accidental damage. Only `verify` finds columns that somebody falsified together with their digests.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from daynight.corpus.manifest import WholePart
from daynight.corpus.schema import EARLIER_TABLES, EVENTS, GROUP, LINES_GROUP, SIZE, TABLES, part_name
from daynight.corpus.sources import addresses
from daynight.framework.language.errors import DaynightError, NotFoundError, UnreadableError
from daynight.framework.language.wording import _
from daynight.machine.reasons import reason_of

_LARGEST = {"games": 2**30, "events": 2**29, "turns": 2**29, "lines": SIZE + 2**27}
"""The most bytes that a row group of each table may have, unpacked."""

_ROWS = {"games": GROUP, "events": GROUP, "turns": 2 * GROUP, "lines": LINES_GROUP}
_THRIFT = 2**26


class Damage(DaynightError):  # noqa: N818  # what was found, not what went wrong
    """A file of a corpus is missing or damaged; `file` is its name in the folder of the corpus."""

    def __init__(self, file: str, problem: str) -> None:
        super().__init__(f"{file}: {problem}")
        self.file = file
        self.problem = problem

    def __reduce__(self) -> tuple[type[Damage], tuple[str, str]]:
        return Damage, (self.file, self.problem)


def file_of(table: str, part: int) -> str:
    """Return the path of the file with a part of `table`, relative to the folder of the corpus."""
    return f"{table}/{part_name(part)}"


def opened_table(folder: str, part: WholePart, table: str) -> Any:
    """Read a file of a part into memory; return it as a `ParquetFile`.

    Its SHA-256, the types of its columns, and its number of rows are checked.

    Raises:
        Damage: where one of these is wrong, or the file cannot be read.
    """
    name = file_of(table, part.part)
    try:
        data = addresses.read(addresses.joined(folder, name))
    except (NotFoundError, FileNotFoundError):
        raise Damage(name, _("no such file")) from None
    except OSError as error:
        raise Damage(name, reason_of(error)) from None
    except UnreadableError as error:
        raise Damage(name, error.sentence) from None
    if sha256(data).hexdigest() != part.sha256[table]:
        raise Damage(name, _("its SHA-256 is not the one in corpus.json"))
    return checked(pa.py_buffer(data), name, table, part)


def checked(data: Any, name: str, table: str, part: WholePart) -> Any:
    """Return the bytes `data` as a `ParquetFile` with the columns of `table`, and as many rows as `part` says.

    Raises:
        Damage: where it has other columns or rows, or too large row groups, or cannot be read.
    """
    schema, rows = part.tables[table], part.rows[table]
    with reading(name):
        found = pq.ParquetFile(
            pa.BufferReader(data),
            read_dictionary=_words(table, part.tables is TABLES),
            pre_buffer=False,
            page_checksum_verification=True,
            thrift_string_size_limit=_THRIFT,
            thrift_container_size_limit=_THRIFT,
        )
        there = found.schema_arrow
        # What is written here is so to the last detail; then nothing is looked at one by one.
        for field in () if there.equals(schema) else schema:
            places = there.get_all_field_indices(field.name)
            if len(places) != 1 or not _alike(there.field(places[0]).type, field.type):
                sentence = _("no column {column} of the type {type}")
                raise Damage(name, sentence.format(column=field.name, type=field.type))
        if found.metadata.num_rows != rows:
            sentence = _("{found} rows; corpus.json has {rows}")
            raise Damage(name, sentence.format(found=found.metadata.num_rows, rows=rows))
        for group in range(found.metadata.num_row_groups):
            facts = found.metadata.row_group(group)
            if facts.total_byte_size > _LARGEST[table] or facts.num_rows > max(_ROWS[table], EVENTS):
                raise Damage(name, _("a row group beyond all bounds"))
    return found


@cache
def _words(table: str, today: bool) -> list[str]:
    """Return the columns of a table to read as dictionaries; `today` is False for the earlier format."""
    schema = (TABLES if today else EARLIER_TABLES)[table]
    # Most lines of a row group repeat, so a dictionary saves memory.
    return [field.name for field in schema if pa.types.is_dictionary(field.type) or field.name == "line"]


def _alike(found: Any, ours: Any) -> bool:
    if pa.types.is_dictionary(found):
        found = found.value_type
    if pa.types.is_dictionary(ours):
        ours = ours.value_type
    if pa.types.is_list(found) and pa.types.is_list(ours):
        return _alike(found.value_type, ours.value_type)
    return bool(found == ours)


class reading:  # noqa: N801  # a context
    """A context that translates the errors of pyarrow about a damaged file into `Damage`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        """Return nothing; errors are handled at the end."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Raise `Damage` if the block raised an error of pyarrow, or a built-in one, that a damaged file causes."""
        if isinstance(error, (pa.ArrowException, OSError, ValueError, KeyError, OverflowError, MemoryError)):
            told = str(error).partition("\n")[0][:200]
            raise Damage(self._name, _("cannot be read: {reason}").format(reason=told)) from None


def group_of(table: Any, group: int, columns: list[str], name: str) -> Any:
    """Return `columns` of row group number `group`, as a `pyarrow.Table`; `name` is the file that an error names.

    Raises:
        Damage: where the row group cannot be read.
    """
    with reading(name):
        return table.read_row_group(group, columns=columns, use_threads=False)


def filled(table: Any, group: int, columns: list[str], name: str) -> Any:
    """Return what `group_of` returns, without the columns that are null in all rows by the file's statistics.

    Raises:
        Damage: where the row group cannot be read.
    """
    with reading(name):
        facts = table.metadata.row_group(group)
        wanted = []
        for at, path in enumerate(table.reader.column_paths):
            if path[0] in columns:
                told = facts.column(at).statistics
                if told is None or not told.has_null_count or told.null_count != facts.num_rows:
                    wanted.append(path[0])
    return group_of(table, group, wanted, name)


def column(table: Any, name: str) -> Any:
    """Return a column of a table as one array."""
    found = table.column(name)
    return found.chunk(0) if found.num_chunks == 1 else found.combine_chunks()
