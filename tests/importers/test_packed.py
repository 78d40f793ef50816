"""Compressed logs, also hostile ones: gzip, bzip2, xz and zip.

| promise | test |
| --- | --- |
| the lines are the same in every format, also in several concatenated streams | test_packed |
| damage or truncation is reported, and the part before it is read | test_damaged |
| a decompression bomb is stopped by its size, and by the memory that it needs | test_bombs |
| a zip with several files, or with a password, is refused | test_zips |
"""

import bz2
import gzip
import io
import lzma
import zipfile

import pytest

from daynight.framework.language.errors import UnreadableError
from daynight.importers import packed, sources
from daynight.importers.sources import Source

LINES = b"".join(b"line %d\n" % number for number in range(5000))


def zipped(**files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return out.getvalue()


PACKED = {
    "gzip": gzip.compress(LINES), "bzip2": bz2.compress(LINES), "xz": lzma.compress(LINES), "zip": zipped(log=LINES),
    "twice": bz2.compress(LINES[:7]) + bz2.compress(LINES[7:]), "plain": LINES,
}  # fmt: skip


def read(data):
    source = Source("a.log", io.BytesIO(data))
    return b"".join(line + b"\n" for _number, line in source.lines()), source.damage


@pytest.mark.parametrize("kind", PACKED)
def test_packed(kind):
    assert (LINES, None) == read(PACKED[kind])


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz", "zip"])
def test_damaged(kind):
    data = PACKED[kind]
    for spoilt in (data[: len(data) // 2], data[:40] + bytes(20) + data[60:]):
        lines, damage = read(spoilt)
        assert "damaged" in damage
        assert LINES.startswith(lines[:-1])


@pytest.mark.wide
def test_bombs(monkeypatch):
    monkeypatch.setattr(sources, "SIZE", 2**20)
    for data in (bz2.compress(bytes(2**24)), lzma.compress(bytes(2**24)), zipped(log=bytes(2**24))):
        lines, damage = read(data)
        assert "may have 1048576 bytes" in damage
        assert len(lines) <= 2**20 + 2
    monkeypatch.setattr(packed, "MEMORY", 2**16)
    assert "damaged packed data" in read(PACKED["xz"])[1]


def test_zips():
    with pytest.raises(UnreadableError, match="a zip with 2 files in it"):
        read(zipped(a=LINES, b=LINES))
    locked = bytearray(PACKED["zip"])
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(UnreadableError, match="a zip with a password"):
        read(bytes(locked))
