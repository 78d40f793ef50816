"""Draws a row of a timeline: labels, turns, designations, spells, claims."""

from __future__ import annotations

from itertools import accumulate, pairwise
from xml.etree.ElementTree import Element

from daynight.framework.language.wording import _
from daynight.pictures.course import Column
from daynight.pictures.drawing import signs
from daynight.pictures.drawing.drawing import MONO, Box, Drawing, fitted, group, line, rect, text, wide
from daynight.pictures.drawing.layout import lanes
from daynight.pictures.labels import draw_label, labels_of
from daynight.pictures.measures import (
    CELL,
    EDGE,
    EXTRA,
    LANE,
    NAMES,
    NARROW,
    PLAYER,
    SHARE,
    Sheet,
    answered,
    edges,
    share,
    shown,
)  # fmt: skip
from daynight.pictures.story import column_title, numbers, turn_word

MOST_LANES = 4
"""The most lines of labels above a row; if it needs more, the labels are drawn upright."""


def draw_row(sheet: Sheet, row: range, top: float) -> float:
    """Draw a row, with its labels, from the height `top` on; return the height at which it ends."""
    begins = dict(zip(row, accumulate((sheet.widths[place] for place in row), initial=EDGE + NAMES), strict=False))
    labels = labels_of(sheet, row)
    right = max((begins[place] + sheet.widths[place] for place in row), default=EDGE + NAMES + NARROW)
    levels = lanes([label.span for label in labels])
    upright = max(levels, default=0) >= MOST_LANES
    if upright:
        levels = lanes([(label.x, label.x + 12) for label in labels], gap=1)
    lane = max(label.length for label in labels) + 8 if upright else LANE
    band = top + lane * (max(levels, default=-1) + 1) + 22
    _names(sheet, band, right)
    for place in row:
        column, left, width = sheet.every[place], begins[place], sheet.widths[place]
        _column(sheet, column, left, width, band)
        if sheet.here is not None and column.first <= sheet.here <= column.last:
            frame = (left - 0.5, band - 20, width + 1, sheet.height + 2)
            rect(sheet.drawing.root, "empty here-line thick", *frame, rx=4)
    for label, level in zip(labels, levels, strict=True):
        number = any(abs(label.x - begins[place] - sheet.widths[place] / 2) < 14 for place in row)
        draw_label(sheet, label, (band - 24 - lane * (level + 1), band), number=number, upright=upright)
    return band - 20 + sheet.height + 10


def _names(sheet: Sheet, band: float, right: float) -> None:
    root = sheet.drawing.root
    text(root, "soft end", EDGE + NAMES - 10, band - 7, fitted(_("turn"), NAMES - 2))
    y = band + CELL + 6
    text(root, "soft end", EDGE + NAMES - 10, band + CELL / 2 + 4, fitted(_("it is"), NAMES - 2))
    for player in sheet.players or (_("spells"),):
        text(root, "ink end", EDGE + NAMES - 10, y + 15, fitted(player, NAMES - 12))
        line(root, "hair", EDGE + NAMES, y + PLAYER, right, y + PLAYER)
        y += PLAYER
    for name in sheet.extra:
        words = {"changes": _("changes"), "acts": _("judge"), "claims": _("claimed")}[name]
        text(root, "soft end", EDGE + NAMES - 10, y + 16, fitted(words, NAMES - 2))
        y += EXTRA


def _column(sheet: Sheet, column: Column, x: float, width: float, band: float) -> None:
    drawing = sheet.drawing
    place = group(drawing.root, column_title(column))
    number = fitted(turn_word(column), width, 11, MONO)
    look = "soft struck" if column.undone else "soft" if column.goes_on or column.turn is None else "ink"
    text(place, f"mono centre {look}", x + width / 2, band - 7, number)
    box = (x + 1, band, width - 2, CELL)
    if column.turns > 1:
        _shares(drawing, place, column, box)
    else:
        _runs(drawing, place, column, box)
    y = band + CELL + 6
    for player in sheet.players:
        if player in column.spells:
            count = column.spells[player]
            active = player in column.active and column.turns == 1
            if active or count != (0, 0):
                _spells(place, column, numbers(count), (x + width / 2, y, width), active=active)
        y += PLAYER
    if not sheet.players:
        words = "/".join(numbers(column.spells[player]) for player in column.active if player in column.spells)
        if words:
            _spells(place, column, words, (x + width / 2, y, width), active=True)
        y += PLAYER
    for name in sheet.extra:
        numbered = {"changes": len(column.changes), "acts": len(column.acts), "claims": 0}[name]
        if numbered:
            text(place, "mono centre ink", x + width / 2, y + 16, str(numbered))
        if name == "claims":
            _claims(place, column, x + width / 2, y)
        y += EXTRA


def _runs(drawing: Drawing, place: Element, column: Column, box: Box) -> None:
    x, y, width, height = box
    runs = shown(column)
    for run, (start, end) in zip(runs, pairwise(edges(column, x, width)), strict=True):
        room = end - start - (1 if end < x + width - 1 else 0)
        signs.cell(drawing, place, run.possible, (start, y, room, height), undone=column.undone)


def _shares(drawing: Drawing, place: Element, column: Column, box: Box) -> None:
    """Draw how many turns of a gathered column ended with each designation, in proportion, each with its number."""
    x, y, width, height = box
    spare = max(width - share(column), 0.0)
    for possible, number in column.ended.items():
        each = SHARE + spare * number / column.turns
        signs.share(drawing, place, possible, number, (x, y, each - 1, height))
        x += each


def _spells(place: Element, column: Column, words: str, where: tuple[float, float, float], *, active: bool) -> None:
    x, y, width = where
    words = fitted(words, width - 4, 11, MONO)
    if active:
        half = max(wide(words, 11, MONO) / 2 + 5, 9.0)
        rect(place, "empty line" + (" dashed" if column.undone else ""), x - half, y + 2, 2 * half, 17, 8.5)
    text(place, f"mono centre {'ink bold' if active and not column.undone else 'soft'}", x, y + 14.5, words)


def _claims(place: Element, column: Column, x: float, y: float) -> None:
    words = answered(column)
    left = x - wide(" ".join(words.values())) / 2
    for name, word in words.items():
        look = "soft struck" if column.undone else name
        text(place, f"bold {look}", left, y + 16, word)
        left += wide(word + " ")
