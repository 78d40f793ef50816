"""Forge's text log: its files, in either order, and the games in them.

Forge, a free program, writes the events of a game as lines of text: its simulator on standard output, the oldest first;
its window, to be copied, the newest first. The lines do not say whether it is day or night.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _, counted
from daynight.importers.forge.game import retell
from daynight.importers.forge.lines import Kind, LogLine, Order, cut, is_new, line_of
from daynight.importers.frame import Finished, Importer, Item, Noted, Observed, Options
from daynight.importers.naming import named_after, told_apart
from daynight.importers.sources import Source

LINES = 250_000
"""The most lines that a game may have."""

LETTERS = 2**25
"""The most characters that the lines of a game may have."""

SURE = 8
"""The number of votes that decides the order of a file."""

_SIGNS = re.compile(
    rb"^(?:Turn: Turn \d+ \("
    rb"|Phase: .{1,400}(?:step|phase, (?:pre|post)combat) *\r?$"
    rb"|Add to stack: .{1,400} (?:cast|activated|triggered) "
    rb"|Game outcome: .{1,400} has (?:won|lost|conceded)\b"
    rb"|Game Result: Game \d+ ended in "
    rb"|.{0,40}GuiBase: APP: Forge v)",
    re.MULTILINE | re.IGNORECASE,
)
_AFTER = (Kind.OUTCOME, Kind.MATCH, Kind.RESULT)


def detect(head: bytes) -> bool:
    """Return whether a file with these first bytes is a log of Forge."""
    return _SIGNS.search(head) is not None


def read(sources: Iterable[Source], options: Options) -> Iterator[Item]:
    """Read the games of logs. A game is yielded after all of it was read; no game continues in the next log.

    Raises:
        UnreadableError: where no log has a turn (the error says what to do), or a game is too long.
    """
    names: set[str] = set()
    silent: list[Source] = []
    found = 0
    source = None
    for source in sources:
        games = 0
        kept = _Lines(source)
        for lines, closed in _games(kept):
            games += 1
            key, name = f"{source.number}.{games}", named_after(source, "forge", names, f"-G{games}")
            for item in retell(lines, key, name, options):
                found += isinstance(item, Observed)
                yield told_apart(item, "forge", _words(lines))
            if closed:
                yield Finished(key, lines[-1].number)
        if not games:
            silent.append(source)
        elif kept.new:
            sentence = _("a kind of line that is not known speaks of day or night, and is not read")
            yield Noted("new", sentence, kept.new)
    if source is None:
        return
    if not found:
        sentence = _("no turn in this log; run Forge's simulator without -q, or copy the whole log from its window")
        raise UnreadableError(sentence, line=max(source.line, 1), file=source.name)
    for each in silent:
        yield Noted("empty", _("no game in {source}").format(source=each.name), max(source.line, 1))


def _words(lines: Sequence[LogLine]) -> Iterator[str]:
    """Yield the kind and the text of each line for the game's digests, without the last, which may be truncated."""
    return (f"{line.kind.name}: {line.text}" for line in lines[:-1])


def _games(kept: _Lines) -> Iterator[tuple[list[LogLine], bool]]:
    """Yield the lines of each game that has a turn, the oldest first, and whether the game is certainly complete."""
    lines = kept.each()
    order = Order()
    first = []
    for line in lines:
        first.append(line)
        order.see(line)
        if abs(order.votes) >= SURE:
            break
    every: Iterable[LogLine] = chain(first, lines)
    yield from _split(reversed([*every]) if order.votes < 0 else every, kept)


class _Lines:
    """The relevant lines of a source; it raises an UnreadableError if more are kept at a time than a game may have.

    `new` is the number of the first line of an unknown kind that mentions day or night; 0: there is none.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.kept = self.letters = self.new = 0

    def each(self) -> Iterator[LogLine]:
        for number, raw in self._source.lines():
            line = line_of(number, raw)
            if line is None:
                if not self.new and is_new(raw):
                    self.new = number
                continue
            self.kept += 1
            self.letters += len(line.text)
            if self.kept > LINES or self.letters > LETTERS:
                sentence = counted("a game of more than {n} line", "a game of more than {n} lines", LINES)
                raise UnreadableError(sentence, line=number, file=self._source.name)
            yield line

    def let_go(self) -> None:
        """Count from 0 again, because the caller no longer keeps the lines so far."""
        self.kept = self.letters = 0


def _split(lines: Iterable[LogLine], kept: _Lines) -> Iterator[tuple[list[LogLine], bool]]:
    """Yield the lines of each game, and whether the game is complete.

    It is complete if it has an outcome, or if another game follows: hands are kept after a turn, or a turn has no
    higher number than the turn before.
    """
    game: list[LogLine] = []
    turn = 0
    over = False
    for line in lines:
        number = cut(line.text) if line.kind is Kind.TURN else None
        begins = (
            (over and line.kind not in _AFTER)
            or (turn and line.kind is Kind.MULLIGAN)
            or (number is not None and number[0] <= turn)
        )
        if begins:
            if turn:
                yield game, True
            game, turn, over = [], 0, False
            kept.let_go()
        game.append(line)
        if number is not None:
            turn = number[0]
        over = over or line.kind in _AFTER
        if line.kind is Kind.RESULT and turn:
            # No line can follow: a game that is over is yielded at once.
            yield game, True
            game, turn, over = [], 0, False
            kept.let_go()
    if turn:
        yield game, over


IMPORTER = Importer("forge", "the text log of Forge", detect, read)
