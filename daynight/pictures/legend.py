"""What the signs of a timeline mean: below it, only those that are in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from xml.etree.ElementTree import Element

from daynight.events.terms import Designation
from daynight.framework.language.wording import _, counted
from daynight.pictures.course import Column
from daynight.pictures.drawing import signs
from daynight.pictures.drawing.drawing import Drawing, group, rect, text, wide, wrapped
from daynight.projections.sentences import designation_word

_Draws = Callable[[Element, float, float], None]

_HIGH = 27.0


def legend(
    drawing: Drawing, every: Sequence[Column], place: tuple[float, float], width: float, *, players: bool
) -> float:
    """Signs with their words, in lines from a place on; answers where the picture ends."""
    left, y = place
    x = left
    for size, draw, words in _entries(drawing, every, players=players):
        needs = size + 7 + wide(words) + 20
        if x > left and x + needs > width:
            x, y = left, y + _HIGH
        entry = group(drawing.root)
        draw(entry, x, y)
        text(entry, "soft", x + size + 7, y + 15, words)
        x += needs
    y += _HIGH + 14
    foot = _("Derived from the log as recorded; the Head Judge decides.")
    for words in wrapped(foot, width - 2 * left):
        text(drawing.root, "soft italic", left, y, words)
        y += 16
    return y


def _entries(drawing: Drawing, every: Sequence[Column], *, players: bool) -> Iterator[tuple[float, _Draws, str]]:
    shown = {
        possible for column in every for possible in (*(run.possible for run in column.runs), *column.ended) if possible
    }
    alone = {one for possible in shown for one in possible}
    for designation in Designation:
        if designation in alone:
            yield 34, _cell(drawing, (designation,), undone=False), designation_word(designation)
    for possible in sorted((one for one in shown if len(one) > 1), key=lambda one: [each.value for each in one])[:1]:
        yield 60, _cell(drawing, possible, undone=False), _("uncertain: all that may be")
    if any(column.undone for column in every):
        yield 34, _cell(drawing, (Designation.DAY,), undone=True), _("undone by backing up")
    if any(column.turns > 1 for column in every):
        most = max(column.turns for column in every)
        words = counted(
            "a column is {n} turn, its numbers are sums", "a column is {n} turns, its numbers are sums", most
        )
        yield 0, lambda entry, x, y: None, words.format(n=most)
    elif players and any(column.spells for column in every):
        yield 18, _pill, _("spells of the active player")
    answers = {claim.answer for column in every for claim in column.claims}
    for name, sign, words in (
        ("right", "✓", _("claimed, and so it is")),
        ("wrong", "✗", _("claimed, and it differs")),
        ("open", "?", _("claimed, and may be")),
    ):
        if name in answers:
            yield 10, _answer(name, sign), words


def _cell(drawing: Drawing, possible: tuple[Designation, ...], *, undone: bool) -> _Draws:
    size = 34 if len(possible) == 1 else 60
    return lambda entry, x, y: signs.cell(drawing, entry, possible, (x, y - 1, size, 24), undone=undone)


def _pill(entry: Element, x: float, y: float) -> None:
    rect(entry, "empty line", x, y + 2, 18, 17, 8.5)
    text(entry, "mono bold ink centre", x + 9, y + 14.5, "1")


def _answer(name: str, sign: str) -> _Draws:
    def draw(entry: Element, x: float, y: float) -> None:
        text(entry, f"bold {name}", x, y + 15, sign)

    return draw
