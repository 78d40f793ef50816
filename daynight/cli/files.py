"""Files that are written whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

__all__ = ["written"]


@contextmanager
def written(path: Path) -> Iterator[BinaryIO]:
    """A stream into a file, which is there, or is the new one, only when all of it is on the disk.

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
    """The error with the name of the file that was asked for.

    Where the disk is full none is named; where the folder cannot be written, the part that nobody asked for.
    """
    if error.filename is None or str(error.filename) == str(part):
        return OSError(error.errno, error.strerror, str(path))
    return error
