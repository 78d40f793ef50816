"""Writes a page as Markdown: CommonMark with tables, readable as plain text; text of a record is never markup."""

from __future__ import annotations

import re
from collections.abc import Iterator

from daynight.framework.language.errors import whole
from daynight.framework.language.wording import _
from daynight.reports import pages

_MARKUP = re.compile(r"[\\`*_\[\]<>|~&$]")
_START = re.compile(r"^(\s*)([#+=-]|[0-9]+[.)])")
# Some programs turn an address in plain text into a link.
_ADDRESS = re.compile(r"(?i)(www)\.|(https?|ftp|mailto|xmpp):")


def escaped(text: str) -> str:
    r"""Return Markdown that shows exactly this text, on one line.

    >>> print(escaped("<b>|`x`"))
    \<b\>\|\`x\`
    """
    plain = _MARKUP.sub(lambda found: "\\" + found[0], whole(text))
    plain = _ADDRESS.sub(lambda found: found[0][:-1] + "\\" + found[0][-1], plain)
    return _START.sub(lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", plain)


def markdown(page: pages.Page) -> str:
    """Return the page as Markdown; the same page gives the same text."""
    return "\n".join(_lines(page)).rstrip("\n") + "\n"


def _lines(page: pages.Page) -> Iterator[str]:
    yield f"# {escaped(page.title)}"
    yield from ("", escaped(page.players), "", f"**{escaped(page.verdict)}**")
    yield from ("", _text(page.standfirst), "")
    yield from _facts(page.facts)
    for section in page.sections:
        yield from (f"## {escaped(section.heading)}", "")
        for block in section.blocks:
            yield from _block(block)
    yield from ("---", "")
    for sentence in page.foot:
        yield from (escaped(sentence), "")


def _text(text: pages.Text) -> str:
    return escaped("".join(f"e{piece.event}" if isinstance(piece, pages.Ref) else piece for piece in text))


def _block(block: pages.Block) -> Iterator[str]:
    if isinstance(block, pages.Paragraph):
        yield from (_text(block.text), "")
    elif isinstance(block, pages.Items):
        for number, item in enumerate(block.items, 1):
            yield f"{number}. {_text(item)}" if block.numbered else f"- {_text(item)}"
        yield ""
    elif isinstance(block, pages.FactList):
        yield from _facts(block)
    elif isinstance(block, pages.Table):
        yield from _table(block)
    elif isinstance(block, (pages.Folded, pages.Subsection)):
        if isinstance(block, pages.Subsection):
            yield from (f"{'#' * block.level} {escaped(block.heading)}", "")
        for inner in block.blocks:
            yield from _block(inner)
    elif isinstance(block, pages.LogBlock):
        for entry in block.entries:
            yield from _entry(entry)
        yield ""
    else:
        # The table after it says what it shows.
        assert isinstance(block, pages.Picture)


def _facts(block: pages.FactList) -> Iterator[str]:
    for name, value in block.rows:
        yield "- " + _("**{name}:** {value}").format(name=escaped(name), value=_text(value))
    yield ""


def _table(block: pages.Table) -> Iterator[str]:
    yield from (f"**{escaped(block.caption)}**", "")
    yield _row([escaped(name) for name in block.head])
    yield _row(["---"] * len(block.head))
    for row in block.rows:
        yield _row([_text(cell) for cell in row])
    yield ""


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _entry(entry: pages.LogEntry) -> Iterator[str]:
    if entry.number == 0:
        yield f"- *{escaped(entry.sentence)}*"
        return
    sentence = f"**{escaped(entry.sentence)}**" if entry.heading else escaped(entry.sentence)
    undone = f" {escaped(entry.undone)}" if entry.undone else ""
    marks = "".join(f" **{escaped(mark)}**" for mark in entry.marks)
    note = f" *({escaped(entry.note)})*" if entry.note else ""
    yield f"- e{entry.number} {sentence}{undone}{marks}{note}"
    for consequence in entry.consequences:
        yield f"  - {escaped(consequence)}"
