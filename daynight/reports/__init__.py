"""Reports: one game and its verdict as one HTML file, as Markdown, and as JSON.

>>> from daynight import Game
>>> found = report(Game.load("demo"))
>>> print(rendered(found, "markdown").splitlines()[4])
**Disputed: 1 claim or ruling contradicts the rules.**
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import msgspec

from daynight.framework.language.codec import versioned
from daynight.reports.html import html
from daynight.reports.markdown import markdown
from daynight.reports.report import Report, report
from daynight.reports.sections.branches import BranchError, Given, KeptBranch
from daynight.reports.telling import page

Format: TypeAlias = Literal["html", "markdown", "json"]
"""The form of a report, by its name."""

FORMATS: tuple[Format, ...] = get_args(Format)
"""The forms of a report."""


def rendered(report: Report, form: Format) -> str:
    """Return the report as a text that ends with a line feed; its words are in the chosen language."""
    if form == "json":
        return msgspec.json.format(msgspec.json.encode(versioned(report.document())), indent=2).decode() + "\n"
    return html(page(report)) if form == "html" else markdown(page(report))


__all__ = ["FORMATS", "BranchError", "Format", "Given", "KeptBranch", "Report", "rendered", "report"]
