"""Puts the command line into the reader's language: help, errors, and click's own words.

Click looks its words up with functions of gettext, which read the environment. So while a command line runs, click's
text domain is ours and LANGUAGE names the chosen language. The work of a command itself, and every program that it
starts, gets the original environment.
"""

from __future__ import annotations

import copy
import functools
import gettext
import inspect
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

import click
from rich.cells import cell_len

from daynight.cli.terminal.exits import WrongFileError
from daynight.cli.terminal.helping import IN_JSON, help_option, in_json
from daynight.framework.language.wording import _, counted, translated
from daynight.keeping.files import PlaceError
from daynight.languages.speaking import CATALOGUES, DOMAIN, LANGUAGES, chosen, speaking
from daynight.machine.program import program

AS_WRITTEN = "\b\n"
"""The beginning of an epilog with examples: command lines, which are neither translated nor wrapped.

Click defines this mark.
"""

_OPTION = "--lang"
_VARIABLE = "LANGUAGE"
_before: ContextVar[tuple[str | None] | None] = ContextVar("daynight.language-before", default=None)

lang = click.option(
    _OPTION,
    type=click.Choice(LANGUAGES),
    expose_value=False,
    is_eager=True,
    help="The language of the text; by default that of DAYNIGHT_LANG or of your environment.",
)
"""The option itself only checks its value: `asked` finds it before click reads the command line."""


def asked(arguments: Sequence[str], environment: Mapping[str, str]) -> str | None:
    """Return the language of the last valid `--lang` on a command line, which is that of the innermost command.

    Without one, return the first language that the environment asks for and daynight has, or None.
    """
    found = None
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        value = None
        if argument == _OPTION:
            value = next(iter(arguments[place + 1 :]), None)
        elif argument.startswith(f"{_OPTION}="):
            value = argument.partition("=")[2]
        if value in LANGUAGES:
            found = value
    return found or chosen(environment)


@contextmanager
def interpreting(language: str | None) -> Iterator[None]:
    """Put all text in this context, ours and click's, into this language; None: the one already chosen."""
    if language is None:
        yield
        return
    domain, folder = gettext.textdomain(), gettext.bindtextdomain(DOMAIN)
    token = _before.set((os.environ.get(_VARIABLE),))
    gettext.bindtextdomain(DOMAIN, str(CATALOGUES))
    gettext.textdomain(DOMAIN)
    try:
        with speaking(language), _environment(language):
            yield
    finally:
        gettext.bindtextdomain(DOMAIN, folder)
        gettext.textdomain(domain)
        _before.reset(token)


@contextmanager
def _environment(language: str | None) -> Iterator[None]:
    """Set the environment variable LANGUAGE, and restore it at the end of this context; None: remove it."""
    before = os.environ.get(_VARIABLE)
    _set(language)
    try:
        yield
    finally:
        _set(before)


def _set(language: str | None) -> None:
    if language is None:
        os.environ.pop(_VARIABLE, None)
    else:
        os.environ[_VARIABLE] = language


def interpreted(command: click.Command) -> click.Command:
    """Return a copy of the command with `--lang` and translated help; its work gets the original environment.

    The original command is not changed.
    """
    told = copy.copy(command)
    told.params = [_interpreted(parameter) for parameter in command.params]
    _with(told, lang)
    told.help = _own(translated(paragraphs(command.help or "")))
    told.short_help = first_sentence(told.help)
    told.epilog = _own(command.epilog or "")
    if not told.epilog.startswith(AS_WRITTEN):
        told.epilog = translated(paragraphs(told.epilog))
    told.options_metavar = translated(command.options_metavar or "")
    told._help_option = help_option()  # where click keeps the one that it makes itself
    if isinstance(told, click.Group):
        _with(told, in_json)
        told.subcommand_metavar = translated(told.subcommand_metavar)
        told.commands = cast(Any, _Verbs(cast(click.Group, command)))
    elif command.callback is not None:
        told.callback = _as_before(command.callback)
    told.context_class = _Context
    return told


class _Verbs(Mapping[str, click.Command]):
    """The commands of a group, by name; each is translated on first use, because a group may load it only then."""

    def __init__(self, group: click.Group) -> None:
        self._group = group
        self._known: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._known:
            self._known[name] = interpreted(self._group.commands[name])
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._group.commands)

    def __len__(self) -> int:
        return len(self._group.commands)


def _with(told: click.Command, option: Callable[[click.Command], click.Command]) -> None:
    """Add an option to a command, unless the command already has an option of that name."""
    option(told)
    *before, added = told.params
    known = {name for parameter in before for name in parameter.opts}
    told.params = before if known & {*added.opts} else [*before, _interpreted(added)]


def first_sentence(text: str) -> str:
    """Return the first sentence of a help text, for a list of commands.

    >>> first_sentence("Convert a game in the .dn notation. Event n is line n.")
    'Convert a game in the .dn notation.'
    """
    return re.split(r"(?<=[.])\s|(?<=。)|\n", text, maxsplit=1)[0]


def paragraphs(text: str) -> str:
    """Return a help text as in the message catalogues: each paragraph on one line."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", inspect.cleandoc(text)))


def _interpreted(parameter: click.Parameter) -> click.Parameter:
    told = copy.copy(parameter)
    if told.metavar is not None:
        told.metavar = translated(told.metavar)
    if isinstance(told, click.Option):
        told.help = _own(translated(paragraphs(told.help or "")))
    return told


def _own(text: str) -> str:
    """Replace `daynight` before each command in a text by what runs this program, such as `python -m daynight`."""
    return _COMMAND.sub(lambda found: program(), text)


_COMMAND = re.compile(r"(?<![A-Za-z/])daynight(?= [a-z])")


def _as_before(work: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(work)
    def done(*arguments: Any, **named: Any) -> Any:
        with _wrong_usage():
            if (before := _before.get()) is None:
                return work(*arguments, **named)
            with _environment(*before):
                return work(*arguments, **named)

    return done


@contextmanager
def _wrong_usage() -> Iterator[None]:
    """Turn a `PlaceError`, about a file that a command must not write, into a WrongFileError: wrong usage."""
    try:
        yield
    except PlaceError as error:
        raise WrongFileError(str(error), error.file) from None


# ------------------------------------------------------------------------------------------ characters two cells wide


_NEVER_FIRST = "、。，．：；！？）」』】…ー・"
"""Characters that may not begin a line."""


class _Formatter(click.HelpFormatter):
    """Writes help with headings in the style of the language, and examples below a heading of their own.

    Lines break at spaces, and between characters that take two cells.
    """

    def write_heading(self, heading: str) -> None:
        """Write the heading and its colon."""
        self.write(" " * self.current_indent + _("{heading}:").format(heading=heading) + "\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs, wrapped; or examples, one on each line."""
        indent = " " * self.current_indent
        if text.startswith(AS_WRITTEN):
            examples = text.removeprefix(AS_WRITTEN).splitlines()
            self.dedent()
            self.write_heading(counted("Example", "Examples", len(examples)))
            self.indent()
            for line in examples:
                self.write(f"{indent}{line}\n")
            return
        for number, part in enumerate(text.split("\n\n")):
            if number:
                self.write("\n")
            for line in _wrapped(part, self.width - self.current_indent):
                self.write(f"{indent}{line}\n")

    def write_dl(self, rows: Any, col_max: int = 30, col_spacing: int = 2) -> None:
        """Write a list of terms, each with its text beside it."""
        rows = list(rows)
        first = min(max(cell_len(term) for term, _said in rows), col_max) + col_spacing
        indent = " " * (first + self.current_indent)
        for term, said in rows:
            self.write(" " * self.current_indent + term)
            lines = _wrapped(said, self.width - len(indent))
            room = first - cell_len(term)
            if room < col_spacing or not lines:
                self.write("\n")
            else:
                self.write(" " * room + lines.pop(0) + "\n")
            for line in lines:
                self.write(f"{indent}{line}\n")


class _Context(click.Context):
    """A context whose errors of usage always name the command, and whose help `_Formatter` writes.

    If `--json` stood before the name of the command, it is an option of the command.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        if IN_JSON in self.meta:
            self.default_map = {"as_json": True}

    @contextmanager
    def scope(self, cleanup: bool = True) -> Iterator[click.Context]:
        try:
            with super().scope(cleanup) as ctx, _wrong_usage():
                yield ctx
        except click.UsageError as error:
            error.ctx = error.ctx or self
            raise

    def make_formatter(self) -> click.HelpFormatter:
        """Return the formatter of our help."""
        return _Formatter(width=self.terminal_width, max_width=self.max_content_width)


def _wrapped(text: str, width: int) -> list[str]:
    """Return lines of at most `width` cells, broken at spaces and between wide characters."""
    pieces = re.findall(rf"[^ \t\n\u3000-\u9fff\uff00-\uff60]+|[ \t\n]+|.[{_NEVER_FIRST}]*", text)
    lines, line = [], ""
    for piece in pieces:
        if line and cell_len(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece if line else piece.lstrip()
    return [*lines, line.rstrip()] if line else lines
