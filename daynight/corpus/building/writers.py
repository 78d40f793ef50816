"""Writes Parquet on disks that may be full: one error, which names the place, and nothing more about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq


class TableWriter(pq.ParquetWriter):
    """A writer that is not closed as it is destroyed: where an error ended it, its file is thrown away."""

    def __del__(self) -> None:
        """Write no footer, which would fail as well, and be printed as an ignored error."""


@contextmanager
def placed(place: Path | str) -> Iterator[None]:
    """Add the place to an error of the system that names no file, such as that of a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(place)
        raise
