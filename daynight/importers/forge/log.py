"""Forge's text log: its files, in either order, and the games in them.

Forge, a free program, writes what happens in a game as lines of text: its simulator on standard output, the oldest
first; its window, from where they are copied, the newest first. Nothing in them says whether it is day or night.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import chain

from msgspec.structs import replace as replace_event

from daynight.events.actions import GameStarted
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _, counted
from daynight.importers.forge.game import retell
from daynight.importers.forge.lines import Kind, LogLine, Order, cut, line_of
from daynight.importers.frame import Finished, Importer, Item, Noted, Observed, Options, named_anew
from daynight.importers.sources import Source

LINES = 250_000
"""The most lines that a game may have."""

LETTERS = 2**25
"""The most characters that the lines of a game may have."""

SURE = 8
"""How many votes decide the order of a file."""

_SIGNS = re.compile(
    rb"^(?:Turn: Turn \d+ \("
    rb"|Phase: .{1,400}(?:step|phase, (?:pre|post)combat) *\r?$"
    rb"|Add to stack: .{1,400} (?:cast|activated|triggered) "
    rb"|Game outcome: .{1,400} has (?:won|lost|conceded)\b"
    rb"|Game Result: Game \d+ ended in "
    rb"|.{0,40}GuiBase: APP: Forge v)",
    re.MULTILINE | re.IGNORECASE,
)
_SAFE = re.compile(r"[^A-Za-z0-9._-]+")
_AFTER = (Kind.OUTCOME, Kind.MATCH, Kind.RESULT)


def detect(head: bytes) -> bool:
    """Whether this is how a log of Forge begins."""
    return _SIGNS.search(head) is not None


def read(sources: Iterable[Source], options: Options) -> Iterator[Item]:
    """Read the games of logs. A game is given when all of it was read; none continues in the next log.

    Raises:
        UnreadableError: where a log has no turn at all, saying what to do about it; where a game is too long.
    """
    names: set[str] = set()
    silent: list[Source] = []
    found = 0
    source = None
    for source in sources:
        games = 0
        for lines, closed in _games(source):
            games += 1
            key, name = f"{source.number}.{games}", _named(source, games, names)
            for item in retell(lines, key, name, options):
                found += isinstance(item, Observed)
                yield _told_apart(item, lines)
            if closed:
                yield Finished(key, lines[-1].number)
        if not games:
            silent.append(source)
    if source is None:
        return
    if not found:
        sentence = _("no turn in this log; run Forge's simulator without -q, or copy the whole log from its window")
        raise UnreadableError(sentence, line=max(source.line, 1), file=source.name)
    for each in silent:
        yield Noted("empty", _("no game in {source}").format(source=each.name), max(source.line, 1))


def _named(source: Source, number: int, taken: set[str]) -> str:
    """A name for a game: that of its file, and which of its games it is."""
    stem = source.name.replace("\\", "/").rpartition("/")[2].partition(".")[0]
    return named_anew(f"{_SAFE.sub('-', stem)[:100].strip('-.') or 'forge'}-G{number}", taken)


def _told_apart(item: Item, lines: Sequence[LogLine]) -> Item:
    """The same; a game's first event says how its log begins."""
    if not isinstance(item, Observed) or not isinstance(item.event, GameStarted):
        return item
    about = {**(item.event.meta or {}), "forge": {"beginning": _beginning(lines)}}
    return replace(item, event=replace_event(item.event, meta=about))


def _beginning(lines: Sequence[LogLine]) -> dict[str, str]:
    """Return what identifies a game, whatever the log's name: digests of its first 8, 16, 32... lines.

    As a log grows, the earlier digests stay the same. The last line, which may be cut, is in none.
    """
    digests: dict[str, str] = {}
    digest = sha256()
    for number, line in enumerate(lines[:-1], 1):
        digest.update(f"{line.kind.name}: {line.text}\n".encode("utf-8", "surrogatepass"))
        if number >= 8 and not number & (number - 1):
            digests[str(number)] = digest.hexdigest()[:12]
    return digests


def _games(source: Source) -> Iterator[tuple[list[LogLine], bool]]:
    """The lines of each game that has a turn, the oldest line first, and whether nothing more can come of it."""
    kept = _Lines(source)
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
    """The lines of a source that say something, counted: no more are kept at a time than a game may have."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.kept = self.letters = 0

    def each(self) -> Iterator[LogLine]:
        for number, raw in self._source.lines():
            line = line_of(number, raw)
            if line is None:
                continue
            self.kept += 1
            self.letters += len(line.text)
            if self.kept > LINES or self.letters > LETTERS:
                sentence = counted("a game of more than {n} line", "a game of more than {n} lines", LINES)
                raise UnreadableError(sentence, line=number, file=self._source.name)
            yield line

    def let_go(self) -> None:
        """Drop the lines kept so far."""
        self.kept = self.letters = 0


def _split(lines: Iterable[LogLine], kept: _Lines) -> Iterator[tuple[list[LogLine], bool]]:
    """A game begins with hands that are kept, with a turn that is no later one, or after the outcome of another."""
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
            # Nothing comes after it: a game that is over is told at once.
            yield game, True
            game, turn, over = [], 0, False
            kept.let_go()
    if turn:
        yield game, over


IMPORTER = Importer("forge", "the text log of Forge", detect, read)
