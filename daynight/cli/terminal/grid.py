"""Prints tables on terminals: in columns or, if these do not fit, as a block of lines for each row."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from daynight.framework.language.errors import tame
from daynight.framework.language.grammar import labelled

_GAP, _ROOM = 2, 24


def print_table(
    out: Console, headings: Sequence[str | Text], rows: Sequence[Sequence[str | Text]], *, numbers: Collection[int] = ()
) -> None:
    """Print rows under their headings, without cutting anything off; the columns in `numbers` are right-aligned.

    The last column is wrapped if `_ROOM` characters of the line are left for it. If the columns still do not fit, each
    row becomes a block: its first cell on a line of its own, then the other cells except "" and "-", each with its
    heading, wrapped and indented. In a pipe or a file nothing is wrapped, unless the variable COLUMNS names a width.
    """
    titles, *cells = [[_text(cell) for cell in row] for row in (headings, *rows)]
    widths = [max([cell.cell_len for cell in column]) for column in zip(titles, *cells, strict=True)]
    margin = sum(widths[:-1]) + _GAP * (len(widths) - 1)
    endless = out.soft_wrap and "COLUMNS" not in os.environ
    room = widths[-1] if endless else out.width - margin
    if room >= min(widths[-1], _ROOM):
        for title in titles:
            title.style = title.style or "dim"
        for row in (titles, *cells):
            line = Text()
            for place, (cell, width) in enumerate(zip(row[:-1], widths, strict=False)):
                space = " " * (width - cell.cell_len)
                line.append(space if place in numbers else "").append_text(cell)
                line.append(("" if place in numbers else space) + " " * _GAP)
            last = row[-1]
            if len(widths) - 1 in numbers:
                last = Text(" " * (widths[-1] - last.cell_len)).append_text(last)
            for piece in last.wrap(out, room) if last.plain else [last]:
                line.append_text(piece).rstrip()
                out.print(line, no_wrap=True, overflow="ignore", crop=False)
                line = Text(" " * margin)
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
