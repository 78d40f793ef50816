"""Where a record is: a file, standard input, or the recorded game that comes with the package."""

from __future__ import annotations

import sys
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import BinaryIO, cast

from daynight.events.errors import NotFoundError, UnreadableError
from daynight.events.reader import SIZE
from daynight.events.wording import _

__all__ = ["DEMO", "STORED", "Record"]

DEMO = "demo"
"""The name of the recorded game that comes with the package."""

STORED = "db:"
"""What the name of a record begins with that is a game of a store."""

_IN_MEMORY = 2**23


class Record:
    """A record that can be read more than once: `-` is standard input, `demo` the game of the package."""

    def __init__(self, name: Path | str) -> None:
        self.name = str(name)
        self._spooled: BinaryIO | None = None

    @property
    def shown(self) -> str:
        """The name as text that can be written anywhere."""
        return self.name.encode("utf-8", "backslashreplace").decode()

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes of the record from their beginning.

        Raises:
            NotFoundError: where there is no such file.
            OSError: where it cannot be read.
        """
        if self.name == "-":
            if self._spooled is None:
                self._spooled = _spool(sys.stdin.buffer)
                weakref.finalize(self, self._spooled.close)
            self._spooled.seek(0)
            yield self._spooled
        elif self.name == DEMO and not Path(DEMO).exists():
            with files("daynight.demo").joinpath("wagic-G1.jsonl").open("rb") as stream:
                yield cast(BinaryIO, stream)
        else:
            if not Path(self.name).exists():
                raise NotFoundError(
                    _("{file}: no such file; give a record, - for standard input, or demo").format(file=self.name)
                )
            with open(self.name, "rb") as stream:
                yield stream


def _spool(stream: BinaryIO) -> BinaryIO:
    # Kept open for as long as the record is read again.
    spooled = cast(BinaryIO, tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY))  # noqa: SIM115
    size = 0
    while piece := stream.read(2**16):
        size += len(piece)
        if size > SIZE:
            spooled.close()
            raise UnreadableError(_("a record may have {most} bytes").format(most=SIZE), file="-", line=1)
        spooled.write(piece)
    return spooled
