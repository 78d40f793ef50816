"""Draws a machine: a column for each state, and a row for each way between two, with its number of uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from xml.etree.ElementTree import Element, SubElement

from daynight.framework.language.grammar import paragraph
from daynight.framework.language.wording import _, counted
from daynight.pictures.drawing.drawing import Drawing, fitted, group, line, rect, text, wide
from daynight.pictures.drawing.signs import begun

STATES, WAYS = 40, 200
"""The most states, and the most ways, that are drawn."""

_EDGE, _HEAD, _ROW, _LEAST, _MOST = map(float, (22, 96, 40, 120, 240))
_TIP = 7.0


class Way(Protocol):
    """A transition from `source` to `dest`; `dest` is None if the state stays the same. `taken` counts its uses."""

    source: str
    dest: str | None
    taken: int

    @property
    def said_no(self) -> Mapping[str, int]:
        """How often each guard refused this way."""
        ...

    @property
    def label(self) -> str:
        """The trigger, with its guards."""
        ...

    @property
    def counts(self) -> list[str]:
        """How often the way was taken, and how often each guard refused it, in words."""
        ...


class Machine(Protocol):
    """The data of a drawing: the states, how often each was entered, how many models are in each now, and the ways."""

    title: str

    @property
    def entered(self) -> Mapping[str, int]:
        """How often each state was entered."""
        ...

    @property
    def now(self) -> Mapping[str, int]:
        """How many models are in each state."""
        ...

    @property
    def ways(self) -> Sequence[Any]:
        """The ways, each a `Way`."""
        ...

    def lines(self) -> Any:
        """Yield the machine as lines of text."""
        ...


def machine_svg(machine: Machine, *, prefix: str | None = None) -> str:
    """Return a machine as an SVG document; its description says the same in words.

    A way that was never taken is dashed. Guards that refused a way are named beneath it.

    Raises:
        AskedError: where no id can begin with `prefix`.
    """
    states = [*machine.entered][:STATES]
    there = set(states)
    known = [way for way in machine.ways if way.source in there and (way.dest is None or way.dest in there)]
    # If there are too many, keep the ones that were used.
    ways = sorted(known, key=lambda way: not (way.taken or way.said_no))[:WAYS]
    ways.sort(key=lambda way: (states.index(way.source), known.index(way)))
    broad = max([wide(name, 15) + 28 for name in states] + [_label_room(way, states) for way in ways], default=_LEAST)
    broad = min(max(broad, _LEAST), _MOST)
    drawing = begun(prefix, "dn", machine.title, *machine.lines())
    width = max(2 * _EDGE + broad * len(states), 300)
    middles = {name: _EDGE + broad * (place + 0.5) for place, name in enumerate(states)}
    foot = _HEAD + _ROW * len(ways) + 10
    text(drawing.root, "title ink", _EDGE, 36, fitted(machine.title, width - 2 * _EDGE, 19))
    for name in states:
        _state(drawing, machine, name, middles[name], broad, foot)
    for place, way in enumerate(ways):
        _way(drawing.root, way, middles, _HEAD + _ROW * (place + 1) - 6, broad, width)
    left = len(machine.ways) - len(ways) + len(machine.entered) - len(states)
    if left:
        words = counted("and {n} state or way more", "and {n} states or ways more", left)
        text(drawing.root, "note soft", _EDGE, foot + 14, words)
        foot += 20
    return drawing.done(width, foot + 12, machine.title, paragraph(*(f"{one.strip()}." for one in machine.lines())))


def _label_room(way: Way, states: Sequence[str]) -> float:
    """Return the column width that the label of a way between two columns needs."""
    spans = 1 if way.dest is None else max(abs(states.index(way.dest) - states.index(way.source)), 1)
    return (max(wide(way.label, 12), wide(", ".join(way.counts), 11)) + 24) / spans


def _state(drawing: Drawing, machine: Machine, name: str, x: float, broad: float, foot: float) -> None:
    """Draw the head of a state's column, and its line."""
    many, now = machine.entered[name], machine.now.get(name, 0)
    told = _("entered {n}×").format(n=many) if many else _("never entered")
    if now:
        told = f"{told}, " + _("{n} now").format(n=now)
    head = group(drawing.root, f"{name}: {told}")
    line(head, "hair", x, _HEAD, x, foot)
    rect(head, "here" if now else "neither", x - broad / 2 + 6, 50, broad - 12, 44, 8)
    ink = "here-ink" if now else "ink" if many else "soft"
    text(head, f"large centre {ink}", x, 68, fitted(name, broad - 20, 15))
    text(head, f"note centre {ink}", x, 85, fitted(told, broad - 20, 11))


def _way(parent: Element, way: Way, middles: Mapping[str, float], y: float, broad: float, width: float) -> None:
    """Draw a way as an arrow, its trigger above it, and beneath it how often it was taken or refused."""
    counts = ", ".join(way.counts)
    row = group(parent, f"{way.source} → {way.dest or way.source}: {way.label}; {counts}")
    start = middles[way.source]
    end = start if way.dest is None else middles[way.dest]
    stroke = "line" + (" thick" if way.taken else " dashed")
    ink = "ink" if way.taken else "soft"
    if end == start:
        reach = min(broad / 2 - 8, 26.0)
        path = f"M{start:.1f} {y - 8:.1f}h{reach:.1f}v8h{-reach + _TIP:.1f}"
        SubElement(row, "path", {"class": f"dn-{stroke.replace(' ', ' dn-')} dn-empty", "d": path})
        _tip(row, start, y, -1, way)
        # Beside the loop there is room; at the right edge it is on the left.
        right = start + reach + 8 + broad <= width
        place, anchor = (start + reach + 6, "") if right else (start - 8, " end")
        text(row, f"bold{anchor} {ink}", place, y - 8, fitted(way.label, broad * 1.4, 12))
        text(row, f"note{anchor} {'wrong' if way.said_no else 'soft'}", place, y + 5, fitted(counts, broad * 1.4, 11))
        return
    onward = 1 if end > start else -1
    line(row, stroke, start, y, end - onward * _TIP, y)
    _tip(row, end, y, onward, way)
    room = abs(end - start) - 12
    text(row, f"bold centre {ink}", (start + end) / 2, y - 6, fitted(way.label, room, 12))
    text(row, f"note centre {'wrong' if way.said_no else 'soft'}", (start + end) / 2, y + 13, fitted(counts, room, 11))


def _tip(row: Element, x: float, y: float, onward: int, way: Way) -> None:
    points = f"{x:.1f},{y:.1f} {x - onward * _TIP:.1f},{y - 4:.1f} {x - onward * _TIP:.1f},{y + 4:.1f}"
    SubElement(row, "polygon", {"class": "dn-ink" if way.taken else "dn-soft", "points": points})
