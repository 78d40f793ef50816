"""Opens records: a file, standard input, or the game that comes with the package.

A record in the notation for people is translated to JSON Lines, so every reader handles it alike; a refusal names the
line of the original file.
"""

from __future__ import annotations

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

from daynight.framework.language.errors import RecordError, UnreadableError
from daynight.framework.language.grammar import also
from daynight.framework.language.reader import SIZE
from daynight.framework.language.source import STORED, Source
from daynight.framework.language.wording import _

DEMO = "demo"
"""The name of the recorded game that comes with the package."""

CORPUS = "corpus:"
"""The prefix of the name of a game in a corpus: `corpus:CORPUS#GAME`."""

_IN_MEMORY = 2**23


class Record(Source):
    """A record that can be read more than once: `-` is standard input, `demo` the game of the package.

    The notation for people (a file `.dn`, or standard input that begins like one, gzip-packed or not) is read as JSON
    Lines.
    """

    def __init__(self, name: Path | str) -> None:
        super().__init__(name)
        self._spooled: BinaryIO | None = None
        self._translated: BinaryIO | None = None
        # For each event of a record in the notation, its line in the file.
        self._places = array("L")

    @property
    def in_words(self) -> bool:
        """Whether the record is in the `.dn` notation. For standard input this is known only after `open`."""
        if self._translated is not None:
            return True
        return self.name.endswith(_IN_WORDS) and not self.name.startswith(STORED)

    def open(self) -> AbstractContextManager[BinaryIO]:
        """Open the record at its beginning, as JSON Lines. Read large blocks: the stream of a plain file has no buffer.

        Raises:
            NotFoundError: where there is no such file.
            RecordError: where a line in the notation is wrong, or standard input or a pipe has more than SIZE bytes.
            OSError: where it cannot be read.
        """
        if self.name == "-" or self._spooled is not None or self.in_words:
            return self._opened()
        # Blocks are larger than a buffer. Without one, a small file is opened and read in three quarters of the time.
        return self.raw(buffering=0)

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        """Yield the record as JSON Lines: translated if it is in the notation, otherwise its own bytes."""
        if self._translated is None:
            with self.raw() as stream:
                if not self._is_in_words(stream):
                    yield stream
                    return
                self._translated = _translated(stream, self._places)
                weakref.finalize(self, self._translated.close)
        self._translated.seek(0)
        yield self._translated

    def raw(self, buffering: int = -1) -> AbstractContextManager[BinaryIO]:
        """Open the bytes as they are, from their beginning; `buffering` as for the built-in `open`.

        Raises:
            NotFoundError, OSError: as `open`.
            UnreadableError: where standard input or a pipe has more than SIZE bytes.
        """
        if self._spooled is None:
            if self.name == DEMO and not Path(DEMO).exists():
                return cast(BinaryIO, files("daynight.demo").joinpath("wagic-G1.jsonl").open("rb"))
            if self.name == "-":
                self._spooled = self._spool(sys.stdin.buffer)
            else:
                stream = self._file(buffering)
                if stream.seekable():
                    return stream
                with stream:
                    self._spooled = self._spool(stream)
        self._spooled.seek(0)
        return nullcontext(self._spooled)

    def _spool(self, stream: BinaryIO) -> BinaryIO:
        """Return a temporary file with the bytes of standard input or a pipe, which can be read only once.

        More than SIZE bytes are refused (UnreadableError).
        """
        spooled = cast(BinaryIO, tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY))  # noqa: SIM115
        weakref.finalize(self, spooled.close)
        size = 0
        while piece := stream.read(2**16):
            size += len(piece)
            if size > SIZE:
                raise UnreadableError(_("a record may have {most} bytes").format(most=SIZE), file=self.name, line=1)
            spooled.write(piece)
        return spooled

    def _is_in_words(self, stream: BinaryIO) -> bool:
        if self._spooled is None:
            return self.in_words
        try:
            # Decompress only the few bytes that are inspected.
            head = _unpacked(stream).read(_HEAD)
        except (EOFError, gzip.BadGzipFile, zlib.error):
            head = b""
        stream.seek(0)
        # A line of JSON Lines begins with a brace, never with a word or a comment.
        return _WORD.match(head) is not None

    def located(self, error: RecordError) -> RecordError:
        """Return the error with the file's name and, for a record in the notation, the line and column in that file."""
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

    def _place(self, number: int, error: RecordError) -> None:
        from daynight.notation.alignment import placed

        assert self._translated is not None
        self._translated.seek(0)
        fields = msgspec.json.decode(next(islice(self._translated, number - 1, None), b"{}"))
        key = error.path[2:].partition("[")[0]
        with self.raw() as stream:
            lines = islice(_unpacked(stream), (error.line or 1) - 1, None)
            text = next(lines, b"")
            if number == 1 and key in _HEADER:
                # The header is one event on several lines, one for each of these fields.
                for below, line in enumerate(islice(lines, _HEADER_LINES), 1):
                    if line.split(maxsplit=1)[:1] == [key.encode()]:
                        text, error.line = line, (error.line or 1) + below
                        break
        placed(error, text.decode("utf-8", "replace").rstrip("\r\n"), fields)


class Held(Record):
    """A record whose bytes are in memory: readers get `data`; `name` only appears in errors."""

    def __init__(self, name: str, data: bytes) -> None:
        super().__init__(name)
        self._data = data

    def raw(self, buffering: int = -1) -> AbstractContextManager[BinaryIO]:
        """Open the bytes as they are."""
        return BytesIO(self._data)


_HEADER = ("players", "teams", "edition")
_HEADER_LINES = 100
_IN_WORDS = (".dn", ".dn.gz")
_HEAD = 2**10
_WORD = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*[#A-Za-z]")


def _translated(stream: BinaryIO, places: array[int]) -> BinaryIO:
    """Return the JSON Lines of a record in the notation; put the line of each event in the file into `places`.

    Entering permanents stay as typed; the reader adds what the catalogue knows of their cards.
    """
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
    """Return the stream, decompressed if it is gzip."""
    head = stream.read(2)
    stream.seek(0)
    return cast(BinaryIO, gzip.GzipFile(fileobj=stream, mode="rb")) if head == b"\x1f\x8b" else stream
