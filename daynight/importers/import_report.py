"""The report of an import: games, unreadable lines, warnings and notes, in sentences and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from daynight.framework.language.codec import document_of
from daynight.framework.language.wording import _, counted
from daynight.importers.frame import Noted, Remark, Skipped, Warned

FIRST = 5
"""The most places that are listed for each kind of remark, and the most skipped lines that `told` lists."""

SKIPPED = 1_000
"""The most skipped lines that the report keeps with their places; further ones are only counted."""

KINDS = 1_000
"""The most kinds of remarks that are counted separately; further ones are counted with the first kind."""


@dataclass(slots=True)
class RemarkGroup:
    """Warnings or notes of one kind: their number, the sentence of the first, and the first places."""

    kind: str
    sentence: str
    count: int = 0
    places: list[tuple[str, int]] = field(default_factory=list)

    def add(self, source: str, line: int) -> None:
        """Count one more, and save its place if it is among the first."""
        self.count += 1
        if len(self.places) < FIRST:
            self.places.append((source, line))

    def document(self) -> dict[str, object]:
        """This group as JSON."""
        places = [{"source": source, "line": line} for source, line in self.places]
        return document_of(self, "kind count sentence first", first=places)

    def told(self) -> str:
        """Return one sentence: the first remark with its place, and the number and first lines of the others."""
        source, line = self.places[0]
        if self.count == 1:
            return _("{source}:{line}: {sentence}").format(source=source, line=line, sentence=self.sentence)
        others = ", ".join(str(line) for _source, line in self.places[1:])
        more = counted(
            "{source}:{line}: {sentence} (and {n} more like it, first on line {lines})",
            "{source}:{line}: {sentence} (and {n} more like it, first on lines {lines})",
            self.count - 1,
        )
        return more.format(source=source, line=line, sentence=self.sentence, lines=others)


@dataclass(slots=True)
class GameReport:
    """A game of a source: its name, its number of events, and its warnings."""

    game: str
    source: str
    line: int
    events: int = 0
    ended: bool = False
    warnings: Counter[str] = field(default_factory=Counter)

    def document(self) -> dict[str, object]:
        """This game as JSON."""
        return document_of(self, "game source line events ended warnings")


@dataclass(slots=True)
class ImportReport:
    """The report of an import.

    `table` is the file of the card table that was used; `found` says that it was found on this machine.
    """

    importer: str = ""
    table: str | None = None
    found: bool = False
    sources: list[str] = field(default_factory=list)
    games: list[GameReport] = field(default_factory=list)
    skipped: int = 0
    lines: list[tuple[str, int, str]] = field(default_factory=list)
    warnings: dict[str, RemarkGroup] = field(default_factory=dict)
    notes: dict[str, RemarkGroup] = field(default_factory=dict)

    @property
    def events(self) -> int:
        """The number of events in all games."""
        return sum(game.events for game in self.games)

    def skip(self, source: str, item: Skipped) -> None:
        """Count an unreadable line."""
        self.skipped += 1
        if len(self.lines) < SKIPPED:
            self.lines.append((source, item.line, item.sentence))

    def warn(self, source: str, item: Warned) -> None:
        """Count a warning: something is missing or not certain."""
        _add(self.warnings, source, item)

    def note(self, source: str, item: Noted) -> None:
        """Count a note: something worth knowing."""
        _add(self.notes, source, item)

    def document(self) -> dict[str, object]:
        """The report as one JSON document."""
        return document_of(
            self,
            "importer table sources games events skipped skipped_lines warnings notes",
            skipped_lines=[dict(zip(("source", "line", "sentence"), line, strict=True)) for line in self.lines],
            warnings=[*self.warnings.values()],
            notes=[*self.notes.values()],
        )

    def told(self) -> Iterator[str]:
        """The report in words, one sentence per line."""
        games = counted("{n} game", "{n} games", len(self.games))
        events = counted("{n} event", "{n} events", self.events)
        yield _("{importer}: {games} with {events}").format(importer=self.importer, games=games, events=events)
        if self.found:
            yield _("cards: named by {file}, which was found on this machine").format(file=self.table)
        for source, line, sentence in self.lines[:FIRST]:
            yield _("skipped: {source}:{line}: {sentence}").format(source=source, line=line, sentence=sentence)
        if self.skipped > FIRST:
            yield counted("skipped: {n} more line", "skipped: {n} more lines", self.skipped - FIRST)
        for group in self.warnings.values():
            yield _("warning: {warning}").format(warning=group.told())
        for group in self.notes.values():
            yield _("note: {note}").format(note=group.told())


def _add(groups: dict[str, RemarkGroup], source: str, item: Remark) -> None:
    kind = item.kind if item.kind in groups or len(groups) < KINDS else next(iter(groups))
    groups.setdefault(kind, RemarkGroup(kind, item.sentence)).add(source, item.line)
