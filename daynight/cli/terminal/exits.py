"""Exit codes, and the one line that goes with each failure."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence

import click

from daynight.cli.terminal.output import error_line
from daynight.cli.terminal.usage import usage_sentence
from daynight.framework.language.errors import AskedError, DaynightError, NotFoundError
from daynight.framework.language.grammar import also
from daynight.framework.language.wording import _, language

USAGE, UNREADABLE, NOT_FOUND, DAMAGED, BUG, INTERRUPTED = 2, 3, 4, 5, 70, 130
"""Exit codes, beside 0 (done, nothing found) and 1 (done, something found)."""

_WORST = (DAMAGED, USAGE, UNREADABLE, NOT_FOUND)

_CODES: tuple[tuple[type[BaseException], int], ...] = (
    (click.ClickException, USAGE),
    (AskedError, USAGE),
    (NotFoundError, NOT_FOUND),
    (DaynightError, UNREADABLE),
    (FileNotFoundError, NOT_FOUND),
    (OSError, UNREADABLE),
    (click.Abort, INTERRUPTED),
    (KeyboardInterrupt, INTERRUPTED),
)


def told(error: BaseException, more: str = "") -> int:
    """Say what went wrong, in one line, with something `more` at its end; answers the exit code."""
    code = next((code for kind, code in (*_of_stores(), *_CODES) if isinstance(error, kind)), BUG)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
    elif isinstance(error, click.ClickException):
        error_line(_continued(usage_sentence(error), more))
    elif isinstance(error, OSError):
        error_line(_continued(f"{error.filename or _('input or output')}: {_reason(error)}", more))
    elif code == BUG:
        if os.environ.get("DAYNIGHT_DEBUG"):
            traceback.print_exception(error)
        sentence = _("a bug of ours: {kind}: {error}; please report it (DAYNIGHT_DEBUG=1 shows where)")
        error_line(sentence.format(kind=type(error).__name__, error=error))
    elif code != INTERRUPTED:
        error_line(_continued(str(error), more))
    return code


def _continued(sentence: str, more: str) -> str:
    return also(sentence, more) if more else sentence


def _reason(error: OSError) -> str:
    """What the system says, in the reader's language where it is one of the things it says often."""
    said = {
        errno.ENOENT: _("no such file or directory"),
        errno.EACCES: _("permission denied"),
        errno.EISDIR: _("is a directory"),
        errno.ENOTDIR: _("not a directory"),
        errno.EEXIST: _("it exists already"),
        errno.ENOSPC: _("no space left on the device"),
    }
    if language() == "en":
        return error.strerror or str(error)
    return said.get(error.errno or 0, error.strerror or str(error))


def worst(failures: Sequence[int]) -> int:
    """The exit code of several failures: nothing hides a damaged store, and what is missing hides nothing."""
    return min(failures, key=_WORST.index)


def _of_stores() -> tuple[tuple[type[BaseException], int], ...]:
    # Where no store was opened, its errors were never loaded, and nothing of it is loaded to say so.
    errors = sys.modules.get("daynight.store.errors")
    return () if errors is None else ((errors.StoreError, DAMAGED), (errors.SettingsError, USAGE))
