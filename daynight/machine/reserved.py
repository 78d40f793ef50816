"""Files that belong to something else: what SQLite keeps beside a database, what a key remembers, private keys."""

from __future__ import annotations

import re
from pathlib import Path

from daynight.framework.language.wording import _

BESIDE = ("-wal", "-shm", "-journal")
"""The endings of the files that SQLite keeps beside a database."""

HEADS = ".heads"
"""The ending of the file in which a key notes what it has signed; before it stands the name of the key's file."""

DATABASE = b"SQLite format 3\0"
"""How a SQLite file begins."""

LOOKED_AT = 2**14
"""How many bytes of a file show whether it is a private key."""

_PRIVATE = re.compile(rb"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----|^PuTTY-User-Key-File")
_IN_DER = re.compile(
    rb"0(?:[\x00-\x7f]|\x81.|\x82..)"  # a sequence, in bytes: in it
    rb"(?:\x02\x01[\0\1][\x02\x04\x30]|\x02\x01\x030|0(?:[\x00-\x7f]|\x81.)\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01[\x05\x0c])",
    re.DOTALL,
)
"""A private key as bytes alone (PKCS #1, #8, SEC 1), one with its certificate (PKCS #12), and an encrypted one."""


def ending_of(name: str) -> str:
    """Return the ending that shows that a file of this name is another program's; "" if it has none.

    Some file systems take large and small letters for the same.
    """
    return next((ending for ending in (*BESIDE, HEADS) if name.casefold().endswith(ending)), "")


def why_reserved(ending: str) -> str:
    """Return the sentence about a file whose name has one of those endings."""
    if ending == HEADS:
        told = _("a key notes what it has signed in files that end in {ending}; name another file")
    else:
        told = _("SQLite keeps a part of a database in files that end in {ending}; name another file")
    return told.format(ending=ending)


def is_private_key(beginning: bytes) -> bool:
    """Return whether a file that begins like this holds a private key, in any form."""
    return _PRIVATE.search(beginning) is not None or _IN_DER.match(beginning) is not None


def beginning_of(path: Path) -> bytes:
    """Return the first bytes of a file; none if it is no file: opening a pipe would wait for a writer.

    Raises:
        OSError: where it cannot be read.
    """
    if not path.name or not path.is_file():
        return b""
    with path.open("rb") as stream:
        return stream.read(LOOKED_AT)
