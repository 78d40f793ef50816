"""Decompresses untrusted data (gzip, bzip2, xz, zip) piece by piece, so that a bomb is stopped by its size."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO, cast

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _

BLOCK = 2**18
"""The number of bytes that are unpacked at once."""

MEMORY = 2**27
"""The most memory in bytes that decompressing xz may need: twice that of its strongest usual setting."""

_IN_MEMORY = 2**23

GZIP, BZIP2, XZ, ZIP = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"PK\x03\x04"

DAMAGED = (EOFError, OSError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zipfile.BadZipFile, NotImplementedError)
"""The exceptions raised for damaged data."""


def is_packed(first: bytes) -> bool:
    """Return whether a file with these first bytes is compressed."""
    return first.startswith((GZIP, BZIP2, XZ, ZIP))


def unpacked(stream: BinaryIO, first: bytes, most: int) -> Iterator[bytes]:
    """Yield the unpacked content of a stream that begins with `first`, which `is_packed` accepts.

    Raises:
        UnreadableError: where a zip has, packed, more than `most` bytes, has not exactly one file, or has a password.
        One of DAMAGED: where the data is damaged.
    """
    if first.startswith(GZIP):
        packed = gzip.GzipFile(fileobj=stream, mode="rb")
        while piece := packed.read1(BLOCK):
            yield piece
    elif first.startswith(ZIP):
        yield from _of_a_zip(stream, most)
    else:
        yield from _streamed(stream, first.startswith(XZ))


def _streamed(stream: BinaryIO, is_xz: bool) -> Iterator[bytes]:
    """Yield the content of bzip2 or xz data, which may be several concatenated streams."""
    data = stream.read(BLOCK)
    while data:
        unpacking = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY) if is_xz else bz2.BZ2Decompressor()
        while not unpacking.eof:
            if unpacking.needs_input and not data and not (data := stream.read(BLOCK)):
                raise EOFError(_("it ends too early"))
            if piece := unpacking.decompress(data, BLOCK):
                yield piece
            data = b""
        data = unpacking.unused_data or stream.read(BLOCK)


def _of_a_zip(stream: BinaryIO, most: int) -> Iterator[bytes]:
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as spooled:
        while piece := stream.read(BLOCK):
            spooled.write(piece)
            if spooled.tell() > most:
                raise UnreadableError(_("a source may have {most} bytes").format(most=most))
        with zipfile.ZipFile(cast(BinaryIO, spooled)) as packed:
            named = [one for one in packed.infolist() if not one.is_dir() and not one.filename.startswith("__MACOSX/")]
            if len(named) != 1:
                sentence = _("a zip with {n} files in it; unpack it, and give the log")
                raise UnreadableError(sentence.format(n=len(named)))
            if named[0].flag_bits & 1:
                raise UnreadableError(_("a zip with a password; unpack it, and give the log"))
            with packed.open(named[0]) as one:
                while piece := one.read(BLOCK):
                    yield piece
