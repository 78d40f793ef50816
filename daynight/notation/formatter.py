"""Formats a file in the notation: each line in the writer's form, with comments kept and the same events.

Abbreviations are written out and spellings unified. A line stays a line, unless it has several events that no standard
line says together: then each event has a line of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import msgspec

from daynight.cards import Catalogue
from daynight.events import Event, GameStarted, SpellCast, StepBegan
from daynight.notation.lines.lines import parted
from daynight.notation.lookups import Names
from daynight.notation.reader import Reading, read_all_again, texts_of
from daynight.notation.spelling import step_words
from daynight.notation.writer import Writing

_BLANK = " \t\r"

_COMPARED = 5_000
"""The most lines to compare fully; if a longer file gets more or fewer lines, only the first change is named."""


def formatted(data: bytes, catalogue: Catalogue | None = None) -> str:
    r"""Return the formatted text of a file in the notation; formatting it again changes nothing.

    >>> print(formatted(b"game  g1 #friday\nplayers Ana,Bo\nTURN 1 an\nbo casts taver  #opt?"), end="")
    game g1  # friday
    players Ana, Bo
    turn 1 Ana
      Bo casts Tavern Ruffian  # opt?

    Raises:
        RecordError: with line and column, where the data is no record in the notation.
    """
    laid_out = _LaidOut(catalogue)
    for number, text in enumerate(texts_of(data), 1):
        laid_out.take(text, number)
    laid_out.finish()
    return laid_out.text


def other_lines(data: str, laid_out: str) -> list[int]:
    r"""Return the numbers of the lines of `data` that `laid_out` changes or lacks, or at which it has additional lines.

    >>> other_lines("game  g1\nplayers Ana, Bo\n", "game g1\nplayers Ana, Bo\n")
    [1]
    """
    old, new = data.split("\n"), laid_out.split("\n")
    if old[-1] == new[-1]:
        # The end of the last line begins no other.
        del old[-1], new[-1]
    begins = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), None)
    if begins is None:
        return [] if len(old) == len(new) else [max(min(len(old), len(new)), 1)]
    if len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True), 1)
        return [at for at, (one, other) in pairs if one != other]
    if len(old) > _COMPARED:
        return [begins + 1]
    found: dict[int, None] = {}
    for tag, first, last, _begin, _end in SequenceMatcher(
        lambda line: not line, old, new, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            found.update(dict.fromkeys(range(first + 1, max(last, first + 1) + 1)))
    return [min(number, len(old)) for number in found]


class _LaidOut:
    """The lines of the formatted file so far."""

    def __init__(self, catalogue: Catalogue | None) -> None:
        self._reading = Reading(catalogue)
        self._writing = Writing(Names(catalogue))
        self._decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
        self._lines: list[str] = []
        # While a header is open: its comments by first word, and the lines between its lines.
        self._behind: dict[str, str] = {}
        self._between: list[str] = []

    @property
    def text(self) -> str:
        """The formatted text: no blank line at the beginning or the end, and never two blank lines in a row."""
        kept: list[str] = []
        for line in self._lines:
            if line or (kept and kept[-1]):
                kept.append(line)
        while kept and not kept[-1]:
            kept.pop()
        return "".join(f"{line}\n" for line in kept)

    def take(self, text: str, number: int) -> None:
        """Read line `number`, and add its formatted lines."""
        found = self._reading.take(text, number)
        words = text.strip(_BLANK)
        self._put([self._decoder.decode(line) for line, place in found if place < number])
        self._put([self._decoder.decode(line) for line, place in found if place == number])
        if not words or words.startswith("#"):
            line = self._comment(text, words)
            if not self._reading.in_header:
                self._lines.append(line)
            else:
                self._between.append(line)
        elif self._reading.in_header and not found and not words.casefold().startswith("game"):
            comment = parted(text).comment
            if comment is not None and comment.strip(_BLANK):
                self._behind[words.split()[0].casefold()] = f"  # {comment.strip(_BLANK)}"

    def finish(self) -> None:
        """Add the header with its comments, if the file has no line after the header."""
        self._put([self._decoder.decode(line) for line, _place in self._reading.finish()])

    def _comment(self, text: str, words: str) -> str:
        if not words:
            return ""
        plain = words if words[1:2] in ("", " ", "!", "#", "\t") else f"# {words[1:]}"
        return plain if text.startswith("#") else self._writing.indent + plain

    def _put(self, events: Sequence[Event]) -> None:
        """Add the events of one source line in as few lines as possible."""
        if not events:
            return
        first = events[0]
        lines = [line for event in events for line in self._writing.lines(event)]
        if isinstance(first, GameStarted):
            lines = [line + self._behind.get(line.split(" ", 1)[0], "") for line in lines]
            lines += self._between
            self._behind, self._between = {}, []
        elif len(events) > 1:
            together = self._together(first, events)
            if read_all_again(together, self._writing.names) == [*events]:
                lines = [self._writing.indent + together]
        self._lines += lines

    def _together(self, first: Event, events: Sequence[Event]) -> str:
        """Return one line for several steps, or for casts without a card; for other events, an incomplete line."""
        words = ""
        if isinstance(first, StepBegan):
            words = " · ".join(step_words(event.step) for event in events if isinstance(event, StepBegan))
        elif isinstance(first, SpellCast):
            words = f"{self._writing.player(first.player)} casts {len(events)} spells"
        return words + self._writing.behind(first)
