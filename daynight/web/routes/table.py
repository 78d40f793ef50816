"""The table of all routes: in this order they are described."""

from __future__ import annotations

from daynight.web.routes import asking, comparing, files, reading, shell
from daynight.web.visit import Route

ROUTES: tuple[Route, ...] = (*shell.ROUTES, *reading.ROUTES, *asking.ROUTES, *comparing.ROUTES, *files.ROUTES)
"""Every route there is."""
