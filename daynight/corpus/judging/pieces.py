"""The results of parts: counts, verdicts, audits and findings, kept in a file until the audit has all of them.

The file is not synced to disk, because results can be made again: a checksum reveals an incomplete one.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from struct import Struct
from typing import Any
from zlib import crc32

import msgspec
import pyarrow as pa

_ROWS = 10_000
_CODEC = "lz4"

_HEAD = Struct("<QI8s")
_MAGIC = b"daynight"
"""The last bytes of a head: a head of which only the beginning was written does not end with them."""


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


class Piece(msgspec.Struct):
    """The result of a part: its counts, its verdicts, and JSON lines of its audits and of its findings.

    The verdicts are those that `packed` returns.
    """

    counts: Counts
    verdicts: list[tuple[int, bytes]] = []
    audits: bytes = b""
    findings: bytes = b""


def packed(rows: Any) -> list[tuple[int, bytes]]:
    """Return the rows of a record batch, `_ROWS` at a time: the number of bytes, and these bytes compressed."""
    slices = (rows.slice(at, _ROWS).serialize() for at in range(0, rows.num_rows, _ROWS))
    return [(one.size, pa.compress(one, codec=_CODEC, asbytes=True)) for one in slices]


def unpacked(rows: list[tuple[int, bytes]], schema: Any) -> list[Any]:
    """Return the rows that `packed` has returned as record batches; `schema` is theirs, as the bytes do not hold it."""
    return [
        pa.ipc.read_record_batch(pa.decompress(data, decompressed_size=size, codec=_CODEC), schema)
        for size, data in rows
    ]


class Pieces(AbstractContextManager["Pieces"]):
    """The results that are kept in a file, one after another; `counts` has the counts of each by its key."""

    def __init__(self, path: Path) -> None:
        """Open the file; one that is new is made. An incomplete result at its end is removed."""
        self.counts: dict[str, Counts] = {}
        self._places: dict[str, int] = {}
        self._end = 0
        self._file = path.open("a+b")
        while (found := self._read(self._end)) is not None:
            key, piece = found
            self.counts[key], self._places[key] = piece.counts, self._end
            self._end = self._file.tell()
        self._file.truncate(self._end)

    def __exit__(self, *_error: object) -> None:
        """Close the file."""
        self._file.close()

    def add(self, key: str, piece: Piece) -> None:
        """Add a result to the file."""
        data = msgspec.msgpack.encode((key, piece))
        self.counts[key], self._places[key] = piece.counts, self._end
        self._end += self._file.write(_HEAD.pack(len(data), crc32(data), _MAGIC))
        self._end += self._file.write(data)
        # If the audit is killed, the file has the result.
        self._file.flush()

    def piece(self, key: str) -> Piece:
        """Return a result that is kept."""
        found = self._read(self._places[key])
        assert found is not None
        return found[1]

    def _read(self, at: int) -> tuple[str, Piece] | None:
        """Return a key and its result from the position `at`; None if there is no result, or an incomplete one."""
        self._file.seek(at)
        head = self._file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return None
        length, check, magic = _HEAD.unpack(head)
        if magic != _MAGIC:
            return None
        data = self._file.read(length)
        if len(data) < length or crc32(data) != check:
            return None
        return msgspec.msgpack.decode(data, type=tuple[str, Piece])
