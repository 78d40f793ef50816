"""Writes files whole or not at all, and never over databases or private keys."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _

_DATABASE = b"SQLite format 3\0"
_DATABASES = (_DATABASE, b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83", bytes.fromhex("d9d505f920a163d7"))
"""How a SQLite file begins, its log in either order of bytes, and its journal."""

_BESIDE = ("-wal", "-shm", "-journal")
_PRIVATE = re.compile(rb"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----")
_HEADS = ".heads"
_LOOKED_AT = 2**14


class PlaceError(AskedError):
    """The named file must not be written to."""


def check_target(path: Path) -> None:
    """Check that a file may be written or replaced. Call it before a store is opened.

    Raises:
        PlaceError: where it is a database, what SQLite keeps beside one, a private key or what a key remembers.
        OSError: where it cannot be looked at.
    """
    # Opening and closing a database file would drop this process's locks on it.
    target = path.resolve()
    beginning = _beginning(target)
    for ending in _BESIDE:
        database = target.with_name(target.name.removesuffix(ending))
        if database != target and _beginning(database).startswith(_DATABASE):
            sentence = _("{file} is a part of the database {database}, and is left to it; name another file")
            raise PlaceError(sentence.format(file=path, database=database.name))
    if beginning.startswith(_DATABASES):
        raise PlaceError(_("{file} is a database, and stays as it is; name another file").format(file=path))
    key = target.with_name(target.name.removesuffix(_HEADS))
    if _PRIVATE.search(beginning) or (key != target and _PRIVATE.search(_beginning(key))):
        sentence = _("{file} is a private key, or what one remembers, and stays as it is; name another file")
        raise PlaceError(sentence.format(file=path))


def _beginning(path: Path) -> bytes:
    if not path.name or not path.is_file():
        # Opening a pipe would wait for a writer.
        return b""
    with path.open("rb") as stream:
        return stream.read(_LOOKED_AT)


@contextmanager
def written(path: Path) -> Iterator[BinaryIO]:
    """Open a stream whose content becomes the file only when all of it is on the disk.

    Raises:
        OSError: naming that file, where it cannot be written.
    """
    if path.exists() and not path.is_file():
        # A pipe or a device is written into, never replaced.
        try:
            with path.open("wb") as stream:
                yield stream
        except OSError as error:
            raise _named(error, path) from None
        return
    target = path.resolve()
    part = target.with_name(f"{target.name}.{os.getpid()}")
    ours = False
    try:
        with part.open("xb") as stream:
            ours = True
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(target)
    except OSError as error:
        raise _named(error, path, part) from None
    finally:
        if ours:
            part.unlink(missing_ok=True)


def _named(error: OSError, path: Path, part: Path | None = None) -> OSError:
    """Return the error with the name of the file that the caller asked for.

    The system names no file if the disk is full, and the temporary one if the folder cannot be written.
    """
    if error.filename is None or str(error.filename) == str(part):
        return OSError(error.errno, error.strerror, str(path))
    return error
