"""Tables for terminals: columns where they fit, and where they do not a block of lines for each row."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from daynight.events.errors import tame
from daynight.events.grammar import labelled

__all__ = ["print_table"]

_GAP = 2


def print_table(
    out: Console,
    headings: Sequence[str | Text],
    rows: Sequence[Sequence[str | Text]],
    *,
    numbers: Collection[int] = (),
) -> None:
    """Print rows under their headings, with nothing cut off at any width; the columns in `numbers` are right-aligned.

    Where the columns do not fit into the width of `out`, each row is a block: its first cell on a line of its own, then
    the other cells that are not empty, each with its heading, wrapped and indented. In a pipe or a file there is no
    width, unless the variable COLUMNS names one.
    """
    titles, *cells = [[_text(cell) for cell in row] for row in (headings, *rows)]
    widths = [max([cell.cell_len for cell in column]) for column in zip(titles, *cells, strict=True)]
    endless = out.soft_wrap and "COLUMNS" not in os.environ
    if endless or sum(widths) + _GAP * (len(widths) - 1) <= out.width:
        for title in titles:
            title.style = title.style or "dim"
        for row in (titles, *cells):
            line = Text()
            for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
                space = " " * (width - cell.cell_len)
                line.append(space if place in numbers else "").append_text(cell)
                line.append(("" if place in numbers else space) + " " * _GAP)
            line.rstrip()
            out.print(line, no_wrap=True, overflow="ignore", crop=False)
        return
    for row in cells:
        first, *others = row
        first.stylize("bold")
        out.print(first, soft_wrap=False)
        block = Text()
        for title, cell in zip(titles[1:], others, strict=True):
            if cell.plain and cell.plain != "-":
                block.append(" · " if block else "").append(labelled(title.plain, "")).append_text(cell)
        if block:
            out.print(Padding(block, (0, 0, 0, _GAP)), soft_wrap=False)


def _text(cell: str | Text) -> Text:
    return cell.copy() if isinstance(cell, Text) else Text(tame(cell))
