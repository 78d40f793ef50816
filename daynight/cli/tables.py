"""Tables for terminals: columns where they fit, and where they do not a block of lines for each row."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
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
    the other cells that are not empty, each with its heading, wrapped and indented.
    """
    titles, *cells = [[_text(cell) for cell in row] for row in (headings, *rows)]
    widths = [max([cell.cell_len for cell in column]) for column in zip(titles, *cells, strict=True)]
    if out.soft_wrap or sum(widths) + _GAP * (len(widths) - 1) <= out.width:
        table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="dim")
        for place, title in enumerate(titles):
            table.add_column(title, no_wrap=True, justify="right" if place in numbers else "left")
        for row in cells:
            table.add_row(*row)
        out.print(table, crop=False)
        return
    for row in cells:
        first, *others = row
        first.stylize("bold")
        out.print(first)
        block = Text()
        for title, cell in zip(titles[1:], others, strict=True):
            if cell.plain and cell.plain != "-":
                block.append(" · " if block else "").append(labelled(title.plain, "")).append_text(cell)
        if block:
            out.print(Padding(block, (0, 0, 0, _GAP)))


def _text(cell: str | Text) -> Text:
    return cell.copy() if isinstance(cell, Text) else Text(tame(cell))
