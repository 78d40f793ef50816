"""Reads records in the notation line by line: yields events, each with its line in the file.

Comments and blank lines are allowed, so event numbers are not line numbers. The events of a line are cached by its
text, because most lines of a game occur again.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec
from msgspec.structs import replace

from daynight.cards import Catalogue
from daynight.events import Event, GameJoined, GameStarted, PermanentsEntered
from daynight.events.language import read_line
from daynight.framework.language.codec import encode
from daynight.framework.language.errors import RecordError, UnreadableError
from daynight.framework.language.reader import EVENTS, blocks
from daynight.framework.language.wording import _
from daynight.notation.alignment import column_of
from daynight.notation.lines.arrivals import EXACT
from daynight.notation.lines.frequent import LONGEST, Frequent
from daynight.notation.lines.happenings import HEADER
from daynight.notation.lines.lines import parted
from daynight.notation.lines.making import Fields, event_of
from daynight.notation.lines.understanding import fields_of
from daynight.notation.lookups import Names

_REMEMBERED = 20_000
# "Game Outcome: " is how a log of Forge may begin.
_BEGINNING = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*game[ \t](?!(?:outcome|result): )", re.IGNORECASE
)
_MARK = "\ufeff"
_BLANK = " \t\r"
_IN_HEADER = re.compile(r"(?:players|teams|edition)(?![^ \t\"])", re.IGNORECASE)


class Placed(NamedTuple):
    """An event and the number of its line in the file, from 1; for a game-started that is the line `game`."""

    event: Event
    line: int


def looks_like(head: bytes) -> bool:
    """Return whether a file with these first bytes is in the notation: after comments, a line begins with `game`."""
    return _BEGINNING.match(head) is not None


def read(source: Path | str | BinaryIO, catalogue: Catalogue | None = None, *, fill: bool = True) -> Iterator[Placed]:
    """Yield the events of a file in the notation, one by one; the catalogue completes entering permanents.

    Without `fill`, only the names of cards are completed; the caller may complete the arrivals later.

    Raises:
        RecordError: with the line and the column, at the first line that is refused, after all earlier events were
            yielded.
        OSError: where the file cannot be opened or read.
    """
    decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
    for lines, places in read_lines(source, catalogue, fill=fill):
        yield from map(Placed, decoder.decode_lines(b"\n".join(lines)), places)


def read_text(text: str, catalogue: Catalogue | None = None, *, fill: bool = True) -> list[Placed]:
    r"""Return the events of a text in the notation, as `read` does.

    >>> read_text("game g1\nplayers Ana, Bo\nturn 1 Ana\n  Ana casts Opt  # countered")[2]
    Placed(event=SpellCast(note='countered', player='Ana', card='Opt'), line=4)
    """
    return list(read(io.BytesIO(text.encode("utf-8", "surrogatepass")), catalogue, fill=fill))


def read_lines(
    source: Path | str | BinaryIO, catalogue: Catalogue | None = None, *, fill: bool = True
) -> Iterator[tuple[list[bytes], list[int]]]:
    """Yield pairs of lists, for some thousands of events each: the events as JSON, and the line of each in the file.

    Raises:
        RecordError: where a line is refused, or the record is empty or has too many events.
    """
    name = str(source) if isinstance(source, (Path, str)) else None
    reading = Reading(catalogue, fill=fill)
    number = count = 0
    try:
        for block in blocks(source):
            lines: list[bytes] = []
            places: list[int] = []
            refused: RecordError | None = None
            try:
                texts = texts_of(block, number)
                reading.take_all(texts, number, lines, places)
                number += len(texts)
                if count + len(lines) > EVENTS:
                    raise UnreadableError(_("a record may have {most} events").format(most=EVENTS))
            except RecordError as error:
                refused = error
                if not reading.in_header:
                    for line, place in reading.finish():
                        lines.append(line)
                        places.append(place)
            count += len(lines)
            if lines:
                yield lines, places
            if refused is not None:
                raise refused
        rest = reading.finish()
        if rest:
            yield [line for line, _place in rest], [place for _line, place in rest]
        elif not count:
            raise UnreadableError(_("an empty record; expected the lines game and players"), column=1)
    except RecordError as error:
        raise error.located(line=max(number, 1), file=name) from None


def texts_of(block: bytes, number: int = 0) -> list[str]:
    """Return the lines, without line ends, of a block of a file that begins after line `number`.

    Raises:
        UnreadableError: where the block is not UTF-8.
    """
    try:
        text = block.removesuffix(b"\n").decode()
    except UnicodeDecodeError as error:
        line = number + 1 + block.count(b"\n", 0, error.start)
        column = error.start - block.rfind(b"\n", 0, error.start)
        raise UnreadableError(_("not UTF-8; save the file as UTF-8"), line=line, column=column) from None
    return (text if number else text.removeprefix(_MARK)).split("\n")


def read_again(line: str, names: Names) -> Event | None:
    """Return the event of a line, as `read_all_again` does; None if the line has not exactly one."""
    events = read_all_again(line, names)
    return events[0] if len(events) == 1 else None


def read_all_again(line: str, names: Names) -> list[Event]:
    """Read a line with `names`; return its events, permanents completed; [] if it is refused or of the header."""
    try:
        made = fields_of(parted(line), names)
        if any(one["type"] == HEADER for one in made):
            return []
        exact = [one.pop(EXACT, ()) for one in made]
        return [_filled(event_of(one, line), each, names) for one, each in zip(made, exact, strict=True)]
    except RecordError:
        return []


def _filled(event: Event, exact: Sequence[int], names: Names) -> Event:
    """Return the event with permanents completed from the catalogue, except those at the indices in `exact`."""
    filled: Event = names.catalogue.fill(event)
    if not exact:
        return filled
    assert isinstance(event, (PermanentsEntered, GameJoined))
    assert isinstance(filled, (PermanentsEntered, GameJoined))
    both = enumerate(zip(event.permanents, filled.permanents, strict=True))
    return replace(event, permanents=tuple(one if place in exact else other for place, (one, other) in both))


class Reading:
    """Reads a file line by line; remembers the names so far, and the header until it ends."""

    def __init__(self, catalogue: Catalogue | None = None, *, fill: bool = True) -> None:
        self.names = Names(catalogue)
        self._fill = fill
        self._header: Fields | None = None
        self._header_line = 0
        # The header that ended before a refused line.
        self._kept: list[tuple[bytes, int]] = []
        self._frequent = Frequent(self.names, fill=fill)
        self._remembered: dict[str, bytes] = {}

    @property
    def in_header(self) -> bool:
        """Whether the next line may still belong to the header."""
        return self._header is not None

    def take_all(self, texts: list[str], number: int, lines: list[bytes], places: list[int]) -> None:
        """Read the lines after line `number`; append their events to `lines`, and the line of each to `places`.

        Raises:
            UnreadableError: with line and column; earlier events are in the lists already.
        """
        remembered, frequent = self._remembered, self._frequent.line
        for text in texts:
            number += 1
            if self._header is None:
                line = remembered.get(text)
                if line is None and len(text) <= LONGEST:
                    line = frequent(text)
                if line is not None:
                    if line:
                        lines.append(line)
                        places.append(number)
                    continue
            self.names.steady = True
            found = self.take(text, number)
            for line, place in found:
                lines.append(line)
                places.append(place)
            if len(found) < 2 and self._header is None and self.names.steady and len(text) <= LONGEST:
                if len(remembered) >= _REMEMBERED:
                    remembered.clear()
                remembered[text] = found[0][0] if found else b""

    def take(self, text: str, number: int) -> list[tuple[bytes, int]]:
        """Return the events of a line as JSON, each with its line; a header's event comes with the first line after it.

        Raises:
            UnreadableError: with line and column, where the line is refused.
        """
        words = text.strip(_BLANK)
        if not words or words.startswith("#"):
            return []
        before = [] if _IN_HEADER.match(words) else self.finish()
        try:
            made = self._made(words, text, number)
        except RecordError as error:
            self._kept = before
            if error.column is None:
                error.column = column_of(text, error.path)
            raise error.located(line=number) from None
        return before + made

    def _made(self, words: str, text: str, number: int) -> list[tuple[bytes, int]]:
        if words.startswith("{"):
            return [(encode(self._noted(read_line(words.encode()), ())), number)]
        made = fields_of(parted(text), self.names)
        if made and made[0]["type"] == HEADER:
            self._heading(made[0], number)
            return []
        return [(self._line(fields, text), number) for fields in made]

    def finish(self) -> list[tuple[bytes, int]]:
        """End the header; return a list with its event and line, or []. UnreadableError if it has no players."""
        kept, self._kept = self._kept, []
        if self._header is None:
            return kept
        fields, self._header = self._header, None
        try:
            if "players" not in fields:
                raise UnreadableError(_("a game has players; expected a second line like: players Ana, Bo"))
            return [*kept, (self._line(fields, ""), self._header_line)]
        except RecordError as error:
            error.column = error.column or 1
            raise error.located(line=self._header_line) from None

    def _heading(self, fields: Fields, number: int) -> None:
        """Add the fields of a header line to the header; raise UnreadableError if they do not belong there."""
        if "game" in fields:
            self._header = {**fields, "type": "game-started", "format": 1}
            self._header_line = number
            return
        (key,) = [key for key in fields if key not in ("type", "note")][:1]
        if self._header is None:
            raise UnreadableError(_("this stands below the line game, with nothing between but comments"))
        if key in self._header:
            raise UnreadableError(_("this stands twice in the header; once is meant"))
        if "at" in fields or "meta" in fields:
            raise UnreadableError(_("time and JSON of the header stand behind the line game"))
        self._header[key] = fields[key]

    def _line(self, fields: Fields, text: str) -> bytes:
        exact = fields.pop(EXACT, ())
        return encode(self._noted(event_of(fields, text), exact))

    def _noted(self, event: Event, exact: Sequence[int]) -> Event:
        """Remember the names in an event; return it, with its permanents completed if this was made with `fill`."""
        filled = _filled(event, exact, self.names)
        self.names.noted(filled)
        if isinstance(event, GameStarted):
            # Other players: lines may have another meaning now.
            self._remembered.clear()
            self.names.steady = False
        return filled if self._fill else event
