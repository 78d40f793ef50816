"""Reads untrusted files line by line, decompressed, with limits on everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, cast

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.reader import Rejoined
from daynight.framework.language.wording import _
from daynight.importers.packed import DAMAGED, GZIP, is_packed, unpacked

HEAD = 2**18
"""The number of first bytes that are used to recognise a format."""

LINE_LENGTH = 2**24
"""The most bytes a line may have, without its line feed."""

SIZE = 2**32
"""The most bytes a source may have, unpacked."""

_BLOCK = 2**18
_UTF_8_MARK = b"\xef\xbb\xbf"
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def is_utf_16(head: bytes) -> bool:
    """Return whether a file with these first bytes is UTF-16 text, which Windows editors write."""
    return head.startswith(_UTF_16_MARKS) and b"\0" in head[2:4]


@dataclass(frozen=True, slots=True)
class Offset:
    """A place between two lines of a source: `offset` bytes (unpacked) and `line` lines come before it."""

    offset: int = 0
    line: int = 0


class Source:
    """One file that is read once, from its beginning or from a `start` that was saved.

    `name` is its name for people, `number` its position among the given sources, from 1. `damage` says why the source
    ended too early, if it did; `long` are the numbers of too long lines, which `lines` skips; `line` is the number of
    the line that `lines` yielded last.
    """

    def __init__(self, name: str, stream: BinaryIO, *, number: int = 1, start: Offset | None = None) -> None:
        self.name = name
        self.number = number
        self.start = start or Offset()
        self.line = self.start.line
        self.mark: bytes | None = None
        self.pauses = False
        self.beginning = b""
        self.damage: str | None = None
        self.long: list[int] = []
        self._stream = stream
        self._pieces: Iterator[bytes] = self._unpacked()
        self._head: bytes | None = None
        self._taken: list[bytes] = []
        # The offset of the present piece, and the line that was yielded last.
        self._base = self._at = self.start.offset

    def __repr__(self) -> str:
        return f"<Source {self.name}:{self.line}>"

    @property
    def head(self) -> bytes:
        """The first bytes, unpacked, at most `HEAD`; `lines` yields them again."""
        if self._head is None:
            size = 0
            while size < HEAD and (piece := next(self._pieces, b"")):
                self._taken.append(piece)
                size += len(piece)
            self._head = b"".join(self._taken)[:HEAD].removeprefix(_UTF_8_MARK)
        return self._head

    @property
    def place(self) -> Offset:
        """The place just before the line that `lines` yielded last."""
        return Offset(self._at, max(self.line - 1, self.start.line))

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines with their numbers, from 1, without line feed and carriage return.

        While `mark` is set, only lines that contain it are yielded. If `pauses` is set, an empty line is yielded
        whenever a followed file has no more data for now. `beginning` is set to the first bytes of the file.

        Raises:
            UnreadableError: where the text is UTF-16, or a zip does not have exactly one file without a password.
            OSError: where it cannot be read.
        """
        carry: list[bytes] = []
        carried = 0
        for piece in self._rest():
            if not piece:
                if self.pauses:
                    yield self.line, b""
                continue
            if not self.beginning and self.start.offset == 0:
                self._begin(piece)
            begins = 0
            if carried:
                begins = piece.find(b"\n") + 1
                if carried <= LINE_LENGTH:
                    carry.append(piece[: begins - 1] if begins else piece)
                if not begins:
                    carried += len(piece)
                    self._base += len(piece)
                    continue
                yield from self._unfinished(carry, carried + begins - 1, self._base - carried)
            ends = piece.rfind(b"\n", begins) + 1
            if ends > begins:
                yield from self._within(piece, begins, ends)
            carry = [piece[max(begins, ends) :]]
            carried = len(carry[0])
            self._base += len(piece)
        if carried:
            yield from self._unfinished(carry, carried, self._base - carried)

    def _begin(self, piece: bytes) -> None:
        if is_utf_16(piece):
            raise UnreadableError(_("text in UTF-16; save the file as UTF-8"), line=1, file=self.name)
        self.beginning = piece

    def _unfinished(self, parts: list[bytes], length: int, at: int) -> Iterator[tuple[int, bytes]]:
        """Yield a line that came in several pieces, at offset `at`; if it is too long, only add it to `long`."""
        self.line += 1
        self._at = at
        if length > LINE_LENGTH:
            self.long.append(self.line)
            return
        line = b"".join(parts)
        if self.mark is None or self.mark in line:
            yield self.line, self._bare(line)

    def _within(self, piece: bytes, begins: int, ends: int) -> Iterator[tuple[int, bytes]]:
        """Yield the lines between two offsets of a piece; lines without `mark` are only counted."""
        while begins < ends:
            start = hit = begins
            if self.mark is not None:
                hit = piece.find(self.mark, begins, ends)
                if hit < 0:
                    self.line += piece.count(b"\n", begins, ends)
                    return
                start = max(piece.rfind(b"\n", begins, hit) + 1, begins)
                self.line += piece.count(b"\n", begins, start)
            begins = piece.find(b"\n", hit, ends) + 1
            self.line += 1
            self._at = self._base + start
            if begins - 1 - start > LINE_LENGTH:
                self.long.append(self.line)
            else:
                yield self.line, self._bare(piece[start : begins - 1])

    def _bare(self, line: bytes) -> bytes:
        if self.line == 1:
            line = line.removeprefix(_UTF_8_MARK)
        return line[:-1] if line.endswith(b"\r") else line

    def _rest(self) -> Iterator[bytes]:
        skip = self.start.offset
        size = 0
        taken, self._taken = self._taken, []
        for pieces in (taken, self._pieces):
            for piece in pieces:
                size += len(piece)
                if size > SIZE:
                    self.damage = _("a source may have {most} bytes, unpacked; the rest is not read").format(most=SIZE)
                    return
                if piece and skip >= len(piece):
                    skip -= len(piece)
                    continue
                yield piece[skip:]
                skip = 0

    def _unpacked(self) -> Iterator[bytes]:
        """Yield the stream's content in pieces, unpacked; an empty one if a non-blocking stream has none for now."""
        read: Callable[[int], bytes | None] = self._stream.read
        while (first := read(_BLOCK)) is None:
            yield b""
        if not is_packed(first):
            more: bytes | None = first
            while more != b"":
                yield more or b""
                more = read(_BLOCK)
            return
        whole = cast(BinaryIO, Rejoined(first, self._stream))
        try:
            yield from unpacked(whole, first, SIZE)
        except UnreadableError as error:
            raise error.located(file=self.name, line=1) from None
        except DAMAGED as error:
            sentence = (
                _("damaged gzip data: {reason}") if first.startswith(GZIP) else _("damaged packed data: {reason}")
            )
            self.damage = sentence.format(reason=error)
