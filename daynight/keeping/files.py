"""Replaces files in one step, never with half of their content, and refuses databases and private keys."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _
from daynight.machine.addresses import may_hold_password
from daynight.machine.reserved import BESIDE, DATABASE, HEADS, beginning_of, is_private_key
from daynight.machine.unnamed import give_name, unnamed

_DATABASES = (DATABASE, b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83", bytes.fromhex("d9d505f920a163d7"))
"""The first bytes of a SQLite file, of its write-ahead log in either byte order, and of its rollback journal."""


class PlaceError(AskedError):
    """A file must not be written: `file`, or None where its name must not be shown, as it may hold a password."""

    def __init__(self, sentence: str, file: Path | str | None = None) -> None:
        super().__init__(sentence)
        self.file = None if file is None else str(file)


def check_target(path: Path) -> None:
    """Check that a file may be written or replaced. Call it before a store is opened.

    Raises:
        PlaceError: where it is a database, a file of SQLite beside one, a private key, or a key's list of signed heads;
            or where `path` is no file but the address of a server.
        OSError: where the file cannot be read.
    """
    if may_hold_password(str(path)):
        # The name may contain a password.
        raise PlaceError(_("the address of a server is no file; name another file"))
    # Opening and closing a database file would drop this process's locks on it.
    target = path.resolve()
    beginning = beginning_of(target)
    for ending in BESIDE:
        database = target.with_name(target.name.removesuffix(ending))
        if database != target and beginning_of(database).startswith(DATABASE):
            sentence = _("{file} is a part of the database {database}, and is left to it; name another file")
            raise PlaceError(sentence.format(file=path, database=database.name), path)
    if beginning.startswith(_DATABASES):
        raise PlaceError(_("{file} is a database, and stays as it is; name another file").format(file=path), path)
    key = target.with_name(target.name.removesuffix(HEADS))
    if is_private_key(beginning) or (key != target and is_private_key(beginning_of(key))):
        sentence = _("{file} is a private key, or what one remembers, and stays as it is; name another file")
        raise PlaceError(sentence.format(file=path), path)


@contextmanager
def written(path: Path) -> Iterator[BinaryIO]:
    """Open a stream whose content replaces the file `path` only when all of it is on the disk.

    If `path` is a pipe or a device, the stream writes into that directly.

    Raises:
        OSError: with `path` as its file name, where it cannot be written.
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
        whole = unnamed(target.parent)
        with part.open("xb") if whole is None else os.fdopen(whole, "wb") as stream:
            ours = whole is None
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            if whole is not None:
                ours = _named_as(whole, target, part)
        if ours:
            part.replace(target)
    except OSError as error:
        raise _named(error, path, part) from None
    finally:
        if ours:
            part.unlink(missing_ok=True)


def _named_as(whole: int, target: Path, part: Path) -> bool:
    """Give the nameless file `whole` the name `target`, or `part` if `target` exists; return whether it is `part`."""
    try:
        if not os.path.lexists(target):
            give_name(whole, target)
            return False
    except FileExistsError:
        # Another process created it after this write began.
        pass
    give_name(whole, part)
    return True


def _named(error: OSError, path: Path, part: Path | None = None) -> OSError:
    """Return the error with `path`, the file that the caller named, if it names no file or the temporary one.

    The system names no file if the disk is full, and the temporary one if the folder cannot be written.
    """
    if error.filename is None or str(error.filename) == str(part):
        return OSError(error.errno, error.strerror, str(path))
    return error
