"""Draws the shares of day and night in the turns of games, as a bar for each game."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from daynight.events.terms import Designation
from daynight.framework.language.grammar import commas, paragraph
from daynight.framework.language.wording import _, counted
from daynight.pictures.drawing.drawing import Drawing, fitted, group, rect, text, wide
from daynight.pictures.drawing.signs import PICTURES, STRIP, begun
from daynight.projections.statistics import Statistics, together
from daynight.speech.sentences import designation_word

MOST = 60
"""The most games that have a bar of their own."""

_EDGE, _NAMES, _BAR, _ROW, _HIGH = map(float, (22, 190, 420, 34, 24))
_ORDER: tuple[Designation | None, ...] = (Designation.NEITHER, Designation.DAY, Designation.NIGHT, None)


def shares_svg(several: Sequence[Statistics], *, prefix: str = "dn-shares") -> str:
    """Return a bar for each game, and one for all, as an SVG document; its description says the same in words.

    Raises:
        AskedError: where no id can begin with `prefix`.
    """
    drawing = begun(prefix, "dn")
    sums = together(several)
    rows = [(one.game, one) for one in several[:MOST]]
    if len(several) > 1:
        rows.append((counted("all {n} game", "all {n} games", sums.games), sums))
    title = _title(sums)
    width = 2 * _EDGE + _NAMES + _BAR + 150
    text(drawing.root, "title ink", _EDGE, 40, fitted(title, width - 2 * _EDGE, 19))
    y = 66.0
    for name, one in rows:
        _bar(drawing, y, name, one, last=one is sums)
        y += _ROW
    if len(several) > MOST:
        more = len(several) - MOST
        words = counted("and {n} game more", "and {n} games more", more)
        text(drawing.root, "note soft", _EDGE, y + 12, words)
        y += 22
    _legend(drawing, y + 18, sums)
    return drawing.done(width, y + 44, title, paragraph(*(_told(name, one) for name, one in rows)))


def _title(sums: Statistics) -> str:
    if sums.assumed is None:
        return _("Day and night, by turns")
    sentence = _("Day and night, by turns, had it been {assumed} from the beginning")
    return sentence.format(assumed=designation_word(sums.assumed))


def _told(name: str, one: Statistics) -> str:
    shares = commas([f"{designation_word(kind)} {one.shares[kind]}" for kind in _ORDER if one.shares[kind]])
    turns = counted("{n} turn", "{n} turns", one.turns)
    flips = counted("{n} change", "{n} changes", one.flips)
    if not shares:
        return _("{game}: no turn.").format(game=name)
    sentence = _("{game}: {turns}, {flips} between day and night; {shares}.")
    return sentence.format(game=name, turns=turns, flips=flips, shares=shares)


def _mark(designation: Designation | None) -> str:
    return "?" if designation is None else PICTURES[designation]


def _bar(drawing: Drawing, y: float, name: str, one: Statistics, *, last: bool) -> None:
    row = group(drawing.root, _told(name, one))
    weight = "bold ink" if last else "ink"
    text(row, weight, _EDGE, y + 16, fitted(name, _NAMES - 12))
    left = _EDGE + _NAMES
    for designation in _ORDER:
        turns = one.shares[designation]
        if turns:
            width = _BAR * turns / one.turns
            _part(drawing, row, designation, turns, (left, y, width))
            left += width
    flips = counted("{n} change", "{n} changes", one.flips)
    text(row, "note soft", _EDGE + _NAMES + _BAR + 10, y + 16, flips)


def _part(
    drawing: Drawing, row: Element, designation: Designation | None, turns: int, place: tuple[float, float, float]
) -> None:
    x, y, width = place
    kind = "neither" if designation is None else designation.value
    rect(row, kind, x, y, width, _HIGH)
    drawing.pattern(row, "maybe" if designation is None else kind, x, y + _HIGH - STRIP, width, STRIP)
    rect(row, f"empty {kind}-mark" + (" dashed" if designation is None else ""), x, y, width, _HIGH, 1.5)
    words = f"{_mark(designation)} {turns}"
    if wide(words, 11) + 4 <= width:
        text(row, f"note centre {kind}-ink", x + width / 2, y + 13, words)


def _legend(drawing: Drawing, y: float, sums: Statistics) -> None:
    x = _EDGE + _NAMES
    for designation in _ORDER:
        if sums.shares[designation]:
            words = f"{_mark(designation)} {designation_word(designation)}"
            text(drawing.root, "note soft", x, y, words)
            x += wide(words, 11) + 22
