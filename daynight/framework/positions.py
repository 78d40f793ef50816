"""Positions in a record, spelled one way everywhere: `18`, `e18`, `turn:4`, `turn:4/untap`, `branch:b2/e3`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any

from daynight.framework.language.errors import AskedError, NotFoundError
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _

_PLACE = r"(?:e?(?P<event>[0-9]{1,4000})|(?P<mark>[a-z]+:[0-9]{1,4000}(?:/[a-z-]+)?))"
_SPELLED = re.compile(
    rf"(?i:{_PLACE})|branch:(?P<branch>[^/](?:.*?[^/])??)(?:/(?i:{_PLACE.replace('P<', 'P<its_')}))?", re.DOTALL
)


_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9T:.,+Z -]{0,40})?")


class PositionError(AskedError):
    """A text that is no position; exit code 2."""


@dataclass(frozen=True, slots=True)
class Position:
    """An event by its number, or by a `mark` (`turn:4`, `turn:4/untap`) that the mechanic finds.

    With a `branch` it is an event on that branch of the record; without number and mark the last one there.
    """

    event: int | None = None
    mark: str | None = None
    branch: str | None = None

    @classmethod
    def parse(cls, text: str | int, marks: Sequence[str] = ()) -> Position:
        """Read a position: a number, a mark (in upper or lower case) or a branch. An error lists `marks` as examples.

        >>> Position.parse("turn:4/Untap")
        Position(event=None, mark='turn:4/untap', branch=None)
        >>> Position.parse("branch:b2/e3").on_branch
        Position(event=3, mark=None, branch=None)

        Raises:
            PositionError: where the text is not a position.
        """
        found = _SPELLED.fullmatch(str(text).strip())
        if found is None:
            raise no_position(str(text), marks)
        event = found["event"] or found["its_event"]
        mark = found["mark"] or found["its_mark"]
        return cls(None if event is None else int(event), None if mark is None else mark.lower(), found["branch"])

    @classmethod
    def timed(cls, text: str) -> Position | None:
        """Read a time such as `2026-11-03T14:34` as a mark; None if the text is not a time.

        >>> Position.timed("2026-11-03 14:34"), Position.timed("e18")
        (Position(event=None, mark='2026-11-03 14:34', branch=None), None)
        """
        return cls(mark=text.strip()) if _TIME.fullmatch(text.strip()) else None

    def __str__(self) -> str:
        place = self.mark or "" if self.event is None else f"e{self.event}"
        if self.branch is None:
            return place
        return f"branch:{self.branch}" + (f"/{place}" if place else "")

    @property
    def on_branch(self) -> Position | None:
        """The position without its branch, to look it up on the branch; None means the branch's last event."""
        return None if self.event is None and self.mark is None else replace(self, branch=None)

    def find(self, events: Sequence[Any], place: Callable[[Sequence[Any], Position], int]) -> int:
        """Return the event number of the position in a record; `place` finds marks.

        Raises:
            NotFoundError: where there is no such mark, or the position is on a branch of the record.
        """
        if self.branch is not None:
            sentence = _("{position}: branches are found in a store; name the stored record, or the branch's own file")
            raise NotFoundError(sentence.format(position=self))
        return place(events, self) if self.event is None else self.event


def no_position(text: str, marks: Sequence[str] = ()) -> PositionError:
    """Return the refusal of a text that is no position; it names `marks` as examples."""
    sentence = _("{text} is no position; write {known} or branch:NAME/e18")
    return PositionError(sentence.format(text=repr(text), known=commas(["18", "e18", *marks])))


def unknown_place(position: Position) -> NotFoundError:
    """Return the refusal of a mark that a record does not have."""
    return NotFoundError(_("this record has no {position}").format(position=position))


@dataclass(frozen=True, slots=True)
class Places:
    """A `place` for a mechanic that also says which marks it finds.

    `find(events, position)` returns the event number of a mark. `marks` are examples of marks, for help and refusals.
    `rows` has for each word of a mark (`turn`) a function that makes the rows of `Recorded.table("turn")` of a record.
    `kinds` are the types of events that marks count: a mechanic refuses a type that is not in its language.
    """

    find: Callable[[Sequence[Any], Position], int]
    marks: tuple[str, ...]
    rows: Mapping[str, Callable[[Any], Iterable[dict[str, Any]]]] = field(default_factory=dict)
    kinds: tuple[type, ...] = ()

    def __call__(self, events: Sequence[Any], position: Position) -> int:
        """Return the event number of a mark."""
        return self.find(events, position)


def nth(**kinds: type) -> Places:
    """Return a `place` for a mechanic: with `nth(turn=TurnBegan)`, `turn:4` is the fourth event of that type.

    >>> nth(letter=str)([1, "a", 2, "b"], Position.parse("letter:2"))
    4
    """
    marks = tuple(f"{word}:4" for word in kinds)

    def place(events: Sequence[Any], position: Position) -> int:
        word, _colon, count = (position.mark or "").partition(":")
        if word not in kinds or not count.isdecimal():
            raise no_position(str(position), marks)
        numbers = [number for number, event in enumerate(events, 1) if isinstance(event, kinds[word])]
        if not 1 <= int(count) <= len(numbers):
            raise unknown_place(position)
        return numbers[int(count) - 1]

    return Places(place, marks, {word: partial(_rows, word, kind) for word, kind in kinds.items()}, (*kinds.values(),))


def _rows(word: str, kind: type, record: Any) -> Iterator[dict[str, Any]]:
    """Yield a row for each event of type `kind`: number, fields, ordinal, and `last`, the event before the next one."""
    events = record.events
    begun = [number for number, event in enumerate(events, 1) if isinstance(event, kind)]
    for count, (first, following) in enumerate(pairwise([*begun, len(events) + 1]), 1):
        fields = {name: getattr(events[first - 1], name) for name in events[first - 1].__struct_fields__}
        yield {"event": first, "stands": record.stands(first)} | fields | {word: count, "last": following - 1}
