"""Draws SVG: escapes text of records, and estimates the width of text."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rich.cells import cell_len, chop_cells, set_cell_size

from daynight.framework.language.errors import AskedError, tame
from daynight.framework.language.wording import _
from daynight.pictures.drawing.palette import STYLE

SANS, MONO = 0.55, 0.61
"""The estimated width of a character cell, in ems, in the two fonts of `palette`; rather too high than too low."""

Box = tuple[float, float, float, float]
"""x, y, width, height."""

_NOT_XML = re.compile("[\ufffe\uffff]")
_PREFIX = re.compile("[A-Za-z][A-Za-z0-9_-]{0,63}")


def plain(words: str) -> str:
    """Return text of a record as XML allows it: control characters and noncharacters are written as codes."""
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", tame(words))


def wide(words: str, size: float = 12, em: float = SANS) -> float:
    """Return the estimated width of a text, in pixels; Chinese and Japanese characters count double."""
    return cell_len(plain(words)) * size * em


def fitted(words: str, width: float, size: float = 12, em: float = SANS) -> str:
    """Return the text, cut and ended with … if it would be wider than `width`."""
    safe = plain(words)
    most = max(int(width / (size * em)), 1)
    if cell_len(safe) <= most:
        return safe
    return set_cell_size(safe, most - 1).rstrip() + "\N{HORIZONTAL ELLIPSIS}"


def wrapped(words: str, width: float, size: float = 12, most: int = 4) -> list[str]:
    """Return the text in at most `most` lines of `width`; break longer words, and cut off the remaining text."""
    room = max(int(width / (size * SANS)), 4)
    lines: list[str] = []
    for word in plain(words).split(" "):
        for piece in chop_cells(word, room) or [""]:
            if lines and cell_len(lines[-1]) + 1 + cell_len(piece) <= room:
                lines[-1] += f" {piece}"
            else:
                lines.append(piece)
    if len(lines) > most:
        lines = [*lines[: most - 1], fitted(f"{lines[most - 1]} {lines[most]}", width, size)]
    return lines


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _attributes(classes: str, numbers: dict[str, float]) -> dict[str, str]:
    named = {"class": " ".join(f"dn-{name}" for name in classes.split())} if classes else {}
    return named | {name.replace("_", "-"): _number(value) for name, value in numbers.items()}


def group(parent: Element, title: str | None = None) -> Element:
    """Add a group and return it; a browser shows its title, line by line, when the pointer is over it."""
    found = SubElement(parent, "g")
    if title is not None:
        SubElement(found, "title").text = "\n".join(map(plain, title.split("\n")))
    return found


def rect(parent: Element, classes: str, x: float, y: float, width: float, height: float, rx: float = 0) -> Element:
    """Add a rectangle and return it; `classes` are CSS classes without their prefix `dn-`."""
    round = {"rx": rx} if rx else {}
    return SubElement(parent, "rect", _attributes(classes, {"x": x, "y": y, "width": width, "height": height} | round))


def line(parent: Element, classes: str, x1: float, y1: float, x2: float, y2: float) -> Element:
    """Add a line and return it; `classes` as for `rect`."""
    return SubElement(parent, "line", _attributes(classes, {"x1": x1, "y1": y1, "x2": x2, "y2": y2}))


def text(parent: Element, classes: str, x: float, y: float, words: str) -> Element:
    """Add text, escaped, and return its element; `classes` as for `rect`."""
    found = SubElement(parent, "text", _attributes(classes, {"x": x, "y": y}))
    found.text = plain(words)
    return found


class Drawing:
    """A picture being drawn: `root` is its SVG element, and all its ids begin with `prefix`.

    Raises:
        AskedError: where no id can begin with `prefix`.
    """

    def __init__(self, prefix: str, language: str) -> None:
        if not _PREFIX.fullmatch(prefix):
            sentence = _("{prefix} begins no id: a letter, then letters, digits, - and _")
            raise AskedError(sentence.format(prefix=repr(prefix)))
        self.prefix = prefix
        self.root = Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "class": "dn",
                "role": "img",
                "lang": language,
                "aria-labelledby": f"{prefix}-title",
                "aria-describedby": f"{prefix}-desc",
            },
        )
        self._title = SubElement(self.root, "title", {"id": self.id("title")})
        self._desc = SubElement(self.root, "desc", {"id": self.id("desc")})
        SubElement(self.root, "style").text = STYLE
        self.defs = SubElement(self.root, "defs")
        self._paper = SubElement(self.root, "rect", {"class": "dn-paper"})

    def id(self, name: str) -> str:
        """Return the id for `name` in this picture: `prefix-name`."""
        return f"{self.prefix}-{name}"

    def pattern(self, parent: Element, name: str, x: float, y: float, width: float, height: float) -> None:
        """Add a rectangle filled with the pattern `name` of this picture."""
        rect(parent, "", x, y, width, height).set("fill", f"url(#{self.id(name)})")

    def sign(self, parent: Element, name: str, classes: str, x: float, y: float) -> None:
        """Add the sign `name` of this picture, with its middle at (`x`, `y`)."""
        attributes = {"href": f"#{self.id(name)}"} | _attributes(classes, {"x": x, "y": y})
        SubElement(parent, "use", attributes)

    def done(self, width: float, height: float, title: str, desc: str) -> str:
        """Return the picture as an SVG document of this size in pixels; `desc` describes it in words."""
        self._title.text, self._desc.text = plain(title), desc
        size = {"width": _number(width), "height": _number(height)}
        self.root.attrib.update(size, viewBox=f"0 0 {size['width']} {size['height']}")
        self._paper.attrib.update(size, rx="10")
        indent(self.root, space="")
        return tostring(self.root, encoding="unicode") + "\n"
