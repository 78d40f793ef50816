"""Exit codes, and the one line that goes with each failure."""

from __future__ import annotations

import os
import traceback

import click

from daynight.cli.output import error_line
from daynight.events.errors import DaynightError, NotFoundError
from daynight.events.wording import _
from daynight.positions import PositionError

__all__ = ["BUG", "INTERRUPTED", "NOT_FOUND", "UNREADABLE", "USAGE", "told"]

USAGE, UNREADABLE, NOT_FOUND, BUG, INTERRUPTED = 2, 3, 4, 70, 130
"""Exit codes, beside 0 (done, nothing found) and 1 (done, something found)."""

_CODES: tuple[tuple[type[BaseException], int], ...] = (
    (click.ClickException, USAGE),
    (PositionError, USAGE),
    (NotFoundError, NOT_FOUND),
    (DaynightError, UNREADABLE),
    (FileNotFoundError, NOT_FOUND),
    (OSError, UNREADABLE),
    (click.Abort, INTERRUPTED),
    (KeyboardInterrupt, INTERRUPTED),
)


def told(error: BaseException) -> int:
    """Say what went wrong, in one line; answers the exit code."""
    code = next((code for kind, code in _CODES if isinstance(error, kind)), BUG)
    if isinstance(error, click.ClickException):
        error.show()
    elif isinstance(error, OSError):
        error_line(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    elif code == BUG:
        if os.environ.get("DAYNIGHT_DEBUG"):
            traceback.print_exception(error)
        error_line(
            _("a bug of ours: {kind}: {error}; please report it (DAYNIGHT_DEBUG=1 shows where)").format(
                kind=type(error).__name__, error=error
            )
        )
    elif code != INTERRUPTED:
        error_line(str(error))
    return code
