"""Draws the labels above a timeline: changes, acts of a judge, wrong claims, and the marked moment."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from daynight.events.consequences import Changed
from daynight.framework.language.wording import _
from daynight.pictures.course import Column, MarkedAct, MarkedClaim
from daynight.pictures.drawing.drawing import MONO, fitted, line, rect, text, wide
from daynight.pictures.measures import EDGE, MOST_RUNS, NAMES, Sheet, across, beginning
from daynight.pictures.story import acts_word
from daynight.rules.citations import cited

MOST_ACTS = 3
"""The most acts of a judge in a turn that have labels; further ones are only counted."""


class Label(NamedTuple):
    """Two short lines of text, `head` and `below`, above position `x` of a row; `look` is their style."""

    x: float
    head: str
    below: str
    look: str

    @property
    def span(self) -> tuple[float, float]:
        """The left and the right end of the label beside its line, in pixels."""
        return self.x, self.x + 4 + max(wide(self.head, 11, MONO), wide(self.below, 10))

    @property
    def length(self) -> float:
        """The length of the label if it is drawn upright, in one line, in pixels."""
        return wide(f"{self.head} {self.below}", 11, MONO)


def labels_of(sheet: Sheet, row: range) -> list[Label]:
    """Return the labels above a row, left to right: of changes, a judge's acts, wrong claims, the marked moment."""
    lefts = accumulate((sheet.widths[place] for place in row), initial=EDGE + NAMES)
    found = [
        label
        for place, left in zip(row, lefts, strict=False)
        for label in _labels(sheet, sheet.every[place], left, sheet.widths[place])
    ]
    return sorted(found, key=lambda label: label.x)


def _labels(sheet: Sheet, column: Column, x: float, width: float) -> list[Label]:
    found: list[Label] = []
    if sheet.here is not None and column.first <= sheet.here <= column.last:
        found.append(Label(across(column, sheet.here, x, width), f"e{sheet.here}", _("here"), "here"))
    if column.turns > 1:
        return found
    look = "soft" if column.undone else "ink"
    differs = [claim for claim in column.claims if claim.answer == "wrong" and not column.undone]
    for change in column.changes[:MOST_RUNS]:
        perhaps = "" if change.certain else "?"
        wrong = any(claim.event == change.event for claim in differs)
        differs = [claim for claim in differs if claim.event != change.event]
        head = f"✗ e{change.event}" if wrong else f"e{change.event}{perhaps}"
        place = beginning(column, change.event, x, width)
        found.append(Label(place, head, _number(change, sheet.edition), "wrong" if wrong else look))
    acts = _acts(column)
    for some in acts[:MOST_ACTS]:
        place = across(column, some[0].event, x, width)
        words = fitted(acts_word(some), 66, 10)
        found.append(Label(place, f"e{some[0].event}", words, "ink" if some[0].dispute else look))
    more = max(len(column.changes) - MOST_RUNS, 0) + sum(len(some) for some in acts[MOST_ACTS:])
    if more:
        found.append(Label(x + width - 2, f"+{more}", _("more"), look))
    if differs:
        others = f" +{len(differs) - 1}" if len(differs) > 1 else ""
        place = across(column, differs[0].event, x, width)
        found.append(Label(place, f"✗ e{differs[0].event}", fitted(_about(differs[0]), 46, 10) + others, "wrong"))
    return found


def _acts(column: Column) -> list[list[MarkedAct]]:
    """Return the acts in a column as lists, one for each dispute, without rulings that changed the designation.

    Changes have labels of their own.
    """
    changed = {change.event for change in column.changes}
    found: dict[object, list[MarkedAct]] = {}
    for act in column.acts:
        if act.kind != "ruling" or act.event not in changed:
            found.setdefault(act.event if act.dispute is None else act.dispute, []).append(act)
    return list(found.values())


def _number(change: Changed, edition: str) -> str:
    if change.rule == "judge":
        return _("ruling")
    return cited(change.rule, edition) or ""


def _about(claim: MarkedClaim) -> str:
    return {"designation": _("claim"), "face": _("face"), "tally": _("spells"), "ruling": _("ruling")}[claim.about]


def draw_label(sheet: Sheet, label: Label, place: tuple[float, float], *, number: bool, upright: bool) -> None:
    """Draw a label, and the line from it down to the designations; with `number`, it leaves out a turn's number."""
    root, (top, band) = sheet.drawing.root, place
    stroke = "here-line thick" if label.look == "here" else "line"
    line(root, stroke, label.x, top + 1, label.x, band - 19 if number else band)
    if number:
        line(root, stroke, label.x, band - 4, label.x, band)
    if upright:
        words = text(root, f"mono {label.look}", 0, 0, f"{label.head} {label.below}")
        words.set("transform", f"translate({label.x + 10:.1f} {top + label.length + 4:.1f}) rotate(-90)")
    elif label.look == "here":
        rect(root, "here", label.x - 1, top, label.span[1] - label.x + 6, 26, 2)
        text(root, "mono bold here-ink", label.x + 5, top + 11, label.head)
        text(root, "small here-ink", label.x + 5, top + 22, label.below)
    else:
        text(root, f"mono bold {label.look}", label.x + 4, top + 10, label.head)
        text(root, f"small {'wrong' if label.look == 'wrong' else 'soft'}", label.x + 4, top + 22, label.below)
