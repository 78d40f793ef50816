"""A page: what a report says, in words and blocks, before it is HTML or Markdown.

Both forms are made of the same page, so neither says what the other does not. A text is a row of plain words and of
references to events; the words are not yet escaped, each form does that in its own way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from string import Formatter
from typing import Literal, TypeAlias

from daynight.framework.language.wording import _

Tone: TypeAlias = Literal["", "lead", "bad", "good", "open", "undone", "aside"]
"""How a text is meant: it is always said in words as well."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to an event, shown as `e122`: a link where the log has it."""

    event: int


Text: TypeAlias = tuple[str | Ref, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph."""

    text: Text
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list; numbered where the order says something."""

    items: tuple[Text, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """Names, each with what it is."""

    rows: tuple[tuple[str, Text], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a caption; the first cell of each row is its heading.

    One that is `stacked` is read from top to bottom where the window is narrow, a row as a block of its own.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Text, ...], ...]
    stacked: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing (SVG, of our own making), another one of it for narrow windows, and what it is called."""

    svg: str
    narrow: str
    label: str


@dataclass(frozen=True, slots=True)
class Folded:
    """Blocks behind a heading that one opens."""

    summary: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Something of its own inside a section."""

    id: str
    heading: str
    blocks: tuple[Block, ...]
    tone: Tone = ""
    level: int = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """An event in the log: its number, its words, what followed, and a note; number 0 says what is left out here."""

    number: int
    sentence: str
    consequences: tuple[str, ...] = ()
    note: str | None = None
    undone: str = ""
    heading: bool = False
    tone: Tone = ""
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Log:
    """The events, one below the other."""

    entries: tuple[Entry, ...]


Block: TypeAlias = Words | Items | Facts | Table | Picture | Folded | Part | Log


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page; `id` is where links go to."""

    id: str
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """All of a report in words."""

    language: str
    kicker: str
    title: str
    players: str
    verdict: str
    tone: Tone
    standfirst: Text
    facts: Facts
    skip: str
    contents: str
    sections: tuple[Section, ...]
    foot: tuple[str, ...]

    @property
    def shown(self) -> frozenset[int]:
        """The events that the log shows."""
        return frozenset(
            entry.number
            for section in self.sections
            for block in section.blocks
            if isinstance(block, Log)
            for entry in block.entries
        )


def aside(sentence: str) -> Words:
    """What is said beside the matter."""
    return Words((sentence,), "aside")


def cells(*values: str | Text) -> tuple[Text, ...]:
    """The cells of a row."""
    return tuple(value if isinstance(value, tuple) else (value,) for value in values)


def events_of(numbers: Iterable[int]) -> Text:
    """References to events, with commas between them."""
    return joined([(Ref(number),) for number in numbers], _(", "))


def joined(texts: Iterable[Text], between: str) -> Text:
    """Texts one after the other, with something between them."""
    found: list[str | Ref] = []
    for text in texts:
        found += [*([between] if found else ()), *text]
    return tuple(found)


def filled(sentence: str, /, **values: str | Ref | Text) -> Text:
    """A whole sentence with texts and references in the places of its names.

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
