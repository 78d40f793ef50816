"""The frame of all importers: the interface of an importer, and the items that it may yield.

An `Importer` needs a name, a title, `detect`, which recognises the format by the first bytes of a file, and `read`, a
generator. `read` gets the sources, one after another, and yields the items of their games. For a log that has grown it
should yield the same events as before, and then more.

```
Observed    an event of a game; the first one of each game is its game-started
Withdrawn   the source took back what it had said of a game, from some event on
Finished    nothing more will come of a game
Skipped     a line that should have said something, and could not be read
Warned      something is missing or not certain; --strict stops at the first one
Noted       something worth knowing, of which nothing is missing
Rested      no game before this place can change: a reader that begins here again misses nothing
```

Neither the frame nor any importer knows rules: statements of a source about day and night become claims.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from daynight.events.vocabulary import Event
from daynight.importers.cards import CardTable
from daynight.importers.sources import Source


class Confidence(StrEnum):
    """How certain an event is: the source states it, it follows from the source, or something near it is missing."""

    STATED = "stated"
    INFERRED = "inferred"
    DOUBTFUL = "doubtful"


@dataclass(frozen=True, slots=True)
class Observed:
    """An event of a game: `line` is the line of the current source that it comes from, counted from 1.

    `game` is a key of the importer's own, the same for all events of a game and for no other game; the name of the game
    is in its game-started. `Import` adds the line and the confidence to the event's `meta`, as `source`.
    """

    game: str
    event: Event
    line: int
    confidence: Confidence = Confidence.STATED


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Retract all observed events of a game except the first `kept`."""

    game: str
    kept: int
    line: int


@dataclass(frozen=True, slots=True)
class Finished:
    """Nothing more will come of a game, whether the game ended or the source broke off."""

    game: str
    line: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that should have held data but could not be read, and the reason."""

    line: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark about a line: `kind` is one short word for similar remarks, `sentence` describes this one."""

    kind: str
    sentence: str
    line: int
    game: str | None = None


class Warned(Remark):
    """Something is missing or not certain."""


class Noted(Remark):
    """Something worth knowing, of which nothing is missing."""


@dataclass(frozen=True, slots=True)
class Rested:
    """No game before this place can change: reading may start again at byte `offset` (unpacked), line `line` + 1."""

    line: int
    offset: int


Item: TypeAlias = Observed | Withdrawn | Finished | Skipped | Warned | Noted | Rested
"""Everything that an importer may yield."""


@dataclass(frozen=True, slots=True)
class Options:
    """The caller's data for an importer.

    `cards`: a table of cards by the source's own numbers, if the user gave one. The rest comes from the caller's
    catalogue, because an importer has none: `catalogued`, every name of a card with the name of its front; `daybound`,
    the fronts with daybound or nightbound; `starting`, the fronts of other cards that may make it day or night for the
    first time; `effects`, the effects of cards on day and night as they resolve (`day`, `night`, `switch`), by the
    names of their fronts; `fleeting`, the fronts that are instants and sorceries; `editions`, the dates of the editions
    of the rules, the oldest first.
    """

    cards: CardTable | None = None
    catalogued: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    daybound: frozenset[str] = frozenset()
    starting: frozenset[str] = frozenset()
    effects: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    fleeting: frozenset[str] = frozenset()
    editions: tuple[str, ...] = ()

    def edition_at(self, time: str | None) -> str | None:
        """Return the newest edition at a time or date; None if the time is unknown, or before the oldest edition.

        >>> options = Options(editions=("2021-09-24", "2023-04-14"))
        >>> options.edition_at("2022-12-31T10:00:00Z"), options.edition_at("2019-01-01"), options.edition_at(None)
        ('2021-09-24', None, None)
        """
        place = 0 if time is None else bisect_right(self.editions, time[:10])
        return self.editions[place - 1] if place else None


@dataclass(frozen=True, slots=True)
class Importer:
    """A format that can be read: registered in the entry point group `daynight.importers`.

    `title` says in a few words what it reads. `detect` gets the first bytes of a file, unpacked, at most `sources.HEAD`
    of them, and returns whether the file has this format. `read` gets the sources in their order. It raises an
    UnreadableError only if no source has usable data, or a game is too long. `table` gets the first bytes and the path
    of a file, and returns the path of the matching card table on this machine, if it finds one. `continues`: a game may
    begin in one log and continue in the next.
    """

    name: str
    title: str
    detect: Callable[[bytes], bool]
    read: Callable[[Iterable[Source], Options], Iterator[Item]]
    table: Callable[[bytes, Path], Path | None] | None = None
    continues: bool = False
