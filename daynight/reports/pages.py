"""A page: the contents of a report as words and blocks, from which HTML and Markdown are made.

Both forms are made from the same page, so both say the same. A text is a sequence of plain words and of references to
events. The words are not escaped yet; each form does that in its own way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from string import Formatter
from typing import Literal, TypeAlias

from daynight.framework.language.wording import _

Tone: TypeAlias = Literal["", "lead", "bad", "good", "open", "undone", "aside"]
"""How a text is shown. A tone is only a style: the words alone say everything."""


@dataclass(frozen=True, slots=True, order=True)
class Ref:
    """A reference to an event, shown as `e122`; it is a link if the log shows the event."""

    event: int


Text: TypeAlias = tuple[str | Ref, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    text: Text
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list; `numbered` if its order means something."""

    items: tuple[Text, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class FactList:
    """Names with their values."""

    rows: tuple[tuple[str, Text], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a caption; the first cell of each row is its heading.

    In a narrow window, each row of a `stacked` table is a block of its own, read from top to bottom.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Text, ...], ...]
    stacked: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG document, another one for narrow windows, and a label for screen readers."""

    svg: str
    narrow: str
    label: str


@dataclass(frozen=True, slots=True)
class Folded:
    """Blocks that are hidden until the reader opens their heading, `summary`."""

    summary: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Subsection:
    """A part of a section, with its own heading."""

    id: str
    heading: str
    blocks: tuple[Block, ...]
    tone: Tone = ""
    level: int = 3


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An event in the log; number 0 stands for events that are left out.

    `undone` is the word for an undone event, else empty. `marks` are words for what the audit found at the event.
    """

    number: int
    sentence: str
    consequences: tuple[str, ...] = ()
    note: str | None = None
    undone: str = ""
    heading: bool = False
    tone: Tone = ""
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogBlock:
    """The entries of the log, one below another."""

    entries: tuple[LogEntry, ...]


Block: TypeAlias = Paragraph | Items | FactList | Table | Picture | Folded | Subsection | LogBlock


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page; links lead to its `id`."""

    id: str
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A whole report in words."""

    language: str
    kicker: str
    title: str
    players: str
    verdict: str
    tone: Tone
    standfirst: Text
    facts: FactList
    skip: str
    contents: str
    sections: tuple[Section, ...]
    foot: tuple[str, ...]

    @property
    def shown(self) -> frozenset[int]:
        """The numbers of the events that the log shows, and 0 if it leaves some out."""
        return frozenset(
            entry.number
            for section in self.sections
            for block in section.blocks
            if isinstance(block, LogBlock)
            for entry in block.entries
        )


def aside(sentence: str) -> Paragraph:
    """Return a sentence as an aside: a paragraph in smaller letters."""
    return Paragraph((sentence,), "aside")


def cells(*values: str | Text) -> tuple[Text, ...]:
    """Return the cells of a row; a plain string becomes a text."""
    return tuple(value if isinstance(value, tuple) else (value,) for value in values)


def events_of(numbers: Iterable[int]) -> Text:
    """Return references to events, with commas between them."""
    return joined([(Ref(number),) for number in numbers], _(", "))


def joined(texts: Iterable[Text], between: str) -> Text:
    """Join texts to one text, with the words `between` after each but the last."""
    found: list[str | Ref] = []
    for text in texts:
        found += [*([between] if found else ()), *text]
    return tuple(found)


def filled(sentence: str, /, **values: str | Ref | Text) -> Text:
    """Return a sentence as a text, with texts and references in its named places.

    >>> filled("{event}: {word}", event=Ref(7), word="night")
    (Ref(event=7), ': ', 'night')
    """
    found: list[str | Ref] = []
    for literal, name, _spec, _conversion in Formatter().parse(sentence):
        if literal:
            found.append(literal)
        if name is not None:
            value = values[name]
            found += value if isinstance(value, tuple) else (value,)
    return tuple(found)
