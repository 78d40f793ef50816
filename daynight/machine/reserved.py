"""Recognises reserved files: SQLite's files beside a database, a key's list of signed heads, private keys."""

from __future__ import annotations

import re
from pathlib import Path

from daynight.framework.language.wording import _

BESIDE = ("-wal", "-shm", "-journal")
"""The endings of the files that SQLite keeps beside a database."""

HEADS = ".heads"
"""The ending of the file that lists the heads a key has signed; the name of the key's file comes before it."""

DATABASE = b"SQLite format 3\0"
"""The first bytes of a SQLite file."""

LOOKED_AT = 2**14
"""How many first bytes of a file are searched for a private key."""

_PRIVATE = re.compile(rb"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----|^PuTTY-User-Key-File")
_IN_DER = re.compile(
    rb"0(?:[\x00-\x7f]|\x81.|\x82..)"  # a sequence, in bytes: in it
    rb"(?:\x02\x01[\0\1][\x02\x04\x30]|\x02\x01\x030|0(?:[\x00-\x7f]|\x81.)\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01[\x05\x0c])",
    re.DOTALL,
)
"""Matches the first bytes of a private key in DER: PKCS #1, #8 (also encrypted), SEC 1, or PKCS #12."""


def ending_of(name: str) -> str:
    """Return the reserved ending of a file name; "" if it has none.

    Case is ignored, as some file systems do.
    """
    return next((ending for ending in (*BESIDE, HEADS) if name.casefold().endswith(ending)), "")


def why_reserved(ending: str) -> str:
    """Return the sentence that refuses a file with that ending, and says what such files are for."""
    if ending == HEADS:
        told = _("a key notes what it has signed in files that end in {ending}; name another file")
    else:
        told = _("SQLite keeps a part of a database in files that end in {ending}; name another file")
    return told.format(ending=ending)


def is_private_key(beginning: bytes) -> bool:
    """Return whether the first bytes of a file are those of a private key: in PEM, in DER, or of PuTTY."""
    return _PRIVATE.search(beginning) is not None or _IN_DER.match(beginning) is not None


def beginning_of(path: Path) -> bytes:
    """Return the first bytes of a regular file; empty for anything else: opening a pipe would wait for a writer.

    Raises:
        OSError: where the file cannot be read.
    """
    if not path.name or not path.is_file():
        return b""
    with path.open("rb") as stream:
        return stream.read(LOOKED_AT)
