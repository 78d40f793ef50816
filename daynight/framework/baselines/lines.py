"""The lines of a baseline: one file of JSON Lines with records, and with the parts of their states at some moments.

The first line is the head. Each record starts with a line that gives its number of events; then the record's own lines
follow. Then comes a line for each moment and, after it, one for each part that has a value there. The last line holds
totals, so a truncated file is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from daynight.framework.language.errors import RecordError, UnreadableError
from daynight.framework.language.reader import blocks
from daynight.framework.language.strict import in_our_words, read_json
from daynight.framework.language.wording import _

FORMAT = 1
"""The version of the file format."""

Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]
Nth: TypeAlias = Annotated[int, Meta(ge=1, le=2**53)]
Word: TypeAlias = Annotated[str, Meta(max_length=1000)]


class _Line(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of a baseline."""


class Head(_Line, frozen=True, tag="baseline"):
    """The first line: the mechanic, its version, the names of its parts, and `every` as given to `write_baseline`."""

    format: Nth
    mechanic: Word
    version: int | tuple[int, ...]
    every: Nth
    parts: tuple[Word, ...]


class RecordBegins(_Line, frozen=True, tag="record"):
    """A record begins; its events are the next lines. `filled`: `Mechanic.fill` has completed them already."""

    record: str
    events: Nth
    filled: bool = False


class At(_Line, frozen=True, tag="moment"):
    """A moment: the state after `event`; with `claim`, the state before it, with which its claim is compared."""

    event: Nth
    claim: bool = False


class Span(Struct, frozen=True, forbid_unknown_fields=True):
    """The values of a part, from `least` to `most` (None: no upper bound): a `Between` as a baseline stores it."""

    least: int
    most: int | None


class KeptWay(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a value came about: a `Way` as a baseline stores it."""

    event: Count
    rule: str | None = None
    because: tuple[Count, ...] = ()


class KeptPart(_Line, frozen=True, tag="part"):
    """A part at the moment of the line before: its values and its ways, as JSON."""

    part: Word
    values: tuple[Any, ...] | Span
    subject: Any = None
    ways: tuple[KeptWay, ...] = ()


class Counts(_Line, frozen=True, tag="end"):
    """The last line: how many records, moments and parts there are."""

    records: Count = 0
    moments: Count = 0
    parts: Count = 0


Line: TypeAlias = Head | RecordBegins | At | KeptPart | Counts

_L = TypeVar("_L", Head, RecordBegins, At, KeptPart, Counts)

_ENCODER = msgspec.json.Encoder(order="deterministic")

BEGINS = b'{"type":"baseline",'
"""The first bytes of a baseline."""


def encode(thing: Any) -> bytes:
    """Return the JSON of a line, or of a value in it; the same bytes for the same value."""
    return _ENCODER.encode(thing)


class BaselineError(UnreadableError):
    """A line of a baseline is refused, or a baseline cannot be written."""


@dataclass(frozen=True, slots=True)
class KeptMoment:
    """A moment of a record in a baseline, and the parts that the state had."""

    at: At
    parts: list[KeptPart]


@dataclass(frozen=True, slots=True)
class KeptRecord:
    """A record of a baseline: its lines, and its moments, which are read on demand."""

    begins: RecordBegins
    lines: list[bytes]
    moments: Iterator[KeptMoment]


class Baseline:
    """Reads a baseline from its beginning, strictly and one record after another.

    Raises:
        BaselineError: with its line, where the file is not a baseline.
        OSError: where the file cannot be read.
    """

    def __init__(self, source: Path | str | BinaryIO) -> None:
        self._file = str(source) if isinstance(source, (Path, str)) else None
        self._number = 0
        self._lines = self._split(source)
        first = next(self._lines, b"")
        if not first.startswith(BEGINS):
            raise self._refused(_("no baseline; replay-test --write makes one"))
        head = self._parsed(first)
        assert isinstance(head, Head)
        self.head = head
        self._ahead: Line | None = self._next()

    def records(self) -> Iterator[KeptRecord]:
        """Yield the records in order; as the next one is asked for, unread `moments` of the last are checked and lost.

        Raises:
            BaselineError: with its line, at the first line that is refused.
        """
        records = moments = parts = 0

        def of_record(begins: RecordBegins) -> Iterator[KeptMoment]:
            nonlocal moments, parts
            before = (0, False)
            while isinstance(self._ahead, At):
                at, found = self._taken(At), []
                # A claim finds the state before its own event.
                place = (at.event, not at.claim)
                if place <= before or at.event > begins.events:
                    raise self._refused(_("a moment that is not a later one of this record"))
                before = place
                while isinstance(self._ahead, KeptPart):
                    found.append(self._taken(KeptPart))
                moments, parts = moments + 1, parts + len(found)
                yield KeptMoment(at, found)

        while isinstance(self._ahead, RecordBegins):
            begins = self._ahead
            lines = [self._raw() for _each in range(begins.events)]
            self._ahead = self._next()
            records += 1
            record = KeptRecord(begins, lines, of_record(begins))
            yield record
            for _moment in record.moments:
                pass
        if self._taken(Counts) != Counts(records, moments, parts):
            raise self._refused(_("the last line does not count what is there"))
        if self._ahead is not None:
            raise self._refused(_("nothing may follow the last line"))

    def _taken(self, kind: type[_L]) -> _L:
        found, self._ahead = self._ahead, self._next() if isinstance(self._ahead, kind) else None
        if not isinstance(found, kind):
            raise self._refused(_("a line that has no place here"))
        return found

    def _next(self) -> Line | None:
        line = next(self._lines, None)
        return None if line is None else self._parsed(line)

    def _raw(self) -> bytes:
        line = next(self._lines, None)
        if line is None:
            raise self._refused(_("the file ends before its last line"))
        return line

    def _split(self, source: Path | str | BinaryIO) -> Iterator[bytes]:
        try:
            for block in blocks(source):
                for line in block.removesuffix(b"\n").split(b"\n"):
                    self._number += 1
                    yield line
        except RecordError as error:
            raise self._refused(error.sentence) from None

    def _parsed(self, line: bytes) -> Line:
        try:
            fields = read_json(line)
            if isinstance(fields, dict) and fields.get("type") == "baseline" and fields.get("format", FORMAT) != FORMAT:
                raise self._refused(_("a baseline of another format; write it anew"))
            parsed: Line = msgspec.convert(fields, Line)
        except BaselineError:
            raise
        except RecordError as error:
            raise self._refused(error.sentence) from None
        except msgspec.ValidationError as error:
            sentence, _at, place = str(error).rpartition(" - at `")
            raise self._refused(in_our_words(sentence or place), place.rstrip("`") if sentence else "$") from None
        return parsed

    def _refused(self, sentence: str, path: str = "$") -> BaselineError:
        return BaselineError(sentence, path=path, line=self._number or 1, file=self._file)
