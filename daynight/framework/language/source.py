"""The source of a record's lines: a file, unless a subclass says otherwise."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from io import FileIO
from pathlib import Path
from typing import BinaryIO, cast

from daynight.framework.language.errors import NotFoundError, RecordError
from daynight.framework.language.wording import _

STORED = "db:"
"""The prefix of a record's name if the record is in a store."""

_NOTHING_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EBADF)


class Source:
    """The lines of a record, which can be read more than once: here those of the file `name`."""

    def __init__(self, name: Path | str) -> None:
        self.name = str(name)

    @property
    def shown(self) -> str:
        """The name in a form that any terminal can print."""
        return self.name.encode("utf-8", "backslashreplace").decode()

    @property
    def in_words(self) -> bool:
        """Whether the record is in a notation for people, such as `.dn`; here always False."""
        return False

    def is_log(self) -> bool:
        """Whether the file is a log of another program, and not a record; here always False."""
        return False

    def open(self) -> AbstractContextManager[BinaryIO]:
        """Open the record at its beginning, as JSON Lines. The stream has no buffer, so read large blocks, not lines.

        Raises:
            NotFoundError: where there is no such file.
            RecordError: where a subclass translates the file into JSON Lines, and refuses a line of it.
            OSError: where it cannot be read.
        """
        # Blocks are larger than a buffer. Without one, a small file is opened and read in three quarters of the time.
        return self._file(buffering=0)

    def _file(self, buffering: int = -1) -> BinaryIO:
        try:
            return open(self.name, "rb", buffering) if buffering else cast(BinaryIO, FileIO(self.name))
        except (OSError, ValueError) as error:
            # A name with a zero byte cannot be the name of a file.
            if isinstance(error, OSError) and error.errno not in _NOTHING_THERE:
                raise
            sentence = _("{file}: no such file; give a record, a log, - for standard input, demo, or db:GAME")
            raise NotFoundError(sentence.format(file=self.name), file=self.name) from None

    def located(self, error: RecordError) -> RecordError:
        """Add the name of the file to `error`, and return `error`; a subclass may correct its line number too."""
        return error.located(file=self.name)

    @contextmanager
    def locating(self) -> Iterator[None]:
        """Call `located` for each `RecordError` that is raised in this context."""
        try:
            yield
        except RecordError as error:
            raise self.located(error) from None
