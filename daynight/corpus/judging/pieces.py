"""The result of a part, as one file in the work folder: counts, verdicts, audits and findings.

It is not synced to disk, because it can be made again: its checksum reveals an incomplete file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from struct import Struct
from typing import Any, BinaryIO, NamedTuple
from zlib import crc32

import msgspec
import pyarrow as pa

_HEAD = Struct("<8sIQQQQ")
_MAGIC = b"daynight"


class Counts(msgspec.Struct):
    """The counts of a part; if it is damaged, `file` and `problem` say where and how.

    `refused` has a sentence for each game without a verdict, because it is impossible with the assumed designation.
    """

    games: int = 0
    plain: int = 0
    events: int = 0
    exact: int = 0
    disputed: int = 0
    unverified: int = 0
    findings: int = 0
    refused: list[str] = []
    file: str | None = None
    problem: str | None = None


class Piece(NamedTuple):
    """The result of a part: its counts, the table of its verdicts, and JSON lines of its audits and of its findings."""

    counts: Counts
    verdicts: Any
    audits: bytes
    findings: bytes


def write(piece: Piece, path: str) -> None:
    """Write the result of a part, whole or not at all; only a power failure may leave an incomplete file."""
    half = f"{path}.{token_hex(4)}"
    with removed(half), open(half, "wb") as file:
        file.write(bytes(_HEAD.size))
        summed = _Summed(file)
        lengths = [summed.write(msgspec.json.encode(piece.counts))]
        before = summed.length
        _put(piece.verdicts, summed)
        lengths += [summed.length - before, summed.write(piece.audits), summed.write(piece.findings)]
        file.seek(0)
        file.write(_HEAD.pack(_MAGIC, summed.check, *lengths))
    os.replace(half, path)  # noqa: PTH105  # a Path for each part takes time


def _put(table: Any, summed: _Summed) -> None:
    """Write a table into `summed`; a long one goes `_ROWS` rows at a time, because a whole copy takes much memory."""
    whole = table.num_rows <= _ROWS
    sink = pa.BufferOutputStream() if whole else pa.PythonFile(summed, "w")
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table, _ROWS)
    if whole:
        # One call instead of one for each buffer of each column.
        summed.write(sink.getvalue())


_ROWS = 10_000


@contextmanager
def removed(half: str) -> Iterator[None]:
    """Remove the file `half` if the block, which writes it, raises an error."""
    try:
        yield
    except BaseException:
        Path(half).unlink(missing_ok=True)
        raise


class _Summed:
    """Writes into a file, and computes the length and the checksum of the written bytes."""

    closed = False

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.check = self.length = 0

    def write(self, data: Any) -> int:
        """Write bytes; return their number."""
        count = self._file.write(data)
        self.check = crc32(data, self.check)
        self.length += count
        return count

    def flush(self) -> None:
        """Do nothing: the file is flushed elsewhere."""


def read(path: str) -> Piece | None:
    """Read the result of a part; None if there is none, or it is incomplete."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return None
    if len(data) < _HEAD.size:
        return None
    magic, check, *lengths = _HEAD.unpack_from(data)
    whole = memoryview(data)[_HEAD.size :]
    if magic != _MAGIC or sum(lengths) != len(whole) or crc32(whole) != check:
        return None
    parts: list[memoryview] = []
    for length in lengths:
        parts.append(whole[:length])
        whole = whole[length:]
    counts, verdicts, audits, findings = parts
    table = pa.ipc.open_stream(pa.py_buffer(verdicts)).read_all()
    return Piece(msgspec.json.decode(counts, type=Counts), table, bytes(audits), bytes(findings))
