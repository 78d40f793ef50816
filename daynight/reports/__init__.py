"""Reports: one game and its verdict as one HTML file, as Markdown, and as JSON.

>>> from daynight import Game
>>> found = report(Game.load("demo"))
>>> print(rendered(found, "markdown").splitlines()[4])
**Disputed: 1 claim or ruling contradicts the rules.**
"""

from __future__ import annotations

from daynight.reports.rendering import FORMATS, Format, rendered
from daynight.reports.report import Report, report
from daynight.reports.sections.beside import BranchError, Given, Kept

__all__ = ["FORMATS", "BranchError", "Format", "Given", "Kept", "Report", "rendered", "report"]
