"""A report in one of its three forms."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import msgspec

from daynight.reports.html import html
from daynight.reports.markdown import markdown
from daynight.reports.report import Report
from daynight.reports.telling import page

Format: TypeAlias = Literal["html", "markdown", "json"]

FORMATS: tuple[Format, ...] = get_args(Format)
"""The forms of a report."""


def rendered(report: Report, form: Format) -> str:
    """The report as a text that ends with a line feed; the words are in the language that was chosen."""
    if form == "json":
        return msgspec.json.format(msgspec.json.encode(report.document()), indent=2).decode() + "\n"
    return html(page(report)) if form == "html" else markdown(page(report))
