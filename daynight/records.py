"""Where a record is: a file, standard input, or the recorded game that comes with the package.

A record in the notation for people is given as JSON Lines too, so everybody reads it as any other; a refusal
names the line of its own file.
"""

from __future__ import annotations

import errno
import gzip
import re
import sys
import tempfile
import weakref
import zlib
from array import array
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.resources import files
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from daynight.framework.language.errors import NotFoundError, RecordError, UnreadableError
from daynight.framework.language.grammar import also
from daynight.framework.language.reader import SIZE
from daynight.framework.language.wording import _

DEMO = "demo"
"""The name of the recorded game that comes with the package."""

STORED = "db:"
"""What the name of a record begins with that is a game of a store."""

CORPUS = "corpus:"
"""What the name of a record begins with that is a game of a corpus."""

_IN_MEMORY = 2**23
_NOTHING_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EBADF)


class Record:
    """A record that can be read more than once: `-` is standard input, `demo` the game of the package.

    What is in the notation for people (a file `.dn`, or standard input that begins as one, packed or not) is read as
    JSON Lines.
    """

    def __init__(self, name: Path | str) -> None:
        self.name = str(name)
        self._spooled: BinaryIO | None = None
        self._translated: BinaryIO | None = None
        # For every event of a record in the notation the line of the file that it stands on.
        self._places = array("L")

    @property
    def shown(self) -> str:
        """The name as text that can be written anywhere."""
        return self.name.encode("utf-8", "backslashreplace").decode()

    @property
    def in_words(self) -> bool:
        """Whether it is in the notation for people; of standard input that is known once it was opened."""
        if self._translated is not None:
            return True
        return self.name.endswith(_IN_WORDS) and not self.name.startswith(STORED)

    def is_log(self) -> bool:
        """Whether it is a log of another program, and not a record."""
        return False

    def open(self) -> AbstractContextManager[BinaryIO]:
        """The bytes of the record from their beginning, as JSON Lines.

        Raises:
            NotFoundError: where there is no such file.
            RecordError: where it is in the notation, and a line of it is none.
            OSError: where it cannot be read.
        """
        return self._opened() if self.name == "-" or self.in_words else self.raw()

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        """What may be in the notation."""
        if self._translated is None:
            with self.raw() as stream:
                if not self._is_in_words(stream):
                    yield stream
                    return
                self._translated = _translated(stream, self._places)
                weakref.finalize(self, self._translated.close)
        self._translated.seek(0)
        yield self._translated

    def raw(self) -> AbstractContextManager[BinaryIO]:
        """The bytes as they are, from their beginning.

        Raises:
            NotFoundError, OSError: as `open`.
        """
        if self.name == "-":
            if self._spooled is None:
                self._spooled = _spool(sys.stdin.buffer)
                weakref.finalize(self, self._spooled.close)
            self._spooled.seek(0)
            return nullcontext(self._spooled)
        if self.name == DEMO and not Path(DEMO).exists():
            return cast(BinaryIO, files("daynight.demo").joinpath("wagic-G1.jsonl").open("rb"))
        return self._file()

    def _file(self) -> BinaryIO:
        try:
            return open(self.name, "rb")
        except (OSError, ValueError) as error:
            # What is no name of a file at all, for it has a zero in it, names nothing either.
            if isinstance(error, OSError) and error.errno not in _NOTHING_THERE:
                raise
            sentence = _("{file}: no such file; give a record, - for standard input, demo, or db:GAME")
            raise NotFoundError(sentence.format(file=self.name)) from None

    def _is_in_words(self, stream: BinaryIO) -> bool:
        if self.name != "-":
            return self.in_words
        try:
            # As much as is looked at is unpacked, and no more.
            head = _unpacked(stream).read(_HEAD)
        except (EOFError, gzip.BadGzipFile, zlib.error):
            head = b""
        stream.seek(0)
        # A line of JSON Lines begins with a brace, never with a word or a comment.
        return _WORD.match(head) is not None

    def located(self, error: RecordError) -> RecordError:
        """The same error, told where it happened: in the notation, on the line and in the column of its file."""
        if self._translated is not None and error.column is None and error.line is not None:
            number, places = error.line, self._places
            if places:
                error.line = places[min(max(number, 1), len(places)) - 1]
            self._place(number, error)
            if error.earlier is not None and 0 < error.earlier <= len(places):
                error.sentence = also(
                    error.sentence,
                    _("event {event} is line {line}").format(event=error.earlier, line=places[error.earlier - 1]),
                )
        return error.located(file=self.name)

    @contextmanager
    def locating(self) -> Iterator[None]:
        """What is refused meanwhile is told where it happened."""
        try:
            yield
        except RecordError as error:
            raise self.located(error) from None

    def _place(self, number: int, error: RecordError) -> None:
        from daynight.notation.columns import placed

        assert self._translated is not None
        self._translated.seek(0)
        fields = msgspec.json.decode(_line(self._translated, number) or b"{}")
        key = error.path[2:].partition("[")[0]
        with self.raw() as stream:
            lines = islice(_unpacked(stream), (error.line or 1) - 1, None)
            text = next(lines, b"")
            if number == 1 and key in _HEADER:
                # The header is one event, and has a line for each of these.
                for below, line in enumerate(islice(lines, _HEADER_LINES), 1):
                    if line.split(maxsplit=1)[:1] == [key.encode()]:
                        text, error.line = line, (error.line or 1) + below
                        break
        placed(error, text.decode("utf-8", "replace").rstrip("\r\n"), fields)


class Held(Record):
    """A record in memory: `data` is read wherever the file `name` would be."""

    def __init__(self, name: str, data: bytes) -> None:
        super().__init__(name)
        self._data = data

    def raw(self) -> AbstractContextManager[BinaryIO]:
        """The bytes as they are."""
        return BytesIO(self._data)


_HEADER = ("players", "teams", "edition")
_HEADER_LINES = 100
_IN_WORDS = (".dn", ".dn.gz")
_HEAD = 2**10
_WORD = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*[#A-Za-z]")


def _translated(stream: BinaryIO, places: array[int]) -> BinaryIO:
    """A record in the notation as JSON Lines; its arrivals stay as they were typed; the reader fills them in."""
    from daynight.notation import read_lines

    del places[:]
    translated = cast(BinaryIO, tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY))  # noqa: SIM115
    try:
        for lines, where in read_lines(stream, fill=False):
            translated.write(b"".join(line + b"\n" for line in lines))
            places.extend(where)
    except BaseException:
        translated.close()
        raise
    return translated


def _unpacked(stream: BinaryIO) -> BinaryIO:
    """The stream, or what is packed in it."""
    head = stream.read(2)
    stream.seek(0)
    return cast(BinaryIO, gzip.GzipFile(fileobj=stream, mode="rb")) if head == b"\x1f\x8b" else stream


def _line(stream: BinaryIO, number: int) -> bytes:
    """A line of a stream, from 1; nothing where there is none."""
    return next(islice(stream, number - 1, number), b"")


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
