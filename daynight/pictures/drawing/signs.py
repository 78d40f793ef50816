"""Draws the signs of each designation: a colour, a pattern, a sign and a letter; each one alone is enough."""

from __future__ import annotations

from math import cos, pi, sin
from xml.etree.ElementTree import Element, SubElement
from zlib import crc32

from daynight.events.terms import Designation
from daynight.framework.language.wording import _, language
from daynight.pictures.drawing.drawing import Box, Drawing, rect, text, wrapped
from daynight.speech.sentences import designation_word

PICTURES = {Designation.NEITHER: "·", Designation.DAY: "☀", Designation.NIGHT: "☾"}
"""The sign of each designation in text."""

STRIP = 7.0
"""The height of the pattern at the foot of a cell, in pixels."""

_HATCHES = {
    "day": ("M1.5 3.5h.01M4.5 .5h.01M4.5 6.5h.01", 6, 7),
    "night": ("M-1 5.5l7-7M-1 10.5l12-12", 5, 5),
    "neither": ("M1 3.5h3.5", 6, 7),
    "undone": ("M-1 -1.5l12 12M-1 3.5l7 7", 5, 5),
    "maybe": ("M-1 5.5l7-7M-1 10.5l12-12M-1 -1.5l12 12M-1 3.5l7 7", 5, 5),
}


def letter(designation: Designation) -> str:
    """Return D, N or – in the reader's language."""
    return {Designation.NEITHER: _("–"), Designation.DAY: _("D"), Designation.NIGHT: _("N")}[designation]


def said(possible: tuple[Designation, ...]) -> str:
    """Return the designation, or all possible ones, with signs and words."""
    return _(" or ").join(f"{PICTURES[one]} {designation_word(one)}" for one in possible)


def begun(prefix: str | None, letters: str, *about: object) -> Drawing:
    """Return a drawing that has the patterns and signs for `cell` and `Drawing.sign`.

    If `prefix` is None, it is made of `letters` and a checksum of `about`.
    """
    if prefix is None:
        prefix = f"{letters}{crc32(repr(about).encode('utf-8', 'replace')):08x}"
    drawing = Drawing(prefix, language())
    for name, (path, width, height) in _HATCHES.items():
        box = {"width": str(width), "height": str(height), "patternUnits": "userSpaceOnUse"}
        pattern = SubElement(drawing.defs, "pattern", {"id": drawing.id(name)} | box)
        kind = "neither" if name == "maybe" else name
        round = {"stroke-linecap": "round", "stroke-width": "2"} if name == "day" else {"stroke-width": "1.1"}
        SubElement(pattern, "rect", {"class": f"dn-{kind}", "width": str(width), "height": str(height)})
        SubElement(pattern, "path", {"class": f"dn-{kind}-mark dn-empty", "d": path} | round)
    rays = "".join(
        f"M{4.6 * cos(turn):.1f} {4.6 * sin(turn):.1f}L{6.4 * cos(turn):.1f} {6.4 * sin(turn):.1f}"
        for turn in (eighth * pi / 4 for eighth in range(8))
    )
    sun = SubElement(drawing.defs, "g", {"id": drawing.id("sun")})
    SubElement(sun, "circle", {"r": "3"})
    SubElement(sun, "path", {"d": rays, "stroke-width": "1.3", "stroke-linecap": "round"})
    moon = SubElement(drawing.defs, "g", {"id": drawing.id("moon")})
    SubElement(moon, "path", {"d": "M2.2-5.6A5.8 5.8 0 1 0 5.6 2.4A4.8 4.8 0 0 1 2.2-5.6Z", "stroke": "none"})
    ring = SubElement(drawing.defs, "g", {"id": drawing.id("ring")})
    SubElement(ring, "circle", {"r": "2", "stroke": "none"})
    return drawing


def foot(drawing: Drawing, left: float, y: float, width: float) -> float:
    """Draw the sentence about the reliability of the picture; return the height at which it ends."""
    for words in wrapped(_("Derived from the log as recorded; the Head Judge decides."), width - 2 * left):
        text(drawing.root, "soft italic", left, y, words)
        y += 16
    return y


_NAMES = {Designation.NEITHER: "ring", Designation.DAY: "sun", Designation.NIGHT: "moon"}


def cell(
    drawing: Drawing, parent: Element, possible: tuple[Designation, ...], place: Box, *, undone: bool = False
) -> None:
    """Draw a designation into a box (x, y, width, height); if several are possible, draw all, side by side."""
    x, y, width, height = place
    each = width / len(possible)
    for number, designation in enumerate(possible):
        left = x + number * each
        kind = "undone" if undone else designation.value
        rect(parent, kind, left, y, each, height)
        hatch = "undone" if undone else "maybe" if len(possible) > 1 else kind
        drawing.pattern(parent, hatch, left, y + height - STRIP, each, STRIP)
        middle, across = y + (height - STRIP) / 2, left + each / 2
        if each < 24:
            _letter(parent, designation, kind, across, middle)
        else:
            drawing.sign(parent, _NAMES[designation], f"{kind}-ink {kind}-ray", across - 7, middle)
            _letter(parent, designation, kind, across + 6.5, middle)
    frame = "undone" if undone else possible[0].value if len(possible) == 1 else "neither"
    rect(parent, f"empty {frame}-mark" + (" dashed" if undone or len(possible) > 1 else ""), x, y, width, height, 1.5)


def share(drawing: Drawing, parent: Element, possible: tuple[Designation, ...] | None, number: int, place: Box) -> None:
    """Draw how many turns ended with `possible`: after `?` if it has several, struck through if None (undone turns)."""
    x, y, width, height = place
    alone = possible[0] if possible and len(possible) == 1 else None
    kind = "undone" if possible is None else "neither" if alone is None else alone.value
    hatch = kind if possible is None or alone is not None else "maybe"
    rect(parent, kind, x, y, width, height)
    drawing.pattern(parent, hatch, x, y + height - STRIP, width, STRIP)
    words = f"{letter(alone)}{number}" if alone is not None else str(number) if possible is None else f"?{number}"
    struck = " struck" if possible is None else ""
    text(parent, f"mono bold centre {kind}-ink{struck}", x + width / 2, y + (height - STRIP) / 2 + 4, words)
    rect(parent, f"empty {kind}-mark" + ("" if alone is not None else " dashed"), x, y, width, height, 1.5)


def _letter(parent: Element, designation: Designation, kind: str, x: float, middle: float) -> None:
    text(parent, f"bold centre {kind}-ink", x, middle + 4.3, letter(designation))
