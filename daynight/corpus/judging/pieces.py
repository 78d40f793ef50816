"""The result of a part, as one file in the folder of half-done work: counts, verdicts, audits and findings.

It is not synced to disk, because it can be made again: a file that is not whole is told by its checksum.
"""

from __future__ import annotations

from pathlib import Path
from secrets import token_hex
from struct import Struct
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import pyarrow as pa

_HEAD = Struct("<8sIQQQQ")
_MAGIC = b"daynight"


class Counts(msgspec.Struct):
    """The counts of a part; if it is damaged, `file` and `problem` say where and how.

    `refused` has a sentence about each game that cannot happen as assumed; such a game has no verdict.
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


def write(piece: Piece, path: Path) -> None:
    """Write the result of a part, whole or not at all; what a power failure leaves of it may be neither."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, piece.verdicts.schema) as stream:
        stream.write_table(piece.verdicts)
    parts = (msgspec.json.encode(piece.counts), sink.getvalue().to_pybytes(), piece.audits, piece.findings)
    data = b"".join(parts)
    half = path.with_name(f".{path.name}.{token_hex(4)}")
    half.write_bytes(_HEAD.pack(_MAGIC, crc32(data), *map(len, parts)) + data)
    half.replace(path)


def read(path: Path) -> Piece | None:
    """Read the result of a part; None if there is none, or none that is whole."""
    try:
        data = path.read_bytes()
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
