"""Writes Parquet on disks that may be full: a failure gives one error, which names the file, and no further output."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq


class TableWriter(pq.ParquetWriter):
    """A `ParquetWriter` whose destructor does not close it: after an error its file is discarded."""

    def __del__(self) -> None:
        """Do nothing. pyarrow would write the footer: that would fail too, and Python would print an ignored error."""


@contextmanager
def placed(place: Path | str) -> Iterator[None]:
    """Add the path to a system error that names no file, such as that of a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(place)
        raise
