"""The table of all routes: in this order they are described."""

from __future__ import annotations

from daynight.web.routes import asking, commands, comparing, disputes, files, live, reading, session, shell
from daynight.web.visit import Route

ROUTES: tuple[Route, ...] = (
    *shell.ROUTES, *session.ROUTES, *reading.ROUTES, *asking.ROUTES, *comparing.ROUTES, *files.ROUTES,
    *commands.ROUTES, *disputes.ROUTES, *live.ROUTES,
)  # fmt: skip
"""Every route there is."""
