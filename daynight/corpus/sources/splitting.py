"""Splits a stream of JSON Lines into records; each object of type game-started begins a record."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, cast

import msgspec

from daynight.corpus.reading import too_large
from daynight.corpus.schema import SIZE
from daynight.framework.language.errors import RecordError, UnreadableError
from daynight.framework.language.reader import Rejoined
from daynight.framework.language.strict import LINE_LENGTH
from daynight.framework.language.wording import _

BLOCK = 2**20
"""How many bytes are read at a time."""

_GZIP = b"\x1f\x8b"
_SIGN = re.compile(rb"game-started|\\u00")
_TAG = b"game-started"
_OPENING = "game-started"


@dataclass(slots=True)
class Raw:
    """A record in a file: it begins in line `first_line`, at byte `offset` of the unpacked file.

    It has no bytes if `split` was called without `keep`, or if it has a `problem`.
    """

    first_line: int
    offset: int
    lines: int = 0
    size: int = 0
    problem: RecordError | None = None
    pieces: list[bytes] = field(default_factory=list)

    def take(self) -> bytes:
        """Return the bytes of the record, and release them to save memory."""
        data = b"".join(self.pieces)
        self.pieces.clear()
        return data

    def add(self, data: bytes, keep: bool) -> int:
        """Add bytes to the record; without `keep`, only count them. Return the number of newlines in `data`."""
        count = data.count(b"\n")
        if self.size + len(data) > SIZE and self.problem is None:
            self.problem = too_large(self.lines + data.count(b"\n", 0, SIZE - self.size) + 1)
            self.pieces.clear()
        self.lines += count
        self.size += len(data)
        if keep and self.problem is None:
            self.pieces.append(data)
        return count


def split(stream: BinaryIO, *, offset: int = 0, line: int = 1, keep: bool = True) -> Iterator[Raw]:
    """Yield the records of a stream from byte `offset` on; a record must begin there, in line `line`.

    An empty stream has one record, which is empty. If gzip data is damaged, the record at that place is the last, and
    its `problem` says so. Without `keep` the records have no bytes.
    """
    now = Raw(line, offset)
    number, place, open_line, last = line, offset, False, b""
    try:
        for block, whole in _blocks(stream, offset):
            # A line longer than any event comes in pieces, and begins no record.
            first = len(block) if not whole else (block.find(b"\n") + 1 or len(block)) if open_line else 0
            at = 0
            for cut in (*_starts(block, first), len(block)):
                if piece := block[at:cut]:
                    number += now.add(piece, keep)
                    last = piece[-1:]
                    place += len(piece)
                if cut < len(block) and now.size:
                    yield now
                    now = Raw(number, place)
                at = cut
            open_line = not whole
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        if now.problem is None:
            sentence = _("damaged gzip data: {reason}; the records that follow in this file are lost")
            now.problem = UnreadableError(sentence.format(reason=error), line=now.lines + 1)
            now.pieces.clear()
    _ended(now, last)
    yield now


def _ended(record: Raw, last: bytes) -> None:
    # A last line without a newline counts, too.
    record.lines += record.size > 0 and last != b"\n"


def _starts(block: bytes, first: int) -> Iterator[int]:
    """Yield the positions in a block at which a record begins, from `first` on; look at each line only once."""
    at = first
    # Finding one word is many times as fast as searching for one of two, and few blocks have the other one.
    hidden = b"\\" in block and b"\\u00" in block
    while True:
        if not hidden:
            there = block.find(_TAG, at)
        else:
            sign = _SIGN.search(block, at)
            there = -1 if sign is None else sign.start()
        if there < 0:
            return
        start = block.rfind(b"\n", 0, there) + 1
        end = block.find(b"\n", there)
        at = len(block) if end < 0 else end
        if start >= first and _is_opening(block[start:at]):
            yield start


def _is_opening(line: bytes) -> bool:
    if len(line) > LINE_LENGTH:
        return False
    try:
        event: Any = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(event, dict) and event.get("type") == _OPENING


def _blocks(stream: BinaryIO, offset: int) -> Iterator[tuple[bytes, bool]]:
    """Yield (block, True) for a block that ends with a line, (piece, False) for a piece of a line beyond the limit."""
    carry: list[bytes] = []
    held = 0
    for piece in _pieces(stream, offset):
        cut = piece.rfind(b"\n") + 1
        if cut:
            yield b"".join([*carry, piece[:cut]]), True
            carry, held = [piece[cut:]], len(piece) - cut
        else:
            carry.append(piece)
            held += len(piece)
            if held > LINE_LENGTH:
                yield b"".join(carry), False
                carry, held = [], 0
    if held:
        yield b"".join(carry), True


def _pieces(stream: BinaryIO, offset: int) -> Iterator[bytes]:
    head = stream.read(2)
    if head == _GZIP:
        packed = gzip.GzipFile(fileobj=cast(BinaryIO, Rejoined(head, stream)), mode="rb")
        while offset and (skipped := packed.read(min(offset, BLOCK))):
            offset -= len(skipped)
        while piece := packed.read1(BLOCK):
            yield piece
        return
    if offset:
        stream.seek(offset)
    elif head:
        yield head
    while piece := stream.read(BLOCK):
        yield piece
