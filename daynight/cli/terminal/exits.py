"""Exit codes, and the line printed for each failure. After a failure, a command goes on with its next record."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import click

from daynight.cli.terminal.output import as_document, print_error
from daynight.framework.language.errors import AskedError, DaynightError, NotFoundError, failed
from daynight.framework.language.grammar import also, commas
from daynight.framework.language.source import STORED
from daynight.framework.language.wording import _
from daynight.machine.addresses import without_password
from daynight.machine.program import program
from daynight.machine.reasons import reason_of

USAGE, UNREADABLE, NOT_FOUND, DAMAGED, BUG, INTERRUPTED = 2, 3, 4, 5, 70, 130
"""The exit codes other than 0 (done, nothing found) and 1 (done, something found)."""

_HOME = str(Path(__file__).resolve().parents[2])
_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})
"""The folders of Python's own library and of installed packages."""

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


class WrongFileError(click.UsageError):
    """Wrong usage because of a file; `file` is its name in the JSON error, or None if the error must not name it."""

    def __init__(self, sentence: str, file: str | None) -> None:
        super().__init__(sentence)
        self.file = file


def told(error: BaseException, more: str = "", *, own: bool = False) -> int:
    """Print an error, with `more` at the end of its sentence; return the exit code. An interruption prints nothing.

    `own`: the command line is that of a user's own mechanic; an error in its code is exit code 3, no bug of ours.
    """
    code = next((code for kind, code in (*_of_stores(), *_CODES) if isinstance(error, kind)), BUG)
    if own and code == BUG and isinstance(error, Exception) and _outside(error):
        # The code of a custom mechanic failed, at no known event: the error is printed with its own names.
        code, error = UNREADABLE, failed(_("the code of the mechanic"), error)
    if isinstance(error, click.exceptions.NoArgsIsHelpError) and not as_document():
        error.show()
    elif code != INTERRUPTED:
        if code == BUG and os.environ.get("DAYNIGHT_DEBUG"):
            traceback.print_exception(error)
        sentence = _sentence(error, code)
        sentence = also(sentence, more) if more else sentence
        place = {name: without_password(at) if isinstance(at, str) else at for name, at in _place(error).items()}
        # An address of a server given in place of a file must not put its password into a log.
        print_error(without_password(sentence), exit=code, **place)
    return code


def _outside(error: BaseException) -> bool:
    """Return whether an error comes from code that is neither ours nor a library's, but was called by ours."""
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    ours = [place for place, file in enumerate(files) if file.startswith(_HOME)]
    return bool(ours) and ours[-1] < len(files) - 1 and not files[-1].startswith(_LIBRARIES)


def _sentence(error: BaseException, code: int) -> str:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        # The message of this error is the help itself.
        error = click.UsageError(_("Missing command."), error.ctx)
    if isinstance(error, click.ClickException):
        return usage_sentence(error)
    if isinstance(error, OSError):
        where = error.filename or _("input or output")
        return f"{where}: {reason_of(error)}"
    if code != BUG:
        return str(error)
    sentence = _("a bug of ours: {kind}: {error}; please report it (DAYNIGHT_DEBUG=1 shows where)")
    where = "; ".join([str(error), *getattr(error, "__notes__", ())])
    return sentence.format(kind=type(error).__name__, error=where)


def _place(error: BaseException) -> dict[str, int | str | None]:
    """Return where the error is, as `file`, `line`, `column` and `path` (in the line's JSON); None: not known."""
    place: dict[str, int | str | None] = {"file": None, "line": None, "column": None, "path": None}
    if isinstance(error, OSError):
        return place | {"file": os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else None}
    if not isinstance(error, (DaynightError, WrongFileError)):
        return place
    place |= {name: getattr(error, name, None) for name in place}
    if (game := getattr(error, "game", None)) is not None:
        # An error of a store: event n of a game is line n of its record.
        place |= {"file": f"{STORED}{game}", "line": getattr(error, "event", None)}
    # A record in words has a column in place of a path.
    return place if place["column"] is None else place | {"path": None}


def worst(codes: Sequence[int]) -> int:
    """Return the worst of several exit codes: damage, wrong usage, unreadable, not found, then 1, and at last 0."""
    failures = [code for code in codes if code > 1]
    return min(failures, key=_WORST.index) if failures else max(codes)


def _of_stores() -> tuple[tuple[type[BaseException], int], ...]:
    # If no store was opened, its errors were not loaded, and need not be loaded here.
    errors = sys.modules.get("daynight.store.errors")
    if errors is None:
        return ()
    return (errors.NotReadableError, UNREADABLE), (errors.StoreError, DAMAGED), (errors.SettingsError, USAGE)


Asked = TypeVar("Asked")


def each(records: Sequence[Asked], answer: Callable[[Asked], int]) -> int:
    """Call `answer` with each record or, for a log, with each of its games; print an error and go on with the next one.

    Return the exit code of the worst failure, else the greatest exit code of the answers.
    """
    codes = [0]
    for record in records:
        try:
            games: Callable[[], Sequence[Asked]] | None = getattr(record, "games", None)
            alike = (record,) if games is None else games()
        except (DaynightError, OSError) as error:
            codes.append(told(error))
            continue
        for game in alike:
            try:
                codes.append(answer(game))
            except BrokenPipeError:
                raise
            except (DaynightError, OSError) as error:
                codes.append(told(error))
    return worst(codes)


_OF_CLICK = re.compile("(?:Got|Invalid|Missing|No such|Option|Takes) ")
"""The first words of click's English sentences; inside another sentence they begin with a small letter."""


def usage_sentence(error: click.ClickException) -> str:
    """Return the sentence for wrong usage; it proposes similar names or, if there are none, the command's help.

    >>> usage_sentence(click.NoSuchOption("--jsn", possibilities=["--json"]))
    "daynight: no such option '--jsn'; did you mean --json?"
    >>> usage_sentence(click.UsageError("give a record"))
    'daynight: give a record; try daynight --help'
    """
    ctx = getattr(error, "ctx", None)
    command = program() if ctx is None else ctx.command_path
    if possibilities := getattr(error, "possibilities", None):
        sentence = _("{command}: {reason}; did you mean {names}?")
        # What click adds itself to these two names the possibilities again.
        plain = isinstance(error, (click.NoSuchOption, click.NoSuchCommand))
        reason = error.message if plain else error.format_message()
        return sentence.format(command=command, reason=_clause(reason), names=commas(possibilities))
    sentence = _("{command}: {reason}; try {command} --help")
    return sentence.format(command=command, reason=_clause(error.format_message()))


def _clause(message: str) -> str:
    """Turn a message of click, or of ours, into a clause: on one line, without a final full stop or any password."""
    # Not with str.split, which also splits at French and Japanese spaces.
    message = re.sub(r"[ \t\n]+", " ", without_password(message)).rstrip(".。")
    message = re.sub(r"'\. (.)", lambda found: f"'; {found[1].lower()}", message)
    return message[:1].lower() + message[1:] if _OF_CLICK.match(message) else message
