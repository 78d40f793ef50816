"""Reads whole records (files, pipes, gzip) in blocks, never all at once.

A fast check decodes a block of lines in one call, encodes its events again, and compares both texts. They must be equal
except for spaces, or have the same number of lines and of quotation marks (a key that the block repeats is only once
in the encoded events). The block must also have only printable characters, no escapes, and no deeply nested `meta`.
`strict` reads any other block line by line, and finds the error, if there is one.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

import msgspec

from daynight.framework.language.errors import RecordError, UnreadableError
from daynight.framework.language.shapes.lifting import lifted_block
from daynight.framework.language.strict import LINE_LENGTH, NESTING, read_line
from daynight.framework.language.wording import _

if TYPE_CHECKING:
    from daynight.framework.language.language import Language

_Event = TypeVar("_Event")

BLOCK = 2**17
"""The most bytes read at once."""

SIZE = 2**29
"""The most bytes a record may have, unpacked."""

EVENTS = 5_000_000
"""The most events a record may have."""

_ENCODER = msgspec.json.Encoder()
_GZIP = b"\x1f\x8b"


def read_blocks(language: Language[_Event], source: Path | str | BinaryIO) -> Iterator[list[_Event]]:
    """Yield the events of a record in lists of some thousands; event n is line n.

    Raises:
        RecordError: at the first line that is refused, after all earlier events were yielded.
        OSError: where the file cannot be opened or read.
    """
    name = str(source) if isinstance(source, (Path, str)) else None
    number = 0
    try:
        for block in blocks(source):
            if (events := vouched(language, block)) is not None and number + len(events) <= EVENTS:
                number += len(events)
                yield events
                continue
            lines = block.removesuffix(b"\n").split(b"\n")
            careful: list[_Event] = []
            for line in lines:
                number += 1
                try:
                    if number > EVENTS:
                        raise UnreadableError(_("a record may have {most} events").format(most=EVENTS))
                    careful.append(read_line(language, line))
                except RecordError as error:
                    if careful:
                        yield careful
                    raise error.located(line=number) from None
            yield careful
    except RecordError as error:
        raise error.located(line=number + 1, file=name) from None
    if number == 0:
        sentence = _("an empty record; expected {tag} on line 1").format(tag=language.opening)
        raise UnreadableError(sentence, line=1, file=name)


def blocks(source: Path | str | BinaryIO) -> Iterator[bytes]:
    """Yield a record in blocks of whole lines, unpacked if it is packed with gzip.

    Raises:
        UnreadableError: where the record or a line is too long, or the gzip data is damaged.
    """
    if isinstance(source, (Path, str)):
        with open(source, "rb") as stream:
            yield from blocks(stream)
        return
    carry = b""
    size = 0
    for piece in _pieces(source):
        size += len(piece)
        if size > SIZE:
            raise UnreadableError(_("a record may have {most} bytes, unpacked").format(most=SIZE))
        cut = piece.rfind(b"\n") + 1
        if cut:
            yield carry + piece[:cut]
            carry = piece[cut:]
        else:
            carry += piece
            if len(carry) > LINE_LENGTH:
                raise UnreadableError(_("a line may have {most} bytes, this one has more").format(most=LINE_LENGTH))
    if carry:
        yield carry


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    first = stream.read(BLOCK)
    if first.startswith(_GZIP):
        return _unpacked(first, stream)
    return chain((first,), iter(partial(stream.read, BLOCK), b"")) if first else iter(())


def _unpacked(first: bytes, rest: BinaryIO) -> Iterator[bytes]:
    packed = gzip.GzipFile(fileobj=cast(BinaryIO, Rejoined(first, rest)), mode="rb")
    try:
        while piece := packed.read1(BLOCK):
            yield piece
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UnreadableError(_("damaged gzip data: {reason}").format(reason=error)) from None


class Rejoined:
    """A stream of the bytes `first`, which were read to find out whether it is gzip, and then of the stream `rest`."""

    def __init__(self, first: bytes, rest: BinaryIO) -> None:
        self._first = first
        self._rest = rest

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, at most `size`."""
        taken, self._first = self._first[:size], self._first[size:]
        return taken or self._rest.read(size)


def vouched(language: Language[_Event], block: bytes) -> list[_Event] | None:
    """Return the events of a block of whole lines; None if the fast check does not accept it (then use `read_line`)."""
    if b"\\" in block or b"\x7f" in block or len(block) > LINE_LENGTH:
        return None
    if language.upcasters:
        lifted = lifted_block(language.upcasters, block, NESTING)
        if lifted is None or b"\\" in lifted or b"\x7f" in lifted:
            return None
        block = lifted
    try:
        events = language.decoder.decode_lines(block)
        written = _ENCODER.encode_lines(events)
        # Often only line 1 is written differently from ours. Then the counts below look at that line alone.
        if written != block and not _as_good(*_beginnings(block, written, len(events))):
            return None
        # A printable block has no control or bidi characters. In other blocks each name is checked on its own.
        if not block.isascii() and not block.decode().replace("\n", "").isprintable():
            return None
        # Only `meta` can be nested too deep.
        several: list[Any] = events
        for meta in [event.meta for event in several if event.meta is not None]:
            inside = _ENCODER.encode(meta)
            if inside.count(b"{") + inside.count(b"[") >= NESTING:
                return None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return events


def _beginnings(block: bytes, written: bytes, events: int) -> tuple[bytes, bytes, int]:
    """Return `block`, `written` and `events`; if only their first lines differ, return these two lines and 1."""
    cut, ours = block.find(b"\n") + 1, written.find(b"\n") + 1
    if cut and ours and block[cut:] == written[ours:]:
        return block[:cut], written[:ours], 1
    return block, written, events


def _as_good(block: bytes, written: bytes, events: int) -> bool:
    """Return whether a block has one event a line and no key twice; `written` is what daynight writes for its events.

    That is certain if `block` and `written` are equal without spaces. Otherwise the keys may have another order: then
    equal numbers of lines and of quotation marks in both texts prove it.
    """
    # A block of the same length differs only in the order of its keys: the counts check that in less time.
    spaced = len(block) != len(written) and block.endswith(b"}\n")
    return (spaced and written.translate(None, b" ") == block.translate(None, b" ")) or (
        block.count(b"}\n{") == events - 1 == block.count(b"\n", 0, -1) and block.count(b'"') == written.count(b'"')
    )
