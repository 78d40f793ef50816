"""Compares the origins in the records of a corpus: with one another, and with the sources of the corpus.

The origin of a record is the file (or game of a store) and the line where it began; its lines do not prove it. But
records are numbered in the order of the sources: each is a game or was refused, and it begins at line 1 of a file, or
where the record before it ends.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from daynight.corpus.manifest import Manifest, WholePart
from daynight.corpus.sources import addresses
from daynight.corpus.sources.listing import RECORDS
from daynight.corpus.trust import Damage, file_of, group_of, opened_table
from daynight.framework.language.errors import NotFoundError, UnreadableError, tame
from daynight.framework.language.source import STORED
from daynight.framework.language.wording import _
from daynight.machine.reasons import reason_of

BAD = "bad.jsonl"
"""The name of the file that lists the refused records."""

_COLUMNS = ["game", "source", "first_line", "events", "final_newline"]
_Count = Annotated[int, Meta(ge=0)]
_Place = Annotated[int, Meta(ge=1)]


class Refused(msgspec.Struct, forbid_unknown_fields=True):
    """A line of `bad.jsonl`: a refused record, and the line, path and problem for which it was refused."""

    game: _Count
    record: str
    first_line: _Place
    line: _Place
    path: str
    problem: str


class _Origin(NamedTuple):
    """The stated origin of a record; `lines` is None if the record was refused."""

    game: int
    source: str
    first_line: int
    lines: int | None
    final_newline: bool = True


def contradictions(folder: str, manifest: Manifest, damaged: Collection[int]) -> Iterator[tuple[int | None, Damage]]:
    """Yield (part, contradiction) for the origins: at most two for a part, none for the parts in `damaged`.

    The part is None where `bad.jsonl` has more records than were refused.
    """
    roots = _Roots(manifest.sources)
    refused = _Refusals(folder)
    strange: list[tuple[int, Damage]] = []
    before: _Origin | None = _Origin(-1, "", 1, None)
    for part in manifest.parts:
        try:
            if part.part in damaged:
                before = None
                refused.pass_over(part.first + part.records)
                continue
            found = None
            for origin in _origins(folder, part, refused):
                if not roots.name(origin.source) and found is None:
                    sentence = _("game {game} comes from {source}, which is none of the sources in corpus.json")
                    found = Damage(_file(part, origin), sentence.format(game=origin.game, source=tame(origin.source)))
                    strange.append((part.part, found))
                if not _follows(origin, before, roots):
                    sentence = _("game {game} cannot begin in line {line} of {source}")
                    told = sentence.format(game=origin.game, line=origin.first_line, source=tame(origin.source))
                    raise Damage(_file(part, origin), told)
                before = origin
        except Damage as error:
            yield part.part, error
            before = None
            refused.pass_over(part.first + part.records)
    try:
        refused.check_end()
    except Damage as error:
        yield None, error
    if not roots.may_be_corpora():
        yield from strange


def _file(part: WholePart, origin: _Origin) -> str:
    return BAD if origin.lines is None else file_of("games", part.part)


def _follows(origin: _Origin, before: _Origin | None, roots: _Roots) -> bool:
    """Return whether a record with this origin may come after the record `before`, which is None if it is unknown."""
    if origin.first_line == 1:
        # Games of archives, stores and logs all begin in line 1.
        same = before is not None and before.source == origin.source and before.first_line > 1
        return not same or roots.count(origin.source) != 1
    if before is None or roots.count(origin.source) == 0:
        return True
    if before.source != origin.source or not before.final_newline:
        return False
    if before.lines is None:
        return origin.first_line > before.first_line
    return origin.first_line == before.first_line + before.lines


def _origins(folder: str, part: WholePart, refused: _Refusals) -> Iterator[_Origin]:
    """Yield the origin of each record of a part, whether it is in `games` or was refused.

    Raises:
        Damage: where a number is in both, or in neither.
    """
    name = file_of("games", part.part)
    table = opened_table(folder, part, "games")
    number = part.first
    for group in range(table.num_row_groups):
        rows = group_of(table, group, _COLUMNS, name)
        for row in zip(*(rows.column(each).to_pylist() for each in _COLUMNS), strict=True):
            game = _Origin(*row)
            while number < game.game:
                yield refused.take(number)
                number += 1
            if number != game.game:
                raise Damage(name, _("its games are not those that corpus.json has"))
            yield game
            number += 1
    while number < part.first + part.records:
        yield refused.take(number)
        number += 1


class _Refusals:
    """Reads `bad.jsonl`, in the order of its games."""

    def __init__(self, folder: str) -> None:
        self._lines = _lines(folder)
        self._next: Refused | None = None
        self._line = 0
        self._ended = False

    def take(self, game: int) -> _Origin:
        """Return the origin of a record that was refused.

        Raises:
            Damage: where that record is not the next one in the file.
        """
        found = self._peek()
        if found is None or found.game != game:
            raise Damage(BAD, _("game {game} is neither there nor refused").format(game=game))
        self._next = None
        return _Origin(game, found.record, found.first_line, None)

    def pass_over(self, game: int) -> None:
        """Skip all refused records with a number below `game`."""
        while (found := self._peek()) is not None and found.game < game:
            self._next = None

    def check_end(self) -> None:
        """Check that the file has no more records.

        Raises:
            Damage: where it has more.
        """
        if self._peek() is not None:
            raise Damage(BAD, _("it has more games than were refused"))

    def _peek(self) -> Refused | None:
        if self._next is None:
            line = next(self._lines, None)
            if line is not None:
                self._line += 1
                try:
                    self._next = msgspec.json.decode(line, type=Refused)
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                    self._lines = iter(())
                    sentence = _("line {line}: {reason}")
                    raise Damage(BAD, sentence.format(line=self._line, reason=error)) from None
        return self._next


def _lines(folder: str) -> Iterator[bytes]:
    try:
        with addresses.opened(addresses.joined(folder, BAD)) as stream:
            while line := stream.readline(_LONGEST):
                yield line
    except (NotFoundError, FileNotFoundError):
        raise Damage(BAD, _("no such file")) from None
    except OSError as error:
        raise Damage(BAD, reason_of(error)) from None
    except UnreadableError as error:
        raise Damage(BAD, error.sentence) from None


class _Roots:
    """The sources of a corpus; each may be a folder, a file, or a corpus, whose records name their own sources."""

    def __init__(self, sources: Sequence[str]) -> None:
        self._roots = Counter(_bare(source) for source in sources)
        self._unnamed = {*self._roots}
        self._last = "", 0

    def count(self, source: str) -> int:
        """Return how many of the sources may contain the file, or the stored game, that a record comes from."""
        if self._last[0] != source:
            self._last = source, sum(self._roots[root] for root in _above(source))
        return self._last[1]

    def name(self, source: str) -> bool:
        """Note that a record comes from `source`; return whether that is one of the sources, or lies in one of them."""
        if self._last[0] != source:
            self._unnamed.difference_update(_above(source))
        return self.count(source) > 0

    def may_be_corpora(self) -> bool:
        """Return whether a source from which no record comes may be a corpus: its name has no ending of `RECORDS`."""
        return any(not root.endswith(RECORDS) for root in self._unnamed)


def _bare(source: str) -> str:
    return source if source == STORED else source.rstrip(_SEPARATORS)


def _above(source: str) -> Iterator[str]:
    """Yield a source, and the folders above it; for a game of a store also `db:`."""
    yield source
    if source.startswith(STORED):
        yield STORED
    for place in range(len(source) - 1, -1, -1):
        if source[place] in _SEPARATORS:
            yield source[:place].rstrip(_SEPARATORS)


_SEPARATORS = "/" + (os.sep if os.sep != "/" else "")
_LONGEST = 2**20
