"""The table of all routes, in the order in which they are described."""

from __future__ import annotations

from daynight.web.routes import asking, comparing, files, live, reading, session, shell
from daynight.web.routes.changing import commands, corrections, disputes, imports, walks, what_if
from daynight.web.visit import Route

ROUTES: tuple[Route, ...] = (
    *shell.ROUTES, *session.ROUTES, *reading.ROUTES, *asking.ROUTES, *comparing.ROUTES, *files.ROUTES,
    *commands.ROUTES, *corrections.ROUTES, *disputes.ROUTES, *what_if.ROUTES, *walks.ROUTES, *imports.ROUTES,
    *live.ROUTES,
)  # fmt: skip
"""All routes. A worker process finds a route by its index here."""
